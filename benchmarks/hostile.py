"""Hostile texts and hostile small PDFs: how the time grows with their length.
`python -m benchmarks.hostile [--texts N] [--pdfs N] [--length CHARACTERS] [--only NAME]`.

Every place where text comes in (`tests.support.hostile.ENTRIES`) gets every hostile text at a length and at
twice that length; generated PDFs of a few kilobytes are read and cut at a size and at twice that size, in the
contained processes that the bot uses. Printed is CPU time; exits 1 where a ratio is over 2.3 or nothing came
back in time. What takes less than `TELLING` seconds at double length tells nothing about growth.
"""

import argparse
import asyncio
import platform
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from adapters.cutting.cutter import ProcessCutter
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.documents import DocumentFields
from core.errors import Refused
from tests.support.hostile import ENTRIES, Entry, cpu_seconds, texts
from tests.support.hostile_pdfs import PDFS, cpu_of

MOST = 2.3
TELLING = 0.05
LIMIT = 20.0
"""CPU seconds of one text at most."""


@dataclass(frozen=True)
class Row:
    """One text or file: seconds at double length, how many times those at the length; None tells nothing."""

    place: str
    name: str
    seconds: float
    ratio: float | None
    refused: str = ""

    @property
    def holds(self) -> bool:
        """Whether it grew no more than it may, or was ended with a refusal."""
        return bool(self.refused) or (self.seconds < LIMIT and (self.ratio or 0.0) <= MOST)


def measured(entry: Entry, name: str, once: str, twice: str, fourfold: str) -> Row:
    """One text; a ratio that looks too large is looked at again, since other processes disturb, and at the
    next doubling: what grows too fast goes on doing so, where another way begins at some length does not."""
    seconds = cpu_seconds(entry.work, twice, limit=LIMIT)
    ratio = None
    for tries in (1, 3, 8):
        if seconds < TELLING:
            break
        seconds = min(seconds, cpu_seconds(entry.work, twice, limit=LIMIT, tries=tries))
        if seconds < TELLING:
            return Row(entry.name, name, seconds, None)
        ratio = seconds / max(cpu_seconds(entry.work, once, limit=LIMIT, tries=tries), 1e-6)
        if ratio <= MOST:
            return Row(entry.name, name, seconds, ratio)
    if ratio is not None and seconds < LIMIT:
        ratio = min(ratio, cpu_seconds(entry.work, fourfold, limit=4 * LIMIT, tries=3) / seconds)
    return Row(entry.name, name, seconds, ratio)


def of_texts(length: int, most: int, only: str) -> Iterator[Row]:
    """Every place with every text."""
    for entry in ENTRIES.values():
        if only in entry.name:
            size = min(length, entry.most // 4)
            sizes = zip(texts(size), texts(2 * size), texts(4 * size), strict=True)
            for (name, once), (_, twice), (_, fourfold) in islice(sizes, most):
                yield measured(entry, name, once, twice, fourfold)


class Reader:
    """Reads and cuts PDFs as the bot does."""

    def __init__(self) -> None:
        self.toolkit = PyMuPdfToolkit(workers=1)
        self.cutter = ProcessCutter()

    async def row(self, name: str, once: bytes, twice: bytes, folder: Path) -> Row:
        """One generator at a size and at twice that size."""
        first, _ = await self.seconds(once, folder)
        second, refused = await self.seconds(twice, folder)
        ratio = second / max(first, 1e-3) if second >= 6 * TELLING and not refused else None
        if ratio and ratio > MOST:  # once more, since other processes disturb
            firsts = [(await self.seconds(once, folder))[0] for _ in range(3)]
            seconds = [(await self.seconds(twice, folder))[0] for _ in range(3)]
            ratio = min(seconds) / max(min(firsts), 1e-3)
        return Row("read and cut a PDF", name, second, ratio, refused)

    async def seconds(self, content: bytes, folder: Path) -> tuple[float, str]:
        """CPU seconds of both processes, and why the file was refused."""
        path = folder / "hostile.pdf"
        path.write_bytes(content)
        refused, started = "", cpu_of(self.pids)
        wall = time.monotonic()
        try:
            reading = await self.toolkit.read(path)
            fields = DocumentFields(title="Titel", language="de")
            await self.cutter.cut(reading.pages, fields, lambda given: [len(text) // 4 for text in given])
        except Refused as error:
            refused = error.key
        used = cpu_of(self.pids) - started
        return (used if used > 0 else time.monotonic() - wall), refused

    @property
    def pids(self) -> list[int]:
        """The processes that work."""
        return [*self.toolkit.worker_pids, *([self.cutter.pid] if self.cutter.pid else [])]

    async def close(self) -> None:
        """End them."""
        await self.toolkit.close()
        await self.cutter.close()


async def of_pdfs(most: int) -> list[Row]:
    """Every generated PDF."""
    reader = Reader()
    with tempfile.TemporaryDirectory() as folder:
        await reader.seconds(next(iter(PDFS.values()))(1), Path(folder))  # starts the processes
        rows = [
            await reader.row(name, make(1), make(2), Path(folder))
            for name, make in islice(PDFS.items(), most)
        ]
    await reader.close()
    return rows


def show(rows: list[Row]) -> None:
    """The worst of each place."""
    by_place: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_place[row.place].append(row)
    for place, mine in by_place.items():
        grown = max(mine, key=lambda row: row.ratio or 0.0)
        longest = max(mine, key=lambda row: row.seconds)
        ratio = f"{grown.ratio:.2f} ({grown.name})" if grown.ratio else "-"
        print(f"{place:32} {len(mine):4}  {ratio:44} {longest.seconds:7.3f} s ({longest.name})")


def main() -> int:
    """Print the table; 1 where something grew too fast."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=1000, help="texts of each place at most")
    parser.add_argument("--pdfs", type=int, default=1000)
    parser.add_argument("--length", type=int, default=30_000)
    parser.add_argument("--only", default="", help="places whose name holds this")
    given = parser.parse_args()
    print(f"{datetime.now(UTC):%Y-%m-%d} {platform.machine()} {platform.python_version()}")
    print(f"{'place':32} {'':4}  {'time at double length, worst':44} longest, double length")
    found = list(of_texts(given.length, given.texts, given.only))
    files = asyncio.run(of_pdfs(given.pdfs))
    for rows, what in ((found, "hostile texts"), (files, "hostile PDFs")):
        show(rows)
        bad = [row for row in rows if not row.holds]
        worst = max((row.ratio or 0.0 for row in rows if not row.refused), default=0.0)
        refused = sum(1 for row in rows if row.refused)
        longest = max((row.seconds for row in rows), default=0.0)
        print(
            f"{len(rows)} {what}: worst ratio {worst:.2f}, longest {longest:.2f} s, {refused} refused, "
            f"{len(bad)} over {MOST}"
        )
        for row in bad:
            print(f"  over: {row.place}, {row.name}: {row.ratio or 0:.2f} times, {row.seconds:.2f} s")
    return 0 if all(row.holds for row in (*found, *files)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
