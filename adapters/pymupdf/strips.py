"""The strip of a page around what is marked on it, for small screens. Runs in the worker."""

from typing import Any

import pymupdf

NARROWEST, WIDEST = 250.0, 300.0
"""Points of the page that a strip is wide: at 300 pixels of a screen, running text stays legible."""
_HIGH = 0.4
"""Of its width."""
_ROUND = 8.0
"""Points shown around what is marked."""
_QUALITY = 85
_HIGHLIGHT = 8  # PDF_ANNOT_HIGHLIGHT, which the library's type stubs lack


def strip(document: Any, pixels: int) -> bytes:
    """JPEG, `pixels` wide, of the first page of a one-page PDF: the words that stand out, else all that is
    marked, else the page's top."""
    page = document[0]
    clip = around(_marked(page), page.rect)
    scale = pixels / clip.width
    left, top = round(clip.x0 * scale), round(clip.y0 * scale)  # whole pixels, or there is one more
    clip = pymupdf.Rect(left, top, left + pixels, top + round(clip.height * scale)) / scale
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=clip, alpha=False)
    return bytes(pixmap.tobytes("jpeg", jpg_quality=_QUALITY))


def _marked(page: Any) -> list[Any]:
    """The boxes of the last highlight, as shown: what stands out lies over the rest."""
    rotation = page.rotation
    page.set_rotation(0)
    found = [annotation.vertices for annotation in page.annots(types=[_HIGHLIGHT])]
    page.set_rotation(rotation)
    points = found[-1] if found else []
    quads = [pymupdf.Quad(points[start : start + 4]) for start in range(0, len(points), 4)]
    return [quad.rect * page.rotation_matrix for quad in quads]


def around(marked: list[Any], page: Any) -> Any:
    """The part of `page` to show: all of `marked` in its middle where that fits, else from its beginning."""
    if not marked:
        marked = [pymupdf.Rect(page.x0, page.y0, page.x0, page.y0)]
    whole = pymupdf.Rect(marked[0])
    for box in marked[1:]:
        whole |= box
    width = min(max(whole.width + 2 * _ROUND, NARROWEST), WIDEST, page.width)
    height = min(_HIGH * width, page.height)
    left = _from(whole.x0, whole.x1, marked[0].x0, width, page.x0, page.x1)
    top = _from(whole.y0, whole.y1, marked[0].y0, height, page.y0, page.y1)
    return pymupdf.Rect(left, top, left + width, top + height)


def _from(low: float, high: float, first: float, length: float, least: float, most: float) -> float:
    """Where a side of the strip begins, within the page."""
    fits = high - low + 2 * _ROUND <= length
    wanted = (low + high - length) / 2 if fits else first - _ROUND
    return float(max(least, min(wanted, most - length)))
