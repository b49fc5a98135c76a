"""From fetch to searchable: a document of 100 pages that changed at its source.

`python -m benchmarks.reingestion [--pages N] [--times N] [--embed] [--models DIR]`

A generated programme is served on loopback, ingested, changed on every page and looked at again, `--times`
times; seconds are medians, of the wall with the least and the most, beside the load of the machine. Without
`--embed` the encoders return ready vectors at once, so that everything else is measured: fetching, hashing,
reading in contained processes, cutting with the real tokenizer, saving and indexing. The peer is pypdf, which
only extracts the text of the same file.
"""

import argparse
import asyncio
import os
import platform
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from statistics import median

import numpy as np
import psutil
import pymupdf
import pypdf

from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from adapters.database.library import SqlLibrary
from adapters.embedding.bm25 import Bm25Encoder
from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from adapters.files.originals import FileOriginals
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from adapters.qdrant.edge import EdgeIndex
from adapters.web.source import WebSource
from bot.library.sources.jobs import Jobs, planner
from bot.library.sources.refreshing import Refresher
from bot.wiring.services import SystemClock
from core.domain.documents import DocumentFields
from core.domain.ids import document_id
from core.domain.ingestion import CheckResult, Progress
from core.domain.registry import RegisteredDocument, Registry
from core.domain.search import Vector
from core.library.ingestion import Ingester
from core.ports.models import Embedder
from core.search.scoped_index import ScopedIndex
from tests.support.index_points import LIBRARY
from tests.support.web_server import Site, rules, server

WORDS_A_PAGE = 350
SUBJECTS = ("Wir", "Die Gemeinden", "Alle Schulen", "Die Länder", "Kleine Betriebe", "Die Bahnhöfe am Fluss")
VERBS = ("bauen", "fördern", "erneuern", "entlasten", "sichern", "öffnen", "stärken", "verbinden")
OBJECTS = (
    "Wohnungen",
    "Radwege",
    "Büchereien",
    "Brücken",
    "Werkstätten",
    "Praxen",
    "Uferwege",
    "Schwimmbäder",
)
ENDS = ("in jedem Jahr", "ohne neue Schulden", "bis zum Ende des Jahrzehnts", "auch auf dem Land")


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of a look at an unchanged source and of those at a changed one, and what the latter took and
    brought."""

    unchanged: float
    requests: int
    changed: tuple[float, ...]
    cpu: tuple[float, ...]
    passages: int
    kilobytes: float


class Instant:
    """An encoder whose vectors are there at once; it counts tokens as the real one does."""

    def __init__(self, real: Embedder) -> None:
        self._real = real
        self.name, self.dimension, self.max_tokens = real.name, real.dimension, real.max_tokens
        self.count_tokens = real.count_tokens
        self._random = np.random.default_rng(0)

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:  # noqa: ARG002
        """Random unit vectors."""
        found = self._random.standard_normal((len(texts), self.dimension)).astype(np.float32)
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)

    async def query(self, text: str) -> Vector:
        """A random unit vector."""
        return (await self.passages([text]))[0]

    async def warm_up(self) -> None:
        """Nothing to load."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--times", type=int, default=5, help="changes")
    parser.add_argument("--embed", action="store_true", help="embed with the real encoders")
    parser.add_argument("--models", type=Path, default=None, help="folder of prepared models")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        models = arguments.models or Path(folder) / "models"
        found = asyncio.run(
            measure(Path(folder), models, arguments.pages, embed=arguments.embed, times=arguments.times)
        )
    peer = plain_reading(programme(arguments.pages, 2))
    load, today = os.getloadavg()[0], f"{datetime.now(UTC):%Y-%m-%d}"
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, {today}")
    how = "with the real encoders" if arguments.embed else "without embedding"
    print(f"{arguments.pages} pages, {found.kilobytes:.0f} kB, {found.passages} passages, {how}")
    print(f"{'unchanged source':<44}{found.unchanged:>8.3f} s, {found.requests} request")
    wall, cpu = median(found.changed), median(found.cpu)
    spread = f"{min(found.changed):.2f} to {max(found.changed):.2f}"
    print(f"{'changed: from fetch to searchable':<44}{wall:>8.2f} s ({spread}), {cpu:.2f} CPU s")
    print(f"{'pypdf, text of the same file only':<44}{peer:>8.2f} s (ratio {wall / peer:.2f})")


