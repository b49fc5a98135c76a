"""Writes what the reader of talk is trained on and measured by: `python -m training.talk_rows --out FILE`.

A row per line of talk: its text, what people said before it in words, what its signals weigh, whether it
was for the bot, and of which set it is ("learned", or the half of the threads kept back). Read are the lines
that `training.talk` reads and `tests/data/group_threads_for_reader.jsonl`.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from core.search.talk_signals import signals, weighed
from training.talk import KEPT_BACK, TalkLine, in_thread, lines, rows

FOR_READER = "group_threads_for_reader"


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args().out
    sets = {"learned": [*lines(), *_threads(FOR_READER, ())]}
    sets |= {half: list(_threads("group_threads", (half,))) for half in KEPT_BACK}
    with out.open("w", encoding="utf-8") as file:
        for name, each in sets.items():
            for line in each:
                file.write(json.dumps({"set": name, **_row(line)}, ensure_ascii=False) + "\n")


def _threads(name: str, halves: tuple[str, ...]) -> Iterator[TalkLine]:
    for thread, said in groupby(rows(name, halves), key=lambda row: row["thread"]):
        yield from in_thread(name, f"{name} {thread}", said)


def _row(line: TalkLine) -> dict[str, object]:
    return {
        "text": line.text,
        "told": line.told,
        "weighed": weighed(signals(line.text, line.before)),
        "answer": line.answer,
    }


if __name__ == "__main__":
    main()
