"""Turns a file of any kind into pages: other formats are converted to PDF once, pages without text go through
OCR. With the pipeline version: what must be the same for an index to stay valid.

The resulting PDF is stored beside the original, so that quotes, pages and highlights work the same for all
formats.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from core.domain.documents import STATUTORY_TYPES, DocumentFields, DocumentVersion, StoredFile
from core.domain.ingestion import Progress
from core.domain.pages import DocumentReading, PageLayer, PageReading, PageTrouble, RecognisedText
from core.errors import Refused, Unavailable
from core.ports.files import Converter, PagePictures, Quarantine, TextRecogniser, VirusScanner, WarnedPdf
from core.ports.pdf import PdfToolkit
from core.ports.storage import Originals

READING = "18"
"""Increase this number when reading, furniture, chunking or the embedded text change."""


def pipeline_version(*encoders: str) -> str:
    """Version of everything between bytes and vectors, given the encoders' names."""
    return "/".join((READING, *encoders))


def generation(pipeline: str, fields: DocumentFields) -> str:
    """Pipeline version plus those fields of a document that decide how its passages are cut."""
    statutory = fields.doc_type in STATUTORY_TYPES
    # whose words count as the document's own
    manner = "statute" if statutory else "+".join(("prose", *fields.parties))
    return f"{pipeline}/{manner}/{fields.language}/{fields.max_pages or 'all'}"


_RECOGNISER = "/ocr="


def recognised_by(generation: str, recogniser: str) -> str:
    """A generation in which `recogniser` was used for some pages; "" if for none."""
    return f"{generation}{_RECOGNISER}{recogniser}" if recogniser else generation


def recogniser_of(generation: str) -> str:
    """The recogniser in the name of a generation, "" if there is none."""
    return generation.partition(_RECOGNISER)[2]


def is_generation(made: str, wanted: str) -> bool:
    """Whether a version was made as `wanted`, whichever recogniser read its scans."""
    return made.partition(_RECOGNISER)[0] == wanted


# Text recognition (OCR) for the pages that need it: pictures of text, and unreadable text layers.


DPI = 300
"""Dots per inch of the pictures, as in the training data of Tesseract's models."""
RECOGNISABLE = frozenset({PageTrouble.SCAN, PageTrouble.GARBLED})


@dataclass(slots=True, kw_only=True)
class Recognition:
    """The result for the requested pages. `layers` are the texts by page, for those read reliably; `unsure`
    and `failed` count the others, `scripts` are those that the unsure ones appear to be in; `seconds` is the
    time taken."""

    layers: dict[int, PageLayer] = field(default_factory=dict)
    unsure: int = 0
    failed: int = 0
    scripts: set[str] = field(default_factory=set)
    seconds: float = 0.0

    @property
    def warnings(self) -> tuple[tuple[str, int], ...]:
        """Message keys with a number of pages each."""
        counts = (("ocr.read", len(self.layers)), ("ocr.unsure", self.unsure), ("ocr.failed", self.failed))
        return tuple((key, count) for key, count in counts if count)


@dataclass(frozen=True, slots=True)
class ScanReader:
    """Recognises the text of pages, `at_once` at a time. A page whose mean confidence is below
    `min_confidence` (0 to 1) counts as not read: it is in another script or language, or has no text."""

    pictures: PagePictures
    recogniser: TextRecogniser
    min_confidence: float = 0.7
    at_once: int = 1

    async def name(self) -> str:
        """The name of the recogniser. Raises Refused, saying what to install if something is missing."""
        return await self.recogniser.name()

    async def recognise(self, path: Path, pages: Sequence[int], progress: Progress | None) -> Recognition:
        """The text of 1-based `pages` of the PDF `path`."""
        started = time.perf_counter()
        found, left = Recognition(), deque(pages)

        async def drain() -> None:
            while left:
                await self._page(path, left.popleft(), found)
                if progress:
                    progress(len(found.layers) + found.unsure + found.failed, len(pages))

        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.at_once, len(pages))):
                group.create_task(drain())
        found.seconds = time.perf_counter() - started
        return found

    async def _page(self, path: Path, page: int, found: Recognition) -> None:
        try:
            layer, script = await self._best(path, page)
        except Refused:
            found.failed += 1
            return
        if layer is not None:
            found.layers[page] = layer
            return
        found.unsure += 1
        found.scripts.update({script} - {""})

    async def _best(self, path: Path, page: int) -> tuple[PageLayer | None, str]:
        """The text of a page, read again if it is sideways or upside down; None if it is not read reliably,
        with the script that it appears to be in."""
        picture = await self.pictures.picture(path, page, dpi=DPI)
        text = await self.recogniser.recognise(picture, dpi=DPI)
        if not text.words or (self._is_sure(text) and not text.sideways):
            return (PageLayer(layer=text.layer) if text.words else None), ""
        orientation = await self.recogniser.orientation(picture, dpi=DPI)
        if orientation.turn:
            picture = await self.pictures.picture(path, page, dpi=DPI, turn=orientation.turn)
            again = await self.recogniser.recognise(picture, dpi=DPI)
            if self._is_sure(again):
                return PageLayer(layer=again.layer, turn=orientation.turn), ""
        return (PageLayer(layer=text.layer) if self._is_sure(text) else None), orientation.script

    def _is_sure(self, text: RecognisedText) -> bool:
        return text.words > 0 and text.confidence >= self.min_confidence

    async def layered(self, path: Path, layers: dict[int, PageLayer]) -> bytes:
        """The PDF `path` with the recognised texts laid over their pages. Raises Refused."""
        return await self.pictures.with_layers(path, layers)


