"""Text recognition: how much of a page's words comes back, and in order, when only its picture is read.

    python -m benchmarks.ocr [--pages 20] [--seed 1]

Pages of the manifestos with at least `MIN_WORDS` words and a text layer are rendered and read as scans are;
the words of the text layer are the truth. `words`: share of them found wherever they stand. `in order`:
similarity of the two sequences of words (1 - Levenshtein distance / longer length). The peer is PyMuPDF's own
use of the same Tesseract, in the same run.
"""

import argparse
import asyncio
import os
import platform
import random
import re
import shutil
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pymupdf
from rapidfuzz.distance import Levenshtein

from adapters.files.originals import FileOriginals
from adapters.ocr.tesseract import Tesseract
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.library.formats import FileReader
from core.library.scans import ScanReader

DATA = Path(os.environ.get("FUNDSTELLE_TEST_DATA", Path(__file__).parents[1] / "../shared/data"))
LANGUAGES = ("deu", "eng")
MIN_WORDS = 150
SCAN_DPI = 200


class Sample(NamedTuple):
    """A page to read."""

    file: Path
    page: int
    columns: int


class Read(NamedTuple):
    """Scores of a page: found, in order, seconds; and the peer's in order."""

    found: float
    ordered: float
    seconds: float
    peer: float


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


def scan(sample: Sample, folder: Path) -> tuple[Path, str]:
    """The page as a scanner would make it, and its true text."""
    with pymupdf.open(sample.file) as document, pymupdf.open() as made:
        page = document[sample.page]
        pixmap = page.get_pixmap(dpi=SCAN_DPI)
        fresh = made.new_page(width=page.rect.width, height=page.rect.height)
        fresh.insert_image(fresh.rect, stream=pixmap.tobytes("jpeg", jpg_quality=85))
        path = folder / f"{sample.file.stem}-{sample.page}.pdf"
        made.save(path)
        return path, page.get_text()


async def read(sample: Sample, reader: FileReader, originals: FileOriginals, folder: Path) -> Read:
    """Read one page both ways."""
    path, text = scan(sample, folder)
    truth = words(text)
    started = time.perf_counter()
    seen = await originals.inspect(path)
    result = await reader.read(path, seen, name=path.name, max_pages=None, steps=_silent)
    seconds = time.perf_counter() - started
    got = words(result.reading.pages[0].page.text)
    found = sum((Counter(truth) & Counter(got)).values()) / len(truth)
    return Read(found, Levenshtein.normalized_similarity(truth, got), seconds, peer(path, truth))


def peer(path: Path, truth: list[str]) -> float:
    """PyMuPDF's own text recognition, in order."""
    with pymupdf.open(path) as document:
        page = document[0]
        layer = page.get_textpage_ocr(language="+".join(LANGUAGES), dpi=300, full=True)
        return float(Levenshtein.normalized_similarity(truth, words(page.get_text(textpage=layer))))


def line(name: str, reads: Sequence[Read]) -> str:
    """A row of the table."""
    middle = [statistics.mean(values) for values in zip(*reads, strict=True)]
    worst = min(item.found for item in reads)
    return (
        f"{name:<14} {len(reads):>5} {middle[0]:>7.3f} {worst:>7.3f} {middle[1]:>9.3f} {middle[3]:>9.3f} "
        f"{middle[1] / middle[3]:>6.2f} {middle[2]:>7.1f}"
    )


async def main(count: int, seed: int) -> None:
    """Print the table."""
    dice = random.Random(seed)
    found = list(samples())
    kit, recogniser = PyMuPdfToolkit(workers=1), Tesseract(LANGUAGES)
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    print(f"{await recogniser.name()}, {machine}, {datetime.now(UTC):%F}", flush=True)
    print("pages          count   words   worst  in order   PyMuPDF  ratio  s/page")
    with tempfile.TemporaryDirectory() as name:
        originals = FileOriginals(Path(name) / "originals")
        reader = FileReader(kit, originals, scans=ScanReader(kit, recogniser))
        for title, number in (("one column", 1), ("two columns", 2)):
            fit = [sample for sample in found if sample.columns == number]
            chosen = dice.sample(fit, min(count, len(fit)))
            reads = [await read(sample, reader, originals, Path(name)) for sample in chosen]
            if reads:
                print(line(title, reads))
    await kit.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if shutil.which("tesseract") is None:
        print("not measured; install Tesseract: apt-get install tesseract-ocr tesseract-ocr-deu")
    else:
        asyncio.run(main(options.pages, options.seed))
