"""`fundstelle serve` on the example library against a Telegram that others wrote. What comes from the shim in
front of it says `tests.servers.telegram_test_api`."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from tests.support.node_servers import COMMISSION, MILLERS, QUESTION, QUOTE, missing, serving
from tests.support.telegram_test_api import BOT, TelegramTestApi

MISSING = missing("telegram_test_api")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.timeout(300),
    pytest.mark.skipif(bool(MISSING), reason=MISSING),
]

GROUP = -1001
Json = dict[str, Any]


@pytest.fixture(scope="module")
def chats(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TelegramTestApi]:
    folder = tmp_path_factory.mktemp("served")
    with TelegramTestApi() as server, serving(data, folder, server.settings):
        yield server


def words(shown: list[Json]) -> str:
    return "\n".join(message["text"] for message in shown).replace("\u2060", "")


def documents(shown: list[Json]) -> list[Json]:
    return [message["document"] for message in shown if "document" in message]


def says(text: str, files: int = 0) -> Callable[[list[Json]], bool]:
    return lambda shown: text in words(shown) and len(documents(shown)) >= files


def answers_to(shown: list[Json], said: Json) -> list[Json]:
    """Those that reply to a message."""
    number = f'"message_id": {said["message_id"]}'
    return [message for message in shown if number in message["reply_parameters"]]


def buttons(message: Json) -> dict[str, str]:
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return {button["text"]: button["callback_data"] for row in rows for button in row}


def test_a_question_in_private_is_answered_with_its_page(chats: TelegramTestApi) -> None:
    said = chats.say(1, QUESTION)
    shown = chats.waits(1, says(QUOTE, files=1))
    assert answers_to(shown, said) == shown
    assert any(entity["type"] == "blockquote" for entity in shown[0]["entities"])
    (document,) = documents(shown)
    with pymupdf.open(stream=chats.file(document)) as pages:
        assert pages.page_count == 1
        assert list(pages[0].annots())
    assert chats.calls("sendChatAction")


def test_a_mention_in_a_group_is_answered_and_other_talk_is_not(chats: TelegramTestApi) -> None:
    talk = [chats.say(GROUP, "Der Mindestlohn ist viel zu niedrig, oder?")]
    named = chats.say(GROUP, f"@{BOT} Mindestlohn der Liste Leuchtturm")
    talk.append(chats.say(GROUP, "Wer bringt morgen den Kuchen mit?"))
    last = chats.say(GROUP, f"{MILLERS} @{BOT}")
    shown = chats.waits(GROUP, says(COMMISSION, files=2))
    assert QUOTE in words(answers_to(shown, named))
    assert COMMISSION in words(answers_to(shown, last))
    assert not any(answers_to(shown, each) for each in talk)


@pytest.mark.parametrize(("chat", "command"), [(2, "/start"), (3, "/help")])
def test_the_first_commands_explain_the_bot(chats: TelegramTestApi, chat: int, command: str) -> None:
    chats.say(chat, command)
    (shown,) = chats.waits(chat, says("Befehle:"))
    listed = chats.calls("setMyCommands")
    assert {call.get("language_code", "") for call in listed} == {"", "en", "de", "fr"}
    assert "/vergleich" in shown["text"]


@pytest.mark.parametrize(
    ("group", "alleged", "verdict"),
    [(-1002, COMMISSION, "✅"), (-1003, COMMISSION.replace("unabhängige", "staatliche"), "❌")],
)
def test_words_of_others_are_checked_for_who_replies_to_them(
    chats: TelegramTestApi, group: int, alleged: str, verdict: str
) -> None:
    theirs = {"id": 1001, "first_name": "Bob", "is_bot": False}
    said = chats.say(group, f"Bund der Windmüller: {alleged}", **{"from": theirs})
    asked = chats.say(group, f"@{BOT} stimmt das?", reply_to_message=said)
    shown = chats.waits(group, says(verdict))
    assert answers_to(shown, asked) == shown
    assert "unabhängige" in words(shown)


def test_a_button_asks_for_the_edition_before(chats: TelegramTestApi) -> None:
    chats.say(5, QUESTION)
    first = chats.waits(5, says(QUOTE, files=1))
    chats.press(5, first[0], buttons(first[0])["Frühere Fassung (2021)"])
    chats.waits(5, lambda shown: "(2021)" in words(shown[len(first) :]))
    assert chats.calls("answerCallbackQuery")


def test_parties_are_compared_and_a_button_brings_their_pages_in_an_album(chats: TelegramTestApi) -> None:
    chats.say(6, "/vergleich Mindestlohn, Lighthouse List, Bund der Windmüller")
    first = chats.waits(6, says("Der Vergleich als Tabelle", files=1))
    assert words(first).index("Bund der Windmüller") < words(first).index(QUOTE)
    chats.press(6, first[0], buttons(first[0])["Zitierte Seiten (2)"])
    pages = [message for message in chats.waits(6, says("", files=3))[len(first) :] if "document" in message]
    assert [message["text"].split()[0] for message in pages] == ["[S1]", "[S2]"]
    (album,) = {message["media_group_id"] for message in pages}
    assert album


def test_an_edited_question_is_answered_in_the_same_message(chats: TelegramTestApi) -> None:
    said = chats.say(7, QUESTION)
    before = chats.waits(7, says(QUOTE, files=1))
    chats.edit(said, MILLERS)
    after = chats.waits(7, lambda shown: COMMISSION in words(shown) and QUOTE not in words(shown))
    assert COMMISSION in next(m["text"] for m in after if m["message_id"] == before[0]["message_id"])


def test_a_question_that_is_edited_away_loses_its_answer(chats: TelegramTestApi) -> None:
    said = chats.say(-1004, f"@{BOT} {QUESTION}")
    chats.waits(-1004, says(QUOTE, files=1))
    chats.edit(said, "Wer bringt morgen den Kuchen mit?")
    chats.waits(-1004, lambda shown: not shown)


def test_thanks_get_a_reaction(chats: TelegramTestApi) -> None:
    chats.say(8, "danke dir")

    def reacted(shown: list[Json]) -> bool:
        calls = chats.calls("setMessageReaction")
        return [json.loads(call["reaction"])[0]["emoji"] for call in calls] == ["👍"]

    assert chats.waits(8, reacted) == []
