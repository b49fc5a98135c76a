"""A library whose sources are checked: real rules, files on disk, PDFs that are text, a settable clock."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.files.originals import FileOriginals
from bot.library.sources.jobs import Jobs, planner
from bot.library.sources.refreshing import Refresher
from core.domain.documents import Document, DocumentFields, DocumentVersion, VersionStatus
from core.domain.ids import DocumentId, document_id
from core.domain.ingestion import Progress, SourceState
from core.domain.pages import DocumentReading
from core.domain.registry import RegisteredDocument, Registry
from core.errors import Refused
from core.library.ingestion import Ingester
from core.ports.clock import Clock
from core.ports.sources import DocumentSource
from tests.support.fake_embedder import FakeEmbedder, FakeLexicalEncoder
from tests.support.fake_index import FakeIndex
from tests.support.fake_library import FakeLibrary
from tests.support.fake_pdf import FakePdfToolkit, text_reading
from tests.support.fake_sources import FakeSource, FakeSources

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
URL = "https://example.org/programme.pdf"
SENTENCE = "Wir bauen jedes Jahr viertausend neue Wohnungen in den Städten am Fluss."


class SetClock(Clock):
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        return self.time

    def pass_(self, **time: float) -> None:
        self.time += timedelta(**time)


def pdf_of(*pages: str) -> bytes:
    """The bytes that `ContentPdf` reads as these pages."""
    return b"%PDF-1.7\n" + "\f".join(pages).encode()


def programme(pages: int, word: str = "Wohnungen") -> bytes:
    """A document of so many pages."""
    return pdf_of(*(f"Kapitel {number}\n\n{SENTENCE} {word} {number}." for number in range(1, pages + 1)))


class ContentPdf(FakePdfToolkit):
    """Reads the pages encoded in a file's bytes, and counts how often."""

    def __init__(self) -> None:
        super().__init__()
        self.parsed = 0

    async def read(
        self, path: Path, *, max_pages: int | None = None, progress: Progress | None = None
    ) -> DocumentReading:
        self.parsed += 1
        text = (await asyncio.to_thread(path.read_bytes)).removeprefix(b"%PDF-1.7\n").decode()
        if text == "encrypted":
            raise Refused("pdf.encrypted", "the file needs a password; remove it")
        return text_reading(*text.split("\f")[:max_pages])


@dataclass
class Refreshed:
    """Stores and the services that check sources."""

    folder: Path
    source: FakeSource = field(default_factory=FakeSource)
    library: FakeLibrary = field(default_factory=FakeLibrary)
    journal: FakeSources = field(default_factory=FakeSources)
    pdf: ContentPdf = field(default_factory=ContentPdf)
    clock: SetClock = field(default_factory=SetClock)
    told: list[tuple[str, dict[str, str | int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.originals = FileOriginals(self.folder / "originals")
        self.ingester = Ingester(
            library=self.library,
            index=FakeIndex(),
            pdf=self.pdf,
            originals=self.originals,
            primary=FakeEmbedder(16),
            secondary=FakeEmbedder(16),
            lexical=FakeLexicalEncoder(),
            clock=self.clock,
        )
        self.jobs = Jobs(self.library, self.journal, self.originals, self.clock, planner(lambda: 0.0))
        self.refresher = self.reading_from(self.source)

    def reading_from(self, source: DocumentSource) -> Refresher:
        async def tell(key: str, values: object) -> None:
            self.told.append((key, dict(values)))  # type: ignore[call-overload]

        return Refresher(self.jobs, source, self.ingester, self.ingester.remove, tell)

    async def listing(self, *rows: RegisteredDocument) -> "Refreshed":
        await self.library.save_registry(Registry(documents=rows))
        return self

    async def check(self, url: str = URL) -> SourceState:
        return await self.refresher.check(id_of(url))

    async def active(self, url: str = URL) -> DocumentVersion | None:
        versions = await self.library.versions(id_of(url))
        return next((each for each in versions if each.status is VersionStatus.ACTIVE), None)

    async def document(self, url: str = URL) -> Document | None:
        return await self.library.document(id_of(url))

    def kept(self) -> int:
        """Files in the store of originals."""
        return len(list((self.folder / "originals").glob("*")))


def id_of(url: str = URL) -> DocumentId:
    return document_id("public", url)


def listed(url: str = URL, *, schedule: str | None = "every 6h", **fields: object) -> RegisteredDocument:
    """A manifest's row of a document by URL."""
    stated = {"title": "Programm", "language": "de", "source_uri": url, "schedule": schedule, **fields}
    return RegisteredDocument(
        key=url,
        collection="public",
        fields=DocumentFields(**stated),  # type: ignore[arg-type]
        url=url,
    )
