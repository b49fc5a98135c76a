"""The journal on SQLite: what survives a crash in any order of events, and what is gone for good."""

import asyncio
import logging
import tempfile
from collections.abc import Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from core.domain.answers import Rejected
from core.domain.ids import TraceId
from core.domain.journal import (
    ChatState,
    Feedback,
    FeedbackVerdict,
    InboxItem,
    OutboxItem,
    OutgoingReply,
    Pseudonyms,
    Retention,
    ThreadKey,
)
from core.domain.records import RecordTexts
from core.domain.scope import ThreadContext
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_journal import KEY, FakeJournal
from tests.support.journal_examples import at, key, message, part, record, reply

T = TypeVar("T")
PEOPLE = Pseudonyms(KEY)
CHATS = ("a", "b", "c")
MAX_ATTEMPTS = 3


async def opened(file: Path) -> SqlJournal:
    return SqlJournal(await Database.open(sqlite_url(file)), PEOPLE)


class Delivery(RuleBasedStateMachine):
    """Messages and replies in any order, with crashes between any two steps. The in-memory journal is the
    model; beside it stands what must never happen, in the plainest terms."""

    events = Bundle("events")

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "journal.db"
        self.journal = self.run(opened(self.file))
        self.model = FakeJournal()
        self.minutes = 0
        self.accepted: dict[str, list[str]] = {chat: [] for chat in CHATS}
        self.ended: list[str] = []
        self.working: dict[int, tuple[InboxItem, InboxItem]] = {}
        self.sending: dict[int, tuple[OutboxItem, OutboxItem]] = {}
        self.paused: list[tuple[InboxItem, InboxItem]] = []
        self.keys: list[str] = []
        self.arrived: list[str] = []

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        self.run(self.journal.close())
        self.loop.close()
        self.folder.cleanup()

    @property
    def now(self) -> Any:
        self.minutes += 1
        return at(self.minutes)

    @rule(target=events, chat=st.sampled_from(CHATS), count=st.integers(1, 3))
    def new_messages(self, chat: str, count: int) -> str:
        names = [f"{chat}{len(self.accepted[chat]) + n}" for n in range(count)]
        found = self.accept([message(name, chat) for name in names])
        assert found == names
        self.accepted[chat] += names
        return names[0]

    @rule(event=events)
    def the_same_again(self, event: str) -> None:
        assert self.accept([message(event, event[0])]) == []

    def accept(self, messages: list[Any]) -> list[str]:
        now = self.now
        found = self.run(self.journal.accept(messages, at=now))
        assert found == self.run(self.model.accept(messages, at=now))
        return found

    @rule()
    def claim(self) -> None:
        now = self.now
        item, expected = self.run(self.journal.claim(at=now)), self.run(self.model.claim(at=now))
        assert (item is None) == (expected is None)
        if item is None or expected is None:
            return
        assert (item.message, item.attempts) == (expected.message, expected.attempts)
        chat = item.message.ref.chat
        assert all(other.message.ref.chat != chat for other, _ in self.working.values())
        left = [event for event in self.accepted[chat] if event not in self.ended]
        assert item.message.event == left[0]
        self.working[item.id] = (item, expected)

    def taken(self, data: st.DataObject) -> tuple[InboxItem, InboxItem] | None:
        if not self.working:
            return None
        return self.working.pop(data.draw(st.sampled_from(sorted(self.working))))

    @rule(data=st.data(), parts=st.integers(0, 2), dead=st.booleans())
    def end(self, data: st.DataObject, parts: int, dead: bool) -> None:
        pair = self.taken(data)
        if pair is None:
            return
        item, expected = pair
        event = item.message.event
        keys = [f"{event}-{n}" for n in range(parts)]
        replies = [reply(*keys, chat=item.message.ref.chat)] if keys else []
        now = self.now
        for journal, mine in ((self.journal, item), (self.model, expected)):
            if dead:
                self.run(journal.give_up(mine, "error.unexpected", at=now))
            else:
                self.run(journal.finish(mine, at=now, replies=replies))
        self.ended.append(event)
        self.keys += [] if dead else keys

    @rule(data=st.data())
    def give_back(self, data: st.DataObject) -> None:
        pair = self.taken(data)
        if pair is None:
            return
        now = self.now
        self.run(self.journal.give_back(pair[0], at=now))
        self.run(self.model.give_back(pair[1], at=now))

    @rule()
    def crash(self) -> None:
        """The process ends; what it held in its hands is found in work and in sending."""
        self.run(self.journal.close())
        self.journal = self.run(opened(self.file))
        now = self.now
        found = self.run(self.journal.requeue_interrupted(at=now, max_attempts=MAX_ATTEMPTS))
        assert found == self.run(self.model.requeue_interrupted(at=now, max_attempts=MAX_ATTEMPTS))
        assert found.waiting + found.dead == len(self.working)
        self.ended += [
            item.message.event for item, _ in self.working.values() if item.attempts >= MAX_ATTEMPTS
        ]
        self.paused += self.working.values()
        self.working.clear()
        parts = self.run(self.journal.interrupted_parts("matrix"))
        expected = self.run(self.model.interrupted_parts("matrix"))
        assert [item.part for item in parts] == [item.part for item in expected]
        assert {item.id for item in parts} == set(self.sending)
        self.sending = {mine.id: (mine, theirs) for mine, theirs in zip(parts, expected, strict=True)}

    @rule(data=st.data(), how=st.sampled_from(["done", "dead", "back"]))
    def who_was_taken_for_dead_wakes(self, data: st.DataObject, how: str) -> None:
        """What it thinks to end is another's by now, or over."""
        if not self.paused:
            return
        item, expected = data.draw(st.sampled_from(self.paused))
        now = self.now
        for journal, mine in ((self.journal, item), (self.model, expected)):
            if how == "done":
                self.run(journal.finish(mine, at=now, replies=[reply("late", chat="late")]))
            elif how == "dead":
                self.run(journal.give_up(mine, "error.unexpected", at=now))
            else:
                self.run(journal.give_back(mine, at=now))

    @rule()
    def claim_part(self) -> None:
        now = self.now
        item = self.run(self.journal.claim_part("matrix", at=now))
        expected = self.run(self.model.claim_part("matrix", at=now))
        assert (item is None) == (expected is None)
        if item is None or expected is None:
            return
        assert (item.part, item.attempts) == (expected.part, expected.attempts)
        assert item.part.key not in self.arrived
        chat = item.part.to.chat
        assert all(other.part.to.chat != chat for other, _ in self.sending.values())
        self.sending[item.id] = (item, expected)

    @rule(data=st.data(), how=st.sampled_from(["sent", "later", "failed", "lost"]))
    def send(self, data: st.DataObject, how: str) -> None:
        if not self.sending:
            return
        item, expected = self.sending.pop(data.draw(st.sampled_from(sorted(self.sending))))
        now = self.now
        for journal, mine in ((self.journal, item), (self.model, expected)):
            if how == "sent":
                self.run(journal.sent(mine, ["m"], at=now))
            elif how == "later":
                until = now + timedelta(minutes=2)
                self.run(journal.postpone(mine, until=until, error="platform.busy", at=now))
            else:
                self.run(journal.fail(mine, "chat.gone", at=now, unknown=how == "lost"))
        if how != "later":
            self.arrived.append(item.part.key)

    @invariant()
    def nothing_is_lost(self) -> None:
        backlog = self.run(self.journal.backlog())
        assert backlog == self.run(self.model.backlog())
        total = sum(len(events) for events in self.accepted.values())
        assert len(self.ended) == len(set(self.ended))
        assert backlog.waiting + backlog.working + len(self.ended) == total
        assert backlog.working == len(self.working)
        assert backlog.pending + backlog.sending + len(self.arrived) == len(self.keys)

    @invariant()
    def the_place_in_the_queue_is_the_models(self) -> None:
        for chat in CHATS:
            found = self.run(self.journal.waiting_before(key(chat)))
            assert found == self.run(self.model.waiting_before(key(chat)))


