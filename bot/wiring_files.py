"""Settings to what reads files: PDFs, scans, other formats."""

from adapters.conversion.converter import DocumentConverter
from adapters.conversion.office import Office
from adapters.ocr.tesseract import Tesseract
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from bot.settings import Settings
from core.library.formats import FileReader
from core.library.scans import ScanReader
from core.ports import Originals


def file_reader(settings: Settings, pdf: PyMuPdfToolkit, originals: Originals) -> FileReader:
    """Reads files of all kinds as pages."""
    return FileReader(pdf, originals, scans=_scans(settings, pdf), converter=DocumentConverter(Office()))


def _scans(settings: Settings, pdf: PyMuPdfToolkit) -> ScanReader | None:
    ocr = settings.ocr
    if ocr.enabled == "off":
        return None
    recogniser = Tesseract(ocr.languages, workers=ocr.workers)
    return ScanReader(pdf, recogniser, min_confidence=ocr.min_confidence, at_once=ocr.workers)


async def recognition(settings: Settings) -> str:
    """What recognises the text of scans. Raises Refused where something has to be installed."""
    if settings.ocr.enabled == "off":
        return "off"
    return await Tesseract(settings.ocr.languages).name()


def office() -> str:
    """Whether there is a LibreOffice."""
    return "LibreOffice" if Office().installed else f"without LibreOffice; {Office.ADVICE}"


async def containment(settings: Settings) -> str:
    """What holds the processes that read PDFs."""
    pdf = PyMuPdfToolkit(workers=1)
    try:
        return f"{settings.pdf.workers} contained workers: {await pdf.containment()}"
    finally:
        await pdf.close()