def needing(reading: DocumentReading) -> list[int]:
    """Numbers of the pages whose text has to be recognised."""
    return [item.page.number for item in reading.pages if item.trouble in RECOGNISABLE]


Steps = Callable[[str, int, int], None]
"""Called with (stage, done, total); stages are read and ocr."""

Report = Callable[[str, str, int, int], None]
"""Called with (file, stage, done, total); stages are read, ocr and embed."""


class Admission:
    """Admits a file, or quarantines and refuses it. If the scanner does not respond, nothing is admitted."""

    def __init__(self, scanner: VirusScanner, quarantine: Quarantine) -> None:
        self._scanner = scanner
        self._quarantine = quarantine

    async def check(self, path: Path, name: str) -> None:
        """Raises Refused (file.infected, file.not_scanned) for a file that was set aside."""
        try:
            infection = await self._scanner.infection(path)
        except Unavailable as error:
            place = await self._quarantine.keep(path, name=name, reason=error.detail)
            detail = f"the virus scanner cannot tell ({error.detail}); the file is set aside in {place}"
            raise Refused("file.not_scanned", detail) from error
        if infection is not None:
            place = await self._quarantine.keep(path, name=name, reason=infection)
            raise Refused("file.infected", f"the virus scanner found {infection}; it is set aside in {place}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    """The pages of a file. `recogniser` names the text recognition used for pages without text, "" if none
    was; `advice` says how to obtain text for such pages; `ocr_seconds` is the time it took."""

    reading: DocumentReading
    recogniser: str = ""
    advice: str = ""
    ocr_seconds: float = 0.0


def steps_of(report: Report | None, file: str) -> Steps:
    """The steps of one file, reported if somebody listens."""
    return partial(report, file) if report else lambda *_: None


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads files as pages. Without `scans`, no OCR is done; without `converter` only PDFs are read; without
    `admission` every file is admitted."""

    pdf: PdfToolkit
    originals: Originals
    scans: ScanReader | None = None
    converter: Converter | None = None
    admission: Admission | None = None

    async def read(
        self, path: Path, seen: StoredFile, *, name: str, max_pages: int | None, steps: Steps
    ) -> FileRead:
        """The pages of the file at `path`, known as `name`; a PDF made from it is stored under
        `seen.original`. Raises Refused."""
        if self.admission is not None:
            await self.admission.check(path, name)
        path, warnings = await self._as_pdf(path, seen, name)
        reading = await self.pdf.read(
            path, max_pages=max_pages, progress=lambda done, total: steps("read", done, total)
        )
        reading = _with(reading, warnings)
        pages = needing(reading)
        if not pages or self.scans is None:
            return FileRead(reading=reading)
        try:
            recogniser = await self.scans.name()
        except Refused as error:
            return FileRead(reading=_with(reading, ((error.key, len(pages)),)), advice=error.detail)
        found = await self.scans.recognise(path, pages, lambda done, total: steps("ocr", done, total))
        if found.layers:
            reading = await self._with_layers(self.scans, path, seen, reading, found)
        return FileRead(
            reading=_with(reading, found.warnings),
            recogniser=recogniser,
            advice=_advice(recogniser, found),
            ocr_seconds=found.seconds,
        )

    async def _as_pdf(
        self, path: Path, seen: StoredFile, name: str
    ) -> tuple[Path, tuple[tuple[str, int], ...]]:
        """The path of the PDF, and warnings about the conversion."""
        if seen.kind == "pdf":
            return path, ()
        if self.converter is None or seen.kind == "empty":
            raise Refused("file.unsupported", f"{name} is {seen.kind}, not a PDF", kind=seen.kind)
        made = await self.converter.convert(path, seen.kind, name)
        warnings = made.warnings if isinstance(made, WarnedPdf) else ()
        return await self.originals.keep_pages(seen.original, made), warnings

    async def _with_layers(
        self, scans: ScanReader, path: Path, seen: StoredFile, reading: DocumentReading, found: Recognition
    ) -> DocumentReading:
        """`reading` with the recognised pages as read back from the stored PDF."""
        made = await self.originals.keep_pages(seen.original, await scans.layered(path, found.layers))
        again = await self.pdf.read(made, max_pages=len(reading.pages))
        pages = tuple(
            _recognised(new, old) if old.page.number in found.layers else old
            for old, new in zip(reading.pages, again.pages, strict=True)
        )
        return replace(reading, pages=pages)

    async def reads_more(self, version: DocumentVersion) -> bool:
        """Whether the current text recognition would read pages of `version` that have no text, or differs
        from the one used then."""
        before = recogniser_of(version.pipeline)
        keys = {warning.partition(":")[0] for warning in version.warnings}
        if self.scans is None or not (before or keys & {"pages.scan", "pages.garbled"}):
            return False
        try:
            return await self.scans.name() != before
        except Refused:
            return False


def _recognised(new: PageReading, old: PageReading) -> PageReading:
    """A page that was read back; few words on a picture are no longer a problem once recognised."""
    trouble = None if new.page.words and new.trouble is PageTrouble.SCAN else new.trouble
    return replace(new, page=replace(new.page, label=old.page.label), trouble=trouble)


def _advice(recogniser: str, found: Recognition) -> str:
    unread = found.unsure + found.failed
    if not unread:
        return ""
    looks = f" (the script looks like {' and '.join(sorted(found.scripts))})" if found.scripts else ""
    return (
        f"{recogniser} read {unread} page{'s' if unread > 1 else ''} without confidence{looks}: install the "
        "language of the text and name it under [ocr] languages, or bring a better scan"
    )


def _with(reading: DocumentReading, warnings: tuple[tuple[str, int], ...]) -> DocumentReading:
    return replace(reading, warnings=(*reading.warnings, *warnings))
