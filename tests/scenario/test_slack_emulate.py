"""`fundstelle serve` on the example library against a Slack that others wrote, by signed events."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from tests.support.node_servers import COMMISSION, MILLERS, QUESTION, QUOTE, missing, serving
from tests.support.slack_emulate import BOB, BOT, SlackEmulate

MISSING = missing("slack_emulate")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.timeout(300),
    pytest.mark.skipif(bool(MISSING), reason=MISSING),
]

Json = dict[str, Any]


@pytest.fixture(scope="module")
def chats(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackEmulate]:
    folder = tmp_path_factory.mktemp("served")
    with SlackEmulate() as server, serving(data, folder, server.settings) as ready:
        url = ready.rpartition("; ")[2].replace("/readyz", "/slack/events")
        server.ask("events", url=url)
        server.until_heard(url)
        yield server


def words(shown: object) -> str:
    """All text of messages, of their blocks where they have any."""
    if isinstance(shown, list):
        return "\n".join(map(words, shown))
    if not isinstance(shown, dict):
        return ""
    if shown.get("blocks"):
        return words(shown["blocks"])
    inside = "".join(map(words, shown.get("elements", [])))
    return f"{shown.get('text', '')}{inside}" if isinstance(shown.get("text", ""), str) else inside


def says(text: str) -> Callable[[list[Json]], bool]:
    return lambda shown: text in words(shown)


def test_a_question_in_private_is_answered_in_one_message_with_its_page(chats: SlackEmulate) -> None:
    chat = chats.direct()
    chats.say(chat, QUESTION)
    (answer,) = chats.waits(chat, says(QUOTE))
    (file,) = answer["files"]
    with pymupdf.open(stream=chats.file(file)) as pages:
        assert pages.page_count == 1
        assert list(pages[0].annots())


def test_a_mention_is_answered_in_its_thread_and_other_talk_is_not(chats: SlackEmulate) -> None:
    channel = chats.channel("talk")
    talk = [chats.say(channel, "Der Mindestlohn ist viel zu niedrig, oder?", by=BOB)]
    named = chats.say(channel, f"<@{BOT}> Mindestlohn der Liste Leuchtturm")
    talk.append(chats.say(channel, "Wer bringt morgen den Kuchen mit?", by=BOB))
    last = chats.say(channel, f"{MILLERS} <@{BOT}>", by=BOB)
    chats.waits(channel, says(COMMISSION), thread=last)
    chats.waits(channel, says(QUOTE), thread=named)
    assert [chats.shown(channel, each) for each in talk] == [[], []]
    first = chats.shown(channel, named)
    chats.say(channel, "Und die Windmüller?", thread_ts=named)
    chats.waits(channel, lambda shown: "Bund der Windmüller" in words(shown[len(first) :]), thread=named)


@pytest.mark.parametrize(
    ("name", "alleged", "verdict"),
    [("right", COMMISSION, "✅"), ("wrong", COMMISSION.replace("unabhängige", "staatliche"), "❌")],
)
def test_words_of_others_are_checked_for_who_names_the_app_below_them(
    chats: SlackEmulate, name: str, alleged: str, verdict: str
) -> None:
    channel = chats.channel(name)
    said = chats.say(channel, f"Bund der Windmüller: {alleged}", by=BOB)
    chats.say(channel, f"<@{BOT}> stimmt das?", thread_ts=said)
    assert "unabhängige" in words(chats.waits(channel, says(verdict), thread=said))


def test_an_edited_question_is_answered_anew_and_a_deleted_one_no_longer(chats: SlackEmulate) -> None:
    channel = chats.channel("changes")
    said = chats.say(channel, f"<@{BOT}> {QUESTION}")
    chats.waits(channel, says(QUOTE), thread=said)
    chats.call("chat.update", channel=channel, ts=said, text=f"<@{BOT}> {MILLERS}")
    chats.waits(channel, lambda shown: COMMISSION in words(shown) and QUOTE not in words(shown), thread=said)
    chats.call("chat.delete", channel=channel, ts=said)
    chats.waits(channel, lambda shown: not shown, thread=said)


def test_thanks_get_a_reaction(chats: SlackEmulate) -> None:
    channel = chats.channel("thanks")
    said = chats.say(channel, f"<@{BOT}> {QUESTION}")
    (answer,) = chats.waits(channel, says(QUOTE), thread=said)
    thanks = chats.say(channel, f"<@{BOT}> danke dir", thread_ts=said)

    def reacted(shown: list[Json]) -> bool:
        got = chats.call("reactions.get", channel=channel, timestamp=thanks)["message"].get("reactions", [])
        return [(each["name"], each["users"]) for each in got] == [("+1", [BOT])]

    assert chats.waits(channel, reacted, thread=said) == [answer]


def test_help_is_shown_for_the_asking(chats: SlackEmulate) -> None:
    channel = chats.channel("help")
    said = chats.say(channel, f"<@{BOT}> hilfe")
    chats.waits(channel, says("Befehle"), thread=said)
