"""Writes what the reader of talk is trained on and measured by: `python -m training.talk_rows --out FILE`.

A row per line of talk: its text, what people said before it in words, what its signals weigh, whether it
was for the bot, and of which set it is ("learned", "held" or the half of the threads kept back). Read are the
lines that `training.talk` reads with the replies to the bot among them, `group_threads_for_reader.jsonl` in
`tests/data/`, and `training/talk_threads/`, of whose threads one in seven is held out.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from core.search.group_talk import TO_BOT
from core.search.talk_signals import signals, weighed
from training.talk import KEPT_BACK, TalkLine, in_thread, lines, rows

LEARNED = ("group_threads", "group_conversations", "group_threads_for_reader")
WRITTEN = Path(__file__).parent / "talk_threads"


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
        "weighed": weighed(signals(line.text, line.before)),
        "answer": line.answer,
    }


if __name__ == "__main__":
    main()
