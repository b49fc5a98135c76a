"""A part of a page as a picture. Runs in the worker."""

from typing import Any

import pymupdf

from adapters.pymupdf.errors import PdfError
from adapters.pymupdf.mending import mend

DPI = 200
LONGEST = 1600
"""Pixels of the longest side at most; larger parts get fewer dots per inch."""
_ROUND = 3.0  # points shown around the part


def cutout(document: Any, number: int, box: tuple[float, ...]) -> bytes:
    """PNG of what shows in `box` (of the unrotated crop box) of 1-based page `number`, upright as shown.
    Raises PdfError: no_such_page, broken where the box is not on the page."""
    if not 1 <= number <= document.page_count:
        raise PdfError("pdf.no_such_page", f"page {number} of {document.page_count}")
    mend(document, number)
    page = document[number - 1]
    shown = pymupdf.Rect(box) * page.rotation_matrix
    clip = (shown + (-_ROUND, -_ROUND, _ROUND, _ROUND)) & page.rect  # noqa: RUF005 - moves the corners
    if (shown & page.rect).is_empty:
        raise PdfError("pdf.broken", f"there is nothing of page {number} in that part")
    scale = min(DPI / 72, LONGEST / max(clip.width, clip.height))
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=clip, alpha=False)
    return bytes(pixmap.tobytes("png"))
