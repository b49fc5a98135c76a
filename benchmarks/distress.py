"""How much distress is known, and how many honest questions are taken for it.

`python -m benchmarks.distress --models FOLDER [FILE...]`

Counts the lines of tests/search/distress, those that the rules were written with and those that were kept
back, and what writers wrote (`distress_lines`, all of them trained with but those in `kept`): by the
rules alone, and with the head. Of each FILE of questions (JSON lines with "question" or "text") it prints
what is taken for distress. FOLDER holds the encoders' files; those that are missing are made.
"""

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import ROOT, Row, written_in
from benchmarks.train_distress import HONEST, LINES, SOME
from core.search.distress_reader import DistressReader


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("files", type=Path, nargs="*")
    given = parser.parse_args()
    asyncio.run(count(given.models, given.files))


async def count(models: Path, files: Sequence[Path]) -> None:
    """Count the lines, and the false alarms of `files`."""
    rules, reader = DistressReader(), DistressReader((E5Embedder(models), UseEmbedder(models)))
    await reader.find("warm up")
    sets = {file.name: lines_in(file) for file in sorted((ROOT / "tests/search/distress").glob("*.tsv"))}
    sets |= {file.name: written_in(file, HONEST, SOME) for file in sorted(LINES.rglob("*.tsv"))}
    for name, rows in sets.items():
        print(f"{name}: rules {await counted(rules, rows)}")
        print(f"{name}: with the head {await counted(reader, rows)}")
    for file in files:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        asked = [row.get("question") or row.get("text") or "" for row in rows]
        alarms = [said for said in asked if await reader.find(said)]
        print(f"{file}: {len(alarms)} of {len(asked)} taken for distress", *alarms, sep="\n  ")


def lines_in(file: Path) -> list[Row]:
    """Kind and words of the lines of the rules."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [(kind, said) for kind, _, said in (line.partition("\t") for line in lines)]


async def counted(reader: DistressReader, rows: Sequence[Row]) -> str:
    """How many lines are known, by kind."""
    known: Counter[str] = Counter()
    there: Counter[str] = Counter()
    begun = time.process_time()
    for kind, said in rows:
        there[kind] += 1
        known[kind] += await reader.find(said) is not None
    each_ms = 1000 * (time.process_time() - begun) / len(rows)
    kinds = ", ".join(f"{kind} {known[kind]}/{there[kind]}" for kind in sorted(there))
    return f"{kinds} (none: false alarms); {each_ms:.1f} ms of CPU a line"


if __name__ == "__main__":
    main()
