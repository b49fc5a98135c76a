"""The way out: order, patience, what is given up, what nobody can know."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.files.folder import FolderFiles
from bot.chat.guard import Guard
from bot.delivery.sender import AT_ONCE, MAX_ATTEMPTS, OutboxSender, cancelled
from bot.delivery.shared_files import SharedFiles
from bot.presentation.presenter import Presenter
from core.domain.ids import TraceId
from core.domain.journal import OutgoingReply
from core.domain.messages import Exposure, MessageRef, Outgoing, Recovery, ReplyFile
from core.domain.registry import Registry
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.journal import Journal
from tests.support.chat_harness import eventually
from tests.support.fake_platform import BROKE_OFF, NO_FILES, FakePlatform, ManualClock
from tests.support.journals import KINDS, opened_journal
from tests.support.scripted_conversation import STAFF


class Post:
    """A sender that runs, and what stands around it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.clock = ManualClock()
        self.platform = FakePlatform()
        self.files = NO_FILES
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.sender = OutboxSender(
            self.platform, self.journal, self.clock, Guard(STAFF, ()), self.files, Presenter(Registry())
        )
        self._running = asyncio.create_task(self.sender.run())

    async def crash(self) -> None:
        if self._running is not None:
            await cancelled([self._running])

    async def stop(self) -> None:
        assert self._running is not None
        self.sender.stop()
        await self._running

    async def enqueue(self, *texts: str, chat: str = "c1", **fields: Any) -> None:
        parts = tuple(self.part(text, chat, **fields) for text in texts)
        await self.journal.enqueue([OutgoingReply(parts=parts)], at=self.clock.now())
        if self._running is not None:
            self.sender.wake()

    def part(self, text: str, chat: str = "c1", **fields: object) -> Outgoing:
        ref = MessageRef(platform="telegram", workspace="", chat=chat, thread=None, message="q1")
        return replace(Outgoing(key=text, to=ref, text=text), **fields)  # type: ignore[arg-type]

    async def shows(self, *texts: str, chat: str = "c1") -> None:
        async def there() -> bool:
            return self.platform.texts(chat) == list(texts)

        await eventually(there)

    async def settled(self, pending: int = 0) -> None:
        """Nothing is on its way any more, and that many parts wait."""

        async def still() -> bool:
            found = await self.journal.backlog()
            return (found.pending, found.sending) == (pending, 0)

        await eventually(still)

    async def letters(self) -> list[tuple[str, str]]:
        return [(letter.state, letter.error) for letter in await self.journal.dead_letters()]

    def failing(self, *errors: Exception | None) -> None:
        """The next sendings fail so, those after them do not."""
        left = list(errors)
        self.platform.fault = lambda part: left.pop(0) if left else None  # type: ignore[assignment, return-value]


@pytest.fixture(params=KINDS)
async def post(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Post]:
    journal = await opened_journal(request.param, tmp_path)
    found = Post(journal)
    yield found
    await found.crash()
    await journal.close()


async def test_parts_come_in_the_order_queued(post: Post) -> None:
    await post.enqueue("1", "2", "3")
    await post.enqueue("4")
    post.start()
    await post.shows("1", "2", "3", "4")


async def test_a_chat_that_takes_long_keeps_no_other_waiting(post: Post) -> None:
    gate = asyncio.Event()
    slow = [f"slow{number}" for number in range(AT_ONCE - 1)]
    post.platform.held = dict.fromkeys(slow, gate)
    post.start()
    for chat in slow:
        await post.enqueue(f"to {chat}", chat=chat)
    await post.enqueue("1", "2")
    await post.shows("1", "2")
    assert not any(post.platform.texts(chat) for chat in slow)
    gate.set()
    for chat in slow:
        await post.shows(f"to {chat}", chat=chat)


async def test_who_is_told_to_wait_waits_that_long_and_what_follows_with_it(post: Post) -> None:
    post.failing(Unavailable("platform.busy", "wait", retry_after_s=3600.0))
    await post.enqueue("1", "2")
    post.start()
    await post.settled(pending=2)
    await post.enqueue("other", chat="c2")
    await post.shows("other", chat="c2")
    post.clock.advance(minutes=59)
    post.sender.wake()
    await post.enqueue("another", chat="c2")
    await post.shows("other", "another", chat="c2")
    assert post.platform.texts() == []
    post.clock.advance(minutes=1)
    post.sender.wake()
    await post.shows("1", "2")


