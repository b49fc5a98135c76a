"""Figures of a page: pictures and drawings that a caption names. Runs in the worker.

Only a page with a line that begins as a caption does ("Abb. 3:", "Figure 2.", "Karte:") is considered. Here
coordinates are those of the page as it is shown; what is returned has those of the words.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from pymupdf import mupdf

from adapters.pymupdf.rectangles import (
    PageRotation,
    Rect,
    apart,
    area,
    aside,
    corners,
    gap,
    holds,
    inside,
    sides,
    union,
)
from core.domain.pages import Box, Region, RegionKind, Word

MIN_SIDE = 36.0
"""Points; anything smaller is an icon or a rule."""
MAX_CAPTIONS = 20
"""Maximum captions considered on a page."""

_NAMES = (
    "abb(?:ildung)?|bild|chart|darstellung|diagramm?|exhibit|fig(?:ure|ur)?|foto|graf?ik|graph(?:ik)?|illustration"
    "|image|infogra(?:f|ph)i[kc]|karte|map|photo|picture|plate|plot|schaubild|scheme|skizze"
)
_NUMBER = r"(?:\d{1,3}|[A-Z]|[IVX]{1,5})(?:[.–-]\d{1,3}){0,2}[a-z]?"
CAPTION = re.compile(
    rf"\W?(?i:{_NAMES})\b\.?(?:\s*(?P<number>{_NUMBER})(?:\s*[.:|)–—-](?!\d)|\s+(?=[A-ZÄÖÜ„“\"(])|\s*$)|\s*:)"
)
"""How a caption begins: a figure's name with a number, or with a colon. "Figure 3 shows" is a sentence."""
_SOMEWHERE = re.compile(rf"^{CAPTION.pattern}", re.MULTILINE)

_MAX_CAPTION_LINES = 12
_SAYING_WORDS = 5  # "Foto: Jane Doe" names the photographer
_GAP = 40.0  # points between a caption and its figure, and between the parts of one
_SHORT, _ASIDE = 150.0, 100.0  # a short caption may start to the left of its figure
_NEAR = 14.0  # points between a drawing and a label that belongs to it
_PROSE_WORDS = 7


# Drawings and pictures of a page: non-text painted close together.
#
# Backgrounds, panels behind text, rules, and what stands in running headers are none.

MAX_SHARE = 0.7
"""Share of the page above which something painted is its background."""
MAX_PAINTED, MAX_SHAPES, MAX_DRAWINGS = 50_000, 4_000, 40
"""Maximum items considered on a page: painted ones, the largest of these, drawings."""

_TOGETHER = 12.0  # points between painted things of one drawing
_CELL = 6.0
_RULE, _LONG = 2.0, 0.85  # points, share of the page
_PART = 9.0  # minimum shorter side of a drawing, in points
_EDGE = 0.09  # share of the page's height where running headers and their logos stand
_PANEL_LINES = 2


def _shapes(page: Any, turn: PageRotation) -> list[Rect]:
    """Images, filled and stroked shapes of the page's own content, inside the page."""
    options = mupdf.FzStextOptions()
    options.flags = mupdf.FZ_STEXT_COLLECT_VECTORS | mupdf.FZ_STEXT_PRESERVE_IMAGES
    text_page = mupdf.FzStextPage(mupdf.FzRect(*page.rect))
    device = mupdf.fz_new_stext_device(text_page, options)
    with suppress(RuntimeError, mupdf.FzErrorBase):  # a broken picture: keep what came before it
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
    """The boxes with overlapping ones merged, largest first."""
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


@dataclass(slots=True, eq=False)
class _Line:
    """Words of one line of the PDF, by their indices."""

    words: list[int]
    box: Rect
    block: int
    text: str

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def is_prose(self) -> bool:
        """Whether it is running text rather than a label."""
        return len(self.words) >= _PROSE_WORDS


@dataclass(slots=True, eq=False)
class _Caption:
    """Lines that name a figure, and the figure once it is found."""

    lines: list[_Line]
    box: Rect
    figure: Rect | None = None

    @property
    def words(self) -> list[int]:
        return [index for line in self.lines for index in line.words]


