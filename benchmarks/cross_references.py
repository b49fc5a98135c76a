"""How often a question about references finds the right section first.

    python benchmarks/cross_references.py --data FOLDER [--questions FILE] [--show]

FOLDER is a data folder into which `statutes/` was ingested with its manifest. A case has the sections that
are right (any of them counts), each with its file and a page; its jurisdiction is used as the option. A
section counts if the first hit is it, the page if the first hit stands on that page; the path if the hit
carries how it was reached. Intervals are 95 % Wilson ones. The row "without references" is the same search
with following them switched off.
"""

import argparse
import asyncio
import json
import math
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.domain.scope import Scope
from core.domain.search import Hit
from core.search.plan import SearchResult
from core.search.searcher import Searcher
from core.search.settings import SearchSettings

QUESTIONS = Path(__file__).parents[1] / "tests" / "data" / "cross_references.jsonl"
VARIANTS = {
    "without references": replace(SearchSettings(), references=False),
    "default": SearchSettings(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One case: whether the section and the page of the first hit are right, and the path it carries."""

    case: str
    section: bool
    page: bool
    within: bool
    trail: str
    found: str
    seconds: float


def read_cases(file: Path) -> list[dict[str, Any]]:
    """The cases of a question set."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


async def measure(
    app: Composition, settings: SearchSettings, cases: Sequence[dict[str, Any]]
) -> list[Outcome]:
    """Every case searched once."""
    ingester = app.ingester
    searcher = Searcher(
        library=app.library,
        index=ingester.index,
        primary=ingester.primary,
        secondary=ingester.secondary,
        lexical=ingester._lexical,
        settings=settings,
    )
    found = []
    for case in cases:
        scope = Scope(collections=("public",), jurisdictions=(case["jurisdiction"],))
        started = time.perf_counter()
        result = await searcher.search(case["question"], scope=scope, today=date(2026, 1, 1))
        found.append(outcome(case, result, time.perf_counter() - started))
    return found


def outcome(case: dict[str, Any], result: SearchResult, seconds: float) -> Outcome:
    """What a search found of a case."""
    first = result.hits[:1]
    return Outcome(
        case=case["id"],
        section=any(_is_section(hit, gold) for hit in first for gold in case["gold"]),
        page=any(
            _is_section(hit, gold) and gold["page"] in hit.passage.pages
            for hit in first
            for gold in case["gold"]
        ),
        within=any(_is_section(hit, gold) for hit in result.hits[:3] for gold in case["gold"]),
        trail=" -> ".join(first[0].trail) if first else "",
        found=_named(first[0]) if first else "",
        seconds=seconds,
    )


def _is_section(hit: Hit, gold: dict[str, Any]) -> bool:
    section = hit.passage.section
    return section is not None and section.id == gold["section"] and hit.edition.document.file == gold["file"]


def _named(hit: Hit) -> str:
    section = hit.passage.section
    return f"{hit.edition.document.file} {section.id if section else '-'} p. {hit.passage.pages}"


def rate(hits: int, of: int) -> str:
    """A share with its 95 % Wilson interval."""
    share, z = hits / of, 1.96
    centre = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return f"{hits:>3} of {of} ({share:.0%}, {centre - half:.0%}-{centre + half:.0%})"


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--show", action="store_true", help="print the cases that are wrong")
    options = parser.parse_args()
    cases = read_cases(options.questions)
    print(f"{platform.platform()}, {datetime.now(UTC):%Y-%m-%d}, {len(cases)} cases")
    print(f"{'':<20} {'section first':<27} {'among 3':<27} {'page too':<27} {'with a path':<27} s median")
    async with opened(Settings(data=options.data)) as app:
        await app.questions.warm_up()
        for name, settings in VARIANTS.items():
            rows = await measure(app, settings, cases)
            counts = (
                sum(row.section for row in rows),
                sum(row.within for row in rows),
                sum(row.page for row in rows),
                sum(bool(row.trail) for row in rows),
            )
            middle = sorted(row.seconds for row in rows)[len(rows) // 2]
            print(f"{name:<20} " + " ".join(f"{rate(n, len(rows)):<27}" for n in counts) + f" {middle:.3f}")
            if options.show and name == "default":
                _show(cases, rows)


def _show(cases: Sequence[dict[str, Any]], rows: Sequence[Outcome]) -> None:
    for case, row in zip(cases, rows, strict=True):
        if not (row.section and row.page):
            wanted = ", ".join(f"{g['file']} {g['section']} p. {g['page']}" for g in case["gold"])
            print(
                f"  {row.case} {case['question']}\n    wanted {wanted}\n    found  {row.found} [{row.trail}]"
            )


if __name__ == "__main__":
    asyncio.run(main())
