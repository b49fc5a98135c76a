"""Turns a file of any kind into pages: other formats are converted to PDF once, pages without text go through
OCR.

The resulting PDF is stored beside the original, so that quotes, pages and highlights work the same for all
formats.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.domain.documents import DocumentVersion, StoredFile
from core.domain.pages import DocumentReading, PageReading, PageTrouble
from core.errors import Refused, Unavailable
from core.library.pipeline import recogniser_of
from core.library.scans import Recognition, ScanReader, needing
from core.ports.files import Converter, Quarantine, VirusScanner, WarnedPdf
from core.ports.originals import Originals
from core.ports.pdf import PdfToolkit

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