@dataclass(slots=True, eq=False)
class _Sheet:
    """The content of a page. `others` are the lines of no caption, `tables` those of tables."""

    size: tuple[float, float]
    captions: list[_Caption]
    others: list[_Line]
    tables: list[Rect] = field(default_factory=list)
    drawings: list[Rect] = field(default_factory=list)

    @property
    def page(self) -> Rect:
        return 0.0, 0.0, *self.size

    @property
    def prose(self) -> list[Rect]:
        return [line.box for line in self.others if line.is_prose]


def figures(
    page: Any,
    rotation: int,
    text: str,
    words: Sequence[Word],
    taken: frozenset[int] | set[int] = frozenset(),
) -> list[Region]:
    """The figures of `page`, whose rotation of `rotation` degrees is switched off, from top to bottom; none
    without a caption. The words of `text` that are `taken` (by index) belong to tables, which are not
    figures."""
    if not _SOMEWHERE.search(text):
        return []
    turn = PageRotation(rotation, page.rect.width, page.rect.height)
    lines = _lines(words, turn)
    captions = [item for item in _captions(lines) if taken.isdisjoint(item.words)][:MAX_CAPTIONS]
    if not captions:
        return []
    named = {id(line) for caption in captions for line in caption.lines}
    sheet = _Sheet(turn.size, captions, [line for line in lines if id(line) not in named])
    sheet.tables = [line.box for line in lines if not taken.isdisjoint(line.words)]
    sheet.drawings = drawings(page, turn, [caption.box for caption in captions], sheet.prose)
    _match(sheet)
    found = sorted((item.figure[1], item.figure, item.words) for item in captions if item.figure)
    return [
        Region(kind=RegionKind.FIGURE, box=Box(*turn.back(box)), caption=tuple(words))
        for _, box, words in found
    ]


# Lines and captions


def _lines(words: Sequence[Word], turn: PageRotation) -> list[_Line]:
    found = []
    for place, group in groupby(range(len(words)), key=lambda i: (words[i].block, words[i].line)):
        indices = list(group)
        said = " ".join(words[i].text for i in indices)
        box = union(turn(corners(words[i].box)) for i in indices)
        found.append(_Line(indices, box, place[0], said))
    return found


def _captions(lines: Sequence[_Line]) -> Iterator[_Caption]:
    """Lines that begin as captions do and do not go on with a paragraph, each with what follows in it."""
    at = 0
    while at < len(lines):
        begins = CAPTION.match(lines[at].text)
        if begins is None or (at and _goes_on(lines[at - 1], lines[at])):
            at += 1
            continue
        last = at + 1
        while last < len(lines) and last - at < _MAX_CAPTION_LINES and _same(lines[last - 1], lines[last]):
            last += 1
        caption = _Caption(list(lines[at:last]), union(line.box for line in lines[at:last]))
        if begins["number"] or len(caption.words) >= _SAYING_WORDS:
            yield caption
        at = last


def _goes_on(above: _Line, line: _Line) -> bool:
    """Whether a line is the next one of a paragraph."""
    return above.is_prose and _same(above, line)


def _same(above: _Line, line: _Line) -> bool:
    """Whether a line goes on with the one above: in type of the same size, close below or beside it."""
    if above.block != line.block or CAPTION.match(line.text):
        return False
    alike = abs(above.height - line.height) < 0.15 * max(above.height, line.height)
    return alike and line.box[1] - above.box[3] < 0.6 * line.height and line.box[3] >= above.box[3] - 1


# Captions and their figures


def _match(sheet: _Sheet) -> None:
    """Match captions with figures: all captions below their figure, or all above, whichever fits more; then
    the rest the other way round."""
    below = _attempt(sheet, below=True)
    above = _attempt(sheet, below=False)
    first, second = (below, above) if len(below) >= len(above) else (above, below)
    for caption, figure in (*first, *second):
        used = [other.figure for other in sheet.captions if other.figure is not None]
        if caption.figure is None and all(inside(figure, other) is None for other in used):
            caption.figure = figure


def _attempt(sheet: _Sheet, *, below: bool) -> list[tuple[_Caption, Rect]]:
    """Captions with the figure above them (the caption stands `below`), or under them."""
    made: list[tuple[_Caption, Rect]] = []
    for caption in sheet.captions:
        figure = _figure(sheet, caption, below=below)
        if figure is not None and all(inside(figure, other) is None for _, other in made):
            made.append((caption, figure))
    return made


