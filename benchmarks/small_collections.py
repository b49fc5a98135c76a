"""A one-page paper beside a whole library: is it the first thing quoted to a question about it?

`python -m benchmarks.small_collections --library DIR [--papers N]`

Thirty invented papers, each alone in a collection of its own, are asked about together with `public`, as a
staff chat asks; then all of them in one collection. `DIR` is a data folder with a library; a copy of it is
worked on. Prints every miss.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bot.library.intake import IngestOptions
from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from tests.support.one_page_papers import PAPERS, Paper

TOGETHER = "papers"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--papers", type=int, default=len(PAPERS))
    arguments = parser.parse_args()
    asyncio.run(measure(arguments.library, PAPERS[: arguments.papers]))


async def measure(library: Path, papers: Sequence[Paper]) -> None:
    """Ask about each paper alone, then with the others beside it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(library, Path(folder) / "library")
        async with opened(Settings(data=copy)) as app:
            for row, paper in enumerate(papers):
                await upload(app, paper, f"paper-{row}", Path(folder))
            alone = [await outcome(app, paper, f"paper-{row}") for row, paper in enumerate(papers)]
            for paper in papers:
                await upload(app, paper, TOGETHER, Path(folder))
            together = [await outcome(app, paper, TOGETHER) for paper in papers]
    for name, found in (("alone beside the library", alone), ("all in one collection", together)):
        first, right = len(found) - found.count("missed"), found.count("answer")
        print(f"{name:<26}{first} of {len(found)} quoted first, {right} with the answer")


async def upload(app: Composition, paper: Paper, collection: str, folder: Path) -> None:
    """Bring a paper in."""
    file = folder / f"{paper.title}.txt"
    file.write_text(paper.text, encoding="utf-8")
    async for receipt in app.intake.ingest([str(file)], IngestOptions(collection=collection), None):
        if receipt.document is None:
            raise SystemExit(f"{paper.title}: {receipt}")


async def outcome(app: Composition, paper: Paper, collection: str) -> str:
    """`answer` where the first quote is the paper's and holds the answer, `paper` where it is the paper's."""
    scope = ScopeOptions(collections=("public", collection))
    answer = await app.questions.ask(paper.question, scope)
    first = answer.citations[0] if answer.citations else None
    if first and first.edition.document.collection == collection:
        return "answer" if paper.answer in unicodedata.normalize("NFKC", first.quote.text) else "paper"
    print(f"  {collection}: {paper.question} -> {first.quote.text[:100] if first else answer.outcome.value}")
    return "missed"


if __name__ == "__main__":
    main()