def delivery_of(examples: int, steps: int) -> None:
    limits = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Delivery, settings=limits)  # type: ignore[no-untyped-call]


def test_deliveries_in_any_order() -> None:
    delivery_of(12, 30)


@pytest.mark.slow
def test_many_deliveries_in_any_order() -> None:
    delivery_of(200, 60)


@pytest.mark.parametrize("server", ["sqlite", "postgresql"])
async def test_claims_at_the_same_time(tmp_path: Path, request: pytest.FixtureRequest, server: str) -> None:
    """Of many that ask at once each gets another chat's message, and each part is sent by one."""
    sqlite = server == "sqlite"
    address = "" if sqlite else request.getfixturevalue(server)
    url = sqlite_url(tmp_path / "journal.db") if sqlite else await postgresql_url(address)
    journal = SqlJournal(await Database.open(url), PEOPLE)
    await journal.accept([message(f"{chat}{n}", chat) for chat in CHATS for n in range(3)], at=at())
    items = await asyncio.gather(*(journal.claim(at=at(1)) for _ in range(6)))
    assert sorted(item.message.event for item in items if item) == ["a0", "b0", "c0"]
    await journal.enqueue([reply(f"{chat}-1", f"{chat}-2", chat=chat) for chat in CHATS], at=at())
    parts = await asyncio.gather(*(journal.claim_part("matrix", at=at(1)) for _ in range(6)))
    assert sorted(item.part.key for item in parts if item) == ["a-1", "b-1", "c-1"]
    await journal.close()


