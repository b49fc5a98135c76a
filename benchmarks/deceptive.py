"""Deceptive PDFs: what is indexed, quoted and marked of text that nobody sees, and of print that can be read.

    python -m benchmarks.deceptive

Every technique, lie and control of `tests/support/deceptive.py` is read and its line cited as an answer would
be. `indexed`: the words come out of reading; `quoted`: they may be cited without a warning; `checked`: a page
is sent on which they are marked, and the marks are said to be checked. Nothing deceptive may be quoted, every
control must be. Tesseract is asked where it is installed.

`swapped`: a word or number of which one letter or digit says another, in fonts with and without names: how
many of `SWAPPED` each are noticed, and how many honest ones refused, without and with Tesseract.
"""

import asyncio
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from adapters.ocr import Tesseract
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Page, TextSource, Word
from tests.support import deceptive
from tests.support.pdfs import find, marks, saved

SWAPPED = 60


class Row(NamedTuple):
    """What became of the line of a file; `why` it was refused, and milliseconds until that was known."""

    name: str
    indexed: bool
    quoted: bool
    checked: bool
    why: str
    milliseconds: float

    def line(self) -> str:
        """The row of the table."""
        marks = "".join(f"{'yes' if value else '-':>9}" for value in self[1:4])
        return f"{self.name:<40}{marks}   {self.why}"


async def look(kit: PyMuPdfToolkit, path: Path, name: str, lines: tuple[str, ...]) -> Row:
    """One file, whose text may have one of `lines`."""
    page = (await kit.read(path)).pages[0].page
    text = " ".join(page.text.split())
    found = next((line for line in lines if line in text), None)
    if found is None:
        return Row(name, False, False, False, "not in the text", 0.0)
    return await _cited(kit, path, name, page, find(page, found))


async def _cited(kit: PyMuPdfToolkit, path: Path, name: str, page: Page, words: list[Word]) -> Row:
    started = time.perf_counter()
    scan = page.text_source is TextSource.OCR
    doubt = await kit.doubt(path, 1, [word.box for word in words], scan=scan)
    spent = 1000 * (time.perf_counter() - started)
    checked = False
    for raster in (False, True):
        expected = [word.text for word in words]
        made = await kit.highlighted_page(path, 1, marks(words), expected=expected, raster=raster)
        checked = checked or made.checked
    return Row(name, True, doubt is None, checked, doubt.value if doubt else "", spent)


async def table(
    kit: PyMuPdfToolkit, files: Mapping[str, deceptive.Make], lines: tuple[str, ...]
) -> list[Row]:
    """The rows of a group of files."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, make) in enumerate(files.items()):
            path = saved(deceptive.built(make), Path(folder) / f"{number}.pdf")
            rows.append(await look(kit, path, name, lines))
            print(rows[-1].line(), flush=True)
    return rows


async def swapped(kit: PyMuPdfToolkit, make: Callable[[str, str], deceptive.Make]) -> tuple[int, int]:
    """How many swapped lines are noticed, and how many honest ones refused."""
    noticed = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (shown, said) in enumerate(deceptive.swaps(SWAPPED, seed=1)):
            for text in (shown, said):
                path = saved(deceptive.built(make(shown, text)), Path(folder) / f"{number}{text}.pdf")
                page = (await kit.read(path)).pages[0].page
                boxes = [word.box for word in find(page, deceptive.LINE.format(text))]
                doubted = await kit.doubt(path, 1, boxes, scan=False) is not None
                noticed += doubted and text == said
                refused += doubted and text == shown
    return noticed, refused


async def all_swapped() -> None:
    """Print the table of swapped letters."""
    tesseract = Tesseract(("deu", "eng"))
    print(f"\n\n{'one letter or digit swapped':<40}{'recogniser':>12}{'noticed':>12}{'honest refused':>17}")
    for recogniser in (None, tesseract) if tesseract.installed else (None,):
        name = await tesseract.name() if recogniser else "none"
        for kind, make in deceptive.SWAPS.items():
            kit = PyMuPdfToolkit(workers=1, recogniser=recogniser)
            noticed, refused = await swapped(kit, make)
            await kit.close()
            print(f"{kind:<40}{name[:10]:>12}{noticed:>8}/{SWAPPED}{refused:>13}/{SWAPPED}", flush=True)


async def main() -> None:
    """Print the tables."""
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}")
    print(f"{'technique':<40}{'indexed':>9}{'quoted':>9}{'checked':>9}")
    tesseract = Tesseract(("deu", "eng"))
    kit = PyMuPdfToolkit(workers=1, recogniser=tesseract if tesseract.installed else None)
    try:
        hidden = await table(kit, deceptive.TECHNIQUES, (deceptive.HIDDEN,))
        false = deceptive.LINE.format(deceptive.FALSE)
        hidden += await table(kit, deceptive.LIES, (deceptive.HIDDEN, false, deceptive.SHORTENED))
        print(f"\n{'control':<40}{'indexed':>9}{'quoted':>9}{'checked':>9}")
        shown = await table(kit, deceptive.CONTROLS, (deceptive.LEGIBLE,))
    finally:
        await kit.close()
    for name, rows in (("deceptive", hidden), ("controls", shown)):
        counts = [sum(values) for values in list(zip(*rows, strict=True))[1:4]]
        print(f"\n{name}: {len(rows)}; indexed {counts[0]}, quoted {counts[1]}, checked {counts[2]}", end="")
    spent = [row.milliseconds for row in (*hidden, *shown) if row.milliseconds]
    print(f"\nlooking at a quote: median {statistics.median(spent):.1f} ms, longest {max(spent):.1f} ms")
    await all_swapped()


if __name__ == "__main__":
    asyncio.run(main())
