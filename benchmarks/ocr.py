"""Text recognition: how much of a page's words comes back, and in order, when only its picture is read.

    python -m benchmarks.ocr [--pages 20] [--at-once 2] [--seed 1] [--turned 3] [--peer] [--each]

Pages of the manifestos with at least `MIN_WORDS` words and a text layer are rendered and read as scans are.
The truth is the page's own running text: the text layer in its own order, without what the library takes for
page furniture (a file sets running heads and line numbers anywhere in its order) and without single
characters (bullets are letters of symbol fonts).

    words      share of the true words found wherever they stand
    in order   longest common subsequence of the true and the recognised words, over the true words
    sentences  share of the true sentences of at least `SENTENCE` words that stand in the recognised text in
               one run, with at least `ALIKE` % of their characters alike: what a quote needs
    all words  similarity (Levenshtein) of the sequences of all words, furniture and bullets included

With `--turned` the pages lie on the glass turned clockwise by so many degrees. With `--peer`, PyMuPDF's own
use of the same Tesseract reads the same pages.
"""

import argparse
import asyncio
import os
import platform
import random
import re
import resource
import shutil
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pymupdf
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq, Levenshtein

from adapters.files.originals import FileOriginals
from adapters.ocr import Tesseract
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Page
from core.library.formats import FileReader, ScanReader
from core.library.furniture import mark_furniture

DATA = Path(os.environ.get("FUNDSTELLE_TEST_DATA", Path(__file__).parents[1] / "../shared/data"))
LANGUAGES = ("deu", "eng")
MIN_WORDS = 150
SCAN_DPI = 200
SENTENCE, ALIKE = 6, 95.0
COLUMNS = {1: "one column", 2: "two columns"}
HEADS = ("words", "in order", "sentences", "all words")


class Sample(NamedTuple):
    """A page to read."""

    file: Path
    page: int
    columns: int


class Scores(NamedTuple):
    """What came back of a page, 0 to 1; the names are those of the table."""

    words: float
    ordered: float
    sentences: float
    raw: float


class Truth(NamedTuple):
    """All words of a page, those of its running text, and its sentences."""

    everything: list[str]
    running: list[str]
    sentences: list[str]


def _silent(*_: object) -> None:
    """Progress that nobody watches."""


def words(text: str) -> list[str]:
    """Words without case and punctuation."""
    return re.findall(r"\w+", text.casefold())


def columns(page: Any) -> int:
    """2 where the running text stands in two columns beside each other, 0 where it is neither, else 1."""
    middle, width = page.rect.width / 2, page.rect.width
    left = right = across = 0
    for x0, _, x1, _, text, _, kind in page.get_text("blocks"):
        if kind == 0 and len(text) > 100:
            if x1 < middle + 0.03 * width:
                left += len(text)
            elif x0 > middle - 0.03 * width:
                right += len(text)
            else:
                across += len(text)
    if across > 0.9 * (left + right + across):
        return 1
    return 2 if min(left, right) > 0.3 * (left + right + across) and across < 0.1 * (left + right) else 0


def samples() -> Iterator[Sample]:
    """Pages that can be used, with the number of their columns."""
    for file in sorted((DATA / "manifestos").glob("*.pdf")):
        with pymupdf.open(file) as document:
            for page in list(document)[2:-2:5]:
                if len(words(page.get_text())) >= MIN_WORDS and (count := columns(page)):
                    yield Sample(file, page.number, count)


def scan(sample: Sample, folder: Path, turned: float) -> Path:
    """The page as a scanner would make it, `turned` by degrees clockwise."""
    with pymupdf.open(sample.file) as document, pymupdf.open() as made:
        page = document[sample.page]
        scale = SCAN_DPI / 72
        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale).prerotate(turned))
        fresh = made.new_page(width=pixmap.width / scale, height=pixmap.height / scale)
        fresh.insert_image(fresh.rect, stream=pixmap.tobytes("jpeg", jpg_quality=85))
        path = folder / f"{sample.file.stem}-{sample.page}.pdf"
        made.save(path)
        return path


