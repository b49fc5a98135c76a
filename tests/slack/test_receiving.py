"""Socket Mode: nothing is lost, nothing comes twice, whatever breaks."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime

import pytest

from adapters.slack.catching_up import OVERLAP
from adapters.slack.platform import SlackPlatform
from core.domain.messages import Button, MessageKind, Outgoing
from core.errors import Broken
from core.search.group_talk import TalkTurn
from tests.support.chat_harness import RecordingInbox, eventually, heard, texts
from tests.support.slack_harness import BOT, INVITE, SlackHarness, platform
from tests.support.slack_server import SlackServer
from tests.support.stand_in import as_files

PDF = b"%PDF-1.4"
SECRETS = ("xoxb-", "xapp-", "8f742231", "ticket")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits as long as people would."""
    monkeypatch.setattr("core.retrying.LONGEST_PAUSE_S", 0.2)
    monkeypatch.setattr("adapters.slack.receiving.WATCH_S", 0.05)
    monkeypatch.setattr("adapters.slack.api.RETRY_S", 0.05)


async def test_events_that_come_five_times_and_shuffled_are_taken_once(chats: SlackHarness) -> None:
    chat = await chats.direct()
    for number in range(60):
        await chats.say(chat, f"Question {number}?")
    await heard(chats, 60)
    await chats.server.do("again", copies=4, seed=11)
    await chats.stop()
    await chats.start()
    await chats.server.do("again", copies=1, seed=12)
    await chats.say(chat, "The last question?")
    await heard(chats, 61)
    expected = [f"Question {n}?" for n in range(60)] + ["The last question?"]
    assert sorted(texts(chats.inbox)) == sorted(expected)


async def test_messages_of_a_burst_stay_in_order(chats: SlackHarness) -> None:
    chat = await chats.direct()
    await chats.server.do("hold")
    for number in range(30):
        await chats.say(chat, f"Question {number}?")
    await chats.server.do("release")
    await heard(chats, 30)
    assert texts(chats.inbox) == [f"Question {n}?" for n in range(30)]


async def test_a_mention_is_heard_once_though_slack_tells_it_twice(chats: SlackHarness) -> None:
    chat = await chats.group()
    await chats.say(chat, chats.asking("What?"))
    await chats.say(chat, chats.asking("And who?"))
    await heard(chats, 2)
    await asyncio.sleep(0.1)
    assert texts(chats.inbox) == ["What?", "And who?"]


async def test_what_slack_lost_while_nobody_listened_is_caught_up(chats: SlackHarness) -> None:
    chat, private = await chats.group(), await chats.direct()
    first = await chats.say(chat, chats.asking("Before?"))
    await chats.inbox.next()
    await chats.platform.send(Outgoing(key="k-0", to=chats.inbox.messages[0].ref, text="An answer."))
    await chats.stop()
    await chats.server.do("delivery", tries=0)
    await chats.say(chat, "Lunch?")
    await chats.say(chat, "And for islanders?", thread=first)
    await chats.say(private, "In private?")
    other = await chats.say(chat, "Who knows?")
    await chats.say(chat, "Not me.", thread=other)
    await chats.say(chat, f"Ask <@{BOT}>: who?", thread=other)
    await chats.say(chat, "Thank you.", thread=other)
    await chats.say(chat, "jurisdiction=de-nw", files=[("a.pdf", PDF)])
    await chats.server.do("delivery", tries=5)
    await chats.start()
    await heard(chats, 5)
    found = {message.text: message for message in chats.inbox.messages}
    expected = {
        "Before?",
        "And for islanders?",
        "In private?",
        "Ask: who?",
        "jurisdiction=de-nw",
    }
    assert set(found) == expected
    assert found["And for islanders?"].ref.thread == first
    assert not found["jurisdiction=de-nw"].addressed
    assert len(chats.inbox.messages) == 5


