"""Rooms, threads and people against a real homeserver, where it goes beyond the shared suite."""

import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.messages import IncomingMessage, MessageKind, MessageRef, Outgoing
from core.errors import Refused
from core.ports.clock import Clock
from tests.servers.matrix.homeserver import Synapse
from tests.support.chat_harness import eventually
from tests.support.matrix_harness import MatrixHarness


@pytest.fixture
async def chats(synapse: Synapse) -> AsyncIterator[MatrixHarness]:
    harness = MatrixHarness(synapse)
    await harness.start()
    try:
        yield harness
    finally:
        await harness.close()


async def heard(chats: MatrixHarness, room: str) -> list[IncomingMessage]:
    """Everything so far: the question behind it came after it."""
    await chats.say(room, chats.asking("enough?"))

    async def enough() -> bool:
        return any(message.text == "enough?" for message in chats.inbox.messages)

    await eventually(enough)
    return [message for message in chats.inbox.messages if message.text != "enough?"]


async def answered(chats: MatrixHarness, room: str) -> tuple[MessageRef, str]:
    await chats.say(room, chats.asking("What about the ferry toll?"))
    question = (await chats.inbox.next()).ref
    (answer,) = await chats.platform.send(Outgoing(key=f"k-{room[-5:]}", to=question, text="It falls."))
    return question, answer


async def test_an_answer_opens_a_thread_where_no_name_is_needed(chats: MatrixHarness) -> None:
    room = await chats.group()
    question, _ = await answered(chats, room)
    assert question.thread == question.message
    await chats.say(room, "And for islanders?", thread=question.thread, by="bob")
    await chats.say(room, "This is between us.", by="bob")
    (first, second) = await heard(chats, room)
    assert (second.text, second.ref.thread, second.addressed) == (
        "And for islanders?",
        first.ref.message,
        True,
    )


async def test_the_bots_threads_and_answers_are_known_after_a_restart(chats: MatrixHarness) -> None:
    room = await chats.group()
    question, answer = await answered(chats, room)
    await chats.stop()
    await chats.start()
    before = len(chats.inbox.messages)
    await chats.say(room, "And for islanders?", thread=question.thread)
    await chats.say(room, "And on Sundays?", reply_to=answer)
    await chats.react(room, answer, "👍")
    found = (await heard(chats, room))[before:]
    assert [(message.kind, message.text) for message in found] == [
        (MessageKind.MESSAGE, "And for islanders?"),
        (MessageKind.MESSAGE, "And on Sundays?"),
        (MessageKind.REACTION, "👍"),
    ]
    assert found[2].reply_to == answer


async def test_a_chat_with_one_person_has_no_threads(chats: MatrixHarness) -> None:
    room = await chats.direct()
    said = await chats.say(room, "What about the ferry toll?")
    message = await chats.inbox.next()
    assert message.ref.thread is None
    await chats.platform.send(Outgoing(key="k", to=message.ref, text="It falls."))
    (shown,) = await chats.shown(room)
    assert (shown.thread, shown.reply_to) == (None, said)


async def test_reactions_to_others_are_none_of_ours(chats: MatrixHarness) -> None:
    room = await chats.group()
    said = await chats.say(room, "lunch?")
    await chats.react(room, said, "👍", by="bob")
    assert await heard(chats, room) == []


async def test_nobody_edits_what_others_said(chats: MatrixHarness) -> None:
    room = await chats.group()
    said = await chats.say(room, chats.asking("What about the toll?"))
    relation = {"m.relates_to": {"rel_type": "m.replace", "event_id": said}}
    forged = {"msgtype": "m.text", "body": chats.asking("Something else?")}
    bob = await chats.person("bob")
    await bob.send(room, {**forged, "m.new_content": forged, **relation})
    assert [message.text for message in await heard(chats, room)] == ["What about the toll?"]


async def test_an_edit_that_adds_the_name_becomes_a_question(chats: MatrixHarness) -> None:
    room = await chats.group()
    said = await chats.say(room, "What about the toll?")
    await chats.edit(room, said, chats.asking("What about the toll?"))
    edit = await chats.inbox.next(MessageKind.EDIT)
    assert (edit.ref.message, edit.ref.thread, edit.text) == (said, said, "What about the toll?")


async def test_a_question_taken_back_is_an_edit_to_nothing(chats: MatrixHarness) -> None:
    room = await chats.group()
    question, _ = await answered(chats, room)
    await (await chats.person("ann")).redact(room, question.message)
    edit = await chats.inbox.next(MessageKind.EDIT)
    assert (edit.text, edit.ref.message, edit.addressed) == ("", question.message, True)


async def test_what_people_take_back_among_themselves_is_none_of_ours(chats: MatrixHarness) -> None:
    room = await chats.group()
    said = await chats.say(room, "lunch?")
    await (await chats.person("ann")).redact(room, said)
    assert await heard(chats, room) == []


