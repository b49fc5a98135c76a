"""How fast documents are read, against pypdf and pdfplumber, and how fast a highlighted page is made.

    python benchmarks/reading.py [folder]

The folder (default: FUNDSTELLE_TEST_DATA or ../shared/data) is searched for PDFs in `manifestos` and
`statutes`. The peers read every n-th page in one process. Ours does more work: places, hidden text, notes and
trouble as well as words. Rates are stated twice: by the clock, and from the computing time as if two cores
were free (the machine may be busy); the ratio compares computing time per page.
"""

import asyncio
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pdfplumber
import psutil
import pypdf

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Box, Word
from core.errors import Refused

EVERY = 60
CORES = 2


def documents(folder: Path) -> list[Path]:
    """The PDFs to read, scans and damaged ones apart."""
    return sorted(path for part in ("manifestos", "statutes") for path in (folder / part).glob("*.pdf"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One reader's run: pages read, pages it failed on, seconds by the clock and of computing."""

    pages: int
    failed: int
    clock: float
    computing: float

    @property
    def per_page(self) -> float:
        """Milliseconds of computing per page."""
        return 1000 * self.computing / self.pages

    def row(self, name: str, ours: "Run") -> str:
        """A line of the table."""
        free = CORES * 1000 / self.per_page
        return (
            f"{name:<12}{self.pages:>7}{self.failed:>8}{self.pages / self.clock:>11.1f}{self.per_page:>9.1f}"
            f"{free:>13.1f}{self.per_page / ours.per_page:>9.1f}x"
        )


def computing(toolkit: PyMuPdfToolkit | None = None) -> float:
    """Seconds of computing so far: this process, and the workers."""
    pids = [os.getpid(), *(toolkit.worker_pids if toolkit else ())]
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return sum(time.user + time.system for time in times)


async def ours(toolkit: PyMuPdfToolkit, paths: Sequence[Path]) -> Run:
    """Read whole documents with warm workers."""
    pages, start, before = 0, time.perf_counter(), computing(toolkit)
    for path in paths:
        pages += (await toolkit.read(path)).total_pages
    spent = computing(toolkit) - before
    return Run(pages=pages, failed=0, clock=time.perf_counter() - start, computing=spent)


def pypdf_pages(path: Path) -> Iterator[Callable[[], object]]:
    """One call per n-th page."""
    for page in pypdf.PdfReader(path).pages[::EVERY]:
        yield page.extract_text


def pdfplumber_pages(path: Path) -> Iterator[Callable[[], object]]:
    """One call per n-th page: words with places, as ours."""
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages[::EVERY]:
            yield page.extract_words
            page.close()


def peer(calls: Callable[[Path], Iterator[Callable[[], object]]], paths: Sequence[Path]) -> Run:
    """Read with a peer; its failures are counted."""
    pages, failed, start, before = 0, 0, time.perf_counter(), computing()
    for path in paths:
        for call in calls(path):
            pages += 1
            try:
                call()
            except Exception:
                failed += 1
    spent = computing() - before
    return Run(pages=pages, failed=failed, clock=time.perf_counter() - start, computing=spent)


def marks(words: Sequence[Word]) -> list[Box]:
    """One box per line."""
    lines: dict[tuple[int, int], list[Box]] = {}
    for word in words:
        lines.setdefault((word.block, word.line), []).append(word.box)
    return [
        Box(
            min(b.x0 for b in line), min(b.y0 for b in line), max(b.x1 for b in line), max(b.y1 for b in line)
        )
        for line in lines.values()
    ]


async def highlights(toolkit: PyMuPdfToolkit, paths: Sequence[Path]) -> dict[str, list[float]]:
    """Milliseconds per highlighted page, vector and raster, and per preview; kilobytes of the vector ones."""
    found: dict[str, list[float]] = {"vector": [], "raster": [], "preview": [], "kB": [], "marked": []}
    for path in paths:
        reading = await toolkit.read(path)
        for item in reading.pages[5::60]:
            words = item.page.words[20:60]
            if len(words) < 20:
                continue
            for raster in (False, True):
                start = time.perf_counter()
                made = await toolkit.highlighted_page(
                    path, item.page.number, marks(words), expected=[w.text for w in words], raster=raster
                )
                found["raster" if made.rasterised else "vector"].append(1000 * (time.perf_counter() - start))
                found["marked"].append(made.marked)
                if not made.rasterised:
                    found["kB"].append(len(made.pdf) / 1000)
            start = time.perf_counter()
            await toolkit.preview(made.pdf)
            found["preview"].append(1000 * (time.perf_counter() - start))
    return found


async def main(folder: Path) -> None:
    """Print both tables."""
    paths = documents(folder)
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, {datetime.now(UTC).date()}")
    toolkit = PyMuPdfToolkit(workers=CORES)
    try:
        print("contained by:", await toolkit.containment())
        await toolkit.read(paths[0])
        run = await ours(toolkit, paths)
        head = f"{'pages':>7}{'failed':>8}{'pages/s':>11}{'ms/page':>9}{'2 cores free':>13}{'ratio':>10}"
        print(f"\n{'reader':<12}{head}")
        print(run.row("ours", run))
        print(peer(pypdf_pages, paths).row("pypdf", run))
        print(peer(pdfplumber_pages, paths).row("pdfplumber", run))
        found = await highlights(toolkit, paths)
        print(f"\n{'one page':<14}{'count':>7}{'median':>9}{'p95':>9}")
        for name in ("vector", "raster", "preview", "kB"):
            values = sorted(found[name])
            median, p95 = statistics.median(values), values[int(0.95 * len(values))]
            print(f"{name:<14}{len(values):>7}{median:>9.1f}{p95:>9.1f}" + (" ms" if name != "kB" else ""))
        print(f"marked: {sum(found['marked']):.0f} of {len(found['marked'])}")
    except Refused as refused:
        sys.exit(f"{refused.key}: {refused.detail}")
    finally:
        await toolkit.close()


if __name__ == "__main__":
    default = os.environ.get("FUNDSTELLE_TEST_DATA", Path(__file__).parents[1] / "../shared/data")
    asyncio.run(main(Path(sys.argv[1] if len(sys.argv) > 1 else default)))
