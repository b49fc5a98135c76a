"""Ruling lines of a page and the cells between them. Pure geometry; runs in the worker.

A rule is a thin shape, or the edge of a filled or framed rectangle. Rules that touch make a grid; its cells
are the fields that no rule divides. Boxes are x0, y0, x1, y1 in points, as the page is shown.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from adapters.pymupdf.rectangles import Rect

THIN = 3.0
"""A shape up to this thick is a rule."""
SHORTEST = 4.0
"""Shorter pieces are dots and corners."""
SNAP = 2.0
"""Rules this near to each other are one."""
GAP = 3.0
"""Pieces of a rule this far apart go on, and rules this far apart touch."""
MAX_RULES = 600
"""More rules (joined) than that are a drawing; it also bounds the time taken for a hostile page."""
MAX_FIELDS = 10_000


class Rule(NamedTuple):
    """A line at `at` (y of a horizontal one, x of a vertical one) from `start` to `end`."""

    at: float
    start: float
    end: float


class Cell(NamedTuple):
    """A cell of a grid: it fills rows `top` to `bottom` and columns `left` to `right` (exclusive)."""

    top: int
    bottom: int
    left: int
    right: int


class Grid(NamedTuple):
    """`ys` and `xs` bound the rows and columns; `fields[row][column]` is the number of the cell there."""

    ys: list[float]
    xs: list[float]
    fields: list[list[int]]
    cells: list[Cell]

    @property
    def box(self) -> Rect:
        """All of it."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def cell_at(self, x: float, y: float) -> int | None:
        """The number of the cell that holds a point; None outside the grid."""
        row, column = bisect_right(self.ys, y) - 1, bisect_right(self.xs, x) - 1
        if 0 <= row < len(self.fields) and 0 <= column < len(self.fields[0]):
            return self.fields[row][column]
        return None


def grids(shapes: Iterable[Rect], *, edges: bool) -> list[Grid]:
    """The grids of at least two rows and two columns that the shapes of a page make: its thin shapes, and
    with `edges` the sides of the others as well."""
    level, upright = map(_joined, _rules(shapes, edges=edges))
    if len(level) < 2 or len(upright) < 1 or len(level) + len(upright) > MAX_RULES:
        return []
    found = (_grid(*component) for component in _components(level, upright))
    return [grid for grid in found if grid is not None]


def level_rules(shapes: Iterable[Rect]) -> list[Rule]:
    """The horizontal rules of a page, none if they are too many."""
    level = _joined(_rules(shapes, edges=False)[0])
    return level if len(level) <= MAX_RULES else []


def _rules(shapes: Iterable[Rect], *, edges: bool) -> tuple[list[Rule], list[Rule]]:
    """Horizontal and vertical rules: thin shapes, and the edges of the others."""
    level: list[Rule] = []
    upright: list[Rule] = []
    for x0, y0, x1, y1 in shapes:
        width, height = x1 - x0, y1 - y0
        if height <= THIN and width >= SHORTEST:
            level.append(Rule((y0 + y1) / 2, x0, x1))
        elif width <= THIN and height >= SHORTEST:
            upright.append(Rule((x0 + x1) / 2, y0, y1))
        elif edges and width > THIN and height > THIN:
            level += [Rule(y0, x0, x1), Rule(y1, x0, x1)]
            upright += [Rule(x0, y0, y1), Rule(x1, y0, y1)]
    return level, upright


def _joined(rules: Sequence[Rule]) -> list[Rule]:
    """Rules with those on one line that overlap or nearly touch put together."""
    joined: list[Rule] = []
    for line in _lines(rules):
        at = sum(rule.at for rule in line) / len(line)
        pieces = sorted((rule.start, rule.end) for rule in line)
        start, end = pieces[0]
        for first, last in pieces[1:]:
            if first > end + GAP:
                joined.append(Rule(at, start, end))
                start = first
            end = max(end, last) if first <= end + GAP else last
        joined.append(Rule(at, start, end))
    return joined


def _lines(rules: Sequence[Rule]) -> Iterator[list[Rule]]:
    """Rules by where they are, those within `SNAP` of the first one together."""
    line: list[Rule] = []
    for rule in sorted(rules):
        if line and rule.at > line[0].at + SNAP:
            yield line
            line = []
        line.append(rule)
    if line:
        yield line


def _components(level: Sequence[Rule], upright: Sequence[Rule]) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Rules that touch each other, directly or by others."""
    parents = list(range(len(level) + len(upright)))
    for i, across in enumerate(level):
        for j, down in enumerate(upright):
            meets = across.start - GAP <= down.at <= across.end + GAP
            if meets and down.start - GAP <= across.at <= down.end + GAP:
                parents[_root(parents, i)] = _root(parents, len(level) + j)
    members: dict[int, tuple[list[Rule], list[Rule]]] = defaultdict(lambda: ([], []))
    for i, rule in enumerate((*level, *upright)):
        members[_root(parents, i)][i >= len(level)].append(rule)
    return iter(members.values())


def _root(parents: list[int], i: int) -> int:
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i


def _grid(level: Sequence[Rule], upright: Sequence[Rule]) -> Grid | None:
    """The grid of rules that touch, or None if it has not two rows and columns, or a cell is no rectangle."""
    if len(level) < 2 or not upright:
        return None
    ys = _places([*(r.at for r in level), *(r.start for r in upright), *(r.end for r in upright)])
    xs = _places([*(r.at for r in upright), *(r.start for r in level), *(r.end for r in level)])
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 2 or columns < 2 or rows * columns > MAX_FIELDS:
        return None
    parents = list(range(rows * columns))
    above, before = _walls(level, ys, xs), _walls(upright, xs, ys)
    for row in range(rows):
        for column in range(columns):
            here = row * columns + column
            if row and (row, column) not in above:
                parents[_root(parents, here)] = _root(parents, here - columns)
            if column and (column, row) not in before:
                parents[_root(parents, here)] = _root(parents, here - 1)
    return _with_cells(
        ys, xs, [[_root(parents, r * columns + c) for c in range(columns)] for r in range(rows)]
    )


def _places(values: Iterable[float]) -> list[float]:
    """Values in order, those nearer than `GAP` to the one before left out."""
    places: list[float] = []
    for value in sorted(values):
        if not places or value - places[-1] > GAP:
            places.append(value)
    return places


def _walls(rules: Sequence[Rule], places: Sequence[float], across: Sequence[float]) -> set[tuple[int, int]]:
    """Which sides of fields a rule runs along: (index in `places`, index of the field in `across`)."""
    walls = set()
    for rule in rules:
        place = min(range(len(places)), key=lambda i: abs(places[i] - rule.at))
        for i, (start, end) in enumerate(pairwise(across)):
            if rule.start <= (start + end) / 2 <= rule.end:
                walls.add((place, i))
    return walls


def _with_cells(ys: list[float], xs: list[float], fields: list[list[int]]) -> Grid | None:
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for row, line in enumerate(fields):
        for column, root in enumerate(line):
            places[root].append((row, column))
    cells: list[Cell] = []
    for number, held in enumerate(places.values()):
        rows, columns = [row for row, _ in held], [column for _, column in held]
        cell = Cell(min(rows), max(rows) + 1, min(columns), max(columns) + 1)
        if (cell.bottom - cell.top) * (cell.right - cell.left) != len(held):
            return None
        cells.append(cell)
        for row, column in held:
            fields[row][column] = number
    return Grid(ys, xs, fields, cells)