async def test_what_was_said_before_the_bot_came_is_ignored(chats: MatrixHarness) -> None:
    ann = await chats.person("ann")
    room = await ann.new_room()
    for number in range(3):
        await chats.say(room, chats.asking(f"too early {number}?"))
    await ann.call("POST", f"v3/rooms/{room}/invite", {"user_id": chats.bot.user_id})
    await chats.inbox.next(MessageKind.JOINED)
    await chats.say(room, "Now?")
    message = await chats.inbox.next()
    assert message.text == "Now?"
    assert [found.kind for found in chats.inbox.messages] == [MessageKind.JOINED, MessageKind.MESSAGE]


async def test_much_that_was_said_meanwhile_is_caught_up_in_order(
    chats: MatrixHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.matrix.receiving.TIMELINE", 3)
    monkeypatch.setattr("adapters.matrix.receiving.PAGE", 4)
    room = await chats.group()
    await chats.stop()
    questions = [f"number {number}?" for number in range(17)]  # one answer and several pages
    for question in questions:
        await chats.say(room, chats.asking(question))
    await chats.start()
    assert [message.text for message in await heard(chats, room)] == questions


class LaterClock(Clock):
    """A day and an hour ahead."""

    def now(self) -> datetime:
        return datetime.now(tz=UTC) + timedelta(hours=25)


async def test_what_is_older_than_a_day_is_counted_and_left_out(
    chats: MatrixHarness, caplog: pytest.LogCaptureFixture
) -> None:
    room = await chats.group()
    await chats.stop()
    for number in range(3):
        await chats.say(room, chats.asking(f"number {number}?"))
    await chats.remove_bot(room)
    chats.bot.options["clock"] = LaterClock()
    with caplog.at_level(logging.WARNING):
        await chats.start()
        left = await chats.inbox.next(MessageKind.LEFT)  # what happened to the room is never too late
    assert left.ref.chat == room
    assert chats.inbox.messages == [left]


async def test_old_messages_are_counted(chats: MatrixHarness, caplog: pytest.LogCaptureFixture) -> None:
    room = await chats.group()
    await chats.stop()
    for number in range(3):
        await chats.say(room, chats.asking(f"number {number}?"))
    chats.bot.options["clock"] = LaterClock()
    saved = chats.inbox.saved
    with caplog.at_level(logging.WARNING):
        await chats.start()

        async def went_on() -> bool:
            return chats.inbox.saved != saved

        await eventually(went_on)
    assert chats.inbox.messages == []
    assert "3 events of a room were older than 24 hours" in caplog.text


async def test_a_room_that_was_replaced_has_moved(chats: MatrixHarness) -> None:
    room = await chats.group()
    ann = await chats.person("ann")
    answer = await ann.call("POST", f"v3/rooms/{room}/upgrade", {"new_version": "11"})
    moved = await chats.inbox.next(MessageKind.MOVED)
    assert (moved.ref.chat, moved.text) == (room, answer["replacement_room"])


async def test_invitations_of_strangers_are_refused(synapse: Synapse) -> None:
    harness = MatrixHarness(synapse, invites=("@nobody:synapse.test", "*:other.test"))
    await harness.start()
    try:
        ann = await harness.person("ann")
        room = await ann.new_room(harness.bot.user_id)

        async def refused() -> bool:
            state = await ann.call("GET", f"v3/rooms/{room}/state/m.room.member/{harness.bot.user_id}")
            return bool(state["membership"] == "leave")

        await eventually(refused)
        assert harness.inbox.messages == []
    finally:
        await harness.close()


async def test_exposure_follows_the_room(chats: MatrixHarness) -> None:
    room = await chats.group()
    place = MessageRef(platform="matrix", workspace="", chat=room, thread=None, message="")
    ann = await chats.person("ann")
    for kind, key, value, why in (
        ("m.room.join_rules", "join_rule", "public", "chat.public"),
        ("m.room.join_rules", "join_rule", "knock", "chat.public"),
        ("m.room.history_visibility", "history_visibility", "world_readable", "chat.world_readable"),
    ):
        before = await ann.call("GET", f"v3/rooms/{room}/state/{kind}/")
        await ann.set_state(room, kind, {key: value})
        assert (await chats.platform.exposure(place)).why_open == why
        await ann.set_state(room, kind, before)
        assert (await chats.platform.exposure(place)).closed


async def test_a_room_the_bot_never_saw_cannot_be_confirmed(chats: MatrixHarness) -> None:
    room = await (await chats.person("ann")).new_room()
    place = MessageRef(platform="matrix", workspace="", chat=room, thread=None, message="")
    with pytest.raises(Refused):
        await chats.platform.exposure(place)
    with pytest.raises(Refused) as refused:
        await chats.platform.send(Outgoing(key="k", to=place, text="hello?"))
    assert refused.value.key == "chat.left"
