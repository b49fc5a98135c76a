"""Line numbers printed in the margin or between columns.

They are told from other numbers by their place: consecutive, or every second, fifth or tenth, one under the
other in a strip with hardly anything else in it, each level with a line of running text, and as many lines of
it between two numbers as these are apart.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from core.domain.pages import Page, Word
from core.library.lines import Line, page_lines, upright

_STEPS = (1, 2, 5, 10)
_DIGITS = 5
_LEAST = {1: 6, 2: 4, 5: 3, 10: 3}
"""Numbers that a page must show for its column to count, by how far they are apart."""
_ALONE = 2
_OTHERS = 0.2
_FITTING = 0.75
_RUNNING = 0.2
_NEAR_PT = 90.0
_SAME_COLUMN_PT = 6.0
_PAGES = 0.5
_MOST_COLUMNS = 8
"""Columns of a page that are considered, the longest first."""


@dataclass(frozen=True, slots=True)
class _Number:
    word: Word
    box: tuple[float, float, float, float]

    @property
    def value(self) -> int:
        return int(self.word.text)


@dataclass(frozen=True, slots=True)
class _Column:
    """Numbers one under the other, `step` apart. `x0` and `x1` are the strip's edges."""

    x0: float
    x1: float
    step: int
    numbers: tuple[_Number, ...]


def line_numbers(pages: Sequence[Page], left_out: Sequence[Set[int]]) -> list[set[int]]:
    """The starts of the words that are line numbers, page by page. `left_out` are the starts of words that
    cannot be, such as those of tables."""
    columns = [_columns(page, _numbers(page, starts)) for page, starts in zip(pages, left_out, strict=True)]
    known = _known(pages, columns)
    return [
        {
            number.word.start
            for column in own
            if any(_alike(column, other) for other in known)
            for number in column.numbers
        }
        for own in columns
    ]


def _known(pages: Sequence[Page], columns: Sequence[Sequence[_Column]]) -> list[_Column]:
    """The columns that are line numbers for sure: of running text, or beside the lines of most pages. One for
    each place where they stand."""
    beside = [
        (page.number, column, lines)
        for page, own in zip(pages, columns, strict=True)
        for column in own
        if (lines := _numbered_lines(page, column))
    ]
    with_text = sum(1 for page in pages if page.words)
    if len({number for number, _, _ in beside}) >= max(2, _PAGES * with_text):
        return _places([column for _, column, _ in beside])
    running = [column for _, column, lines in beside if _run_on(lines)]
    enough = len(running) > 1 or any(len(c.numbers) >= _ALONE * _LEAST[c.step] for c in running)
    return _places(running) if enough else []


def _places(columns: Sequence[_Column]) -> list[_Column]:
    kept: list[_Column] = []
    for column in columns:
        if not any(_alike(column, other) for other in kept):
            kept.append(column)
    return kept


def _numbers(page: Page, left_out: Set[int]) -> list[_Number]:
    return [
        _Number(word, upright(word.box, page))
        for word in page.words
        if word.text.isdecimal() and len(word.text) <= _DIGITS and word.start not in left_out
    ]


def _alike(one: _Column, other: _Column) -> bool:
    """Whether two pages' columns stand at the same place; left and right pages have their own."""
    same = abs(one.x0 - other.x0) <= _SAME_COLUMN_PT or abs(one.x1 - other.x1) <= _SAME_COLUMN_PT
    return same and one.step == other.step


def _columns(page: Page, numbers: Sequence[_Number]) -> list[_Column]:
    """Columns of numbers in strips of the page with hardly any other word."""
    found = []
    chains = [_longest_chain(strip) for strip in _strips(numbers)]
    for chain, step in sorted(chains, key=lambda found: -len(found[0]))[:_MOST_COLUMNS]:
        if len(chain) < 2:
            continue
        x0, x1 = min(n.box[0] for n in chain), max(n.box[2] for n in chain)
        column = _Column(x0, x1, step, tuple(chain))
        if _stands_alone(page, column):
            found.append(column)
    return found


