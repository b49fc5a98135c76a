"""Scans on their way into the library: what is recognised is indexed, what is not is said."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from core.domain.documents import DocumentFields, VersionStatus
from core.domain.ingestion import IngestReceipt, IngestRequest, IngestStatus
from core.domain.pages import (
    DocumentReading,
    Orientation,
    PageLayer,
    PageReading,
    PageTrouble,
    RecognisedText,
    TextSource,
)
from core.errors import Refused
from core.library.formats import FileReader, ScanReader
from core.library.ingestion import Ingester
from tests.support.fake_embedder import FakeEmbedder, FakeLexicalEncoder
from tests.support.fake_index import FakeIndex
from tests.support.fake_library import FakeLibrary
from tests.support.fake_originals import FakeOriginals
from tests.support.fake_pdf import FakePdfToolkit, text_page, text_reading
from tests.support.world import FixedClock

NATIVE = "Der Mindestlohn steigt auf fünfzehn Euro. Das gilt für alle, die in der Gemeinde arbeiten."
PICTURED = "Die Busse fahren künftig alle zehn Minuten. Für Kinder ist die Fahrt kostenlos."


class Recogniser:
    """Says what it is told."""

    def __init__(self, confidence: float = 0.95) -> None:
        self.confidence = confidence
        self.installed = True
        self.asked = 0

    async def name(self) -> str:
        if not self.installed:
            raise Refused("ocr.missing", "install it")
        return f"recogniser {self.confidence}"

    async def recognise(self, picture: bytes, *, dpi: int) -> RecognisedText:
        self.asked += 1
        return RecognisedText(layer=b"layer", words=12, confidence=self.confidence)

    async def orientation(self, picture: bytes, *, dpi: int) -> Orientation:
        return Orientation(script="Kannada")


class Pictures:
    """Pictures of nothing; the PDF made reads as `layered` says."""

    async def picture(self, path: Path, page: int, *, dpi: int, turn: int = 0) -> bytes:
        return b"picture"

    async def with_layers(self, path: Path, layers: Mapping[int, PageLayer]) -> bytes:
        return b"%PDF-made"


class Desk:
    """An ingester for one scan of two pages, the second a picture."""

    def __init__(self, recogniser: Recogniser) -> None:
        first, second = text_reading(NATIVE, "").pages
        scan = replace(second, trouble=PageTrouble.SCAN)
        read_back = PageReading(page=replace(text_page(PICTURED, 2), text_source=TextSource.OCR))
        documents = {
            "scan.pdf": DocumentReading(pages=(first, scan), total_pages=2),
            "picture.pdf": DocumentReading(pages=(replace(scan, page=text_page("", 1)),), total_pages=1),
            "scan.pdf.pages.pdf": DocumentReading(pages=(first, read_back), total_pages=2),
        }
        pdf = FakePdfToolkit(documents)
        self.library, self.originals = FakeLibrary(), FakeOriginals()
        self.ingester = Ingester(
            library=self.library,
            index=FakeIndex(),
            pdf=pdf,
            originals=self.originals,
            primary=FakeEmbedder(64),
            secondary=FakeEmbedder(64),
            lexical=FakeLexicalEncoder(),
            clock=FixedClock(),
            files=FileReader(pdf, self.originals, scans=ScanReader(Pictures(), recogniser)),
        )

    async def ingest(self, name: str = "scan.pdf") -> IngestReceipt:
        request = IngestRequest(
            path=Path(name),
            key=name,
            file=name,
            collection="public",
            fields=DocumentFields(title="Programm", language="de"),
        )
        (receipt,) = [receipt async for receipt in self.ingester.ingest([request])]
        return receipt


async def test_recognised_pages_are_indexed_and_counted() -> None:
    desk = Desk(Recogniser())
    receipt = await desk.ingest()
    assert (receipt.status, receipt.pages, receipt.pages_ocr) == (IngestStatus.INDEXED, 2, 1)
    assert receipt.pages_without_text == 0
    assert receipt.warnings == ("ocr.read:1",)
    assert receipt.seconds["ocr"] > 0
    assert receipt.document is not None
    version = (await desk.library.versions(receipt.document))[0]
    page = await desk.library.page(version.id, 2)
    assert page is not None
    assert (page.text_source, page.text) == (TextSource.OCR, PICTURED)
    assert (await desk.ingest()).status is IngestStatus.UNCHANGED


async def test_unsure_pages_stay_without_text() -> None:
    receipt = await Desk(Recogniser(confidence=0.5)).ingest()
    assert (receipt.status, receipt.pages_ocr, receipt.pages_without_text) == (IngestStatus.INDEXED, 0, 1)
    assert receipt.warnings == ("ocr.unsure:1", "pages.scan:1")


async def test_a_document_without_any_text_is_refused_and_not_kept() -> None:
    desk = Desk(Recogniser(confidence=0.5))
    receipt = await desk.ingest("picture.pdf")
    assert receipt.status is IngestStatus.REFUSED
    assert receipt.error is not None
    assert receipt.error[0] == "pdf.no_text"
    assert "[ocr] languages" in receipt.error[1]
    assert "Kannada" in receipt.error[1]
    assert desk.originals.kept == set()


async def test_scans_are_read_again_once_it_is_installed() -> None:
    recogniser = Recogniser()
    recogniser.installed = False
    desk = Desk(recogniser)
    receipt = await desk.ingest()
    assert receipt.warnings == ("ocr.missing:1", "pages.scan:1")
    assert (await desk.ingest()).status is IngestStatus.UNCHANGED
    recogniser.installed = True
    again = await desk.ingest()
    assert (again.status, again.pages_ocr, recogniser.asked) == (IngestStatus.UPDATED, 1, 1)
    assert again.document is not None
    versions = await desk.library.versions(again.document)
    (current,) = [version for version in versions if version.status is VersionStatus.ACTIVE]
    assert current.pages_ocr == 1
    assert await desk.ingester.index.count("public", current.id) == again.passages
