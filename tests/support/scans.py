"""Pictures of pages, as a scanner makes them, and a recogniser for their text."""

import shutil
from pathlib import Path

import pytest

from tests.support.pdfs import pymupdf, saved

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None,
    reason="Tesseract is not installed: apt-get install tesseract-ocr tesseract-ocr-deu",
)

LEFT = (
    "Wir führen einen Mindestlohn von fünfzehn Euro ein. Er gilt ab dem ersten Januar für alle Beschäftigten "
    "der Gemeinde, auch für die Aushilfen in den Schulen und Kindergärten."
)
RIGHT = (
    "Der Busverkehr fährt künftig alle zehn Minuten. Die Fahrpreise sinken um ein Drittel, und für Kinder "
    "unter zwölf Jahren ist die Fahrt kostenlos."
)


def printed(*columns: str, turned: int = 0) -> bytes:
    """A one-page PDF with text in columns."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    width = 495 / len(columns)
    for at, column in enumerate(columns):
        box = pymupdf.Rect(50 + at * width, 80, 35 + (at + 1) * width, 780)
        page.insert_textbox(box, column, fontsize=12)
    page.set_rotation(turned)
    return bytes(document.tobytes())


def scanned(path: Path, *pages: bytes, dpi: int = 200) -> Path:
    """A PDF of pictures of one-page PDFs."""
    document = pymupdf.open()
    for pdf in pages:
        with pymupdf.open(stream=pdf, filetype="pdf") as source:
            pixmap = source[0].get_pixmap(dpi=dpi)
            page = document.new_page(width=pixmap.width * 72 / dpi, height=pixmap.height * 72 / dpi)
            page.insert_image(page.rect, stream=pixmap.tobytes("jpeg", jpg_quality=80))
    return saved(document, path)


def laid(path: Path, degrees: float) -> Path:
    """The scan with its first page put on the glass turned clockwise by `degrees`."""
    with pymupdf.open(path) as document:
        pixmap = document[0].get_pixmap(matrix=pymupdf.Matrix(200 / 72, 200 / 72).prerotate(degrees))
    made = pymupdf.open()
    page = made.new_page(width=pixmap.width * 0.36, height=pixmap.height * 0.36)
    page.insert_image(page.rect, stream=pixmap.tobytes("jpeg", jpg_quality=80))
    return saved(made, path)


def noise(path: Path) -> Path:
    """A picture of marks that are not text."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for row in range(20):
        for column in range(30):
            x, y = 60 + 16 * column, 60 + 18 * row
            kind = (row * 7 + column * 3) % 4
            page.draw_circle((x, y), 2 + kind, color=(0, 0, 0), width=1.2)
            page.draw_line((x - 5, y + kind * 2 - 4), (x + 6, y - kind), color=(0, 0, 0), width=1)
    return scanned(path, bytes(document.tobytes()))