async def test_what_is_older_than_a_day_is_dropped_and_counted(
    chats: SlackHarness, caplog: pytest.LogCaptureFixture
) -> None:
    chat = await chats.direct()
    await chats.stop()
    chats.inbox.saved = "2020-01-01T00:00:00+00:00"
    await chats.server.do("delivery", tries=0)
    await chats.server.do("say", chat=chat, text="A secret old question?", age_s=25 * 3600)
    await chats.say(chat, "A young question?")
    await chats.server.do("delivery", tries=5)
    with caplog.at_level(logging.WARNING):
        await chats.start()
        await heard(chats, 1)
        await chats.say(chat, "Another?")
        await heard(chats, 2)
    assert texts(chats.inbox) == ["A young question?", "Another?"]
    assert "1 messages older than a day were dropped" in caplog.text
    assert "secret" not in caplog.text


async def test_what_was_said_before_it_joined_is_not_for_it(chats: SlackHarness) -> None:
    chat = await chats.group()
    await chats.stop()
    await chats.server.do("delivery", tries=0)
    await chats.say(chat, chats.asking("Before it came?"))
    await chats.server.do("join", chat=chat)
    await chats.say(chat, chats.asking("After it came?"))
    await chats.server.do("delivery", tries=5)
    await chats.start()
    await heard(chats, 1)
    assert texts(chats.inbox) == ["After it came?"]


async def test_a_first_start_looks_at_nothing_old(server: SlackServer) -> None:
    chats = SlackHarness(server)
    await server.do("reset")
    chats._fresh = False
    chat = str(await server.do("chat", kind="im"))
    await server.do("delivery", tries=0)
    await chats.say(chat, "Said before the app was there?")
    await server.do("delivery", tries=5)
    await chats.start()
    await chats.say(chat, "Now?")
    await heard(chats, 1)
    await chats.close()
    assert texts(chats.inbox) == ["Now?"]


@pytest.mark.parametrize("politely", [True, False])
async def test_a_connection_that_ends_is_opened_again(chats: SlackHarness, politely: bool) -> None:
    chat = await chats.direct()
    await chats.say(chat, "One?")
    await heard(chats, 1)
    await chats.server.do("cut", politely=politely)
    await chats.say(chat, "Two?")
    await heard(chats, 2)
    assert texts(chats.inbox) == ["One?", "Two?"]


