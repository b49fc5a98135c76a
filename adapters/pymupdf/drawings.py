"""Drawings and pictures of a page: what is painted close together and is no text. Runs in the worker.

Backgrounds, panels behind text, rules, and what stands in running headers are none.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from pymupdf import mupdf

from adapters.pymupdf.rectangles import PageRotation, Rect, area, holds, inside, sides, union

MAX_SHARE = 0.7
"""Share of the page above which something painted is its background."""
MAX_PAINTED, MAX_SHAPES, MAX_DRAWINGS = 50_000, 4_000, 40
"""Things of a page that are considered: painted ones, the largest of these, drawings."""

_TOGETHER = 12.0  # points between painted things of one drawing
_CELL = 6.0
_RULE, _LONG = 2.0, 0.85  # points, share of the page
_PART = 9.0  # points of the shorter side of a drawing
_EDGE = 0.09  # share of the page's height where running headers and their logos stand
_PANEL_LINES = 2


def _shapes(page: Any, turn: PageRotation) -> list[Rect]:
    """Images, filled and stroked shapes of the page's own content, inside the page."""
    options = mupdf.FzStextOptions()
    options.flags = mupdf.FZ_STEXT_COLLECT_VECTORS | mupdf.FZ_STEXT_PRESERVE_IMAGES
    text_page = mupdf.FzStextPage(mupdf.FzRect(*page.rect))
    device = mupdf.fz_new_stext_device(text_page, options)
    with suppress(RuntimeError, mupdf.FzErrorBase):  # a broken picture: what came before it counts
        mupdf.fz_run_page_contents(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
        mupdf.fz_close_device(device)
    found = []
    for block in text_page:
        inner = block.m_internal
        if inner.type in (mupdf.FZ_STEXT_BLOCK_VECTOR, mupdf.FZ_STEXT_BLOCK_IMAGE):
            raw = (inner.bbox.x0, inner.bbox.y0, inner.bbox.x1, inner.bbox.y1)
            box = inside(turn(raw), (0.0, 0.0, *turn.size))
            if box is not None:
                found.append(box)
                if len(found) >= MAX_PAINTED:
                    break
    return found


def drawings(page: Any, turn: PageRotation, captions: Sequence[Rect], prose: Sequence[Rect]) -> list[Rect]:
    """The drawings and pictures of `page`, which is not turned, as they are shown. What has a caption or
    several lines of `prose` on it is a panel behind text."""
    shapes = sorted(_shapes(page, turn), key=area, reverse=True)[:MAX_SHAPES]
    kept = [box for box in shapes if _may_be_drawing(box, turn.size) and not _is_panel(box, captions, prose)]
    return [box for box in _clusters(kept) if min(sides(box)) >= _PART][:MAX_DRAWINGS]


def _may_be_drawing(box: Rect, size: tuple[float, float]) -> bool:
    """Whether it is neither a background nor a rule, and not in a running header or footer."""
    width, height = size
    if area(box) > MAX_SHARE * width * height:
        return False
    if box[3] < _EDGE * height or box[1] > (1 - _EDGE) * height:
        return False
    across, down = sides(box)
    return not (min(across, down) < _RULE and max(across / width, down / height) > _LONG)


def _is_panel(box: Rect, captions: Sequence[Rect], prose: Sequence[Rect]) -> bool:
    if any(holds(box, caption) for caption in captions):
        return True
    return sum(holds(box, line) for line in prose) >= _PANEL_LINES


def _clusters(boxes: Sequence[Rect]) -> list[Rect]:
    """The bounds of boxes that are at most `_TOGETHER` apart, by the cells of a grid that they touch."""
    parent: dict[tuple[int, int], tuple[int, int]] = {}

    def root(cell: tuple[int, int]) -> tuple[int, int]:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    first: list[tuple[int, int]] = []
    for box in boxes:
        cells = list(_cells(box))
        for cell in cells:
            parent.setdefault(cell, cell)
            parent[root(cell)] = root(cells[0])
        first.append(cells[0])
    bounds: dict[tuple[int, int], Rect] = {}
    for box, cell in zip(boxes, first, strict=True):
        top = root(cell)
        bounds[top] = union((bounds[top], box)) if top in bounds else box
    return _merged(list(bounds.values()))


def _cells(box: Rect) -> Iterator[tuple[int, int]]:
    """The cells under the outline of a box that is half of `_TOGETHER` larger on each side."""
    reach = _TOGETHER / 2
    x0, y0 = int((box[0] - reach) // _CELL), int((box[1] - reach) // _CELL)
    x1, y1 = int((box[2] + reach) // _CELL), int((box[3] + reach) // _CELL)
    for x in range(x0, x1 + 1):
        yield x, y0
        yield x, y1
    for y in range(y0 + 1, y1):
        yield x0, y
        yield x1, y


def _merged(boxes: list[Rect]) -> list[Rect]:
    """Boxes that lie over each other as one, the largest first."""
    boxes = sorted(boxes, key=area, reverse=True)[: 4 * MAX_DRAWINGS]
    found: list[Rect] = []
    for box in boxes:
        for i, other in enumerate(found):
            if inside(box, other) is not None:
                found[i] = union((box, other))
                break
        else:
            found.append(box)
    return found
