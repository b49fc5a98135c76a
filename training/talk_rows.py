"""Writes what the reader of talk is trained on and measured by: `python -m training.talk_rows --out FILE`.

A row per line of talk: its text, what people said before it in words, whether it was for the bot, and of
which set it is ("learned", "held" or the half of the threads kept back). Read are the lines of `tests/data/`,
`group_threads_for_reader.jsonl` among them, and `training/talk_threads/`, of whose threads one in seven is
held out.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from core.search.group_talk import TO_BOT, TalkBefore, TalkTurn, ThreadTalk

LEARNED = ("group_threads", "group_conversations", "group_threads_for_reader")
WRITTEN = Path(__file__).parent / "talk_threads"
DATA = Path(__file__).parents[1] / "tests" / "data"
KEPT_BACK = ("kept back", "later", "unseen", "blind", "fresh")


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkLine:
    """A line said to nobody by name. Lines of one `group` are left out together; `before`: what was said
    there, None for a line alone; `told`: the same in words. `replied`: it replies to the bot."""

    source: str
    group: str
    text: str
    answer: bool
    before: TalkBefore | None = None
    told: str = ""
    replied: bool = False


def lines() -> Iterator[TalkLine]:
    """All lines to learn from."""
    for name in ("group_talk", "group_lines"):
        for number, line in enumerate(rows(name)):
            if not (line.get("replies_to") or "@" in line["text"] or line.get("thread") is False):
                yield TalkLine(
                    source=name, group=f"{name} {number}", text=line["text"], answer=line["answer"]
                )
    for name in ("group_threads", "group_conversations"):
        for thread, said in groupby(rows(name), key=lambda row: row["thread"]):
            talk = in_thread(name, f"{name} {thread}", said)
            yield from (line for line in talk if not line.replied)


def rows(name: str, halves: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows of a file of talk: of the `halves` named, else all but those kept back."""
    said = map(json.loads, (DATA / f"{name}.jsonl").read_text("utf-8").splitlines())
    if halves:
        return [row for row in said if row["half"] in halves]
    return [row for row in said if row.get("half") not in KEPT_BACK]


def in_thread(source: str, group: str, said: Iterable[Mapping[str, Any]]) -> Iterator[TalkLine]:
    """The lines that people said in a thread to nobody or to the bot, each with what was said before it; not
    those whose answer is open (null)."""
    talk, begun, place = ThreadTalk(), datetime(2030, 1, 1, tzinfo=UTC), (source, group)
    for number, row in enumerate(row for row in said if row["by"] != "bot"):
        text = row["text"].replace("@fundstelle", "").strip(" ,")
        at = begun + timedelta(minutes=number)
        turn = TalkTurn(message=str(number), speaker=row["by"], at=at, text=text)
        to_somebody = row.get("replies_to") not in (None, "bot") or "@" in row["text"]
        if not to_somebody and row["answer"] is not None:
            yield TalkLine(
                source=source,
                group=group,
                text=row["text"],
                answer=row["answer"],
                before=talk.before(place, turn),
                told=talk.told(place, turn),
                replied=row.get("replies_to") == "bot",
            )
        talk.heard(place, replace(turn, asked=bool(row["answer"])))


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args().out
    written = [row for file in sorted(WRITTEN.glob("*.jsonl")) for row in _read(file)]
    halves = {half: [row for row in written if row["half"] == half] for half in ("learned", "held")}
    alone = (line for line in lines() if line.before is None)
    known = (line for name in LEARNED for line in _threads(name, rows(name)))
    sets = {"learned": [*alone, *known, *_threads("written", halves["learned"])]}
    sets |= {half: list(_threads(half, rows("group_threads", (half,)))) for half in KEPT_BACK}
    sets["held"] = list(_threads("written", halves["held"]))
    with out.open("w", encoding="utf-8") as file:
        for name, each in sets.items():
            for line in each:
                file.write(json.dumps({"set": name, **_row(line)}, ensure_ascii=False) + "\n")


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _threads(name: str, said: Iterable[dict[str, Any]]) -> Iterator[TalkLine]:
    for thread, own in groupby(said, key=lambda row: row["thread"]):
        yield from in_thread(name, f"{name} {thread}", own)


def _row(line: TalkLine) -> dict[str, object]:
    return {
        "text": (TO_BOT if line.replied else "") + line.text,
        "told": line.told,
        "answer": line.answer,
    }


if __name__ == "__main__":
    main()
