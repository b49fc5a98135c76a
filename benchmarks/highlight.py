"""How many words of a quoted passage are marked on its one-page PDF, and how many others.

    python -m benchmarks.highlight [--data ../shared/data] [--count 1000] [--seed 1] [--show 0]

Random passages of 20 to 80 words. The truth is plain PyMuPDF's word boxes. Our way is the product's: pages as
the toolkit reads them, alignment, marks, read back, highlighted page; the marks are then taken from the
finished PDF. A word counts as marked if at least half of its box lies under a mark; one that PyMuPDF joins to
a list sign counts for neither. The usual way, in the
same run: the first page that holds the quote or any 5 of its words in a row, then a text search on it for
the first 200 characters.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import pymupdf

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from benchmarks.quotes import Drawn, Paper, draw, heading, papers, usual_words
from core.domain.pages import Page
from core.domain.passages import Span
from core.evidence.alignment import align
from core.evidence.index import DocumentIndex
from core.evidence.marks import marks
from core.evidence.skeleton import BULLETS, TICKS, is_private
from core.library.furniture import mark_furniture

Boxes = list[tuple[float, float, float, float]]


@dataclass(frozen=True)
class Marked:
    """What a way made of a passage: 1-based page, and which words of the page lie under a mark."""

    page: int
    words: frozenset[int]


@dataclass
class Tally:
    """Counts of one way over all passages."""

    found: int = 0
    right_page: int = 0
    recalls: list[float] = field(default_factory=list)
    true_words: int = 0
    marked_words: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, drawn: Drawn, marked: Marked | None, seconds: float) -> float:
        """Count one passage; returns its recall."""
        right = marked is not None and marked.page == drawn.page.number
        words = drawn.page.words
        signed = {i for i, word in enumerate(words) if _begins_with_sign(word.text)}
        truth = frozenset(words.index(word) for word in drawn.words) - signed
        hit = len(truth & marked.words) if marked is not None and right else 0
        self.found += marked is not None
        self.right_page += right
        self.marked_words += len(marked.words - signed) if marked else 0
        self.true_words += hit
        self.recalls.append(hit / len(truth))
        self.seconds.append(seconds)
        return self.recalls[-1]

    def line(self, name: str) -> str:
        """The row of the table."""
        total = len(self.recalls)
        whole = sum(recall == 1 for recall in self.recalls)
        rates = [self.found / total, self.right_page / total, statistics.fmean(self.recalls), whole / total]
        precision = self.true_words / max(self.marked_words, 1)
        median = statistics.median(self.seconds) * 1000
        return f"{name:<14}" + "".join(f"{rate:>10.4f}" for rate in (*rates, precision)) + f"{median:>9.1f}"


def _begins_with_sign(text: str) -> bool:
    return text[0] in BULLETS | TICKS or is_private(text[0])


def words_under(page: Page, boxes: Boxes) -> frozenset[int]:
    """Numbers of the page's words that lie at least half under one of `boxes`."""
    own = (word.box for word in page.words)
    return frozenset(i for i, box in enumerate(own) if _covered((box.x0, box.y0, box.x1, box.y1), boxes))


def _covered(own: Sequence[float], boxes: Iterable[Sequence[float]]) -> bool:
    area = (own[2] - own[0]) * (own[3] - own[1])
    for box in boxes:
        width = min(own[2], box[2]) - max(own[0], box[0])
        height = min(own[3], box[3]) - max(own[1], box[1])
        if width > 0 and height > 0 and width * height >= 0.5 * area:
            return True
    return False


async def aligned(
    drawn: Drawn, kit: PyMuPdfToolkit, pages: Sequence[Page], index: DocumentIndex
) -> Marked | None:
    """Our way. The hint is the page, as for a quote from a retrieved passage."""
    spans = align(drawn.text, index, hint=(Span(drawn.page.number, 0, len(drawn.page.text)),)).spans
    if not spans:
        return None
    number = spans[0].page
    boxes, words = marks(pages[number - 1], spans)
    made = await kit.highlighted_page(drawn.paper.path, number, boxes, expected=words)
    with pymupdf.open(stream=made.pdf) as document:
        page = document[0]
        page.set_rotation(0)
        return Marked(number, words_under(drawn.paper.pages[number - 1], _highlights(page)))


def _highlights(page: pymupdf.Page) -> Boxes:
    boxes = []
    for annotation in page.annots(types=[pymupdf.PDF_ANNOT_HIGHLIGHT]):
        points = annotation.vertices
        boxes += [tuple(pymupdf.Quad(points[i : i + 4]).rect) for i in range(0, len(points), 4)]
    return boxes


def usual(drawn: Drawn, texts: Sequence[str], document: pymupdf.Document) -> Marked | None:
    """The usual way."""
    words = usual_words(drawn.text)
    number = _page_with([words], texts) or _page_with(
        [words[i : i + 5] for i in range(len(words) - 4)], texts
    )
    if number is None:
        return None
    page = document[number - 1]
    page.remove_rotation()
    boxes = [tuple(rect) for rect in page.search_for(drawn.text[:200])]
    return Marked(number, words_under(drawn.paper.pages[number - 1], boxes))


def _page_with(runs: Sequence[Sequence[str]], texts: Sequence[str]) -> int | None:
    for number, text in enumerate(texts, 1):
        if any(f" {' '.join(run)} " in text for run in runs):
            return number
    return None


async def run(documents: Sequence[Paper], *, count: int, seed: int, show: int) -> dict[str, Tally]:
    """All passages through both ways, document by document."""
    ours, theirs = Tally(), Tally()
    drawn = list(islice(draw(random.Random(seed), documents), count))
    kit = PyMuPdfToolkit()
    for paper in documents:
        own = [one for one in drawn if one.paper is paper]
        if own:
            for one, recall in await _run_document(paper, own, kit, ours, theirs):
                if show and recall < 1:
                    print(f"{recall:.2f} {paper.path.name} {one.page.number}: {one.text}\n")
    await kit.close()
    return {"alignment": ours, "usual way": theirs}


async def _run_document(
    paper: Paper, drawn: Sequence[Drawn], kit: PyMuPdfToolkit, ours: Tally, theirs: Tally
) -> list[tuple[Drawn, float]]:
    pages = mark_furniture([reading.page for reading in (await kit.read(paper.path)).pages])
    index = DocumentIndex(pages)
    texts = [f" {' '.join(usual_words(page.text))} " for page in paper.pages]
    recalls = []
    with pymupdf.open(paper.path) as document:
        for one in drawn:
            started = time.perf_counter()
            marked = await aligned(one, kit, pages, index)
            recalls.append((one, ours.add(one, marked, time.perf_counter() - started)))
            started = time.perf_counter()
            marked = usual(one, texts, document)
            theirs.add(one, marked, time.perf_counter() - started)
    return recalls


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="1: print passages that are not wholly marked")
    options = parser.parse_args()
    documents = papers(options.data)
    print(heading(f"{options.count} random passages of 20 to 80 words from {len(documents)} documents"))
    columns = ("found", "page", "recall", "whole", "precision")
    print(f"{'way':<14}" + "".join(f"{name:>10}" for name in columns) + f"{'ms':>9}", flush=True)
    tallies = asyncio.run(run(documents, count=options.count, seed=options.seed, show=options.show))
    for name, tally in tallies.items():
        print(tally.line(name))


if __name__ == "__main__":
    main()
