"""Pages by number and upright, and rectangles on them as (x0, y0, x1, y1) in points, y downwards."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from adapters.pymupdf.protocol import PdfError
from core.domain.pages import Box

Rect = tuple[float, float, float, float]


def page_of(document: Any, number: int) -> Any:
    """The 1-based page `number`. Raises PdfError: no_such_page."""
    if not 1 <= number <= document.page_count:
        raise PdfError("pdf.no_such_page", f"page {number} of {document.page_count}")
    return document[number - 1]


@contextmanager
def upright(page: Any) -> Iterator[Any]:
    """The page without its rotation, for as long as it is worked on."""
    rotation = page.rotation
    if rotation:
        page.set_rotation(0)
    try:
        yield page
    finally:
        if rotation:
            page.set_rotation(rotation)


def corners(box: Box) -> Rect:
    """A box as a rectangle."""
    return box.x0, box.y0, box.x1, box.y1


def union(boxes: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all `boxes`, one at least."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def inside(box: Rect, other: Rect) -> Rect | None:
    """What two boxes share, be it an edge; None where they stand apart."""
    shared = max(box[0], other[0]), max(box[1], other[1]), min(box[2], other[2]), min(box[3], other[3])
    return shared if shared[0] <= shared[2] and shared[1] <= shared[3] else None


def holds(box: Rect, inner: Rect) -> bool:
    """Whether the middle of `inner` is in `box`."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def area(box: Rect) -> float:
    """Square points."""
    return (box[2] - box[0]) * (box[3] - box[1])


def sides(box: Rect) -> tuple[float, float]:
    """Width and height."""
    return box[2] - box[0], box[3] - box[1]


def gap(one: Rect, other: Rect) -> float:
    """Points between two boxes, the larger of across and down; 0 where they touch."""
    return max(aside(one, other), apart(one, other))


def apart(one: Rect, other: Rect) -> float:
    """Points between the heights of two boxes; 0 where one is beside the other."""
    return max(0.0, max(one[1], other[1]) - min(one[3], other[3]))


def aside(one: Rect, other: Rect) -> float:
    """Points that two boxes stand apart from left to right; 0 where one is over the other."""
    return max(0.0, max(one[0], other[0]) - min(one[2], other[2]))


class PageRotation(NamedTuple):
    """The way from the unrotated page of `width` and `height` to the page as it is shown."""

    rotation: int
    width: float
    height: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the page as it is shown."""
        return (self.height, self.width) if self.rotation in (90, 270) else (self.width, self.height)

    def __call__(self, box: Rect) -> Rect:
        """A box as it is shown."""
        x0, y0, x1, y1 = box
        if self.rotation == 90:
            return self.height - y1, x0, self.height - y0, x1
        if self.rotation == 180:
            return self.width - x1, self.height - y1, self.width - x0, self.height - y0
        if self.rotation == 270:
            return y0, self.width - x1, y1, self.width - x0
        return box

    def back(self, box: Rect) -> Rect:
        """A box of the page as it is shown, unrotated."""
        width, height = self.size
        return PageRotation(-self.rotation % 360, width, height)(box)