def _figure(sheet: _Sheet, caption: _Caption, *, below: bool) -> Rect | None:
    """The drawing next to a caption with all its parts and labels."""
    grown: Rect | None = None
    parts = [part for part in sheet.drawings if _is_beyond(part, caption.box, below=below)]
    while True:
        edge = caption.box if grown is None else union((grown, caption.box))
        near = [part for part in parts if _reaches(sheet, edge, grown, part)]
        if not near:
            break
        part = min(near, key=lambda box: gap(edge, box))
        parts.remove(part)
        grown = part if grown is None else union((grown, part))
    if grown is None:
        return None
    grown = _labelled(sheet, grown)
    return grown if _is_figure(sheet, grown) else None


def _is_figure(sheet: _Sheet, box: Rect) -> bool:
    """Whether it has the size of a figure and contains neither running text nor a table."""
    large = min(sides(box)) >= MIN_SIDE
    fits = area(box) <= MAX_SHARE * area(sheet.page)
    return large and fits and not _holds_prose(sheet, box) and not any(holds(box, t) for t in sheet.tables)


def _is_beyond(part: Rect, caption: Rect, *, below: bool) -> bool:
    middle = (caption[1] + caption[3]) / 2
    return part[3] <= middle if below else part[1] >= middle


def _reaches(sheet: _Sheet, edge: Rect, grown: Rect | None, part: Rect) -> bool:
    """Whether a part belongs to what has been found so far, with no text and no other caption between."""
    if apart(edge, part) > _GAP or aside(edge, part) > _reach(edge, grown):
        return False
    if _is_nearer_to_another(sheet, edge, part):
        return False
    if grown is None:
        return not _parted(sheet, edge, part)
    joined = union((grown, part))
    crosses = any(inside(joined, caption.box) is not None for caption in sheet.captions)
    return not crosses and not _holds_prose(sheet, joined) and not _parted(sheet, grown, part)


def _reach(edge: Rect, grown: Rect | None) -> float:
    """Maximum points between a part and what has been found so far, initially the caption alone."""
    if grown is not None:
        return _GAP
    return _ASIDE if sides(edge)[0] < _SHORT else 0.0


def _is_nearer_to_another(sheet: _Sheet, edge: Rect, part: Rect) -> bool:
    """Whether another caption stands right over or under a part that is beside what has been found."""
    if aside(edge, part) == 0.0:
        return False
    return any(aside(item.box, part) == 0.0 and gap(item.box, part) <= _GAP for item in sheet.captions)


def _parted(sheet: _Sheet, one: Rect, other: Rect) -> bool:
    """Whether running text or a caption stands between two boxes."""
    top, bottom = min(one[3], other[3]), max(one[1], other[1])
    left, right = max(one[0], other[0]), min(one[2], other[2])
    if bottom <= top or right <= left:
        return False
    between = (left, top, right, bottom)
    return any(holds(between, box) or _crosses(between, box) for box in sheet.prose) or any(
        _crosses(between, caption.box) and caption.box not in (one, other) for caption in sheet.captions
    )


def _crosses(between: Rect, box: Rect) -> bool:
    """Whether the middle of `box` is on the height of `between` and its width overlaps."""
    middle = (box[1] + box[3]) / 2
    return between[1] <= middle <= between[3] and box[0] < between[2] and box[2] > between[0]


def _labelled(sheet: _Sheet, figure: Rect) -> Rect:
    """The figure with the labels in it and close to it, excluding running text."""
    for _ in range(2):
        near = (figure[0] - _NEAR, figure[1] - _NEAR, figure[2] + _NEAR, figure[3] + _NEAR)
        labels = [line.box for line in sheet.others if not line.is_prose and inside(line.box, near)]
        grown = inside(union((figure, *labels)), sheet.page) or figure
        crosses = any(inside(grown, caption.box) is not None for caption in sheet.captions)
        if crosses or _holds_prose(sheet, grown):
            break
        figure = grown
    return figure


def _holds_prose(sheet: _Sheet, box: Rect) -> bool:
    return any(holds(box, line) for line in sheet.prose)