async def measure(folder: Path, models: Path, pages: int, *, embed: bool, times: int) -> Measured:
    """Ingest, look, change and look again."""
    primary: Embedder = E5Embedder(models, threads=2)
    secondary: Embedder = UseEmbedder(models, threads=2)
    if not embed:
        primary, secondary = Instant(primary), Instant(secondary)
    site, clock = Site(), SystemClock()
    site.put("/programme.pdf", programme(pages if not embed else max(pages // 10, 1), 1))
    database = await Database.open(f"sqlite:///{folder / 'library.sqlite3'}")
    library, pdf = SqlLibrary(database), PyMuPdfToolkit(workers=2)
    index = ScopedIndex(
        EdgeIndex(folder / "index", library=LIBRARY, primary=primary.dimension, secondary=secondary.dimension)
    )
    originals = FileOriginals(folder / "originals")
    ingester = Ingester(
        library=library,
        index=index,
        pdf=pdf,
        originals=originals,
        primary=primary,
        secondary=secondary,
        lexical=Bm25Encoder(),
        clock=clock,
    )
    jobs = Jobs(library, SqlSources(database), originals, clock, planner())
    try:
        async with server(site.answer) as port:
            url = f"http://example.org:{port}/programme.pdf"
            await library.save_registry(Registry(documents=(row(url),)))
            source = WebSource(max_bytes=10**8, interval_s=0.0, rules=rules(port))
            refresher = Refresher(jobs, source, ingester, ingester.remove)
            editions = [programme(pages, edition) for edition in range(2, times + 2)]
            return await looks(refresher, site, url, editions)
    finally:
        await pdf.close()
        await index.close()
        await database.close()


async def looks(refresher: Refresher, site: Site, url: str, editions: Sequence[bytes]) -> Measured:
    """The looks; the first one does not count."""
    document = document_id("public", url)
    first = await refresher.check(document)
    assert first.result is CheckResult.INDEXED, first
    site.requests.clear()
    started = time.perf_counter()
    assert (await refresher.check(document)).result is CheckResult.UNCHANGED
    unchanged, requests = time.perf_counter() - started, len(site.requests)
    changed, used = [], []
    for new in editions:
        site.put("/programme.pdf", new)
        started, cpu = time.perf_counter(), cpu_seconds()
        state = await refresher.check(document)
        changed.append(time.perf_counter() - started)
        used.append(cpu_seconds() - cpu)
        assert state.result is CheckResult.UPDATED, state
    version = (await refresher.jobs.library.versions(document))[0]
    size = len(editions[0]) / 1000
    return Measured(unchanged, requests, tuple(changed), tuple(used), version.passages, size)


def row(url: str) -> RegisteredDocument:
    """The document as a manifest lists it."""
    fields = DocumentFields(title="Programm", language="de", source_uri=url, schedule="every 6h")
    return RegisteredDocument(key=url, collection="public", fields=fields, url=url)


def programme(pages: int, edition: int) -> bytes:
    """A programme with a heading and paragraphs on every page; no page is the same in two editions."""
    chance = random.Random(edition)
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page()
        page.insert_text((60, 70), f"{number}. {chance.choice(OBJECTS)}", fontsize=16)
        area = pymupdf.Rect(60, 90, 535, 800)
        assert page.insert_textbox(area, paragraphs(chance), fontsize=10.5) >= 0
    content: bytes = document.tobytes(deflate=True)
    document.close()
    return content


def paragraphs(chance: random.Random) -> str:
    """About `WORDS_A_PAGE` words of invented promises."""
    sentences = [sentence(chance) for _ in range(WORDS_A_PAGE // 8)]
    return "\n\n".join(" ".join(sentences[at : at + 6]) for at in range(0, len(sentences), 6))


def sentence(chance: random.Random) -> str:
    """One promise, with a number of its own."""
    count = chance.randint(100, 9_999)
    what = f"{chance.choice(VERBS)} {count} {chance.choice(OBJECTS)}"
    return f"{chance.choice(SUBJECTS)} {what} {chance.choice(ENDS)}."


def cpu_seconds() -> float:
    """Of this process and the workers that are alive."""
    this = psutil.Process()
    times = [process.cpu_times() for process in (this, *this.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def plain_reading(content: bytes) -> float:
    """Seconds that pypdf needs to extract the text."""
    started = time.perf_counter()
    for page in pypdf.PdfReader(BytesIO(content)).pages:
        page.extract_text()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