async def test_what_cannot_be_sent_for_hours_is_a_dead_letter(post: Post) -> None:
    tried = []

    def fault(part: Outgoing) -> Unavailable | None:
        if part.text != "1":
            return None
        tried.append(post.clock.now())
        return Unavailable("platform.unreachable", "no network")

    post.platform.fault = fault
    await post.enqueue("1", "2")
    post.start()

    async def given_up() -> bool:
        post.clock.advance(seconds=120)
        post.sender.wake()
        return bool(await post.letters())

    await eventually(given_up)
    await post.shows("2")
    assert await post.letters() == [("failed", "platform.unreachable")]
    assert len(tried) == MAX_ATTEMPTS
    assert (tried[-1] - tried[0]).total_seconds() >= 5 * 3600


async def test_a_refusal_drops_the_rest_of_its_reply_only(post: Post) -> None:
    post.failing(None, Refused("chat.gone", "the question is gone"))
    await post.enqueue("1", "2", "3")
    await post.enqueue("4")
    post.start()
    await post.shows("1", "4")
    assert await post.letters() == [("failed", "chat.gone")] * 2


async def test_a_message_that_cannot_be_taken_back_costs_no_other_part(post: Post) -> None:
    post.failing(Refused("chat.cannot_delete", "too old"))
    gone = replace(post.part("x").to, message="a7")
    deletes = [replace(post.part(f"d{n}"), deletes=True, to=gone, text="") for n in (1, 2)]
    await post.journal.enqueue([OutgoingReply(parts=(*deletes, post.part("said")))], at=post.clock.now())
    post.start()
    await post.shows("said")
    assert post.platform.deleted == [gone]
    assert await post.letters() == [("failed", "chat.cannot_delete")]


