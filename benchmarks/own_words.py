"""Whose words are quoted: what is answered in a party's or a body's name, and which alleged quotes pass.

`python -m benchmarks.own_words --part looked_at|kept_back --library DIR [--show]`

The forty documents of `own_words` are by a writer who saw no code: programmes, questionnaires, newsletters,
minutes, fee tables and fact checks in German, English and French, in which owners tell of others' words,
of former positions and of fees that have lapsed. Rules were made with `looked_at`; nothing is to be mended by
`kept_back`, of which nobody has read more than totals. DIR is made if it is not there. `truth.jsonl` has of
each question what is right and what must not be shown, and of each alleged quote whose it is. Any wrong
sentence in any quote makes an answer wrong. Classes: a, reported and rejected; b, an authority's plan beside
an own wish; c, tables and theses; d, letters, interviews, minutes; e, questions and answers; f, myths,
opponents, former positions; g, lapsed and valid fees.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened

FOLDER = Path(__file__).with_name("own_words")
PASSED = ("verbatim", "typo")


def main() -> None:
    """Read the documents where that has not been done, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("looked_at", "kept_back"), required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what is wrong; not of kept_back")
    given = parser.parse_args()
    if given.show and given.part == "kept_back":
        parser.error("kept_back is counted, not read")
    folder = FOLDER / given.part
    if not given.library.exists():
        command = [
            sys.executable,
            "-c",
            "from bot.cli import main; main()",
            "ingest",
            "--data",
            str(given.library),
            "--manifest",
            str(folder / "library.toml"),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    counts = asyncio.run(counted(given.library, rows, show=given.show))
    names = ("asked", "right", "wrong shown", "first right", "silent, answerable", "own", "own passed")
    print("class", *names, "not own", "not own passed", sep="  ")
    for kind in (*sorted(counts.keys() - {"all"}), "all"):
        print(kind, *(counts[kind][name] for name in (*names, "not own", "not own passed")), sep="  ")


async def counted(library: Path, rows: list[dict[str, Any]], *, show: bool) -> dict[str, Counter[str]]:
    """Counts by class, and of all."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    async with opened(Settings(data=library)) as app:
        for row in rows:
            found = await (_asked(app, row) if row["do"] == "ask" else _verified(app, row))
            for kind in (row["class"], "all"):
                counts[kind].update(found)
            failed = "right" not in found if row["do"] == "ask" else found[-1] in ("own", "not own passed")
            if show and failed:
                print(row["class"], row["file"], row.get("question") or row["text"], found)
    return counts


async def _asked(app: Composition, row: dict[str, Any]) -> list[str]:
    answer = await app.questions.ask(
        row["question"], ScopeOptions(documents=(row["file"],)), answerer="extractive"
    )
    quotes = [plain(each.quote.text) for each in answer.citations]
    found = ["asked"]
    wrong = any(plain(each) in quote for each in row["wrong"] for quote in quotes)
    right = [any(plain(each) in quote for each in row["right"]) for quote in quotes]
    if (any(right) if row["right"] else not quotes) and not wrong:
        found.append("right")
    if wrong:
        found.append("wrong shown")
    if right[:1] == [True]:
        found.append("first right")
    if row["right"] and not quotes:
        found.append("silent, answerable")
    return found


async def _verified(app: Composition, row: dict[str, Any]) -> list[str]:
    check = await app.questions.verify(row["text"], ScopeOptions(documents=(row["file"],)))
    whose = "own" if row["whose"] == "own" else "not own"
    return [whose, f"{whose} passed"] if check.verdict.value in PASSED else [whose]


def plain(text: str) -> str:
    """Words alone, in lower case."""
    return " ".join(re.findall(r"\w+", text.casefold()))


if __name__ == "__main__":
    main()
