"""What is meant for the bot in a group, on every platform: written lines of talk, as their clients send them.

`tests/data/group_talk.jsonl` has who speaks, whom they reply to, whether it is said in a thread of the bot,
and whether the bot has to answer (docs/lab/talk.md). With `-s` figures are printed.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from telegram import Update

from adapters.embedding.reader import PackagedTalkReader
from adapters.matrix.events import Bot
from adapters.matrix.intake import EventTranslator, Room
from adapters.matrix.relations import Original
from adapters.slack.api import SlackAccount
from adapters.slack.incoming import said
from adapters.telegram.incoming import TelegramAccount, converted_one
from core.domain.messages import IncomingMessage
from core.question.turns import TurnReader, left_alone
from core.search.group_talk import ThreadTalk
from tests.support.encoders import models_dir, packaged_encoders
from tests.support.repository import ROOT
from tests.support.talk_threads import NAME, mistakes
from tests.support.world import NOW

WRONG_OF_200 = 2
MISSED = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    by: str
    text: str
    thread: bool
    replies_to: str | None
    answer: bool
    half: str


LINES = [
    Line(**json.loads(line))
    for line in (ROOT / "tests" / "data" / "group_talk.jsonl").read_text("utf-8").splitlines()
]


TALK_READER = PackagedTalkReader(models_dir())
TURNS = TurnReader(packaged_encoders())


def mentions(text: str) -> list[tuple[int, str]]:
    return [(text.index(word), word.strip(",!?.")) for word in text.split() if word.startswith("@")]


TELEGRAM = TelegramAccount(id=7000001, username="fundstelle")


def as_telegram(line: Line) -> bool:
    """Outside private chats every group is one without threads there."""
    author = {"bot": TELEGRAM.id, "": 0}.get(line.replies_to or "", 77)
    message: dict[str, Any] = {
        "message_id": 2,
        "date": 1_900_000_000,
        "chat": {"id": -5, "type": "supergroup", "title": "G"},
        "from": {"id": 5, "is_bot": False, "first_name": line.by},
        "text": line.text,
        "entities": [
            {"type": "mention", "offset": at, "length": len(word)} for at, word in mentions(line.text)
        ],
    }
    if author:
        sender = {"id": author, "is_bot": author == TELEGRAM.id, "first_name": "X"}
        replied = {"message_id": 1, "date": 1, "chat": message["chat"], "from": sender, "text": "…"}
        message["reply_to_message"] = replied
    found = converted_one(Update.de_json({"update_id": 1, "message": message}, None), TELEGRAM, NOW)
    return _is_addressed(found)


def as_slack(line: Line) -> bool:
    """Nobody replies to a message there but by its thread."""
    text = line.text
    for _, word in reversed(mentions(line.text)):
        text = text.replace(word, {NAME: "<@UBOT>", "@channel": "<!channel>"}.get(word, "<@U7>"))
    event: dict[str, Any] = {"type": "message", "channel": "C1", "user": "U1", "ts": "2.0", "text": text}
    if line.thread:
        event["thread_ts"] = "1.0"
    me = SlackAccount(user="UBOT", bot="BBOT", name="fundstelle", team="T1")
    return _is_addressed(asyncio.run(said(event, me, ours=line.thread, talk=ThreadTalk(TALK_READER))))


class Homeserver:
    """The bot wrote $bot and $root, somebody else $other."""

    def seen(self, event: dict[str, Any]) -> None:
        pass

    async def original(self, room: str, event_id: str) -> Original:
        sender = BOT.user_id if event_id == "$bot" else "@else:example.org"
        return Original(sender=sender, thread=None, reply_to=None)

    def wrote_in(self, root: str) -> bool:
        return root == "$root"


BOT = Bot(user_id="@fundstelle:example.org", name="Fundstelle")


def as_matrix(line: Line) -> bool:
    named = [f"{word}:example.org" for _, word in mentions(line.text)]
    replied = {"bot": BOT.user_id, "": ""}.get(line.replies_to or "", "@else:example.org")
    relates: dict[str, Any] = {}
    if line.thread:
        relates = {"rel_type": "m.thread", "event_id": "$root", "is_falling_back": not replied}
    if replied:
        relates["m.in_reply_to"] = {"event_id": "$bot" if replied == BOT.user_id else "$other"}
    content = {
        "msgtype": "m.text",
        "body": line.text,
        "m.relates_to": relates,
        "m.mentions": {"user_ids": sorted({*named, replied} - {""})},
    }
    event = {"event_id": "$e", "sender": f"@{line.by}:example.org", "type": "m.room.message"}
    translator = EventTranslator(BOT, Homeserver(), ThreadTalk(TALK_READER))  # type: ignore[arg-type]
    return _is_addressed(
        asyncio.run(translator.message({**event, "content": content}, Room(id="!r", direct=False)))
    )


def _is_addressed(message: IncomingMessage | None) -> bool:
    """Whether it is said to the bot, and no thanks or remark."""
    if message is None or not message.addressed:
        return False
    return not left_alone(asyncio.run(TURNS.read(message.text)), message.text)


def untold(line: Line) -> bool:
    """What Telegram does not tell of a line: that it stands in a thread of the bot."""
    return line.thread and line.replies_to != "bot" and NAME not in line.text


WAYS: dict[str, tuple[Callable[[Line], bool], Sequence[Line]]] = {
    "telegram": (as_telegram, [line for line in LINES if not (untold(line) and line.answer)]),
    "slack": (as_slack, [line for line in LINES if line.replies_to is None]),
    "matrix": (as_matrix, LINES),
}


@pytest.mark.parametrize("half", ["rules", "measured"])
@pytest.mark.parametrize("way", WAYS)
def test_the_bot_answers_what_is_said_to_it_and_nothing_else(way: str, half: str) -> None:
    heard, known = WAYS[way]
    lines = [line for line in known if line.half == half]
    wrong = [line.text for line in lines if heard(line) and not line.answer]
    missed = [line.text for line in lines if line.answer and not heard(line)]
    asked = sum(line.answer for line in lines)
    sys.stdout.write(f"{way}, {half}: of {len(lines)} lines {len(wrong)} wrong interjections {wrong}\n")
    sys.stdout.write(f"{way}, {half}: of {asked} questions {len(missed)} missed {missed}\n")
    assert len(wrong) <= WRONG_OF_200
    assert len(missed) <= MISSED * asked


def test_more_than_the_half_of_the_lines_is_talk() -> None:
    """Else few interjections would say little."""
    assert sum(not line.answer for line in LINES) > len(LINES) / 2
    assert len(LINES) >= 200


@pytest.mark.timeout(600)  # more than a thousand lines are read
@pytest.mark.thorough
async def test_whole_threads_are_followed() -> None:
    """In the threads on which nothing was chosen; processors differ by a line or two."""
    read = await mistakes("group_threads", "fresh", TALK_READER)
    assert read.wrong <= 24
    assert read.missed <= 30
    assert read.asked > 200
