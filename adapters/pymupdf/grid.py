"""Ruling lines of a page and the cells between them. Pure geometry; runs in the worker.

A rule is a thin shape, or the edge of a filled or framed rectangle. Rules that touch make a grid; its cells
are the fields that no rule divides. Boxes are x0, y0, x1, y1 in points, as the page is shown.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import NamedTuple

from adapters.pymupdf.rectangles import Rect

THIN = 3.0
"""A shape up to this thick is a rule."""
SHORTEST = 4.0
"""Minimum length: shorter pieces are dots and corners."""
SNAP = 2.0
"""Maximum distance of rules that count as one."""
GAP = 3.0
"""Maximum gap between pieces of one rule, and between rules that touch."""
MAX_RULES = 600
"""More (joined) rules than this are a drawing; it also bounds the time taken for a hostile page."""
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


def _level_rules(shapes: Iterable[Rect]) -> list[Rule]:
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
            index = row * columns + column
            if row and (row, column) not in above:
                parents[_root(parents, index)] = _root(parents, index - columns)
            if column and (column, row) not in before:
                parents[_root(parents, index)] = _root(parents, index - 1)
    return _with_cells(
        ys, xs, [[_root(parents, r * columns + c) for c in range(columns)] for r in range(rows)]
    )


def _places(values: Iterable[float]) -> list[float]:
    """The values in order, without those closer than `GAP` to the previous one."""
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


# Tables with horizontal rules only: columns are recognised by the free space between them.
#
# Boxes are x0, y0, x1, y1 in points, as the page is shown.

MIN_RULES = 3
"""Above and below the names of the columns, and at the end."""
MIN_WIDTH = 120.0
"""Points; shorter rules are blanks to fill in."""
MIN_FREE = 0.9
"""Minimum free space between two columns, in word heights."""

_SAME_EDGE = 3.0
_MAX_LINES = 120
_MAX_OUTSIDE = 3
_MAX_TABLES = 20
_NEAR = 3.0  # heights of a word from line to line outside the rules
_WIDE_STEP = 1.3  # from row to row, where lines of one row are nearer to each other


def bands(shapes: Sequence[Rect], boxes: Sequence[Rect]) -> list[Grid]:
    """The grids between three or more rules of one length, with the words in `boxes`. Lines right above the
    first rule and right below the last belong to them if their words fit the columns."""
    found = []
    for rules in islice(_stacks(_level_rules(shapes)), _MAX_TABLES):
        x0, x1 = rules[0].start, rules[0].end
        column = [box for box in boxes if x0 <= (box[0] + box[2]) / 2 <= x1]
        within = [box for box in column if rules[0].at <= (box[1] + box[3]) / 2 <= rules[-1].at]
        if len(_columns(within, x0, x1)) < 3:
            continue
        over = [box for box in column if (box[1] + box[3]) / 2 < rules[0].at]
        under = [box for box in column if (box[1] + box[3]) / 2 > rules[-1].at]
        above = _fitting(_lines_of_words(over)[::-1], within, x0, x1)[::-1]
        below = _fitting(_lines_of_words(under), within, x0, x1)
        xs = _columns([*within, *chain(*above, *below)], x0, x1)
        tops = [min(box[1] for box in line) - 0.5 for line in above]
        ends = [max(box[3] for box in line) + 0.5 for line in below]
        ys = [*tops, *_rows(rules, within, xs), *ends]
        if len(ys) > MIN_RULES:
            found.append(_grid_of(ys, xs))
    return found


def _fitting(lines: Sequence[list[Rect]], within: Sequence[Rect], x0: float, x1: float) -> list[list[Rect]]:
    """The first of the lines, the nearest first, whose words stand in several columns and across none."""
    taken: list[list[Rect]] = []
    held = list(within)
    for line in lines[:_MAX_OUTSIDE]:
        near = not taken or abs(line[0][1] - taken[-1][0][1]) < _NEAR * (line[0][3] - line[0][1])
        xs = _columns([*held, *line], x0, x1)
        if not near or len(xs) < len(_columns(held, x0, x1)) or len(_filled(line, xs)) < 2:
            break
        taken.append(line)
        held += line
    return taken


def _filled(line: Sequence[Rect], xs: Sequence[float]) -> set[int]:
    """The columns in which a line has words."""
    return {sum(x <= (box[0] + box[2]) / 2 for x in xs) for box in line}


def _stacks(rules: Sequence[Rule]) -> Iterator[list[Rule]]:
    """Rules that begin and end alike, from top to bottom."""
    left = [rule for rule in sorted(rules) if rule.end - rule.start >= MIN_WIDTH]
    while left:
        first = left[0]
        alike = [rule for rule in left if _alike(rule, first)]
        left = [rule for rule in left if not _alike(rule, first)]
        if len(alike) >= MIN_RULES:
            yield alike


def _alike(one: Rule, other: Rule) -> bool:
    return abs(one.start - other.start) <= _SAME_EDGE and abs(one.end - other.end) <= _SAME_EDGE


def _columns(boxes: Sequence[Rect], x0: float, x1: float) -> list[float]:
    """Where columns end: the middles of the stripes that no word touches, with the outer edges."""
    if not boxes:
        return []
    heights = sorted(box[3] - box[1] for box in boxes)
    free = MIN_FREE * heights[len(heights) // 2]
    edges, end = [x0], 0.0
    for box in sorted(boxes):
        if end and box[0] - end >= free:
            edges.append((end + box[0]) / 2)
        end = max(end, box[2])
    return [*edges, x1]


def _rows(rules: Sequence[Rule], boxes: Sequence[Rect], xs: Sequence[float]) -> Iterator[float]:
    """Where rows begin, and where the last one ends: at the rules, and in a band of many lines between."""
    for number, (above, below) in enumerate(pairwise(rules)):
        yield above.at
        lines = _lines_of_words([box for box in boxes if above.at <= (box[1] + box[3]) / 2 < below.at])
        if number and 1 < len(lines) <= _MAX_LINES:
            yield from _starts(lines, xs)
    yield rules[-1].at


def _lines_of_words(boxes: Sequence[Rect]) -> list[list[Rect]]:
    """Words on one height, from top to bottom."""
    lines: list[list[Rect]] = []
    for box in sorted(boxes, key=lambda box: box[1] + box[3]):
        if lines and (box[1] + box[3]) / 2 < lines[-1][0][3]:
            lines[-1].append(box)
        else:
            lines.append([box])
    return lines


def _starts(lines: Sequence[Sequence[Rect]], xs: Sequence[float]) -> Iterator[float]:
    """The tops of the lines that begin a row, but for the first: set apart by more space, or else with words
    in several columns."""
    tops = [min(box[1] for box in line) for line in lines]
    steps = [below - above for above, below in pairwise(tops)]
    spaced = max(steps) >= _WIDE_STEP * min(steps)
    for line, top, step in zip(lines[1:], tops[1:], steps, strict=True):
        if step >= _WIDE_STEP * min(steps) if spaced else len(_filled(line, xs)) > 1:
            yield top - 0.5


def _grid_of(ys: list[float], xs: list[float]) -> Grid:
    columns = len(xs) - 1
    cells = [Cell(row, row + 1, c, c + 1) for row in range(len(ys) - 1) for c in range(columns)]
    return Grid(ys, xs, [[r * columns + c for c in range(columns)] for r in range(len(ys) - 1)], cells)
