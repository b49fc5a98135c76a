"""Deceptive PDFs: what is indexed, quoted and marked of text that nobody sees, and of print that can be read.

    python -m benchmarks.deceptive

Every technique, lie and control of `tests/support/deceptive.py` is read and its line cited as an answer would
be. `indexed`: the words come out of reading; `quoted`: they may be cited; `checked`: a page is sent on which
they are marked, and the marks are said to be checked. Nothing deceptive may be quoted, every control must be.
"""

import asyncio
import platform
import statistics
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Page, TextSource, Word
from tests.support import deceptive
from tests.support.pdfs import find, marks, saved


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


async def main() -> None:
    """Print the tables."""
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}")
    print(f"{'technique':<40}{'indexed':>9}{'quoted':>9}{'checked':>9}")
    kit = PyMuPdfToolkit(workers=1)
    try:
        hidden = await table(kit, deceptive.TECHNIQUES, (deceptive.HIDDEN,))
        false = deceptive.LINE.format(deceptive.FALSE)
        hidden += await table(kit, deceptive.LIES, (deceptive.HIDDEN, false))
        print(f"\n{'control':<40}{'indexed':>9}{'quoted':>9}{'checked':>9}")
        shown = await table(kit, deceptive.CONTROLS, (deceptive.LEGIBLE,))
    finally:
        await kit.close()
    for name, rows in (("deceptive", hidden), ("controls", shown)):
        counts = [sum(values) for values in list(zip(*rows, strict=True))[1:4]]
        print(f"\n{name}: {len(rows)}; indexed {counts[0]}, quoted {counts[1]}, checked {counts[2]}", end="")
    spent = [row.milliseconds for row in (*hidden, *shown) if row.milliseconds]
    print(f"\nlooking at a quote: median {statistics.median(spent):.1f} ms, longest {max(spent):.1f} ms")


if __name__ == "__main__":
    asyncio.run(main())