@pytest.mark.parametrize("error", [Broken("platform.token", "no"), RuntimeError("a mistake of ours")])
async def test_what_only_the_operator_can_mend_is_a_dead_letter_at_once(
    post: Post, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def fault(part: Outgoing) -> None:
        if part.text == "1":
            raise error

    post.platform.fault = fault
    await post.enqueue("1", "2")
    post.start()
    await post.shows("2")
    assert await post.letters() == [("failed", getattr(error, "key", "error.unexpected"))]


BOUND = {"chat": "staff", "collections": ("public", "internal")}


async def test_what_is_not_for_the_public_is_not_sent_once_others_read_along(post: Post) -> None:
    """It waited for its turn while the chat was opened."""
    left = [Unavailable("platform.busy", "wait", retry_after_s=60.0)]
    post.platform.fault = lambda part: left.pop() if left else None
    await post.enqueue("1", "2", **BOUND)
    post.start()

    async def tried() -> bool:
        return not left

    await eventually(tried)
    await post.settled(pending=2)
    post.platform.exposure_now = Exposure(closed=False, direct=False, why_open="chat.public")
    post.clock.advance(minutes=2)
    post.sender.wake()
    await post.enqueue("help", chat="staff")
    await post.shows("help", chat="staff")
    assert await post.letters() == [("failed", "delivery.chat_open")] * 2


@pytest.mark.parametrize("change", [{"chat": "c1"}, {"collections": ("public", "cabinet")}])
async def test_what_a_chat_may_not_see_any_more_is_not_sent(post: Post, change: dict[str, Any]) -> None:
    """The settings have changed since."""
    await post.enqueue("1", **{**BOUND, **change})
    post.start()
    await post.settled()
    assert post.platform.posts == []
    assert await post.letters() == [("failed", "delivery.not_entitled")]


async def test_what_is_not_for_the_public_waits_while_nobody_can_say_who_reads_along(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    async def out_of_reach(chat: object) -> Exposure:
        asked.set()
        raise Unavailable("platform.unreachable", "no network", retry_after_s=0.0)

    await post.enqueue("1", **BOUND)
    with monkeypatch.context() as offline:
        offline.setattr(post.platform, "exposure", out_of_reach)
        post.start()
        await asked.wait()
        await post.settled(pending=1)
    assert post.platform.posts == []
    post.clock.advance(minutes=2)
    post.sender.wake()
    await post.shows("1", chat="staff")


async def test_nobody_is_asked_about_what_all_may_read(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked(chat: object) -> Exposure:
        raise AssertionError

    monkeypatch.setattr(post.platform, "exposure", asked)
    await post.enqueue("1", "2")
    post.start()
    await post.shows("1", "2")
    assert await post.letters() == []


CASES = [
    # recovery, whether it had arrived, the part, what is shown in the end, how often it was posted, flagged
    (Recovery.RESEND, True, {}, 1, False),
    (Recovery.RESEND, False, {}, 1, False),
    (Recovery.LOOK_UP, True, {}, 1, False),
    (Recovery.LOOK_UP, False, {}, 1, False),
    (Recovery.FLAG, True, {}, 1, True),
    (Recovery.FLAG, False, {}, 0, True),
    (Recovery.FLAG, False, {"replaces": "a9"}, 1, False),
    (Recovery.FLAG, True, {"replaces": "a9"}, 2, False),
]


@pytest.mark.parametrize(("recovery", "arrives", "fields", "posted", "flagged"), CASES)
async def test_where_nobody_says_whether_it_arrived(
    post: Post, recovery: Recovery, arrives: bool, fields: dict[str, str], posted: int, flagged: bool
) -> None:
    post.platform.recovery, post.platform.arrives = recovery, arrives
    post.failing(BROKE_OFF)
    await post.enqueue("1", **fields)
    await post.enqueue("2")
    post.start()
    await _until_settled(post)
    assert [part.text for part in post.platform.posts].count("1") == posted
    assert post.platform.texts()[-1] == "2"
    assert await post.letters() == ([("unknown", "delivery.unknown")] if flagged else [])


async def _until_settled(post: Post) -> None:
    async def done() -> bool:
        post.clock.advance(seconds=1)
        post.sender.wake()
        found = await post.journal.backlog()
        return (found.pending, found.sending) == (0, 0)

    await eventually(done)


@pytest.mark.parametrize(("recovery", "arrives", "fields", "posted", "flagged"), CASES)
async def test_after_a_crash_while_sending(
    post: Post, recovery: Recovery, arrives: bool, fields: dict[str, str], posted: int, flagged: bool
) -> None:
    post.platform.recovery = recovery
    await post.enqueue("1", "2", **fields)
    item = await post.journal.claim_part("telegram", at=post.clock.now())
    assert item is not None
    if arrives:
        await post.platform.send(item.part)
    post.start()
    await _until_settled(post)
    assert [part.text for part in post.platform.posts].count("1") == posted
    assert [part.text for part in post.platform.posts].count("2") == 1
    assert await post.letters() == ([("unknown", "delivery.unknown")] if flagged else [])


async def test_a_platform_that_cannot_be_asked_leaves_it_flagged(post: Post) -> None:
    post.platform.recovery = Recovery.LOOK_UP

    async def out_of_reach(part: Outgoing) -> None:
        raise Unavailable("platform.unreachable", "no network", retry_after_s=0.0)

    post.platform.look_up = out_of_reach  # type: ignore[method-assign, assignment]
    post.failing(BROKE_OFF)
    await post.enqueue("1", "2")
    post.start()
    await post.shows("2")
    assert await post.letters() == [("unknown", "platform.unreachable")]


async def test_a_part_that_always_ends_the_process_is_given_up(post: Post) -> None:
    post.platform.recovery = Recovery.RESEND
    await post.enqueue("1", "2")
    for _ in range(MAX_ATTEMPTS):
        item = await post.journal.claim_part("telegram", at=post.clock.now())
        assert item is not None
        if item.attempts < MAX_ATTEMPTS:
            await post.journal.postpone(item, until=post.clock.now(), error="", at=post.clock.now())
    post.start()
    await post.shows("2")
    assert await post.letters() == [("failed", "delivery.interrupted")]


async def test_what_was_taken_back_shows_no_answer_any_more(post: Post) -> None:
    reply = OutgoingReply(parts=(post.part("1"),), trace=TraceId("t1"))
    await post.journal.enqueue([reply], at=post.clock.now())
    post.start()
    await post.shows("1")
    await post.settled()
    (posted,) = await post.journal.posted(TraceId("t1"))
    away = replace(post.part("d"), deletes=True, to=posted.ref, text="")
    await post.journal.enqueue([OutgoingReply(parts=(away,))], at=post.clock.now())
    post.sender.wake()
    await post.shows()

    async def forgotten() -> bool:
        return await post.journal.posted(TraceId("t1")) == []

    await eventually(forgotten)


async def test_a_journal_that_fails_for_a_moment_sends_nothing_twice(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, failures = post.journal.sent, [1, 1]

    async def sent(*args: object, **fields: object) -> None:
        if failures:
            failures.pop()
            raise Unavailable("database.busy", "locked", retry_after_s=0.0)
        await write(*args, **fields)  # type: ignore[arg-type]

    monkeypatch.setattr(post.journal, "sent", sent)
    await post.enqueue("1", "2")
    post.start()
    await post.shows("1", "2")
    await post.settled()
    assert [part.text for part in post.platform.posts] == ["1", "2"]


async def test_stopping_sends_what_is_due_first(post: Post) -> None:
    await post.enqueue(*"123456789")
    post.start()
    await post.stop()
    assert post.platform.texts() == list("123456789")


class TestFiles:
    """They are in the store by the time that a part is sent, or somebody is told."""

    def page(self, name: str = "p.pdf") -> ReplyFile:
        return ReplyFile(name=name, caption="", path=Path("outgoing", "abc", name))

    async def test_they_are_sent_from_the_store(self, post: Post, tmp_path: Path) -> None:
        store = FolderFiles(tmp_path)
        post.files = SharedFiles(store)
        await store.put("outgoing/abc/p.pdf", b"%PDF")
        await post.enqueue("one", files=(self.page(),))
        post.start()
        await post.settled()
        ((file,),) = [part.files for part in post.platform.posts]
        assert file.path == tmp_path / "outgoing" / "abc" / "p.pdf"

    @pytest.mark.parametrize(("language", "words"), [("de", "Dateien"), ("fr", "fichiers"), ("", "files")])
    async def test_of_lost_ones_people_are_told(
        self, post: Post, tmp_path: Path, language: str, words: str
    ) -> None:
        post.files = SharedFiles(FolderFiles(tmp_path))
        lost = (self.page(), self.page("q.pdf"))
        inner = {"recipient": "eve", "collections": ("internal",)}
        await post.enqueue("one", chat="staff", files=lost, language=language, **inner)
        await post.journal.enqueue(
            [OutgoingReply(parts=(replace(post.part("three", "c3"), text="", files=lost),))],
            at=post.clock.now(),
        )
        post.start()
        await post.settled()
        said, told = [part for part in post.platform.posts if part.to.chat == "staff"]
        assert (said.text, said.files) == ("one", ())
        assert words in told.text
        assert (told.recipient, told.collections) == ("eve", ("internal",))
        (alone,) = [part for part in post.platform.posts if part.to.chat == "c3"]
        assert "files" in alone.text
        assert await post.letters() == []

    @pytest.mark.parametrize("error", [Unavailable("files.unreachable"), Broken("files.denied")])
    async def test_a_store_that_is_away_is_waited_for(
        self, post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: FundstelleError
    ) -> None:
        store, left = FolderFiles(tmp_path), [error]
        post.files = SharedFiles(store)
        await store.put("outgoing/abc/p.pdf", b"%PDF")
        opened = store.open

        async def away(key: str) -> Path | None:
            if left:
                raise left.pop()
            return await opened(key)

        monkeypatch.setattr(store, "open", away)
        await post.enqueue("one", files=(self.page(),))
        post.start()

        async def failed() -> bool:
            return not left

        await eventually(failed)
        await post.settled(pending=1)
        post.clock.advance(seconds=600)
        post.sender.wake()
        await post.shows("one")
        assert await post.letters() == []
