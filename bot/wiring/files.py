"""From settings to file readers: PDFs, scans, other formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.settings.tree import Settings

if TYPE_CHECKING:
    from adapters.clamav.scanner import ClamAv
    from adapters.pymupdf.toolkit import PyMuPdfToolkit
    from core.library.formats import FileReader
    from core.library.scans import ScanReader
    from core.ports.clock import Clock
    from core.ports.originals import Originals

QUARANTINE = "quarantine"
"""Folder of the files set aside, in the data folder."""


def file_reader(settings: Settings, pdf: PyMuPdfToolkit, originals: Originals, clock: Clock) -> FileReader:
    """Reads files of all kinds as pages."""
    from adapters.conversion.converter import DocumentConverter, Office
    from adapters.files.originals import QuarantineFolder
    from bot.wiring.plugins import converter
    from core.library.formats import Admission, FileReader

    scanner = _scanner(settings)
    quarantine = QuarantineFolder(settings.data / QUARANTINE, clock)
    return FileReader(
        pdf,
        originals,
        scans=_scans(settings, pdf),
        converter=converter(settings, DocumentConverter(Office())),
        admission=Admission(scanner, quarantine) if scanner else None,
    )


def pdf_toolkit(settings: Settings) -> PyMuPdfToolkit:
    """Reads PDFs; with Tesseract, where it is installed, for cited lines whose fonts nothing vouches for."""
    from adapters.ocr.tesseract import Tesseract
    from adapters.pymupdf.toolkit import PyMuPdfToolkit

    ocr = settings.ocr
    recogniser = Tesseract(ocr.languages, workers=settings.pdf.workers)
    used = recogniser.installed and ocr.enabled != "off"
    return PyMuPdfToolkit(workers=settings.pdf.workers, recogniser=recogniser if used else None)


def _scanner(settings: Settings) -> ClamAv | None:
    from adapters.clamav.scanner import ClamAv

    stated = settings.clamav
    if not (stated.socket or stated.host):
        return None
    return ClamAv(host=stated.host, port=stated.port, path=stated.socket, timeout_s=stated.timeout_s)


async def virus_scanner(settings: Settings) -> str:
    """What looks at files first. Raises Unavailable where it does not answer."""
    scanner = _scanner(settings)
    return await scanner.version() if scanner else "none"


def set_aside(settings: Settings) -> int:
    """Files in quarantine."""
    from adapters.files.originals import ENDING

    return len(list((settings.data / QUARANTINE).glob(f"*{ENDING}")))


def _scans(settings: Settings, pdf: PyMuPdfToolkit) -> ScanReader | None:
    from adapters.ocr.tesseract import Tesseract
    from core.library.scans import ScanReader

    ocr = settings.ocr
    if ocr.enabled == "off":
        return None
    recogniser = Tesseract(ocr.languages, workers=ocr.workers)
    return ScanReader(pdf, recogniser, min_confidence=ocr.min_confidence, at_once=ocr.workers)


async def recognition(settings: Settings) -> str:
    """What recognises the text of scans. Raises Refused where something has to be installed."""
    from adapters.ocr.tesseract import Tesseract

    if settings.ocr.enabled == "off":
        return "off"
    return await Tesseract(settings.ocr.languages).name()


def office() -> str:
    """The finding about LibreOffice."""
    from adapters.conversion.converter import Office

    return "LibreOffice" if Office().installed else f"without LibreOffice; {Office.ADVICE}"


async def containment(settings: Settings) -> str:
    """The containment measures of the processes that read PDFs."""
    from adapters.pymupdf.toolkit import PyMuPdfToolkit

    pdf = PyMuPdfToolkit(workers=1)
    try:
        return f"{settings.pdf.workers} contained workers: {await pdf.containment()}"
    finally:
        await pdf.close()