async def test_the_same_events_at_the_same_time(tmp_path: Path) -> None:
    """Five copies of every event, from two connections at once, are taken once."""
    journals = [await opened(tmp_path / "journal.db") for _ in range(2)]
    messages = [message(str(n), CHATS[n % 3]) for n in range(20)]
    found = await asyncio.gather(
        *(journals[n % 2].accept(messages[n:] + messages[:n], at=at()) for n in range(5))
    )
    assert sorted(event for new in found for event in new) == sorted(item.event for item in messages)
    for journal in journals:
        await journal.close()


HER = "@geheimeperson"
SHE = PEOPLE.person("matrix", "w", HER)
SECRETS = ("heimlichefrage", HER, "zimmer4711", "antwortdarauf", SHE)
PRIVATE = key("!zimmer4711")


async def lived(journal: SqlJournal) -> None:
    """A private question, answered, liked, and asked on; all of it holds one of `SECRETS`."""
    asked = message("1", PRIVATE.chat, sender=HER, text="heimlichefrage " * 400, direct=True)
    await journal.accept([asked], at=at())
    item = await journal.claim(at=at())
    assert item is not None
    texts = RecordTexts(
        question=asked.text,
        queries=("heimlichefrage",),
        outputs=("antwortdarauf",),
        rejected=(Rejected(what="claim", text="antwortdarauf", why="numbers"),),
    )
    await journal.record(record(person=SHE, chat=PEOPLE.chat(PRIVATE), texts=texts))
    whole = part("r1", PRIVATE.chat, text="antwortdarauf " * 400, recipient=HER)
    answer = OutgoingReply(parts=(whole,), person=SHE, trace=TraceId("t1"))
    await journal.finish(item, at=at(), replies=[answer])
    out = await journal.claim_part("matrix", at=at())
    assert out is not None
    await journal.sent(out, ["m1"], at=at())
    await journal.first_notice(SHE, at=at())
    await journal.give_feedback(
        Feedback(trace=TraceId("t1"), person=SHE, verdict=FeedbackVerdict.WRONG, at=at())
    )
    await journal.save_chat_state(PRIVATE, ChatState(language="de"), at=at())
    thread = ThreadKey(chat=PRIVATE, thread="", collections=("public",))
    about = ThreadContext(questions=("heimlichefrage",), language="de")
    await journal.save_context(thread, about, person=SHE, expires_at=at(60))


def found_in(folder: Path) -> set[str]:
    content = b"".join(path.read_bytes() for path in folder.iterdir())
    return {secret for secret in SECRETS if secret.encode() in content}


def modes_in(folder: Path) -> set[int]:
    return {path.stat().st_mode & 0o777 for path in folder.iterdir()}


async def test_what_is_forgotten_is_in_no_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    journal = await opened(tmp_path / "journal.db")
    await lived(journal)
    assert found_in(tmp_path) == set(SECRETS)
    await journal.forget(SHE, private_chat=PRIVATE, at=at(1))
    assert found_in(tmp_path) == set()
    await journal.close()
    assert found_in(tmp_path) == set()
    assert not any(secret in caplog.text for secret in SECRETS)


async def test_what_is_over_is_in_no_file(tmp_path: Path) -> None:
    journal = await opened(tmp_path / "journal.db")
    await lived(journal)
    for days in (2, 366):
        await journal.purge(Retention(), at=at(days=days))
    await journal.drop_chat(PRIVATE)
    await journal.purge(Retention(), at=at(days=366))
    assert found_in(tmp_path) == set()
    await journal.close()


async def test_the_database_is_its_owners_alone(tmp_path: Path) -> None:
    journal = SqlJournal(await Database.open(f"sqlite:///{tmp_path}/journal.db"), PEOPLE)
    await lived(journal)
    assert modes_in(tmp_path) == {0o600}
    await journal.close()


async def test_a_reader_holds_nothing_up(tmp_path: Path) -> None:
    """While somebody reads an older state the log cannot be emptied; the next time it is."""
    journal, other = (
        await opened(tmp_path / "journal.db"),
        await Database.open(sqlite_url(tmp_path / "journal.db")),
    )
    await lived(journal)
    async with other.read() as connection:
        await connection.exec_driver_sql("SELECT count(*) FROM inbox")
        await journal.forget(SHE, private_chat=PRIVATE, at=at(1))
    await journal.purge(Retention(), at=at(2))
    assert found_in(tmp_path) == set()
    await journal.close()
    await other.close()
