"""Pages as pictures for text recognition, and its text laid over them. Runs in the worker."""

from collections.abc import Mapping
from typing import Any

import pymupdf

from adapters.pymupdf.errors import PdfError
from adapters.pymupdf.skew import skew

MAX_PIXELS = 40_000_000
"""An A3 page at 300 dpi has 17 million; larger pages get fewer dots per inch."""
SHOWN_DPI, SHOWN_QUALITY = 150, 70
SKEW_DPI = 75
_SAVE = {"garbage": 3, "deflate": True, "use_objstms": 1, "no_new_id": True, "encryption": 1}


def picture(document: Any, number: int, dpi: int, turn: int) -> bytes:
    """PNG in grey of 1-based page `number` as it is shown, turned clockwise and level."""
    page = _page(document, number)
    pixmap = _pixmap(page, _view(page, turn), dpi, pymupdf.csGRAY)
    pixmap.set_dpi(dpi, dpi)
    return bytes(pixmap.tobytes("png"))


def with_layers(document: Any, layers: Mapping[int, tuple[bytes, int]]) -> bytes:
    """The document with the pages of `layers` (text, turn) as pictures under that text. A page that was
    turned becomes upright, so its text is not."""
    for number, (layer, turn) in sorted(layers.items()):
        page = _page(document, number)
        view = _view(page, turn)
        shown = page.rect * view
        pixmap = _pixmap(page, view, SHOWN_DPI, pymupdf.csRGB)
        fresh = document.new_page(pno=number - 1, width=shown.width, height=shown.height)
        fresh.insert_image(fresh.rect, stream=pixmap.tobytes("jpeg", jpg_quality=SHOWN_QUALITY))
        with pymupdf.open(stream=layer, filetype="pdf") as text:
            fresh.show_pdf_page(fresh.rect, text, 0, keep_proportion=False)
        document.delete_page(number)
    return bytes(document.tobytes(**_SAVE))


def _page(document: Any, number: int) -> Any:
    if not 1 <= number <= document.page_count:
        raise PdfError("pdf.no_such_page", f"page {number} of {document.page_count}")
    return document[number - 1]


def _view(page: Any, turn: int) -> Any:
    """The matrix that turns a page clockwise by `turn` degrees and its lines level. Tesseract loses whole
    blocks of a page that lies askew by 3 degrees."""
    small = _pixmap(page, pymupdf.Matrix(1, 1).prerotate(turn), SKEW_DPI, pymupdf.csGRAY)
    return pymupdf.Matrix(1, 1).prerotate(turn - skew(small.samples, small.width, small.height))


def _pixmap(page: Any, view: Any, dpi: int, colours: Any) -> Any:
    shown = page.rect * view
    pixels = shown.width * shown.height * (dpi / 72) ** 2
    scale = dpi / 72 * min(1.0, (MAX_PIXELS / max(pixels, 1.0)) ** 0.5)
    matrix = view * pymupdf.Matrix(scale, scale)
    return page.get_pixmap(matrix=matrix, colorspace=colours, alpha=False)