class Bench:
    """Reads samples as the product does."""

    def __init__(self, folder: Path, kit: PyMuPdfToolkit, recogniser: Tesseract, turned: float) -> None:
        self._folder, self._kit, self._turned = folder, kit, turned
        self._originals = FileOriginals(folder / "originals")
        self._reader = FileReader(kit, self._originals, scans=ScanReader(kit, recogniser))
        self._known: dict[Path, asyncio.Task[tuple[Page, ...]]] = {}

    async def scores(self, sample: Sample) -> Scores:
        """Read one page."""
        truth, path = await self.truth(sample), scan(sample, self._folder, self._turned)
        seen = await self._originals.inspect(path)
        result = await self._reader.read(path, seen, name=path.name, max_pages=None, steps=_silent)
        return compared(truth, result.reading.pages[0].page.text)

    async def truth(self, sample: Sample) -> Truth:
        """What the text layer says; furniture shows in the whole document only."""
        if sample.file not in self._known:
            self._known[sample.file] = asyncio.create_task(self._pages(sample.file))
        page = (await self._known[sample.file])[sample.page]
        running = [word.text for word in page.words if not word.furniture]
        parts = re.split(r"(?<=[.!?])\s+(?=[^\W\d_a-zäöüß])", " ".join(running))
        told = [telling(part) for part in parts]
        sentences = [" ".join(part) for part in told if len(part) >= SENTENCE]
        return Truth(words(page.text), telling(" ".join(running)), sentences)

    async def _pages(self, file: Path) -> tuple[Page, ...]:
        reading = await self._kit.read(file)
        return mark_furniture([item.page for item in reading.pages])


def telling(text: str) -> list[str]:
    """Words of more than one character."""
    return [word for word in words(text) if len(word) > 1]


def compared(truth: Truth, text: str) -> Scores:
    """What of `truth` is in the recognised `text`."""
    got = telling(text)
    found = sum((Counter(truth.running) & Counter(got)).values()) / len(truth.running)
    ordered = LCSseq.similarity(truth.running, got) / len(truth.running)
    run = " ".join(got)
    whole = [fuzz.partial_ratio(part, run) >= ALIKE for part in truth.sentences]
    raw = Levenshtein.normalized_similarity(truth.everything, words(text))
    return Scores(found, ordered, sum(whole) / max(1, len(whole)), raw)


def peer(sample: Sample, truth: Truth, folder: Path, turned: float) -> Scores:
    """PyMuPDF's own text recognition."""
    with pymupdf.open(scan(sample, folder, turned)) as document:
        page = document[0]
        layer = page.get_textpage_ocr(language="+".join(LANGUAGES), dpi=300, full=True)
        return compared(truth, page.get_text(textpage=layer))


def line(name: str, found: Sequence[Scores]) -> str:
    """A row of the table: means, and the worst page in brackets."""
    cells = (f"{statistics.mean(column):.3f} ({min(column):.2f})" for column in zip(*found, strict=True))
    return f"{name:<24} {len(found):>5} " + " ".join(f"{cell:>13}" for cell in cells)


def spent() -> float:
    """CPU seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def main(options: argparse.Namespace) -> None:
    """Print the table, each row as soon as it is known."""
    dice, found = random.Random(options.seed), list(samples())
    recogniser = Tesseract(LANGUAGES, workers=options.at_once)
    print(f"{await recogniser.name()}, {platform.machine()}, {os.cpu_count()} cores, {datetime.now(UTC):%F}")
    print(f"{'pages':<24} count " + " ".join(f"{name:>13}" for name in HEADS), flush=True)
    for number, title in COLUMNS.items():
        fit = [sample for sample in found if sample.columns == number]
        await measure(title, dice.sample(fit, min(options.pages, len(fit))), recogniser, options)


async def measure(
    title: str, chosen: Sequence[Sample], recogniser: Tesseract, options: argparse.Namespace
) -> None:
    """A row for `chosen`, and one for the peer."""
    turns, kit = asyncio.Semaphore(options.at_once), PyMuPdfToolkit(workers=options.at_once)
    with tempfile.TemporaryDirectory() as name:
        bench, before = Bench(Path(name), kit, recogniser, options.turned), spent()

        async def one(sample: Sample) -> Scores:
            async with turns:
                scores = await bench.scores(sample)
            if options.each:
                print(line(f"{sample.file.stem[:18]} {sample.page + 1}", [scores]), flush=True)
            return scores

        reads = await asyncio.gather(*(one(sample) for sample in chosen))
        await kit.close()
        print(line(title, reads), f"{(spent() - before) / len(reads):.1f} CPU s a page", flush=True)
        if options.peer:
            truths = [await bench.truth(sample) for sample in chosen]
            others = [peer(*pair, Path(name), options.turned) for pair in zip(chosen, truths, strict=True)]
            print(line("  PyMuPDF", others), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=20, help="of each kind")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turned", type=float, default=0.0, help="degrees clockwise")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--each", action="store_true", help="a row for every page, too")
    if shutil.which("tesseract") is None:
        print("not measured; install Tesseract: apt-get install tesseract-ocr tesseract-ocr-deu")
    else:
        asyncio.run(main(parser.parse_args()))
