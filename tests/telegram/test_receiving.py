"""The long poll: nothing is lost, nothing comes twice, whatever breaks."""

import asyncio
import logging
from collections.abc import Iterator

import pytest

from core.domain.messages import Button, MessageKind, Outgoing
from core.errors import Broken
from tests.support.chat_harness import RecordingInbox, eventually, heard, texts
from tests.support.stand_in import as_files
from tests.support.telegram_harness import BOT_NAME, TelegramHarness, platform
from tests.support.telegram_server import TelegramServer

PDF = b"%PDF-1.4"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits as long as people would."""
    monkeypatch.setattr("core.retrying.LONGEST_PAUSE_S", 0.2)
    monkeypatch.setattr("adapters.telegram.errors.RETRY_S", 0.05)


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])
async def test_events_that_come_five_times_and_shuffled_are_taken_once(
    chats: TelegramHarness, count: int
) -> None:
    """The second half of the copies comes after a restart."""
    chat = await chats.direct()
    for number in range(count):
        await chats.say(chat, f"Question {number}?")
    await heard(chats, count)
    await chats.server.do("again", copies=2, seed=11)
    await chats.stop()
    await chats.server.do("again", copies=2, seed=12)
    await chats.start()
    await chats.say(chat, "The last question?")
    await heard(chats, count + 1)
    assert sorted(texts(chats.inbox)) == sorted(
        [f"Question {number}?" for number in range(count)] + ["The last question?"]
    )


async def test_updates_are_acknowledged_only_when_they_are_kept(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    chats.inbox.broken = True
    await chats.say(chat, "Kept?")
    await asyncio.sleep(0.2)
    assert await chats.server.do("waiting") == 1
    chats.inbox.broken = False
    await heard(chats, 1)

    async def acknowledged() -> bool:
        return await chats.server.do("waiting") == 0

    await eventually(acknowledged)


@pytest.mark.parametrize("kind", ["hang_up", "lost"])
async def test_broken_connections_lose_nothing(chats: TelegramHarness, kind: str) -> None:
    chat = await chats.direct()
    await chats.server.do("fault", method="getUpdates", kind=kind, times=3)
    for number in range(5):
        await chats.say(chat, f"Question {number}?")
    await heard(chats, 5)
    assert texts(chats.inbox) == [f"Question {n}?" for n in range(5)]


async def test_it_waits_as_long_as_telegram_says(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    refusal = {
        "status": 429,
        "description": "Too Many Requests: retry after 1",
        "parameters": {"retry_after": 1},
    }
    await chats.server.do("fault", method="getUpdates", kind="refuse", **refusal)
    await chats.say(chat, "One?")
    await chats.say(chat, "Two?")
    await heard(chats, 2)


async def test_several_files_at_once_are_one_message(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    files = [(f"{name}.pdf", PDF) for name in "abcd"]
    await chats.say(chat, "jurisdiction=de-nw", files=files)
    message = await chats.inbox.next()
    assert [attachment.name for attachment in message.attachments] == [name for name, _ in files]
    assert message.text == "jurisdiction=de-nw"
    await chats.say(chat, "And a question?")
    await heard(chats, 2)


async def test_files_of_an_album_that_come_later_are_not_lost(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    await chats.server.do("say", chat=int(chat), files=as_files([("a.pdf", PDF), ("b.pdf", PDF)]))
    await chats.inbox.next()
    await chats.server.do("again")  # as one file of the album by itself would
    await chats.say(chat, "And a question?")
    await chats.inbox.next(after=1)
    names = [attachment.name for message in chats.inbox.messages for attachment in message.attachments]
    assert sorted(names) == ["a.pdf", "b.pdf"]


async def test_what_is_older_than_a_day_is_dropped_and_counted(
    chats: TelegramHarness, caplog: pytest.LogCaptureFixture
) -> None:
    chat = await chats.direct()
    await chats.stop()
    await chats.server.do("say", chat=int(chat), text="A secret old question?", age_s=25 * 3600)
    await chats.say(chat, "A young question?")
    await chats.start()
    await heard(chats, 1)
    assert texts(chats.inbox) == ["A young question?"]
    assert "1 messages older than a day were dropped" in caplog.text
    assert "secret" not in caplog.text


async def test_an_update_that_cannot_be_read_stops_nobody(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    await chats.say(chat, "Before?")
    await heard(chats, 1)
    await chats.server.do("put", kind="message", content={"message_id": 1})
    await chats.say(chat, "After?")
    await heard(chats, 2)
    assert texts(chats.inbox) == ["Before?", "After?"]


async def test_a_press_ends_the_waiting_sign(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    await chats.say(chat, "What?")
    ref = (await chats.inbox.next()).ref
    rows = ((Button(label="Wrong", command="wrong 1"),),)
    (shown,) = await chats.platform.send(Outgoing(key="k", to=ref, text="x", buttons=rows))
    query = await chats.server.do("press", chat=int(chat), message=int(shown), data="wrong 1")

    async def answered() -> bool:
        return bool(await chats.server.do("answered", query=query))

    await eventually(answered)


async def test_coming_going_and_moving_are_told(chats: TelegramHarness) -> None:
    group = await chats.server.do("chat", kind="group", announce=True)
    joined = await chats.inbox.next(MessageKind.JOINED)
    assert (joined.ref.chat, joined.addressed) == (str(group), True)
    moved_to = await chats.server.do("migrate", chat=group)
    moved = await chats.inbox.next(MessageKind.MOVED)
    assert (moved.ref.chat, moved.text) == (str(group), str(moved_to))
    await chats.server.do("member", chat=moved_to, status="left")
    assert (await chats.inbox.next(MessageKind.LEFT)).ref.chat == str(moved_to)


async def test_a_mention_in_a_topic_is_heard_there(chats: TelegramHarness) -> None:
    await chats.server.do("world", privacy=False)
    forum = await chats.server.do("chat", kind="supergroup", is_forum=True)
    topic = await chats.server.do("topic", chat=forum)
    await chats.say(str(forum), f"@{BOT_NAME} What about ferries?", thread=str(topic))
    message = await chats.inbox.next()
    assert (message.text, message.ref.thread) == ("What about ferries?", str(topic))
    await chats.say(str(forum), f"@{BOT_NAME} And bridges?", by="anonymous", thread=str(topic))
    assert (await chats.inbox.next(after=1)).sender == ""


async def test_another_process_with_the_token_ends_it(
    server: TelegramServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram.polling.CONFLICT_PAUSE_S", 0.01)
    conflict = {"status": 409, "description": "Conflict: terminated by other getUpdates request"}
    server.ask("fault", method="getUpdates", kind="refuse", times=50, **conflict)
    bot = platform(server)
    with pytest.raises(Broken) as broken:
        await bot.run(RecordingInbox())
    assert broken.value.key == "platform.conflict"
    await bot.close()


async def test_a_poll_that_is_still_open_from_before_does_no_harm(
    chats: TelegramHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram.polling.CONFLICT_PAUSE_S", 0.01)
    conflict = {"status": 409, "description": "Conflict: terminated by other getUpdates request"}
    await chats.server.do("fault", method="getUpdates", kind="refuse", times=2, **conflict)
    chat = await chats.direct()
    await chats.say(chat, "One?")
    await chats.say(chat, "Two?")
    await heard(chats, 2)


async def test_a_webhook_of_another_program_is_taken_away(server: TelegramServer) -> None:
    server.ask("world", webhook="https://example.test/hook")
    chats = TelegramHarness(server)
    chats._fresh = False
    await chats.start()
    chat = await chats.direct()
    await chats.say(chat, "Heard?")
    await heard(chats, 1)
    await chats.close()


async def test_commands_are_registered_in_both_languages(chats: TelegramHarness) -> None:
    registered = await chats.server.do("commands")
    assert {language: [c["command"] for c in listed] for language, listed in registered.items()} == {
        "": ["ask", "help"],
        "en": ["ask", "help"],
        "de": ["frage", "hilfe"],
    }


async def test_a_start_while_telegram_is_away(server: TelegramServer) -> None:
    server.ask("fault", method="getMe", kind="hang_up", times=2)
    chats = TelegramHarness(server)
    chats._fresh = False
    await chats.start()
    chat = await chats.direct()
    await chats.say(chat, "Heard?")
    await heard(chats, 1)
    await chats.close()


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG):
        yield caplog


async def test_logs_hold_no_token_no_text_and_nobodys_id(
    everything_logged: pytest.LogCaptureFixture, chats: TelegramHarness
) -> None:
    chat = await chats.direct()
    await chats.server.do("fault", method="getUpdates", kind="hang_up", times=2)
    await chats.say(chat, "Who asks about canaries?")
    await heard(chats, 1)
    await chats.server.do("put", kind="message", content={"message_id": 1, "text": "unreadable secret"})
    await chats.say(chat, "Another question?")
    await heard(chats, 2)
    async with chats.platform.busy((await chats.inbox.next()).ref):
        await asyncio.sleep(0.05)
    logged = "\n".join(
        f"{record.getMessage()} {record.exc_text or record.exc_info or ''}"
        for record in everything_logged.records
    )
    assert logged
    for secret in (chats.server.token, chats.server.token.partition(":")[2], "canaries", "unreadable", chat):
        assert secret not in logged