def _strips(numbers: Sequence[_Number]) -> list[list[_Number]]:
    """Numbers whose widths overlap, from left to right."""
    strips: list[list[_Number]] = []
    right = 0.0
    for number in sorted(numbers, key=lambda n: n.box[0]):
        if strips and number.box[0] < right and number.box[0] - strips[-1][0].box[0] < _SAME_COLUMN_PT * 4:
            strips[-1].append(number)
            right = max(right, number.box[2])
        else:
            strips.append([number])
            right = number.box[2]
    return strips


def _longest_chain(strip: Sequence[_Number]) -> tuple[list[_Number], int]:
    """The longest chain of numbers from top to bottom that grow by one of the steps, and that step."""
    ordered = sorted(strip, key=lambda n: n.box[1])
    best: list[_Number] = []
    best_step = 1
    for step in _STEPS:
        ends: dict[int, tuple[int, int]] = {}  # value -> length of the chain that ends with it, its index
        before: list[int] = []
        longest = (0, -1)
        for at, number in enumerate(ordered):
            length, previous = ends.get(number.value - step, (0, -1))
            before.append(previous)
            if length + 1 >= ends.get(number.value, (0, 0))[0]:
                ends[number.value] = length + 1, at
            longest = max(longest, (length + 1, at))
        if longest[0] > len(best):
            best, best_step, at = [], step, longest[1]
            while at >= 0:
                best.append(ordered[at])
                at = before[at]
            best.reverse()
    return best, best_step


def _stands_alone(page: Page, column: _Column) -> bool:
    """Whether few words other than the numbers reach into the column's strip, from its first to its last."""
    own = {number.word.start for number in column.numbers}
    top, bottom = column.numbers[0].box[1], column.numbers[-1].box[3]
    others = 0
    for word in page.words:
        if word.start in own:
            continue
        x0, y0, x1, y1 = upright(word.box, page)
        others += x0 < column.x1 and x1 > column.x0 and y1 > top and y0 < bottom
    return others <= _OTHERS * len(own)


def _numbered_lines(page: Page, column: _Column) -> list[Line]:
    """The lines that the column counts; none if it does not: where numbers are not level with a line each, or
    other than as many lines as they are apart stand between them."""
    if len(column.numbers) < _LEAST[column.step]:
        return []
    beside = sorted(_lines_beside(page, column), key=_middle)
    middles = [_middle(line) for line in beside]
    spans = [(number.box[1] - 1, number.box[3] + 1) for number in column.numbers]
    first = [bisect_left(middles, top) for top, _ in spans]
    level = [bisect_right(middles, bottom) - at == 1 for (_, bottom), at in zip(spans, first, strict=True)]
    pairs = [below - above == column.step for above, below in pairwise(first)]
    if sum(level) < _FITTING * len(level) or sum(pairs) < _FITTING * len(pairs):
        return []
    return beside[first[0] : first[-1] + 1]


def _middle(line: Line) -> float:
    return (line.y0 + line.y1) / 2


def _run_on(lines: Sequence[Line]) -> bool:
    """Whether sentences go on from line to line, as in no list or table."""
    return sum(line.text[:1].islower() for line in lines) >= _RUNNING * len(lines)


def _lines_beside(page: Page, column: _Column) -> list[Line]:
    """The lines of the text that the column stands before, else of that behind which it stands."""
    own = {number.word.start for number in column.numbers}
    lines = page_lines(page, [word for word in page.words if word.start not in own])
    right = [line for line in lines if -1 <= line.x0 - column.x1 < _NEAR_PT]
    if len(right) >= len(column.numbers):
        return right
    left = [line for line in lines if line.x1 <= column.x0 + 1]
    nearest = max((line.x1 for line in left), default=0.0) - _NEAR_PT
    edge = min((line.x0 for line in left if line.x1 > nearest), default=0.0)
    return [line for line in left if line.x1 > edge]
