"""How many words of a quoted passage are marked on its page, and how many others.

    python -m benchmarks.highlight [--data ../shared/data] [--count 1000] [--seed 1] [--show 0]

Random passages of 20 to 80 words; the truth is the passage's word boxes. A word counts as marked if at least
half of its box lies under a mark. The usual way, in the same run: the first page that holds the quote or
any 5 of its words in a row, then a text search for its first 200 characters.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import pymupdf

from benchmarks.quotes import Drawn, Paper, draw, heading, papers, usual_words
from core.domain.pages import Box, Page, Word
from core.evidence.alignment import align
from core.evidence.marks import marks

Marked = tuple[int, list[Box]] | None
"""(1-based page, boxes), or None if the quote was not found."""


@dataclass
class Tally:
    """Counts of one way over all passages."""

    found: int = 0
    right_page: int = 0
    recalls: list[float] = field(default_factory=list)
    true_words: int = 0
    marked_words: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, drawn: Drawn, marked: Marked) -> float:
        """Count one passage; returns its recall."""
        self.found += marked is not None
        self.right_page += marked is not None and marked[0] == drawn.page.number
        truth = {word.start for word in drawn.words}
        hit = 0
        if marked is not None:
            page = drawn.paper.pages[marked[0] - 1]
            under = {word.start for word in page.words if covered(word, marked[1])}
            hit = len(truth & under) if marked[0] == drawn.page.number else 0
            self.marked_words += len(under)
        self.true_words += hit
        self.recalls.append(hit / len(truth))
        return self.recalls[-1]

    def line(self, name: str) -> str:
        """The row of the table."""
        total = len(self.recalls)
        whole = sum(recall == 1 for recall in self.recalls)
        rates = [self.found / total, self.right_page / total, statistics.fmean(self.recalls), whole / total]
        precision = self.true_words / max(self.marked_words, 1)
        median = statistics.median(self.seconds) * 1000
        return f"{name:<22}" + "".join(f"{rate:>10.4f}" for rate in (*rates, precision)) + f"{median:>9.1f}"


def covered(word: Word, boxes: Iterable[Box]) -> bool:
    """Whether at least half of the word's box lies under one of `boxes`."""
    own = word.box
    area = (own.x1 - own.x0) * (own.y1 - own.y0)
    for box in boxes:
        width = min(own.x1, box.x1) - max(own.x0, box.x0)
        height = min(own.y1, box.y1) - max(own.y0, box.y0)
        if width > 0 and height > 0 and width * height >= 0.5 * area:
            return True
    return False


def aligned(drawn: Drawn) -> Marked:
    """Our way: the quote's spans, one box per line. A passage on a page is known to stand there."""
    spans = align(drawn.text, drawn.paper.index, hint=(drawn.span,)).spans
    if not spans:
        return None
    page = drawn.paper.pages[spans[0].page - 1]
    return page.number, marks(page, spans)[0]


def usual(drawn: Drawn, texts: Sequence[str], document: pymupdf.Document) -> Marked:
    """The usual way."""
    words = usual_words(drawn.text)
    number = _page_with([words], texts) or _page_with(
        [words[i : i + 5] for i in range(len(words) - 4)], texts
    )
    if number is None:
        return None
    page = document[number - 1]
    page.remove_rotation()
    return number, [Box(*rect) for rect in page.search_for(drawn.text[:200])]


def _page_with(runs: Sequence[Sequence[str]], texts: Sequence[str]) -> int | None:
    for number, text in enumerate(texts, 1):
        if any(f" {' '.join(run)} " in text for run in runs):
            return number
    return None


def run(documents: Sequence[Paper], *, count: int, seed: int, show: int) -> dict[str, Tally]:
    """All passages through both ways."""
    ours, theirs = Tally(), Tally()
    texts = {paper.path: [usual_page(page) for page in paper.pages] for paper in documents}
    opened = {paper.path: pymupdf.open(paper.path) for paper in documents}
    for drawn in islice(draw(random.Random(seed), documents), count):
        path = drawn.paper.path
        recall = ours.add(drawn, _timed(ours, lambda d=drawn: aligned(d)))
        theirs.add(drawn, _timed(theirs, lambda d=drawn, p=path: usual(d, texts[p], opened[p])))
        if show and recall < 1:
            print(f"{recall:.2f} {path.name} {drawn.page.number}: {drawn.text}\n")
    return {"alignment": ours, "usual way": theirs}


def usual_page(page: Page) -> str:
    """A page's words as the usual way compares them."""
    return f" {' '.join(usual_words(page.text))} "


def _timed(tally: Tally, way: Callable[[], Marked]) -> Marked:
    started = time.perf_counter()
    marked = way()
    tally.seconds.append(time.perf_counter() - started)
    return marked


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
    columns = ("found", "page", "recall", "whole", "precision", "ms")
    print(f"{'way':<22}" + "".join(f"{name:>10}" for name in columns))
    tallies = run(documents, count=options.count, seed=options.seed, show=options.show)
    for name, tally in tallies.items():
        print(tally.line(name))


if __name__ == "__main__":
    main()
