"""How often a search finds the page: question sets, one row per way of searching.

    python benchmarks/retrieval.py --cache FOLDER [--data FOLDER] [--sets NAME...] [--questions FILE]

Each set is a folder of DATA with `library.toml` and `questions.jsonl`. Its documents are ingested once into
CACHE (many minutes of CPU); later runs only search. A row's jurisdiction is used as the option, its party is
not. A question counts for hit@k if a gold page is among the pages of the first k hits. Intervals are 95 %
bootstrap ones over questions; "against BM25" is the ratio of hit@5 to that of BM25 alone in the same run.
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np

from adapters.embedding.bm25 import Bm25Encoder
from bot.library.intake import IngestOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.domain.documents import GLOBAL
from core.domain.scope import Scope
from core.ports.models import LexicalEncoder
from core.search.plan import SearchResult
from core.search.searcher import Searcher
from core.search.settings import SearchSettings

_DATA = Path(os.environ.get("FUNDSTELLE_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
_DEFAULT = SearchSettings()
_BM25 = "BM25 alone"
_RESAMPLES = 2000
_K = 10

_ALONE = replace(
    _DEFAULT, primary=0.0, secondary=0.0, windows=0.0, lexical=0.0, lexical_statutes=0.0, lexical_exact=0.0
)
VARIANTS: dict[str, SearchSettings] = {
    _BM25: replace(_ALONE, lexical=1.0, lexical_statutes=1.0, lexical_exact=1.0),
    "encoder A alone": replace(_ALONE, primary=1.0),
    "encoder B alone": replace(_ALONE, secondary=1.0),
    "B on windows alone": replace(_ALONE, windows=1.0),
    "default": _DEFAULT,
    "default, names kept": replace(_DEFAULT, names_kept=True),
    "default without A": replace(_DEFAULT, primary=0.0),
    "default without B": replace(_DEFAULT, secondary=0.0),
    "default without windows": replace(_DEFAULT, windows=0.0),
    "default without BM25": replace(_DEFAULT, lexical=0.0, lexical_statutes=0.0, lexical_exact=0.0),
    "default, own place 0": replace(_DEFAULT, own_place=0.0),
    "default, recitals and forms equal": replace(_DEFAULT, beside_the_law=0.0),
    "default, sample of 100": replace(_DEFAULT, sample=100),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A row of a question set; `gold` are (file, page)."""

    text: str
    language: str
    jurisdiction: str | None
    gold: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Rank of the first hit on a gold page (0 for none), hits from places not asked for, seconds."""

    question: Question
    rank: int
    violations: int
    seconds: float


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True, help="where the ingested libraries are kept")
    parser.add_argument("--data", type=Path, default=_DATA)
    parser.add_argument("--sets", nargs="+", default=["manifestos", "statutes"])
    parser.add_argument("--questions", type=Path, help="another question set instead of the folder's own")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    options = parser.parse_args()
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, {datetime.now(UTC):%Y-%m-%d}"
    )
    for name in options.sets:
        folder = options.data / name
        questions = list(read_questions(options.questions or folder / "questions.jsonl"))
        asyncio.run(run(name, folder / "library.toml", options.cache / name, questions, options.variants))


def read_questions(path: Path) -> Iterator[Question]:
    """The answerable questions of a set."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["answerable"]:
            gold = frozenset((place["file"], place["page"]) for place in row["gold"])
            yield Question(
                text=row["question"], language=row["language"], jurisdiction=row["jurisdiction"], gold=gold
            )


async def run(
    name: str, manifest: Path, data: Path, questions: Sequence[Question], variants: list[str]
) -> None:
    """Search for all questions in every way and print a table per language."""
    async with opened(Settings(data=data)) as app:
        if not await app.library.documents():
            await ingest(app, manifest)
        lexical = Bm25Encoder()
        rows = {name: await outcomes(app, lexical, VARIANTS[name], questions) for name in variants}
    for language in sorted({question.language for question in questions}):
        print_table(
            f"{name}, questions in {language}",
            {key: [o for o in found if o.question.language == language] for key, found in rows.items()},
        )


async def ingest(app: Composition, manifest: Path) -> None:
    """Fill an empty library."""
    async for receipt in app.intake.ingest([], IngestOptions(), manifest):
        print(f"{receipt.status.value:10} {receipt.file}", flush=True)


async def outcomes(
    app: Composition, lexical: LexicalEncoder, settings: SearchSettings, questions: Sequence[Question]
) -> list[Outcome]:
    """Every question searched once."""
    searcher = Searcher(
        library=app.library,
        index=app.ingester.index,
        primary=app.ingester.primary,
        secondary=app.ingester.secondary,
        lexical=lexical,
        settings=settings,
    )
    await searcher.warm_up()
    return [await ask(app, searcher, question) for question in questions]


async def ask(app: Composition, searcher: Searcher, question: Question) -> Outcome:
    """One search and where its first gold page is."""
    places = (question.jurisdiction,) if question.jurisdiction else ()
    scope = Scope(collections=("public",), jurisdictions=places)
    result = await searcher.search(question.text, scope=scope, today=date.today(), k=_K)  # noqa: DTZ011
    ranks = (
        rank
        for rank, hit in enumerate(result.hits, start=1)
        if any((hit.edition.document.file, page) in question.gold for page in hit.passage.pages)
    )
    return Outcome(
        question=question,
        rank=next(ranks, 0),
        violations=violations(app, result),
        seconds=result.seconds["total"],
    )


def violations(app: Composition, result: SearchResult) -> int:
    """Hits whose place is neither asked for nor above it."""
    asked = result.plan.scope.jurisdictions
    allowed = {GLOBAL} | {up for code in asked for up in (code, *app.scoping.places.ancestors(code))}
    return sum(bool(asked) and hit.edition.document.fields.jurisdiction not in allowed for hit in result.hits)


def print_table(title: str, rows: dict[str, list[Outcome]]) -> None:
    """One row per variant."""
    print(f"\n{title} ({len(next(iter(rows.values())))})")
    columns = ("hit@1", "hit@5".rjust(16), "hit@10", "  MRR", " against BM25", " astray", " ms p50")
    print(" " * 35 + " ".join(column.rjust(6) for column in columns))
    peer = hit_rate(rows[_BM25], 5) if _BM25 in rows else 0.0
    for name, found in rows.items():
        low, high = interval([0 < outcome.rank <= 5 for outcome in found])
        ratio = f"{hit_rate(found, 5) / peer:.1f}" if peer else "-"
        reciprocal = statistics.mean(1 / outcome.rank if outcome.rank else 0.0 for outcome in found)
        print(
            f"{name:34} {hit_rate(found, 1):6.0%} {hit_rate(found, 5):5.0%} ({low:4.0%}-{high:4.0%}) "
            f"{hit_rate(found, 10):7.0%} {reciprocal:5.2f} {ratio:>13} "
            f"{sum(outcome.violations for outcome in found):7} "
            f"{1000 * statistics.median(outcome.seconds for outcome in found):7.0f}"
        )


def hit_rate(found: Sequence[Outcome], k: int) -> float:
    """Share of questions with a gold page among the first `k` hits."""
    return sum(0 < outcome.rank <= k for outcome in found) / len(found)


def interval(hits: Sequence[bool]) -> tuple[float, float]:
    """95 % bootstrap interval of the mean."""
    draws = np.random.default_rng(0).choice(np.array(hits, float), size=(_RESAMPLES, len(hits)))
    low, high = np.quantile(draws.mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


if __name__ == "__main__":
    main()
