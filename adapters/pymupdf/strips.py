"""The strip of a page around what is marked on it, for small screens. Runs in the worker."""

from collections.abc import Sequence
from typing import Any

import pymupdf

NARROWEST = 250.0
"""Points of the page that a strip is wide at least: at 300 pixels of a screen, running text stays legible."""
LEGIBLE = 1.0
"""Pixels a point at least: wider lines are shown in part, without the words that the edges cut."""
_HIGH = 0.4
"""Of its width."""
_ROUND = 8.0
"""Points shown around what is marked."""
_QUALITY = 85
_HIGHLIGHT = 8  # PDF_ANNOT_HIGHLIGHT, which the library's type stubs lack


def strip(document: Any, pixels: int) -> bytes:
    """JPEG, `pixels` wide, of the first page of a one-page PDF: the lines of the words that stand out, else
    of all that is marked, else the page's top. Lines are whole while that is legible; no word is cut, at the
    sides or above and below."""
    page = document[0]
    marks = _marks(page)
    lines = _lines(page)
    words = _words(lines, [box for each in marks for box in each])
    clip = around(marks[-1] if marks else [], page.rect, words, widest=pixels / LEGIBLE)
    scale = pixels / clip.width
    left, top = round(clip.x0 * scale), round(clip.y0 * scale)  # whole pixels, or there is one more
    clip = pymupdf.Rect(left, top, left + pixels, top + round(clip.height * scale)) / scale
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=clip, alpha=False)
    for word in (word for line in lines for word in line):
        if word.intersects(clip) and not clip.contains(word):
            _cover(pixmap, (word * scale).irect & pixmap.irect)
    return bytes(pixmap.tobytes("jpeg", jpg_quality=_QUALITY))


def _cover(pixmap: Any, box: Any) -> None:
    """What is left of a word that an edge cuts, in the colour of the paper beside it: of its corners, that is
    most of them."""
    if box.is_empty:
        return
    x0, y0 = box.x0 - pixmap.x, box.y0 - pixmap.y
    corners = [(x, y) for x in (x0, x0 + box.width - 1) for y in (y0, y0 + box.height - 1)]
    colours = [pixmap.pixel(*corner) for corner in corners]
    pixmap.set_rect(box, max(colours, key=lambda colour: (colours.count(colour), sum(colour))))


def _marks(page: Any) -> list[list[Any]]:
    """The boxes of each highlight, as shown; what stands out lies over the rest."""
    rotation = page.rotation
    page.set_rotation(0)
    found = [annotation.vertices for annotation in page.annots(types=[_HIGHLIGHT])]
    page.set_rotation(rotation)
    return [
        [
            pymupdf.Quad(points[start : start + 4]).rect * page.rotation_matrix
            for start in range(0, len(points), 4)
        ]
        for points in found
    ]


def _lines(page: Any) -> list[list[Any]]:
    """The boxes of the words of each line, as shown; a scanned page has none."""
    lines: dict[tuple[int, int], list[Any]] = {}
    for x0, y0, x1, y1, _, block, line, _ in page.get_text("words"):
        lines.setdefault((block, line), []).append(pymupdf.Rect(x0, y0, x1, y1) * page.rotation_matrix)
    return list(lines.values())


def _words(lines: Sequence[Sequence[Any]], marked: Sequence[Any]) -> list[Any]:
    """The boxes of all words on the lines of what is marked."""
    return [
        word
        for line in lines
        if any(pymupdf.Point((w.x0 + w.x1) / 2, (w.y0 + w.y1) / 2) in box for w in line for box in marked)
        for word in line
    ]


def around(marked: Sequence[Any], page: Any, words: Sequence[Any] = (), *, widest: float) -> Any:
    """The part of `page` to show: all of `marked` and the whole lines of `words` in its middle where that
    fits into `widest` points, else from where `marked` begins."""
    marked = marked or [pymupdf.Rect(page.x0, page.y0, page.x0, page.y0)]
    whole, lines = _union(marked), _union([*marked, *words])
    width = min(max(lines.width + 2 * _ROUND, NARROWEST), widest, page.width)
    height = min(_HIGH * width, page.height)
    left = _from(lines.x0, lines.x1, marked[0].x0, width, page.x0, page.x1)
    top = _from(whole.y0, whole.y1, marked[0].y0, height, page.y0, page.y1)
    return pymupdf.Rect(left, top, left + width, top + height)


def _union(boxes: Sequence[Any]) -> Any:
    return pymupdf.Rect(
        *(min(box[side] for box in boxes) for side in (0, 1)),
        *(max(box[side] for box in boxes) for side in (2, 3)),
    )


def _from(low: float, high: float, first: float, length: float, least: float, most: float) -> float:
    """Where a side of the strip begins, within the page; nothing is shown behind the end while something
    before it is not."""
    fits = high - low + 2 * _ROUND <= length
    wanted = (low + high - length) / 2 if fits else min(first - _ROUND, high + _ROUND - length)
    return float(max(least, min(wanted, most - length)))
