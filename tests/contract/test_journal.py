"""What every `Journal` does: the fake, SQLite and PostgreSQL."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from core.domain.answers import Outcome
from core.domain.ids import TraceId, VersionId
from core.domain.journal import (
    REST,
    SUSPICIOUS,
    AuditAction,
    AuditEntry,
    ChatState,
    Cursor,
    Delivered,
    Feedback,
    FeedbackVerdict,
    InboxItem,
    Mailbox,
    OutboxItem,
    OutgoingReply,
    Pseudonym,
    Pseudonyms,
    Requeued,
    Retention,
    ThreadKey,
)
from core.domain.messages import Button, MessageKind, ReplyFile
from core.domain.records import KeptThread
from core.domain.scope import ThreadContext
from core.ports.journal import Journal
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_journal import KEY, FakeJournal
from tests.support.journal_examples import FULL_MESSAGE, at, cited, key, message, part, record, ref, reply

PEOPLE = Pseudonyms(KEY)
ANNA = PEOPLE.person("matrix", "w", "@anna:example.org")
BERT = PEOPLE.person("matrix", "w", "@bert:example.org")


@pytest.fixture(params=["fake", "sqlite", "postgresql"])
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    opened: Journal
    if request.param == "fake":
        opened = FakeJournal()
    else:
        sqlite = request.param == "sqlite"
        server = "" if sqlite else request.getfixturevalue("postgresql")
        url = sqlite_url(tmp_path / "journal.db") if sqlite else await postgresql_url(server)
        opened = SqlJournal(await Database.open(url), PEOPLE)
    yield opened
    await opened.close()


async def claimed(journal: Journal, minutes: float = 1) -> InboxItem:
    item = await journal.claim(at=at(minutes))
    assert item is not None
    return item


async def claimed_part(journal: Journal, minutes: float = 1) -> OutboxItem:
    item = await journal.claim_part("matrix", at=at(minutes))
    assert item is not None
    return item


async def worked(journal: Journal) -> list[str]:
    """Claim and finish all there is; the events in the order worked on."""
    events = []
    while (item := await journal.claim(at=at(1))) is not None:
        events.append(item.message.event)
        await journal.finish(item, at=at(2))
    return events


class TestInbox:
    async def test_a_message_comes_out_as_it_went_in(self, journal: Journal) -> None:
        assert await journal.accept([FULL_MESSAGE], at=at()) == ["full"]
        item = await claimed(journal)
        assert (item.message, item.attempts) == (FULL_MESSAGE, 1)

    async def test_an_event_is_taken_once(self, journal: Journal) -> None:
        assert await journal.accept([message("1"), message("1"), message("2")], at=at()) == ["1", "2"]
        assert await journal.accept([message("2"), message("3")], at=at()) == ["3"]
        assert await worked(journal) == ["1", "2", "3"]
        assert await journal.accept([message("1")], at=at(3)) == []

    async def test_the_same_event_elsewhere_is_another_one(self, journal: Journal) -> None:
        other = message("1", ref=ref(workspace="other"))
        assert await journal.accept([message("1"), other], at=at()) == ["1", "1"]

    async def test_a_message_without_an_event_is_a_mistake(self, journal: Journal) -> None:
        with pytest.raises(ValueError, match="event"):
            await journal.accept([message("")], at=at())

    async def test_cursor(self, journal: Journal) -> None:
        assert await journal.cursor("matrix", "w") is None
        for value in ("s1", "s2"):
            await journal.accept([], at=at(), cursor=Cursor(platform="matrix", workspace="w", value=value))
        assert await journal.cursor("matrix", "w") == "s2"
        assert await journal.cursor("matrix", "other") is None

    async def test_one_at_a_time_in_a_chat(self, journal: Journal) -> None:
        await journal.accept([message("1"), message("2"), message("3", "c2")], at=at())
        first, other = await claimed(journal), await claimed(journal)
        assert (first.message.event, other.message.event) == ("1", "3")
        assert await journal.claim(at=at(2)) is None
        await journal.finish(first, at=at(3))
        assert (await claimed(journal)).message.event == "2"

    async def test_chats_take_turns(self, journal: Journal) -> None:
        flood = [message(f"a{n}", "a") for n in range(4)]
        await journal.accept([*flood, message("b0", "b"), message("b1", "b")], at=at())
        assert await worked(journal) == ["a0", "b0", "a1", "b1", "a2", "a3"]
        await journal.accept([message("a4", "a"), message("b2", "b"), message("c0", "c")], at=at())
        assert await worked(journal) == ["c0", "b2", "a4"]

    async def test_given_back_it_keeps_its_place(self, journal: Journal) -> None:
        await journal.accept([message("1"), message("2")], at=at())
        await journal.give_back(await claimed(journal), at=at(2))
        again = await claimed(journal)
        assert (again.message.event, again.attempts) == ("1", 2)

    async def test_declined_it_is_done(self, journal: Journal) -> None:
        messages = [message("1"), message("2"), message("3")]
        await journal.accept(messages, at=at())
        first = await claimed(journal)
        await journal.decline(messages[:2], at=at(1))
        await journal.finish(first, at=at(2))
        assert await worked(journal) == ["3"]
        assert await journal.accept(messages, at=at(3)) == []

    async def test_interrupted_work_waits_again(self, journal: Journal) -> None:
        await journal.accept([message("1"), message("2", "c2")], at=at())
        await claimed(journal)
        assert await journal.requeue_interrupted(at=at(2), max_attempts=2) == Requeued(waiting=1, dead=0)
        assert {(await claimed(journal)).message.event, (await claimed(journal)).message.event} == {"1", "2"}
        assert await journal.requeue_interrupted(at=at(3), max_attempts=2) == Requeued(waiting=1, dead=1)
        (dead,) = await journal.dead_letters()
        assert (dead.box, dead.error, dead.attempts) == (Mailbox.INBOX, "journal.interrupted", 2)

    async def test_what_the_process_often_ends_with_rests_and_others_go_on(self, journal: Journal) -> None:
        await journal.accept([message("1"), message("2")], at=at())
        for _ in range(SUSPICIOUS):
            assert (await claimed(journal)).message.event == "1"
            await journal.requeue_interrupted(at=at(1), max_attempts=100)
        await journal.accept([message("3", "c2")], at=at(1))
        assert await worked(journal) == ["3"]
        rested = at(1) + REST
        item = await journal.claim(at=rested)
        assert item is not None
        assert item.message.event == "1"

    async def test_what_was_ended_stays_ended(self, journal: Journal) -> None:
        await journal.accept([message("1")], at=at())
        item = await claimed(journal)
        await journal.give_up(item, "error.unexpected", at=at(1))
        await journal.finish(item, at=at(2), replies=[reply("r1")])
        await journal.give_back(item, at=at(2))
        assert await journal.claim(at=at(3)) is None
        assert await journal.claim_part("matrix", at=at(3)) is None
        assert [letter.error for letter in await journal.dead_letters()] == ["error.unexpected"]

    async def test_who_was_paused_does_not_end_what_another_has_taken_over(self, journal: Journal) -> None:
        await journal.accept([message("1")], at=at())
        paused = await claimed(journal)
        await journal.requeue_interrupted(at=at(2), max_attempts=3)
        taken_over = await claimed(journal, 2)
        await journal.finish(paused, at=at(3), replies=[reply("late")])
        await journal.give_back(paused, at=at(3))
        await journal.give_up(paused, "error.unexpected", at=at(3))
        assert (await journal.backlog()).working == 1
        await journal.finish(taken_over, at=at(4), replies=[reply("right")])
        assert (await claimed_part(journal, 5)).part.key == "right"
        assert await journal.dead_letters() == []

    async def test_nor_what_was_revived_since(self, journal: Journal) -> None:
        await journal.accept([message("1")], at=at())
        paused = await claimed(journal)
        await journal.requeue_interrupted(at=at(2), max_attempts=1)
        (letter,) = await journal.dead_letters()
        assert await journal.revive(Mailbox.INBOX, letter.id, at=at(3))
        assert (await claimed(journal, 3)).attempts == paused.attempts
        await journal.finish(paused, at=at(4), replies=[reply("late")])
        assert await journal.claim_part("matrix", at=at(5)) is None
        assert (await journal.backlog()).working == 1

    async def test_place_in_the_queue(self, journal: Journal) -> None:
        assert await journal.waiting_before(key()) == 0
        await journal.accept([message(f"a{n}", "a") for n in range(5)], at=at())
        await journal.accept([message("b0", "b")], at=at())
        assert await journal.waiting_before(key("b")) == 1
        assert await journal.waiting_before(key("a")) == 5
        assert [await journal.waiting_before(key("a"), without=n) for n in (1, 4, 5)] == [4, 1, 0]
        await claimed(journal)
        assert await journal.waiting_before(key("a")) == 5
        assert await journal.waiting_before(key("c")) == 0

    async def test_only_what_will_be_answered_has_a_place_in_the_queue(self, journal: Journal) -> None:
        noise = (MessageKind.REACTION, MessageKind.LEFT, MessageKind.MOVED)
        await journal.accept([message(f"r{kind}", "a", kind=kind) for kind in noise], at=at())
        assert await journal.waiting_before(key("a")) == 0
        await journal.accept([message("a0", "a"), message("a1", "a")], at=at())
        await journal.accept([message("b0", "b", kind=MessageKind.EDIT)], at=at())
        assert await journal.waiting_before(key("a")) == 2
        await claimed(journal)
        assert await journal.waiting_before(key("a")) == 2

    async def test_what_is_declined_is_not_worked_on(self, journal: Journal) -> None:
        await journal.accept([message("1"), message("2"), message("3", "c2")], at=at())
        first = await claimed(journal)
        assert await journal.decline([message("1"), message("2")], at=at(1)) in (1, 2)
        await journal.finish(first, at=at(2))
        assert await worked(journal) == ["3"]
        assert await journal.accept([message("2")], at=at(3)) == []

    async def test_edits_are_told_in_their_order(self, journal: Journal) -> None:
        edit = MessageKind.EDIT
        messages = [message("1"), message("2", kind=edit), message("3", "c2", kind=edit, text="")]
        await journal.accept(messages, at=at())
        assert [each.event for each in await journal.edits()] == ["2", "3"]

    async def test_whether_a_message_is_being_answered(self, journal: Journal) -> None:
        one = message("1")
        assert not await journal.is_being_answered(one.ref)
        await journal.accept([one], at=at())
        assert await journal.is_being_answered(one.ref)
        assert not await journal.is_being_answered(replace(one.ref, message="another"))
        item = await claimed(journal)
        assert await journal.is_being_answered(one.ref)
        await journal.finish(item, at=at(1))
        assert not await journal.is_being_answered(one.ref)


class TestOutbox:
    async def test_the_last_reply_is_what_answers_a_message_now(self, journal: Journal) -> None:
        assert await journal.last_reply("k") == []
        for name, ids in (("k-a", ("1", "2")), ("k-b", ("1", "3")), ("other-c", ("4",))):
            await journal.enqueue([reply(f"{name}-0", f"{name}-1")], at=at())
            for _ in range(2):
                item = await claimed_part(journal)
                await journal.sent(item, ids if item.part.key.endswith("0") else (), at=at(2))
        assert [found.message for found in await journal.last_reply("k")] == ["1", "3"]
        assert [found.message for found in await journal.last_reply("k-a")] == ["1", "2"]
        assert await journal.last_reply("k_") == []

    async def test_what_was_delivered_under_a_key(self, journal: Journal) -> None:
        assert await journal.delivered("k-") == Delivered(messages=(), waiting=0, sending=0)
        await journal.enqueue([reply("k-a-0", "k-a-1", "k-a-2"), reply("other-0")], at=at())
        item = await claimed_part(journal)
        await journal.sent(item, ("1", "2"), at=at(2))
        await claimed_part(journal)
        found = await journal.delivered("k-")
        assert [each.message for each in found.messages] == ["1", "2"]
        assert (found.waiting, found.sending) == (1, 1)

    async def test_every_reply_under_a_key_counts_but_what_takes_back(self, journal: Journal) -> None:
        deletes = part("k-b-0", to=ref(message="2"), deletes=True, text="")
        await journal.enqueue([reply("k-a-0"), OutgoingReply(parts=(deletes, part("k-b-1")))], at=at())
        for ids in (("1", "2"), (), ("1",)):
            await journal.sent(await claimed_part(journal), ids, at=at(2))
        assert [each.message for each in (await journal.delivered("k-")).messages] == ["1", "2"]

    async def test_what_waits_under_a_key_can_be_left_unsent(self, journal: Journal) -> None:
        deletes = part("k-a-2", to=ref(message="2"), deletes=True, text="")
        parts = (part("k-a-0"), part("k-a-1"), deletes, part("k_a-3"))
        await journal.enqueue([OutgoingReply(parts=parts)], at=at())
        first = await claimed_part(journal)
        assert await journal.unqueue("k-") == 1
        await journal.sent(first, (), at=at(2))
        for expected in ("k-a-2", "k_a-3"):
            item = await claimed_part(journal)
            assert item.part.key == expected
            await journal.sent(item, (), at=at(2))

    async def test_parts_of_all_workspaces_can_be_claimed(self, journal: Journal) -> None:
        parts = [part(name, to=ref(workspace=name)) for name in ("a", "b")]
        await journal.enqueue([OutgoingReply(parts=(item,)) for item in parts], at=at())
        found = [await journal.claim_part("matrix", at=at(1)) for _ in range(3)]
        assert [item.part.key for item in found if item] == ["a", "b"]
        assert len(await journal.interrupted_parts("matrix")) == 2

    async def test_a_reply_comes_with_the_end_of_its_message(self, journal: Journal) -> None:
        await journal.accept([message("1")], at=at())
        item = await claimed(journal)
        sent = part(
            "r1",
            files=(ReplyFile(name="p.pdf", caption="p. 1", path=Path("/tmp/p.pdf")),),
            buttons=((Button(label="Ja", command="/feedback useful"),),),
            replaces="m7",
            recipient="@anna:example.org",
        )
        await journal.finish(item, at=at(2), replies=[replace(reply("r1"), parts=(sent,))])
        out = await claimed_part(journal, 3)
        assert (out.part, out.trace, out.attempts) == (sent, None, 1)

    async def test_parts_of_a_chat_go_in_order(self, journal: Journal) -> None:
        await journal.enqueue([reply("r1", "r2"), reply("s1", chat="c2"), reply("r3")], at=at())
        first, other = await claimed_part(journal), await claimed_part(journal)
        assert (first.part.key, other.part.key) == ("r1", "s1")
        assert await journal.claim_part("matrix", at=at(1)) is None
        await journal.sent(first, ["m9"], at=at(2))
        assert (await claimed_part(journal)).part.key == "r2"

    async def test_other_platforms_are_others_business(self, journal: Journal) -> None:
        await journal.enqueue([reply("r1")], at=at())
        assert await journal.claim_part("slack", at=at(1)) is None

    async def test_nobody_sends_what_belongs_to_other_platforms(self, journal: Journal) -> None:
        await journal.enqueue([reply("r1", "r2"), reply("s1", chat="c2")], at=at())
        await claimed_part(journal)
        assert await journal.give_up_others(["matrix", "slack"], "gone", at=at(1)) == 0
        assert await journal.give_up_others(["slack"], "gone", at=at(2)) == 3
        letters = sorted(await journal.dead_letters(), key=lambda letter: letter.id)
        assert [(item.state, item.error) for item in letters] == [
            ("unknown", "gone"),
            ("failed", "gone"),
            ("failed", "gone"),
        ]
        assert await journal.give_up_others(["slack"], "gone", at=at(3)) == 0
        assert await journal.revive(Mailbox.OUTBOX, letters[1].id, at=at(4))
        assert (await claimed_part(journal, 4)).part.key == "r2"

    async def test_a_part_goes_out_once(self, journal: Journal) -> None:
        await journal.enqueue([reply("r1")], at=at())
        item = await claimed_part(journal)
        await journal.sent(item, ["m9"], at=at(1))
        await journal.enqueue([reply("r1")], at=at(2))
        assert await journal.claim_part("matrix", at=at(3)) is None

    async def test_postponed_it_holds_its_chat(self, journal: Journal) -> None:
        await journal.enqueue([reply("r1", "r2"), reply("s1", chat="c2")], at=at())
        item = await claimed_part(journal)
        await journal.postpone(item, until=at(30), error="platform.busy", at=at(1))
        assert (await claimed_part(journal)).part.key == "s1"
        assert await journal.claim_part("matrix", at=at(29)) is None
        again = await claimed_part(journal, 30)
        assert (again.part.key, again.attempts) == ("r1", 2)

    async def test_a_failed_part_lets_the_others_go(self, journal: Journal) -> None:
        await journal.enqueue([reply("r1", "r2"), reply("s1")], at=at())
        await journal.fail(await claimed_part(journal), "chat.gone", at=at(1))
        assert (await claimed_part(journal)).part.key == "r2"

    async def test_a_reply_given_up_as_a_whole(self, journal: Journal) -> None:
        await journal.enqueue([reply("r1", "r2", "r3"), reply("s1")], at=at())
        await journal.fail(await claimed_part(journal), "chat.gone", at=at(1), rest=True)
        assert (await claimed_part(journal)).part.key == "s1"
        assert [letter.state for letter in await journal.dead_letters()] == ["failed"] * 3

    async def test_found_in_sending(self, journal: Journal) -> None:
        await journal.enqueue([reply("r1"), reply("s1", chat="c2")], at=at())
        item = await claimed_part(journal)
        (found,) = await journal.interrupted_parts("matrix")
        assert found == replace(item, claim=found.claim)
        assert await journal.interrupted_parts("slack") == []
        await journal.sent(item, ["m1"], at=at(1))  # it is another's by now
        await journal.fail(found, "send.unknown", at=at(1), unknown=True)
        assert await journal.interrupted_parts("matrix") == []
        assert [letter.state for letter in await journal.dead_letters()] == ["unknown"]

    @pytest.mark.parametrize("late", ["sent", "postpone", "fail"])
    async def test_who_was_paused_does_not_end_a_part_that_another_sends(
        self, journal: Journal, late: str
    ) -> None:
        await journal.enqueue([reply("r1", "r2")], at=at())
        paused = await claimed_part(journal)
        (found,) = await journal.interrupted_parts("matrix")
        await journal.fail(found, "send.unknown", at=at(2), unknown=True)
        assert await journal.revive(Mailbox.OUTBOX, found.id, at=at(3))
        taken_over = await claimed_part(journal, 3)
        assert (taken_over.part.key, taken_over.attempts) == ("r1", paused.attempts)
        if late == "sent":
            await journal.sent(paused, ["m1"], at=at(4))
        elif late == "postpone":
            await journal.postpone(paused, until=at(5), error="platform.busy", at=at(4))
        else:
            await journal.fail(paused, "chat.gone", at=at(4), rest=True)
        assert (await journal.backlog()).sending == 1
        assert await journal.claim_part("matrix", at=at(9)) is None
        await journal.sent(taken_over, ["m2"], at=at(9))
        assert [ref.message for ref in await journal.last_reply("r1")] == ["m2"]
        assert (await claimed_part(journal, 9)).part.key == "r2"

    async def test_all_workspaces_of_a_platform(self, journal: Journal) -> None:
        other = part("s1", to=ref(workspace="other"))
        await journal.enqueue([reply("r1"), replace(reply("s1"), parts=(other,))], at=at())
        items = [await journal.claim_part("matrix", at=at(1)) for _ in range(3)]
        assert [item.part.key if item else None for item in items] == ["r1", "s1", None]
        assert [item.part.key for item in await journal.interrupted_parts("matrix")] == ["r1", "s1"]

    async def test_what_answers_a_message_now(self, journal: Journal) -> None:
        assert await journal.last_reply("e1-") == []
        replies = [reply("e1-a-1"), reply("e1-b-1", "e1-b-2"), reply("e2-a-1"), reply("e1-c-1")]
        await journal.enqueue(replies, at=at())
        for messages in (["m1"], ["m2", "m3"], ["m4"], ["m5"]):
            await journal.sent(await claimed_part(journal), messages, at=at(2))
        assert [item.message for item in await journal.last_reply("e1-")] == ["m2", "m3", "m4"]
        assert await journal.last_reply("e_-") == []

    async def test_messages_that_show_an_answer(self, journal: Journal) -> None:
        shown = replace(reply("r1"), trace=TraceId("t1"), parts=(part("r1", to=ref(thread="th")),))
        await journal.enqueue([shown, reply("r2")], at=at())
        for messages in (["m8", "m9"], ["m10"]):
            await journal.sent(await claimed_part(journal), messages, at=at(2))
        assert [(item.ref, item.at) for item in await journal.posted(TraceId("t1"))] == [
            (ref(thread="th", message="m8"), at(2)),
            (ref(thread="th", message="m9"), at(2)),
        ]
        assert await journal.trace_of(ref(message="m9")) == "t1"
        assert await journal.trace_of(ref(message="m10")) is None
        assert await journal.trace_of(ref("c2", message="m9")) is None
        await journal.withdrawn([ref(message="m8")])
        assert [item.ref.message for item in await journal.posted(TraceId("t1"))] == ["m9"]

    async def test_the_buttons_of_a_message(self, journal: Journal) -> None:
        pressed = Button(label="And the Greens?", command="/ask And the Greens?")
        other = Button(label="Why?", command="/why t1")
        parts = (part("r1"), part("r2", buttons=((pressed,), (other,))))
        await journal.enqueue([replace(reply("r1"), trace=TraceId("t1"), parts=parts)], at=at())
        for name in ("m8", "m9"):
            await journal.sent(await claimed_part(journal), [name], at=at(2))
        assert await journal.buttons_of(ref(message="m9")) == (pressed, other)
        assert await journal.buttons_of(ref(message="m8")) == ()
        assert await journal.buttons_of(ref("c2", message="m9")) == ()
        await journal.withdrawn([ref(message="m9")])
        assert await journal.buttons_of(ref(message="m9")) == ()

    async def test_a_message_shows_the_last_answer_only(self, journal: Journal) -> None:
        for trace in ("t1", "t2"):
            await journal.enqueue([replace(reply(f"r-{trace}"), trace=TraceId(trace))], at=at())
            await journal.sent(await claimed_part(journal), ["m8"], at=at(2))
        assert await journal.posted(TraceId("t1")) == []
        assert [item.ref.message for item in await journal.posted(TraceId("t2"))] == ["m8"]
        assert await journal.trace_of(ref(message="m8")) == "t2"

    async def test_files_that_are_still_needed(self, journal: Journal) -> None:
        names = ("sent", "sending", "pending", "failed", "unknown")
        for name in names:
            file = ReplyFile(name=f"{name}.pdf", caption="", path=Path(f"/out/{name}/{name}.pdf"))
            with_file = part(name, to=ref(f"c-{name}"), files=(file,))
            await journal.enqueue([replace(reply(name), parts=(with_file,))], at=at())
        items = {name: await claimed_part(journal) for name in names}
        await journal.sent(items["sent"], ["m"], at=at(2))
        await journal.postpone(items["pending"], until=at(9), error="platform.busy", at=at(2))
        await journal.fail(items["failed"], "chat.gone", at=at(2))
        await journal.fail(items["unknown"], "delivery.unknown", at=at(2), unknown=True)
        assert {path.stem for path in await journal.unsent_files()} == set(names) - {"sent"}
        await journal.purge(Retention(), at=at(days=8))
        assert {path.stem for path in await journal.unsent_files()} == {"sending", "pending"}

    async def test_dead_letters_are_tried_again(self, journal: Journal) -> None:
        await journal.accept([message("1")], at=at())
        await journal.give_up(await claimed(journal), "error.unexpected", at=at(1))
        await journal.enqueue([reply("r1")], at=at())
        await journal.fail(await claimed_part(journal), "chat.gone", at=at(2))
        letters = await journal.dead_letters()
        assert [letter.box for letter in letters] == [Mailbox.OUTBOX, Mailbox.INBOX]
        assert len(await journal.dead_letters(limit=1)) == 1
        assert [await journal.revive(letter.box, letter.id, at=at(3)) for letter in letters] == [True, True]
        assert (await claimed(journal, 4)).attempts == 1
        assert (await claimed_part(journal, 4)).attempts == 1
        assert not await journal.revive(letters[0].box, letters[0].id, at=at(5))

    async def test_backlog(self, journal: Journal) -> None:
        later = message("2", "c2", received_at=at(5))
        await journal.accept([message("1"), later, message("3", received_at=at(6))], at=at(6))
        await journal.enqueue([reply("r1", "r2"), reply("s1", chat="c2"), reply("s2", chat="c3")], at=at(7))
        await claimed(journal)
        await journal.fail(await claimed_part(journal, 8), "chat.gone", at=at(8), rest=True)
        await journal.fail(await claimed_part(journal, 8), "send.unknown", at=at(8), unknown=True)
        found = await journal.backlog()
        assert (found.waiting, found.working, found.dead) == (2, 1, 0)
        assert (found.pending, found.sending, found.failed, found.unknown) == (1, 0, 2, 1)
        assert (found.oldest_waiting, found.oldest_pending) == (at(5), at(7))
        assert found.purged_at is None
        await journal.purge(Retention(), at=at(9))
        assert (await journal.backlog()).purged_at == at(9)


class TestAnswers:
    async def test_a_record_comes_back(self, journal: Journal) -> None:
        await journal.record(record())
        assert await journal.answer(TraceId("t1")) == record()
        assert await journal.answer(TraceId("t2")) is None

    async def test_a_record_without_much(self, journal: Journal) -> None:
        bare = record(
            texts=None, person=None, chat=None, plan=None, model=None, hits=(), citations=(), claims=()
        )
        await journal.record(bare)
        assert await journal.answer(TraceId("t1")) == bare

    async def test_recorded_again_it_is_replaced(self, journal: Journal) -> None:
        await journal.record(cited("t1", "v1"))
        await journal.record(cited("t1", "v2"))
        assert await journal.answer(TraceId("t1")) == cited("t1", "v2")

    async def test_what_cites_a_version(self, journal: Journal) -> None:
        await journal.record(cited("late", "v1", at=at(5)))
        await journal.record(cited("both", "v1", "v2", at=at(1)))
        await journal.record(cited("other", "v3", at=at(2)))
        found = await journal.citing([VersionId("v1"), VersionId("v2")])
        assert found == ["both", "late"], "each once, oldest first"
        assert await journal.citing([]) == []

    async def test_questions_without_an_answer(self, journal: Journal) -> None:
        for trace, minutes in (("old", 1), ("new", 5), ("newest", 9)):
            await journal.record(record(trace, outcome=Outcome.NO_EVIDENCE, at=at(minutes)))
        await journal.record(record("good", at=at(9)))
        assert [item.trace for item in await journal.unanswered(since=at(5))] == ["newest", "new"]
        assert [item.trace for item in await journal.unanswered(since=at(), limit=1)] == ["newest"]

    async def test_the_last_word_counts(self, journal: Journal) -> None:
        await journal.record(record())
        said = [
            Feedback(trace=TraceId("t1"), person=ANNA, verdict=FeedbackVerdict.WRONG, at=at(1)),
            Feedback(trace=TraceId("t1"), person=BERT, verdict=FeedbackVerdict.USEFUL, at=at(2)),
            Feedback(trace=TraceId("t1"), person=ANNA, verdict=FeedbackVerdict.USEFUL, at=at(3)),
        ]
        assert [await journal.give_feedback(item) for item in said] == [True] * 3
        assert await journal.feedback() == said[1:]
        assert (await journal.answer(TraceId("t1"))) == record(reported=True)

    async def test_feedback_on_nothing(self, journal: Journal) -> None:
        lost = Feedback(trace=TraceId("t9"), person=ANNA, verdict=FeedbackVerdict.WRONG, at=at(1))
        assert not await journal.give_feedback(lost)
        assert await journal.feedback() == []


def thread(name: str = "th", *collections: str, chat: str = "c1") -> ThreadKey:
    return ThreadKey(chat=key(chat), thread=name, collections=collections or ("public",))


ABOUT = ThreadContext(questions=("Was ist mit Bäumen?", "Und in Hochau?"), language="de")


class TestChats:
    async def test_what_a_chat_has_set(self, journal: Journal) -> None:
        assert await journal.chat_state(key()) is None
        state = ChatState(
            jurisdiction="xv", parties=("A", "B"), language="de", corrections=False, files="both"
        )
        await journal.save_chat_state(key(), ChatState(), at=at())
        await journal.save_chat_state(key(), state, at=at(1))
        assert await journal.chat_state(key()) == state
        assert await journal.chat_state(replace(key(), workspace="other")) is None
        await journal.save_context(thread(), ABOUT, person=ANNA, expires_at=at(60))
        await journal.drop_chat(key())
        assert await journal.chat_state(key()) is None
        assert await journal.context(thread(), at=at()) is None

    async def test_threads_keep_to_their_scope(self, journal: Journal) -> None:
        both = thread("th", "public", "internal")
        await journal.save_context(both, ABOUT, person=ANNA, expires_at=at(60))
        assert await journal.context(thread("th", "internal", "public"), at=at()) == ABOUT
        for other in (thread(), thread("other", "public", "internal"), replace(both, chat=key("c2"))):
            assert await journal.context(other, at=at()) is None

    async def test_threads_expire(self, journal: Journal) -> None:
        await journal.save_context(thread(), ABOUT, person=ANNA, expires_at=at(10))
        assert await journal.context(thread(), at=at(9)) == ABOUT
        assert await journal.context(thread(), at=at(10)) is None
        assert (await journal.purge(Retention(), at=at(10))).contexts == 1

    async def test_a_thread_begun_anew(self, journal: Journal) -> None:
        for each in (thread(), thread("th", "internal"), thread("other")):
            await journal.save_context(each, ABOUT, person=ANNA, expires_at=at(60))
        await journal.drop_context(key(), "th")
        assert await journal.context(thread(), at=at()) is None
        assert await journal.context(thread("th", "internal"), at=at()) is None
        assert await journal.context(thread("other"), at=at()) == ABOUT

    async def test_who_did_what(self, journal: Journal) -> None:
        entries = [
            AuditEntry(at=at(n), actor=ANNA, action=action, subject=f"d{n}", values={"to": "public"})
            for n, action in enumerate((AuditAction.PUBLISH, AuditAction.REMOVE, AuditAction.RETRACT))
        ]
        for entry in entries:
            await journal.audit(entry)
        assert await journal.audit_entries() == entries[::-1]
        assert await journal.audit_entries(since=at(1), limit=1) == entries[2:]

    async def test_first_notice(self, journal: Journal) -> None:
        assert await journal.first_notice(ANNA, at=at())
        assert not await journal.first_notice(ANNA, at=at(1))
        assert await journal.first_notice(BERT, at=at(1))


class TestForgetting:
    async def test_what_is_over_loses_its_content(self, journal: Journal) -> None:
        await journal.accept([message("1"), message("2", "c2", sender="@bert:example.org")], at=at())
        await worked(journal)
        await journal.enqueue([reply("r1", person=ANNA)], at=at())
        await journal.fail(await claimed_part(journal), "chat.gone", at=at(1))
        (letter,) = await journal.dead_letters()
        assert await journal.forget(ANNA, private_chat=None, at=at(2)) == 2
        assert not await journal.revive(letter.box, letter.id, at=at(3))
        assert await journal.accept([message("1")], at=at(4)) == []
        assert await journal.forget(ANNA, private_chat=None, at=at(5)) == 0

    async def test_what_is_under_way_is_answered_and_forgotten_then(self, journal: Journal) -> None:
        await journal.accept([message("1"), message("2")], at=at())
        item = await claimed(journal)
        assert await journal.forget(ANNA, private_chat=None, at=at(2)) == 2
        await journal.record(record(person=ANNA))
        answer = reply("r1", person=ANNA, trace=TraceId("t1"))
        await journal.finish(item, at=at(3), replies=[answer])
        kept = await journal.answer(TraceId("t1"))
        assert kept is not None
        assert (kept.person, kept.texts) == (None, None)
        await journal.sent(await claimed_part(journal, 4), ["m9"], at=at(4))
        assert await worked(journal) == ["2"]
        assert await journal.forget(ANNA, private_chat=None, at=at(5)) == 0

    async def test_answers_stay_without_the_person(self, journal: Journal) -> None:
        await journal.record(record(person=ANNA, reported=True))
        await journal.record(record("t2", person=BERT))
        wrong = Feedback(trace=TraceId("t2"), person=ANNA, verdict=FeedbackVerdict.USEFUL, at=at(1))
        await journal.give_feedback(wrong)
        await journal.save_context(thread(), ABOUT, person=ANNA, expires_at=at(60))
        await journal.first_notice(ANNA, at=at())
        shown = reply("r1", person=ANNA, trace=TraceId("t1"))
        await journal.enqueue([shown], at=at())
        await journal.sent(await claimed_part(journal), ["m9"], at=at(1))
        assert await journal.forget(ANNA, private_chat=None, at=at(2)) == 5
        assert await journal.answer(TraceId("t1")) == record(person=None, texts=None, reported=True)
        assert await journal.answer(TraceId("t2")) == record("t2", person=BERT)
        assert await journal.feedback() == [replace(wrong, person=None)]
        assert await journal.context(thread(), at=at(1)) is None
        assert await journal.first_notice(ANNA, at=at(3))
        assert [item.ref.message for item in await journal.posted(TraceId("t1"))] == ["m9"]

    async def test_a_person_is_told_all_that_is_kept_of_them(self, journal: Journal) -> None:
        asked = (message("1"), message("2", "c2", sender="@bert:example.org"))
        await journal.accept(asked, at=at())
        await journal.record(record(person=ANNA))
        await journal.record(record("t2", person=BERT, chat=journal.pseudonyms.chat(key("c3"))))
        useful = Feedback(trace=TraceId("t2"), person=ANNA, verdict=FeedbackVerdict.USEFUL, at=at(1))
        await journal.give_feedback(useful)
        await journal.save_context(thread(), ABOUT, person=ANNA, expires_at=at(60))
        await journal.save_chat_state(key("c3"), ChatState(language="de"), at=at())
        await journal.first_notice(ANNA, at=at())
        await journal.enqueue([reply("r1", person=ANNA), reply("s1", person=BERT, chat="c2")], at=at())
        did = AuditEntry(at=at(), actor=ANNA, action=AuditAction.PUBLISH, subject="d", values={})
        await journal.audit(did)
        await journal.audit(replace(did, actor=BERT))
        found = await journal.person_file(ANNA, private_chat=None)
        assert [(item.text, item.state) for item in found.messages] == [(asked[0].text, "waiting")]
        assert [(item.state, bool(item.text)) for item in found.replies] == [("pending", True)]
        assert found.answers == (record(person=ANNA),)
        assert found.feedback == (useful,)
        assert found.threads == (KeptThread(until=at(60), questions=ABOUT.questions),)
        assert found.actions == (did,)
        assert (found.told_at, found.state, found.summaries) == (at(), None, ())
        assert found.rows == 7
        with_chat = await journal.person_file(ANNA, private_chat=key("c3"))
        assert [item.trace for item in with_chat.answers] == ["t1", "t2"]
        assert with_chat.state == ChatState(language="de")
        await journal.forget(ANNA, private_chat=None, at=at(2))
        left = await journal.person_file(ANNA, private_chat=None)
        assert (left.answers, left.feedback, left.threads, left.told_at) == ((), (), (), None)
        assert left.actions == (did,)

    async def test_of_a_private_chat_everything_goes(self, journal: Journal) -> None:
        await journal.save_chat_state(key(), ChatState(language="de"), at=at())
        await journal.save_context(thread(), ABOUT, person=None, expires_at=at(60))
        await journal.record(record(person=None, chat=journal.pseudonyms.chat(key())))
        await journal.enqueue([reply("r1", trace=TraceId("t1")), reply("s1", chat="c2")], at=at())
        for _ in range(2):
            await journal.sent(await claimed_part(journal), ["m9"], at=at(1))
        await journal.save_chat_state(key("c2"), ChatState(language="en"), at=at())
        assert await journal.forget(ANNA, private_chat=key(), at=at(2)) == 5
        assert await journal.chat_state(key()) is None
        assert await journal.context(thread(), at=at()) is None
        assert await journal.posted(TraceId("t1")) == []
        assert await journal.answer(TraceId("t1")) == record(person=None, chat=None, texts=None)
        assert await journal.chat_state(key("c2")) == ChatState(language="en")


HOUR = timedelta(hours=1)


class TestPurge:
    async def test_messages_after_their_term(self, journal: Journal) -> None:
        await journal.accept([message("1"), message("2", "c2"), message("3")], at=at())
        await journal.finish(await claimed(journal), at=at(), replies=[reply("r1"), reply("r2")])
        await journal.give_up(await claimed(journal), "error.unexpected", at=at())
        await journal.fail(await claimed_part(journal, 0), "chat.gone", at=at())
        assert (await journal.purge(Retention(), at=at(hours=23))).contents == 0
        assert (await journal.purge(Retention(), at=at(hours=24))).contents == 3
        letters = await journal.dead_letters()
        assert len(letters) == 2
        assert not any([await journal.revive(item.box, item.id, at=at()) for item in letters])
        assert await worked(journal) == ["3"]
        assert (await claimed_part(journal)).part.key == "r2"

    async def test_event_ids_outlive_their_messages(self, journal: Journal) -> None:
        soon = Retention(delivery=timedelta(0), dead_letters=24 * HOUR)
        await journal.accept([message("1")], at=at())
        await worked(journal)
        assert (await journal.purge(soon, at=at(hours=1))).contents == 1
        assert await journal.accept([message("1")], at=at(hours=24)) == []
        assert (await journal.purge(soon, at=at(hours=25))).dead_letters == 1
        assert await journal.accept([message("1")], at=at(hours=26)) == ["1"]

    def test_event_ids_stay_a_day_at_least(self) -> None:
        with pytest.raises(ValueError, match="day"):
            Retention(delivery=timedelta(0), dead_letters=23 * HOUR)

    async def test_texts_go_before_the_record(self, journal: Journal) -> None:
        for trace in ("t1", "t2"):
            await journal.record(record(trace))
        await journal.give_feedback(
            Feedback(trace=TraceId("t2"), person=ANNA, verdict=FeedbackVerdict.WRONG_PAGE, at=at())
        )
        assert (await journal.purge(Retention(), at=at(hours=24))).texts == 1
        assert (await journal.purge(Retention(), at=at(hours=25))).texts == 0
        assert await journal.answer(TraceId("t1")) == replace(record(), texts=None)
        assert await journal.answer(TraceId("t2")) == record("t2", reported=True)

    async def test_records_and_the_rest_after_theirs(self, journal: Journal) -> None:
        await journal.record(cited("t1", "v1"))
        await journal.enqueue([reply("r1", trace=TraceId("t1"))], at=at())
        await journal.sent(await claimed_part(journal), ["m9"], at=at())
        await journal.give_feedback(
            Feedback(trace=TraceId("t1"), person=ANNA, verdict=FeedbackVerdict.WRONG, at=at())
        )
        await journal.audit(
            AuditEntry(at=at(), actor=ANNA, action=AuditAction.PUBLISH, subject="d1", values={})
        )
        await journal.first_notice(ANNA, at=at())
        found = await journal.purge(Retention(), at=at(days=89))
        assert (found.answers, found.feedback, found.audit) == (0, 0, 0)
        found = await journal.purge(Retention(), at=at(days=90))
        assert (found.answers, found.feedback, found.audit) == (2, 1, 0)
        assert await journal.answer(TraceId("t1")) is None
        assert (await journal.purge(Retention(), at=at(days=365))).audit == 2


def test_pseudonyms_tell_people_and_chats_apart() -> None:
    others = Pseudonyms(b"another key, as long as it has to be")
    same = PEOPLE.person("matrix", "w", "x")
    assert same == PEOPLE.person("matrix", "w", "x")
    different: set[Pseudonym] = {
        same,
        PEOPLE.person("matrix", "wx", ""),
        PEOPLE.person("slack", "w", "x"),
        PEOPLE.chat(key("x")),
        others.person("matrix", "w", "x"),
    }
    assert len(different) == 5
    with pytest.raises(ValueError, match="32 bytes"):
        Pseudonyms(b"short")
