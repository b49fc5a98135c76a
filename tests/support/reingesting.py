"""A process that ingests ever newer versions of documents while others read them; its purpose is to be
killed.

`python -m tests.support.reingesting FOLDER FIRST LAST` says "done N", "reads N" and "torn WHY".
"""

import asyncio
import random
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from adapters.database.library import SqlLibrary
from adapters.qdrant.edge import EdgeIndex
from core.domain.documents import DocumentFields, Edition
from core.domain.ingestion import IngestRequest
from core.domain.scope import Scope
from core.domain.search import QueryVectors
from core.library.ingestion import Ingester
from core.ports.clock import Clock
from core.search.scoped_index import ScopedIndex
from tests.support.fake_embedder import FakeEmbedder, FakeLexicalEncoder
from tests.support.fake_originals import FakeOriginals
from tests.support.fake_pdf import FakePdfToolkit, text_reading
from tests.support.index_points import LIBRARY

DOCUMENTS = 3
READERS = 20
DIMENSION = 16
PUBLIC = Scope(collections=("public",))


class Now(Clock):
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def opened_index(folder: Path) -> ScopedIndex:
    return ScopedIndex(EdgeIndex(folder / "index", library=LIBRARY, primary=DIMENSION, secondary=DIMENSION))


async def opened_library(folder: Path) -> SqlLibrary:
    return await SqlLibrary.open(f"sqlite:///{folder}/library.db")


def texts_of(number: int) -> list[str]:
    """Some pages of made-up words, every sentence of which names its version."""
    chance = random.Random(number)
    words = ["".join(chance.choices("aeioubdfgklmnrst", k=7)) for _ in range(200)]
    return [
        "\n\n".join(
            " ".join(f"{' '.join(chance.choices(words, k=12))} v{number}.".capitalize() for _ in range(6))
            for _ in range(4)
        )
        for _ in range(chance.randint(2, 6))
    ]


def requested(file: str) -> IngestRequest:
    """The file under its own name."""
    return IngestRequest(
        path=Path(file),
        key=file,
        file=file,
        collection="public",
        fields=DocumentFields(title=file, language="de"),
        stated=frozenset({"title", "language"}),
    )


class Work:
    """Ingests and reads in one process, as the bot does."""

    def __init__(self, library: SqlLibrary, index: ScopedIndex, say) -> None:  # type: ignore[no-untyped-def]
        self.library, self.index, self.say = library, index, say
        self.primary = FakeEmbedder(DIMENSION)
        self.pdf, self.originals = FakePdfToolkit(), FakeOriginals()
        self.ingester = Ingester(
            library=library,
            index=index,
            pdf=self.pdf,
            originals=self.originals,
            primary=self.primary,
            secondary=FakeEmbedder(DIMENSION),
            lexical=FakeLexicalEncoder(),
            clock=Now(),
        )
        self.reads = 0

    async def ingest(self, number: int) -> None:
        file = f"doc-{number % DOCUMENTS}.pdf"
        self.pdf.documents[file] = text_reading(*texts_of(number))
        self.originals.contents[file] = f"v{number}"
        async for receipt in self.ingester.ingest([requested(file)]):
            if receipt.error:
                self.say("torn", "refused", *receipt.error)
        self.say("done", number)

    async def read_forever(self) -> None:
        while True:
            await self.read()
            self.reads += 1
            if self.reads % 10 == 0:
                self.say("reads", 10)
            await asyncio.sleep(0.005)

    async def read(self) -> None:
        """Every document is there once, whole, and of one version, in the database and in the index."""
        editions = await self.library.editions(PUBLIC, on=Now().now().date())
        if len(editions) != DOCUMENTS:
            self.say("torn", "missing", len(editions))
        for edition in editions:
            await self._check(edition)

    async def _check(self, edition: Edition) -> None:
        version = edition.version
        pages = [page async for page in self.library.pages(version.id)]
        passages = await self.library.passages_at(version.id, range(version.passages + 5))
        said = {name for page in pages for name in re.findall(r"[vV]\d+", page.text)}
        said |= {name for passage in passages for name in re.findall(r"[vV]\d+", passage.text)}
        if len(pages) != version.pages or len(passages) != version.passages or len(said) != 1:
            self.say("torn", "mixed", version.id, len(pages), len(passages), *sorted(said))
        vector = await self.primary.query("Brücken und Wege")
        query = QueryVectors(primary=vector, secondary=vector, lexical=None)
        (found,) = await self.index.candidates("public", [query], [version.id], limit=500)
        if {item.passage for item in found} != {passage.id for passage in passages}:
            self.say("torn", "index", version.id, len(found), len(passages))


def say(*words: object) -> None:
    """A line for the parent process."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def main(folder: Path, first: int, last: int) -> None:
    library, index = await opened_library(folder), opened_index(folder)
    work = Work(library, index, say)
    if first >= DOCUMENTS:
        await work.read()
    else:
        for number in range(first, DOCUMENTS):
            await work.ingest(number)
    readers = [asyncio.create_task(work.read_forever()) for _ in range(READERS)]
    for number in range(max(first, DOCUMENTS), last):
        await work.ingest(number)
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    await index.close()
    await library.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
