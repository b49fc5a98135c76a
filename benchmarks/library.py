"""How quick and small the library's store is: pages as blobs beside the same as JSON, and SQLite.

Usage: python benchmarks/library.py [--pages 200] [--passages 1000]
"""

import argparse
import asyncio
import json
import platform
import random
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from adapters.database import mapping
from adapters.database.library import SqlLibrary
from core.domain.documents import Document, DocumentFields, DocumentVersion, VersionStatus
from core.domain.ids import document_id, passage_id, version_id
from core.domain.pages import Box, Page, Word
from core.domain.passages import Passage, PassageKind, Span

WORDS = 390  # of a page, the mean of programmes and statutes
SYLLABLES = [
    "be",
    "ge",
    "wahl",
    "recht",
    "ung",
    "stadt",
    "kom",
    "mun",
    "al",
    "pro",
    "gramm",
    "schutz",
    "er",
    "und",
]


def made_up_page(number: int, chance: random.Random) -> Page:
    """Words of random length set in lines, with coordinates as a PDF reader gives them (float32)."""
    text, words, x, y, line = "", [], 70.9, 80.1, 0
    for _ in range(WORDS):
        token = "".join(chance.choices(SYLLABLES, k=chance.randint(1, 4)))
        width = 5.2 * len(token) * chance.uniform(0.9, 1.1)
        if x + width > 525:
            x, y, line = 70.9, y + 13.8, line + 1
        separator = "" if not text else ("\n" if x == 70.9 else " ")
        start = len(text) + len(separator)
        text += separator + token
        box = Box(*(float(np.float32(value)) for value in (x, y, x + width, y + 12.4)))
        words.append(Word(text=token, start=start, end=len(text), box=box, block=line // 12, line=line % 12))
        x += width + 2.8
    return Page(
        number=number, label=str(number), width=595.3, height=841.9, rotation=0, text=text, words=tuple(words)
    )


def as_json(page: Page) -> bytes:
    """The peer: the same content as JSON, compressed alike."""
    rows = [
        [
            w.text,
            w.start,
            w.end,
            w.box.x0,
            w.box.y0,
            w.box.x1,
            w.box.y1,
            w.block,
            w.line,
            w.note_chars,
            w.furniture,
        ]
        for w in page.words
    ]
    return zlib.compress(json.dumps([page.text, rows]).encode())


def from_json(blob: bytes) -> tuple[Word, ...]:
    """Read the peer."""
    return tuple(
        Word(
            text=row[0],
            start=row[1],
            end=row[2],
            box=Box(*row[3:7]),
            block=row[7],
            line=row[8],
            note_chars=row[9],
            furniture=row[10],
        )
        for row in json.loads(zlib.decompress(blob))[1]
    )


def milliseconds(call: Callable[[], object], repeat: int) -> float:
    """Median of `repeat` calls."""
    spent = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        spent.append(1000 * (time.perf_counter() - start))
    return sorted(spent)[repeat // 2]


def codecs(pages: list[Page]) -> None:
    """Print size and time of both ways to keep a page."""
    ours = [mapping.encode(page.text, page.words) for page in pages]
    peer = [as_json(page) for page in pages]
    words = sum(len(page.words) for page in pages)
    sizes = sum(map(len, ours)) / words, sum(map(len, peer)) / words
    decode = (
        milliseconds(lambda: mapping.decode(ours[0]), 200),
        milliseconds(lambda: from_json(peer[0]), 200),
    )
    encode = (
        milliseconds(lambda: mapping.encode(pages[0].text, pages[0].words), 50),
        milliseconds(lambda: as_json(pages[0]), 50),
    )
    print(f"{'':24}{'blob':>10}{'JSON':>10}{'ratio':>8}")
    for name, (own, other) in (
        ("bytes a word", sizes),
        ("decode a page, ms", decode),
        ("encode a page, ms", encode),
    ):
        print(f"{name:24}{own:10.2f}{other:10.2f}{own / other:8.2f}")


def passages_of(version: DocumentVersion, count: int, text: str) -> list[Passage]:
    """Passages of about 180 words."""
    return [
        Passage(
            id=passage_id(version.id, "p", ordinal),
            version=version.id,
            ordinal=ordinal,
            spans=(Span(1 + ordinal // 5, 0, 900), Span(2 + ordinal // 5, 0, 300)),
            text=text[:1200],
            heading="Programm",
            kind=PassageKind.PROSE,
            section=None,
            windows=tuple((at, at + 200) for at in range(0, 1200, 200)),
        )
        for ordinal in range(count)
    ]


async def store(pages: list[Page], count: int, folder: Path) -> None:
    """Print how long a document takes to save and its parts to read."""
    library = await SqlLibrary.open(f"sqlite:///{folder / 'library.db'}")
    document = Document(
        id=document_id("public", "a.pdf"),
        collection="public",
        key="a.pdf",
        file="a.pdf",
        fields=DocumentFields(title="Programm", language="de"),
    )
    version = DocumentVersion(
        id=version_id(document.id, "0"),
        document=document.id,
        number=1,
        sha256="0",
        pipeline="p",
        pages=len(pages),
        status=VersionStatus.PENDING,
        seen_from=datetime.now(UTC),
        original="0.pdf",
    )
    passages = passages_of(version, count, pages[0].text)
    await library.save_document(document)

    async def timed(name: str, call: Callable[[], object], repeat: int = 1) -> None:
        spent = []
        for _ in range(repeat):
            start = time.perf_counter()
            await call()  # type: ignore[misc]
            spent.append(1000 * (time.perf_counter() - start))
        print(f"{name:44}{sorted(spent)[repeat // 2]:10.1f} ms")

    await timed(
        f"save {len(pages)} pages, {count} passages", lambda: library.add_version(version, pages, passages)
    )
    await timed("activate", lambda: library.activate(version.id, at=datetime.now(UTC)))
    wanted = [passage.id for passage in random.Random(7).sample(passages, min(100, count))]
    await timed("read 100 passages by id", lambda: library.passages(wanted), 20)
    await timed("read a page", lambda: library.page(version.id, 7), 20)
    await library.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--passages", type=int, default=1000)
    options = parser.parse_args()
    chance = random.Random(1)
    pages = [made_up_page(number, chance) for number in range(1, options.pages + 1)]
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}")
    codecs(pages)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(store(pages, options.passages, Path(folder)))
        print(f"{'file':44}{(Path(folder) / 'library.db').stat().st_size / 1e6:10.1f} MB")


if __name__ == "__main__":
    main()
