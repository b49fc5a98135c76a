"""The written threads of talk, followed line by line as the bot would, for tests and `benchmarks.talk`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from core.ports.models import TalkReader
from core.search.group_talk import HeardLine, TalkTurn, ThreadTalk
from tests.support.repository import ROOT
from tests.support.world import NOW

NAME = "@fundstelle"
DATA = ROOT / "tests" / "data"

SETS = (
    *(("group_threads", half) for half in ("fitted", "kept back", "later", "unseen", "blind", "fresh")),
    ("group_conversations", ""),
)
"""File and half. Neither weights nor reader ever saw the half kept back, or the later, unseen, blind and
fresh ones; the reader's thresholds were chosen on all but the fresh ones, on which nothing was chosen
(docs/lab/talk.md)."""

Thread = tuple[str, str]
"""Half and name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistakes:
    """`wrong` of the `talk` lines were taken to be for the bot, `missed` of the `asked` ones were not."""

    wrong: int
    talk: int
    missed: int
    asked: int

    def __str__(self) -> str:
        return f"{self.wrong} wrong of {self.talk}, {self.missed} missed of {self.asked}"


def threads(name: str, half: str) -> dict[Thread, list[dict[str, Any]]]:
    """The lines of people, by thread."""
    found: dict[Thread, list[dict[str, Any]]] = {}
    for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["by"] != "bot" and row.get("half", "") == half:
            found.setdefault((half, row["thread"]), []).append(row)
    return found


async def followed(
    thread: Thread, lines: Sequence[dict[str, Any]], reader: TalkReader | None
) -> list[tuple[bool, bool]]:
    """The bot's decision on each line that does not name it, and the right one. It relies on its own earlier
    decisions."""
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


def counted(heard: Sequence[tuple[bool, bool]]) -> Mistakes:
    """The mistakes among lines that the bot did and should take to be for it."""
    asked = sum(answer for _, answer in heard)
    return Mistakes(
        wrong=sum(said and not answer for said, answer in heard),
        talk=len(heard) - asked,
        missed=sum(answer and not said for said, answer in heard),
        asked=asked,
    )


async def mistakes(name: str, half: str, reader: TalkReader | None) -> Mistakes:
    """The mistakes of a set, read by `reader`."""
    each = [await followed(key, lines, reader) for key, lines in threads(name, half).items()]
    return counted([line for heard in each for line in heard])
