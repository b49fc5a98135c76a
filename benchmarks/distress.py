"""How much distress is known, and how many honest questions are taken for it.

`python -m benchmarks.distress [FILE...]`

Counts the lines of tests/search/distress: those that the rules were written with, and those that were kept
back. Of each FILE of questions (JSON lines with "question") it prints what is taken for distress.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from core.search.distress import distress

LINES = Path(__file__).parents[1] / "tests" / "search" / "distress"


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    distress("warm up")
    for name in ("written", "kept"):
        print(name, counted((LINES / f"{name}.tsv").read_text(encoding="utf-8").splitlines()))
    for file in parser.parse_args().files:
        asked = [json.loads(line).get("question", "") for line in file.read_text("utf-8").splitlines()]
        alarms = [said for said in asked if distress(said)]
        print(f"{file}: {len(alarms)} of {len(asked)} taken for distress", *alarms, sep="\n  ")


def counted(rows: list[str]) -> str:
    """Of lines of a kind and what is said: how many are known, by kind."""
    known: Counter[str] = Counter()
    there: Counter[str] = Counter()
    begun = time.process_time()
    for kind, _, said in (row.partition("\t") for row in rows):
        there[kind] += 1
        known[kind] += distress(said) is not None
    each_ms = 1000 * (time.process_time() - begun) / len(rows)
    kinds = ", ".join(f"{kind} {known[kind]}/{there[kind]}" for kind in sorted(there))
    return f"{kinds} (none: false alarms); {each_ms:.1f} ms of CPU a line"


if __name__ == "__main__":
    main()