async def test_a_connection_that_the_library_does_not_get_back_is_opened_anew(
    chats: SlackHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.slack.receiving.LOST_S", 0.2)
    chat = await chats.direct()
    await chats.server.do("fault", method="apps.connections.open", kind="hang_up", times=2)
    await chats.server.do("delivery", tries=0)
    await chats.server.do("cut")
    await chats.say(chat, "While it was away?")
    await heard(chats, 1)


async def test_an_app_token_that_is_not_right_is_for_the_operator(server: SlackServer) -> None:
    bot = platform(server, app_token="xapp-wrong")
    with pytest.raises(Broken) as broken:
        await bot.run(RecordingInbox())
    await bot.close()
    assert broken.value.key == "platform.token"
    assert "xapp" not in broken.value.detail


async def test_slack_that_is_not_there_is_waited_for(server: SlackServer) -> None:
    await server.do("fault", method="auth.test", kind="hang_up", times=2)
    await server.do("fault", method="apps.connections.open", kind="refuse", status=429, wait_s=0, times=2)
    chats = SlackHarness(server)
    chats._fresh = False
    await chats.start()
    chat = await chats.direct()
    await chats.say(chat, "At last?")
    await heard(chats, 1)
    await chats.close()


async def replies_asked_for(chats: SlackHarness) -> list[str]:
    """The threads that were read so far, once what is caught up beside the socket has come to rest."""
    before: list[str] | None = None
    while True:
        calls = [each for each in await chats.server.do("calls") if each["method"] == "conversations.replies"]
        found = [each["values"]["ts"] for each in calls]
        if found == before:
            return found
        before = found
        await asyncio.sleep(0.5)


async def test_a_thread_from_before_a_restart_goes_on(chats: SlackHarness) -> None:
    chat = await chats.group()
    first = await chats.say(chat, chats.asking("What?"))
    await chats.inbox.next()
    await chats.platform.send(Outgoing(key="k-0", to=chats.inbox.messages[0].ref, text="An answer."))
    other = await chats.say(chat, "Lunch?")
    await chats.stop()
    await chats.start()
    await chats.say(chat, "Yes.", thread=other)
    await chats.say(chat, "And for islanders?", thread=first)
    await heard(chats, 2)
    assert texts(chats.inbox) == ["What?", "And for islanders?"]
    asked = await replies_asked_for(chats)
    await chats.say(chat, "No.", thread=other)
    await chats.say(chat, "And tourists?", thread=first)
    await heard(chats, 3)
    assert await replies_asked_for(chats) == asked  # remembered


async def test_a_question_about_a_thread_that_slack_does_not_answer_comes_again(chats: SlackHarness) -> None:
    chat = await chats.group()
    first = await chats.say(chat, chats.asking("What?"))
    await chats.inbox.next()
    await chats.stop()
    await chats.start()
    await chats.server.do("fault", method="conversations.replies", kind="refuse", status=503, times=1)
    await chats.say(chat, "And for islanders?", thread=first)
    await heard(chats, 2)


async def test_a_slash_command_shows_the_question_and_is_answered_in_the_channel(chats: SlackHarness) -> None:
    chat = await chats.group()
    back = await chats.server.do("command", chat=chat, command="/fundstelle", text="ask What &amp; why?")
    assert back == {"response_type": "in_channel"}
    message = await chats.inbox.next()
    assert (message.text, message.ref.thread) == ("/ask What & why?", None)
    await chats.platform.send(Outgoing(key="k-0", to=message.ref, text="An answer."))
    (shown,) = await chats.shown(chat)
    assert shown.thread is None


async def test_a_command_where_the_app_is_not_asks_for_an_invitation(chats: SlackHarness) -> None:
    public, private = [await chats.server.do("chat", kind=kind) for kind in ("channel", "group")]
    for chat in (public, private):
        await chats.server.do("leave", chat=chat)
        back = await chats.server.do("command", chat=chat, command="/jurisdiction", text="de-nw")
        assert back == {"response_type": "ephemeral", "text": INVITE}
    assert texts(chats.inbox) == []


async def test_unfolded_links_and_other_apps_are_no_questions(chats: SlackHarness) -> None:
    chat = await chats.direct()
    said = await chats.say(chat, "See <https://example.org>?")
    await heard(chats, 1)
    await chats.server.do("unfurl", chat=chat, message=said)
    await chats.server.do("say", chat=chat, text="I am a bot", bot_id="B77")
    await chats.say(chat, "Another?")
    await heard(chats, 2)
    assert [message.kind for message in chats.inbox.messages] == [MessageKind.MESSAGE] * 2


async def test_the_words_of_a_deleted_message_are_forgotten(chats: SlackHarness) -> None:
    """What is remembered of a thread helps to tell whom the next line is for."""
    chat = await chats.group()
    asked = await chats.say(chat, f"<@{BOT}> What does the ferry cost?")
    await heard(chats, 1)
    talk = chats.platform._threads.talk
    later = TalkTurn(message="9999999999.0", speaker="U9", at=datetime.max.replace(tzinfo=UTC))
    assert talk.told((chat, asked), later) == "A > bot: What does the ferry cost?"
    await chats.server.do("remove_message", chat=chat, message=asked)
    await chats.say(chat, f"<@{BOT}> And the tram?")
    await heard(chats, 2)
    assert talk.told((chat, asked), later) == "A > bot: "


@pytest.mark.parametrize("answered", [False, True])
async def test_a_deleted_question_is_taken_back(chats: SlackHarness, answered: bool) -> None:
    """A message with replies leaves a stone in its place."""
    chat = await chats.group()
    asked = await chats.say(chat, chats.asking("What?"))
    if answered:
        question = await chats.inbox.next()
        await chats.platform.send(Outgoing(key="k-0", to=question.ref, text="An answer."))
    await chats.server.do("remove_message", chat=chat, message=asked)
    gone = await chats.inbox.next(MessageKind.EDIT)
    assert (gone.taken_back, gone.ref.message, gone.ref.thread, gone.addressed) == (True, asked, asked, True)
    await chats.server.do("again", copies=3)
    await chats.say(chat, chats.asking("Another?"))
    await heard(chats, 2)
    assert [message.kind for message in chats.inbox.messages].count(MessageKind.EDIT) == 1


async def test_a_mention_that_an_edit_adds_is_one_edit(chats: SlackHarness) -> None:
    """Slack tells it twice: as a changed message, and as a mention that looks like a new one."""
    chat = await chats.group()
    asked = await chats.say(chat, "What?")
    await chats.edit(chat, asked, chats.asking("What?"))
    await chats.edit(chat, asked, chats.asking("What now?"))
    await chats.say(chat, chats.asking("Another?"))
    await heard(chats, 1)
    told = [(message.kind, message.text) for message in chats.inbox.messages]
    edit = MessageKind.EDIT
    assert told == [(edit, "What?"), (edit, "What now?"), (MessageKind.MESSAGE, "Another?")]


async def test_a_question_that_turns_away_from_the_app_is_taken_back(chats: SlackHarness) -> None:
    chat = await chats.group()
    asked = await chats.say(chat, chats.asking("What?"))
    await chats.edit(chat, asked, "Lunch?")
    gone = await chats.inbox.next(MessageKind.EDIT)
    assert (gone.taken_back, gone.ref.message) == (True, asked)
    other = await chats.say(chat, "Who has the key?")
    await chats.edit(chat, other, "Who has the keys?")
    await chats.say(chat, chats.asking("Another?"))
    await heard(chats, 2)
    assert len(chats.inbox.messages) == 3


async def test_edits_and_deletions_while_nobody_listened_are_caught_up(chats: SlackHarness) -> None:
    chat = await chats.group()
    texts = ("What?", "Who?", "Where?")
    asked = [await chats.say(chat, chats.asking(text)) for text in texts]
    await heard(chats, 3)
    for number, message in enumerate([*chats.inbox.messages]):
        await chats.platform.send(Outgoing(key=f"k-{number}", to=message.ref, text="An answer."))
    await chats.stop()
    chats.inbox.saved = (datetime.now(UTC) + OVERLAP).isoformat()  # all of it was heard
    await chats.server.do("delivery", tries=0)
    await chats.edit(chat, asked[0], chats.asking("What now?"))
    await chats.edit(chat, asked[1], "Lunch?")
    await chats.server.do("remove_message", chat=chat, message=asked[2])
    await chats.server.do("delivery", tries=5)
    await chats.start()

    async def told() -> bool:
        return len(chats.inbox.messages) == 6

    await eventually(told)
    found = {message.ref.message: (message.kind, message.text) for message in chats.inbox.messages[3:]}
    edit = MessageKind.EDIT
    assert found == {asked[0]: (edit, "What now?"), asked[1]: (edit, ""), asked[2]: (edit, "")}


class Limited(SlackHarness):
    """Slack limits what may be read in a minute; time passes where the adapter waits. `meanwhile` is done
    while it waits for the first time."""

    def __init__(self, server: SlackServer) -> None:
        super().__init__(server)
        self.waits: list[float] = []
        self.meanwhile: Callable[[], Awaitable[None]] | None = None

    def made(self) -> SlackPlatform:
        found = super().made()
        found._receiver._catch_up._sleep = self._waiting
        return found

    async def _waiting(self, seconds: float) -> None:
        self.waits.append(seconds)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        await self.server.do("advance", seconds=seconds)


@pytest.mark.parametrize("conversations", [100, 300])
async def test_catching_up_goes_on_where_slack_asked_to_wait(server: SlackServer, conversations: int) -> None:
    """It reads each conversation once, however many there are, and hears what is said meanwhile."""
    chats = Limited(server)
    await chats.start()
    await chats.stop()
    await server.do("delivery", tries=0)
    places = [await server.do("chat", kind="group") for _ in range(conversations)]
    for place in places:
        await chats.say(place, chats.asking(f"In {place}?"))
    await server.do("delivery", tries=5)
    live = str(await server.do("chat", kind="im"))
    await server.do("limit", method="conversations.history", calls=40)
    heard_meanwhile = []

    async def meanwhile() -> None:
        await chats.say(live, "Do you hear me?")
        await heard(chats, 41)
        heard_meanwhile.extend(texts(chats.inbox))

    chats.meanwhile = meanwhile
    saved = chats.inbox.saved
    before = len(await server.do("calls"))
    await chats.start()

    async def caught_up() -> bool:
        return chats.inbox.saved != saved

    await eventually(caught_up)
    assert sorted(texts(chats.inbox)) == sorted([*(f"In {place}?" for place in places), "Do you hear me?"])
    assert "Do you hear me?" in heard_meanwhile
    calls = (await server.do("calls"))[before:]
    asked = [call for call in calls if call["method"] == "conversations.history"]
    read = [call["values"]["channel"] for call in asked if not call.get("refused")]
    assert sorted(read) == sorted([*places, live])
    assert len(asked) - len(read) == len(chats.waits) == conversations // 40
    assert all(wait >= 60 for wait in chats.waits)
    assert [call["method"] for call in calls].count("apps.connections.open") == 1
    await chats.close()


async def test_threads_keep_nobody_waiting_who_asked_in_a_channel(server: SlackServer) -> None:
    """Each thread with a later reply takes a call, and an app that answers in threads has many."""
    chats = Limited(server)
    await chats.start()
    await chats.stop()
    await server.do("delivery", tries=0)
    busy, other = [str(await server.do("chat", kind="group")) for _ in range(2)]
    root = await chats.say(busy, chats.asking("In the channel?"))
    await chats.say(busy, chats.asking("In the thread?"), thread=root)
    await chats.say(other, chats.asking("Elsewhere?"))
    await server.do("delivery", tries=5)
    await server.do("limit", method="conversations.replies", calls=0)
    heard_before = []

    async def meanwhile() -> None:
        heard_before.extend(texts(chats.inbox))
        await server.do("limit", method="conversations.replies", calls=1)

    chats.meanwhile = meanwhile
    await chats.start()
    await heard(chats, 3)
    assert sorted(heard_before) == ["Elsewhere?", "In the channel?"]
    assert texts(chats.inbox)[2:] == ["In the thread?"]
    await chats.close()


async def test_the_cursor_stands_still_until_all_is_read(server: SlackServer) -> None:
    """A stop in between loses nothing, and a connection that is lost meanwhile begins nothing anew."""
    chats = Limited(server)
    await chats.start()
    await chats.stop()
    await server.do("delivery", tries=0)
    places = [await server.do("chat", kind="group") for _ in range(3)]
    for place in places:
        await chats.say(place, chats.asking(f"In {place}?"))
    await server.do("delivery", tries=5)
    await server.do("limit", method="conversations.history", calls=2)
    saved = chats.inbox.saved
    stopped = asyncio.Event()

    async def meanwhile() -> None:
        await server.do("cut")
        await chats.platform._receiver._catch_up.tick(chats.inbox)
        stopped.set()
        await asyncio.Event().wait()

    chats.meanwhile = meanwhile
    await chats.start()
    await asyncio.wait_for(stopped.wait(), 20)
    assert (len(chats.inbox.messages), chats.inbox.saved) == (2, saved)
    await chats.stop()
    await chats.start()
    await heard(chats, 3)
    await chats.close()


async def test_a_channel_that_cannot_be_read_keeps_none_from_being_read(server: SlackServer) -> None:
    chats = SlackHarness(server)
    await chats.start()
    await chats.stop()
    await server.do("delivery", tries=0)
    for place in [await server.do("chat", kind="group") for _ in range(3)]:
        await chats.say(place, chats.asking(f"In {place}?"))
    await server.do("delivery", tries=5)
    history = {"method": "conversations.history", "kind": "refuse", "status": 200}
    await server.do("fault", **history, error="missing_scope")
    saved = chats.inbox.saved
    await chats.start()

    async def caught_up() -> bool:
        return chats.inbox.saved != saved

    await eventually(caught_up)
    assert len(texts(chats.inbox)) == 2
    await chats.close()


async def test_joining_leaving_and_a_new_id_arrive(chats: SlackHarness) -> None:
    chat = await chats.group()
    await chats.server.do("join", chat=chat)
    joined = await chats.inbox.next(MessageKind.JOINED)
    assert (joined.ref.chat, bool(joined.sender)) == (chat, True)
    await chats.server.do("event", type="channel_id_changed", old_channel_id=chat, new_channel_id="C9")
    moved = await chats.inbox.next(MessageKind.MOVED)
    assert (moved.ref.chat, moved.text) == (chat, "C9")
    await chats.server.do("leave", chat=chat)
    assert (await chats.inbox.next(MessageKind.LEFT)).ref.chat == chat


async def test_an_event_that_is_not_as_described_stops_nobody(
    chats: SlackHarness, caplog: pytest.LogCaptureFixture
) -> None:
    await chats.server.do("event", type="message", text="secret words", user="U1", ts="1.000001")
    await chats.server.do("event", type="reaction_added", user="U1", item_user=BOT, item={"type": "message"})
    chat = await chats.direct()
    await chats.say(chat, "Still there?")
    await heard(chats, 1)
    assert "secret words" not in caplog.text
    assert "it is not as Slack describes it" in caplog.text


async def test_several_files_at_once_are_one_message(chats: SlackHarness) -> None:
    chat = await chats.direct()
    await chats.say(chat, "jurisdiction=de-nw", files=[(f"{name}.pdf", PDF) for name in "abcd"])
    message = await chats.inbox.next()
    assert [attachment.name for attachment in message.attachments] == [f"{name}.pdf" for name in "abcd"]


async def test_a_mention_with_a_file_keeps_the_file(chats: SlackHarness) -> None:
    chat = await chats.group()
    await chats.server.do("say", chat=chat, text=f"<@{BOT}> take it", files=as_files([("a.pdf", PDF)]))
    await chats.inbox.next()
    await asyncio.sleep(0.1)
    (message,) = chats.inbox.messages
    assert [attachment.name for attachment in message.attachments] == ["a.pdf"]


async def test_the_logs_hold_no_secrets_texts_or_people(
    chats: SlackHarness, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("slack_sdk", "slack_bolt", "aiohttp"):
        assert not logging.getLogger(name).isEnabledFor(logging.ERROR) or name == "aiohttp"
    chat = await chats.group()
    await chats.server.do("fault", method="chat.postMessage", kind="refuse", error="internal_error")
    await chats.say(chat, chats.asking("My private question?"))
    message = await chats.inbox.next()
    buttons = ((Button(label="Useful", command="useful"),),)
    part = Outgoing(key="k-0", to=message.ref, text="A private answer.", buttons=buttons)
    with pytest.raises(Exception, match="broke"):
        await chats.platform.send(part)
    await chats.platform.send(part)
    chats.inbox.broken = True
    await chats.say(chat, chats.asking("Another private question?"))
    await asyncio.sleep(0.2)
    chats.inbox.broken = False
    await heard(chats, 2)
    await chats.server.do("cut")
    await chats.stop()
    await chats.start()
    for word in (*SECRETS, "private", message.sender):
        assert word not in caplog.text


async def test_what_ends_the_program_is_still_logged(chats: SlackHarness) -> None:
    await chats.say(await chats.group(), chats.asking("Anything?"))
    await chats.inbox.next()
    assert logging.getLogger("fundstelle").isEnabledFor(logging.CRITICAL)


@pytest.fixture(autouse=True)
def _no_leftovers() -> Iterator[None]:
    """The libraries' loggers are for this platform alone: their levels come back."""
    names = ("slack_sdk", "slack_bolt", "fundstelle.slack")
    before = {name: logging.getLogger(name).level for name in names}
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)
