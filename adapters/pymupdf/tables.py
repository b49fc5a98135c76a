"""Tables of a page: rows and cells. Runs in the worker.

A table is what ruling lines make one: a wrong one would tear running text apart. What has no lines stays
text, and what has only some must look like a table otherwise.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from adapters.pymupdf import headers
from adapters.pymupdf.bands import bands
from adapters.pymupdf.content import PageContent
from adapters.pymupdf.grid import Grid, grids
from adapters.pymupdf.protocol import RawWord
from adapters.pymupdf.rectangles import PageRotation, Rect, holds, inside

MIN_SHAPES = 3
MAX_SHAPES = 5000
"""A page with more shapes holds a drawing."""
MAX_CELL_WORDS = 35
"""Mean words of a cell above which it is text set in boxes."""
MIN_SHARED = 0.5
"""Share of a table's rows in which more than one cell holds words; of two rows, both."""
MIN_OPEN_ROWS, MAX_OPEN_WORDS = 3, 8.0
"""Rows, and mean words of a cell, of a table without vertical rules."""
MAX_CUT = 0.05
"""Share of the words that may stand across a line."""


class PageTable(NamedTuple):
    """A table of the unrotated page. `rows` are the words of the cells with words, as indices; the first
    `header_rows` name the columns, `caption` the table."""

    box: Rect
    rows: list[list[list[int]]]
    header_rows: int
    caption: list[int]

    @property
    def words(self) -> list[int]:
        """The words of the rows, row after row, cell after cell."""
        return [word for row in self.rows for cell in row for word in cell]


def tables(turn: PageRotation, texts: PageContent, text: str, words: Sequence[RawWord]) -> list[PageTable]:
    """The tables of the page that `turn` turns; `words` have offsets into `text`. From top to bottom."""
    if not MIN_SHAPES <= len(texts.shapes) <= MAX_SHAPES or not words:
        return []
    shapes = [turn(shape) for shape in texts.shapes]
    boxes = [turn(word[2:6]) for word in words]
    sheet = headers.Sheet(text, words, boxes, texts.spans, turn.size)
    found: list[PageTable] = []
    ways: tuple[tuple[list[Grid], Callable[[PageTable], bool]], ...] = (
        (grids(shapes, edges=False), bool),
        (grids(shapes, edges=True), _in_order),
        (bands(shapes, boxes), _is_terse),
    )
    for found_grids, fits in ways:
        for grid in found_grids:
            if any(inside(grid.box, turn(other.box)) for other in found):
                continue
            table = _table(grid, sheet)
            box = inside(grid.box, (0.0, 0.0, *turn.size))
            if table is not None and box is not None and fits(table):
                found.append(table._replace(box=turn.back(box)))
    return _named(sheet, turn, sorted(found, key=lambda table: turn(table.box)[1]))


def _named(sheet: headers.Sheet, turn: PageRotation, found: Sequence[PageTable]) -> list[PageTable]:
    """The tables with their captions."""
    taken = {word for table in found for word in table.words}
    named = []
    for table in found:
        caption = headers.caption(sheet, turn(table.box), taken)
        taken.update(caption)
        named.append(table._replace(caption=caption))
    return named


def _table(grid: Grid, sheet: headers.Sheet) -> PageTable | None:
    """The grid with the words in it as a table, or None if it is something else."""
    within = [i for i, box in enumerate(sheet.boxes) if holds(grid.box, box)]
    held: dict[int, list[int]] = defaultdict(list)
    for i in within:
        x0, y0, x1, y1 = sheet.boxes[i]
        cell = grid.cell_at((x0 + x1) / 2, (y0 + y1) / 2)
        if cell is not None:
            held[cell].append(i)
    rows: dict[int, list[int]] = defaultdict(list)
    for cell in sorted(held, key=lambda number: (grid.cells[number].top, grid.cells[number].left)):
        rows[grid.cells[cell].top].append(cell)
    if not _is_tabular(list(rows.values()), held, grid) or _is_cut(grid, within, sheet.boxes):
        return None
    table = PageTable(grid.box, [[held[cell] for cell in row] for row in rows.values()], 0, [])
    columns = [[grid.cells[cell].left for cell in row] for row in rows.values()]
    return table._replace(header_rows=headers.header_rows(sheet, table.rows, columns, grid.box))


def _is_tabular(rows: Sequence[Sequence[int]], held: dict[int, list[int]], grid: Grid) -> bool:
    """Whether two columns and two rows have words, most rows have several cells, and cells are short."""
    narrow = [grid.cells[cell] for cell in held]
    columns = {cell.left for cell in narrow if cell.right - cell.left < len(grid.xs) - 1}
    shared = sum(len(row) > 1 for row in rows)
    wanted = len(rows) if len(rows) == 2 else MIN_SHARED * len(rows)
    words = sum(map(len, held.values()))
    return len(columns) > 1 and len(rows) > 1 and shared >= wanted and words <= MAX_CELL_WORDS * len(held)


def _is_cut(grid: Grid, within: Sequence[int], boxes: Sequence[Rect]) -> bool:
    """Whether too many words stand across the lines: they were not written into these cells."""
    cut = 0
    for i in within:
        x0, y0, x1, y1 = boxes[i]
        part, y = (x1 - x0) / 4, (y0 + y1) / 2
        cut += grid.cell_at(x0 + part, y) != grid.cell_at(x1 - part, y)
    return cut > MAX_CUT * len(within)


def _in_order(table: PageTable) -> bool:
    """Whether the file has the words row after row and cell after cell: panels behind text have not."""
    words = table.words
    return words == list(range(words[0], words[0] + len(words)))


def _is_terse(table: PageTable) -> bool:
    """Whether nearly all rows have several cells, most of them of few words, those at the right above all."""
    if len(table.rows) < MIN_OPEN_ROWS or not _in_order(table):
        return False
    full = sum(len(row) > 1 for row in table.rows)
    mean = len(table.words) / sum(map(len, table.rows))
    last = [len(row[-1]) for row in table.rows if len(row) > 1]
    first = [len(row[0]) for row in table.rows if len(row) > 1]
    labelled = sum(first) <= 1.2 * len(first) and sum(last) > 3 * len(last)  # a list with its numbers
    return (
        full >= 0.8 * len(table.rows)
        and mean <= MAX_OPEN_WORDS
        and not labelled
        and sum(last) <= 6 * len(last)
    )
