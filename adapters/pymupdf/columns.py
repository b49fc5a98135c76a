"""Columns whose lines a file draws row by row are read one after the other. Pure; runs in the worker.

A file's order is a claim; the gap that runs down between two columns is a fact. Lines beside each other are
columns where words begin at one place to the right of a gap in at least three rows, nothing stands across it,
and both sides go on from line to line as sentences do; a table does not.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf

from adapters.pymupdf.characters import WordDraft

MIN_ROWS = 3
_GAP = 0.45
"""Heights of a line between columns, at least; justified words are hardly further apart."""
_WIDER = 1.5  # than any gap between words to its left
_SAME_EDGE = 1.5  # points
_SHARED = 0.6  # fraction of their heights, words of a row
_LEADING = 2.2  # in line heights
MIN_WORDS = 3.0
"""Mean words of a line in each column."""
MIN_GOING_ON = 0.3
"""Share of the lines that begin in the middle of a sentence; German nouns have capitals."""
_ENDS = (".", "!", "?", ":", ";", "…")

Row = list[int]


def in_columns(drafts: Sequence[WordDraft]) -> list[WordDraft]:
    """The words of a page, column after column."""
    found = list(drafts)
    for _ in range(3):  # a page has few columns
        starts = _starts(found)
        stacks = [rows for rows in _stacks(found) if len(rows) >= MIN_ROWS] if starts else ()
        if not any(_part(found, rows, edge) for rows in stacks for edge in starts):
            break
    return found


def _starts(drafts: Sequence[WordDraft]) -> list[float]:
    """Where words begin to the right of a gap again and again."""
    edges: dict[int, float] = {}
    counts: Counter[int] = Counter()
    before: Sequence[WordDraft] = ()
    right = inf
    for draft in drafts:
        x0, y0, x1, y1 = draft.box
        if x0 - right > _GAP * (y1 - y0) and _is_level(before[0], draft):
            place = round(x0 / _SAME_EDGE)
            counts[place] += 1
            edges.setdefault(place, x0)
        before, right = [draft], x1
    return [
        edge
        for place, edge in sorted(edges.items())
        if counts[place] + max(counts[place - 1], counts[place + 1]) >= MIN_ROWS
    ]


def _is_level(one: WordDraft, other: WordDraft) -> bool:
    shared = min(one.box[3], other.box[3]) - max(one.box[1], other.box[1])
    return shared > _SHARED * min(one.box[3] - one.box[1], other.box[3] - other.box[1])


def _stacks(drafts: Sequence[WordDraft]) -> Iterator[list[Row]]:
    """Rows of words that the file has one below the other."""
    rows: list[Row] = []
    for at, draft in enumerate(drafts):
        if rows and _is_level(drafts[rows[-1][0]], draft):
            rows[-1].append(at)
            continue
        height = draft.box[3] - draft.box[1]
        if rows and not 0 < draft.box[1] - drafts[rows[-1][0]].box[1] < _LEADING * height:
            yield rows
            rows = []
        rows.append([at])
    yield rows


def _part(drafts: list[WordDraft], rows: Sequence[Row], edge: float) -> bool:
    """Put the words left and right of an edge in order, column after column; returns whether there are
    any."""
    run: list[tuple[Row, Row]] = []
    for row in [*rows, []]:
        sides = _sides(drafts, row, edge) if row else None
        if sides:
            run.append(sides)
            continue
        if _are_columns(drafts, run):
            _reorder(drafts, run)
            return True
        run = []
    return False


def _sides(drafts: Sequence[WordDraft], row: Row, edge: float) -> tuple[Row, Row] | None:
    """The words of a row left and right of an edge; None where one stands across or right before it."""
    left = [at for at in row if drafts[at].box[0] < edge - _SAME_EDGE]
    right = [at for at in row if at not in left]
    x0 = min((drafts[at].box[0] for at in right), default=edge)
    height = drafts[row[0]].box[3] - drafts[row[0]].box[1]
    ends = max((drafts[at].box[2] for at in left), default=0.0)
    if ends > edge - _GAP * height or (left and abs(x0 - edge) > 2 * _SAME_EDGE):
        return None
    sides = tuple(sorted(side, key=lambda at: drafts[at].box[0]) for side in (left, right))
    within = [drafts[b].box[0] - drafts[a].box[2] for a, b in pairwise(sides[0])]
    if left and right and x0 - ends < _WIDER * max(within, default=0.0):
        return None
    return sides[0], sides[1]


def _are_columns(drafts: Sequence[WordDraft], run: Sequence[tuple[Row, Row]]) -> bool:
    both = sum(bool(left and right) for left, right in run)
    if both < MIN_ROWS or 2 * both < len(run):
        return False
    columns = [[[drafts[at].text for at in row] for row in side if row] for side in zip(*run, strict=True)]
    lines = sum(map(len, columns)) - len(columns)
    return (
        all(sum(map(len, column)) >= MIN_WORDS * len(column) for column in columns)
        and all(map(_going_on, columns))
        and sum(map(_going_on, columns)) >= MIN_GOING_ON * lines
    )


def _going_on(lines: Sequence[Sequence[str]]) -> int:
    """How many of the lines begin in the middle of a sentence."""
    return sum(not before[-1].endswith(_ENDS) and after[0][0].islower() for before, after in pairwise(lines))


def _reorder(drafts: list[WordDraft], run: Sequence[tuple[Row, Row]]) -> None:
    first = min(at for sides in run for row in sides for at in row)
    block = 1 + max(draft.place[0] for draft in drafts)
    made = [
        drafts[at]._replace(place=(block + side, line))
        for side in (0, 1)
        for line, sides in enumerate(run)
        for at in sides[side]
    ]
    drafts[first : first + len(made)] = made
