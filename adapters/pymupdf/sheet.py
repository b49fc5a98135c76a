"""Two one-page PDFs beside each other on one sheet, for people who compare. Runs in the worker.

The pages are what `highlight.one_page` made: nothing of the rest of their document is in them, and internal
ones are pictures. Their marks become part of the page, since annotations do not travel with a placed page.
"""

from collections.abc import Sequence
from typing import Any

import pymupdf

from adapters.pymupdf import highlight, leaks
from adapters.pymupdf.table import shown

WIDTH, HEIGHT = 1190.55, 841.89
"""A3 across: two pages of A4 in almost their own size."""
_MARGIN, _GAP = 24.0, 24.0
_HEADING = 40.0
"""Height of the line above a page."""
_STYLE = "* { font-family: sans-serif; font-size: 11pt; }"
_FRAME = (0.6, 0.6, 0.6)


def sheet_pdf(captions: Sequence[str], pages: Sequence[bytes | None]) -> bytes:
    """The sheet: a place for each page from left to right, its caption above, empty where there is none. A
    sheet that would carry more than is seen on it becomes a picture."""
    sheet = pymupdf.open()
    target = sheet.new_page(width=WIDTH, height=HEIGHT)
    width = (WIDTH - 2 * _MARGIN - _GAP * (len(pages) - 1)) / len(pages)
    said = list(captions)
    for number, (caption, page) in enumerate(zip(captions, pages, strict=True)):
        left = _MARGIN + number * (width + _GAP)
        target.insert_htmlbox((left, _MARGIN, left + width, _HEADING), shown(caption), css=_STYLE)
        place = pymupdf.Rect(left, _MARGIN + _HEADING - 16, left + width, HEIGHT - _MARGIN)
        if page is not None:
            said.append(_placed(target, place, page))
        target.draw_rect(place, color=_FRAME, width=0.5)
    sheet.subset_fonts()
    leaks.strip(sheet)
    pdf = bytes(sheet.tobytes(**highlight.SAVE))
    return pdf if leaks.found(pdf, " ".join(said)) is None else highlight.raster_page(target)


def _placed(target: Any, place: Any, pdf: bytes) -> str:
    """Put the page into its place, as large as it fits; returns its text."""
    single = pymupdf.open(stream=pdf, filetype="pdf")
    try:
        text = str(single[0].get_text())
        single.bake()
        target.show_pdf_page(place, single, 0)
        return text
    finally:
        single.close()
