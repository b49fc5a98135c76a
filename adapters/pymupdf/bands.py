"""Tables with horizontal rules only: columns are told by what stands free between them. Runs in the worker.

Boxes are x0, y0, x1, y1 in points, as the page is shown.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise

from adapters.pymupdf.grid import Cell, Grid, Rule, level_rules
from adapters.pymupdf.rectangles import Rect

MIN_RULES = 3
"""Above and below the names of the columns, and at the end."""
MIN_WIDTH = 120.0
"""Points; shorter rules are blanks to fill in."""
MIN_FREE = 0.9
"""Heights of a word that stand free between two columns."""

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
    for rules in islice(_stacks(level_rules(shapes)), _MAX_TABLES):
        x0, x1 = rules[0].start, rules[0].end
        column = [box for box in boxes if x0 <= (box[0] + box[2]) / 2 <= x1]
        within = [box for box in column if rules[0].at <= (box[1] + box[3]) / 2 <= rules[-1].at]
        if len(_columns(within, x0, x1)) < 3:
            continue
        over = [box for box in column if (box[1] + box[3]) / 2 < rules[0].at]
        under = [box for box in column if (box[1] + box[3]) / 2 > rules[-1].at]
        above = _fitting(_lines(over)[::-1], within, x0, x1)[::-1]
        below = _fitting(_lines(under), within, x0, x1)
        xs = _columns([*within, *chain(*above, *below)], x0, x1)
        tops = [min(box[1] for box in line) - 0.5 for line in above]
        ends = [max(box[3] for box in line) + 0.5 for line in below]
        ys = [*tops, *_rows(rules, within, xs), *ends]
        if len(ys) > MIN_RULES:
            found.append(_grid(ys, xs))
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
        lines = _lines([box for box in boxes if above.at <= (box[1] + box[3]) / 2 < below.at])
        if number and 1 < len(lines) <= _MAX_LINES:
            yield from _starts(lines, xs)
    yield rules[-1].at


def _lines(boxes: Sequence[Rect]) -> list[list[Rect]]:
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


def _grid(ys: list[float], xs: list[float]) -> Grid:
    columns = len(xs) - 1
    cells = [Cell(row, row + 1, c, c + 1) for row in range(len(ys) - 1) for c in range(columns)]
    return Grid(ys, xs, [[r * columns + c for c in range(columns)] for r in range(len(ys) - 1)], cells)
