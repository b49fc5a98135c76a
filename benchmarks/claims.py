"""False and true claims over real quotes: what passes the structural guard, and what is shown in the end.

    python -m benchmarks.claims [--set FILE...] [--models FOLDER] [--errs 0.1] [--seed 1]

Rows: {"class", "language", "quote_language", "claim", "quotes", "stated"}. `fitted.jsonl` is what the guard
was first written with, `fitted_own.jsonl` what who fitted it wrote meanwhile. The others are by writers who
did not know it, counted before they were read. `fitted_*` were mended by afterwards; `unseen_*` were not, and
nothing is to be mended by them: their figures count (docs/lab/models.md). The judge is simulated: it is
right but for a share of claims, drawn anew for each of 200 repetitions. What is refused leaves its quotes
standing alone. With `--models`, a folder for the encoders' files, so is what is about something else or has
numbers in the wrong places.
"""

import argparse
import asyncio
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from core.answering.generated.judge import Related, Relation
from core.evidence.claims import unsupported
from core.evidence.contradictions import QuotedText, contradictions

FOLDER = Path(__file__).parent / "claims"
REPETITIONS = 200


def quoted(row: dict[str, object]) -> tuple[QuotedText, ...]:
    """The quotes of a row."""
    texts: Sequence[str] = row["quotes"]  # type: ignore[assignment]
    return tuple(QuotedText(text=text, language=str(row["quote_language"])) for text in texts)


def passes(row: dict[str, object]) -> bool:
    """Whether the guard finds nothing that contradicts the quotes."""
    claim, language, quotes = str(row["claim"]), str(row["language"]), quoted(row)
    texts, written = [quote.text for quote in quotes], [quote.language for quote in quotes]
    return not contradictions(claim, language, quotes) and not unsupported(claim, texts, language, written)


async def related(rows: Sequence[dict[str, object]], relation: Relation) -> list[bool]:
    """Whether each is about what its quotes are about."""
    claims = [
        Related(text=str(row["claim"]), language=str(row["language"]), quotes=quoted(row)) for row in rows
    ]
    unrelated = [await relation.unrelated([claim]) for claim in claims]
    return [not found for found in unrelated]


def shown(passed: int, right: float, random_: random.Random) -> float:
    """Mean number of `passed` claims that a judge calls stated with probability `right`."""
    return sum(random_.random() < right for _ in range(passed * REPETITIONS)) / REPETITIONS


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", type=Path, nargs="+", default=sorted(FOLDER.glob("*.jsonl")))
    parser.add_argument(
        "--errs", type=float, default=0.1, help="share of claims that the judge is wrong about"
    )
    parser.add_argument("--models", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    encoders = (E5Embedder(options.models), UseEmbedder(options.models)) if options.models else ()
    for file in options.set:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        about = asyncio.run(related(rows, Relation(encoders)))
        passed = [same and passes(row) for same, row in zip(about, rows, strict=True)]
        report(file.name, rows, passed, options.errs, random.Random(options.seed))


def report(
    name: str, rows: list[dict[str, object]], passes: list[bool], errs: float, random_: random.Random
) -> None:
    """Print the table of one set."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row, lets_pass in zip(rows, passes, strict=True):
        kind = "true" if row["stated"] else str(row["class"])
        counts[kind][0] += lets_pass
        counts[kind][1] += 1
    print(f"{name}\n{'class':<16}{'passes':>8}{'of':>6}")
    for kind, (passed, total) in sorted(counts.items()):
        print(f"{kind:<16}{passed:>8}{total:>6}")
    false = [count for kind, count in counts.items() if kind != "true"]
    passed, total = sum(count[0] for count in false), sum(count[1] for count in false)
    true_passed, true_total = counts["true"]
    print(f"false claims passed without a call: {passed} of {total} ({passed / total:.1%})")
    print(f"  shown with a judge that errs in {errs:.0%}: {shown(passed, errs, random_) / total:.1%}")
    print(
        f"true claims passed without a call: {true_passed} of {true_total} ({true_passed / true_total:.1%})"
    )
    print(f"  shown with that judge: {shown(true_passed, 1 - errs, random_) / true_total:.1%}\n")


if __name__ == "__main__":
    main()
