"""Tables of a page: rows and cells. Runs in the worker.

A table is what ruling lines make one: a wrong one would tear running text apart. What has no lines stays
text, and what has only some must look like a table otherwise.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from adapters.pymupdf.characters import Place
from adapters.pymupdf.content import PageContent
from adapters.pymupdf.grid import Grid, bands, grids
from adapters.pymupdf.rectangles import PageRotation, Rect, corners, holds, inside
from core.domain.pages import Word

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


# Which rows of a table name its columns, and the words that name the table.

MAX_HEADER_ROWS = 3
MAX_HEADER_CELL = 14
"""Words of a cell that names a column, at most."""
MAX_CAPTION_WORDS = 40
MARGIN = 0.09
"""Share of the page's height above which furniture stands."""
CAPTION = re.compile(
    r"(?i:Tabelle|Tab\.|Table|Übersicht)(?:\s+(?:\d[\d.]*|[IVXLC]+|[A-Z]\d*)(?:[.:)–—-]*\s|[.:)]*$)|\s?[:–—]\s)"
)
"""How a table's caption begins: with a number or a colon."""

_NEAR = 2.2  # line heights between a caption's line and the table or the caption's next line
_SENTENCE_WORDS = 4
"""Words from which what ends with a full stop names no column."""
_ENDS = re.compile(r"[.!?][\"'”“»«’)\]]*$")
_BOLD = 16  # flag of a span
_NAMED_BOLD = re.compile(r"bold|black|heavy|semib|demi", re.IGNORECASE)
_COUNT = re.compile(r"\(?(\d{1,2})[.)]?")

Cells = Sequence[Sequence[Sequence[int]]]


class Sheet(NamedTuple):
    """A page's words with their boxes and its size as the page is shown, and the spans of its lines."""

    words: Sequence[Word]
    boxes: Sequence[Rect]
    spans: dict[Place, list[dict[str, Any]]]
    size: tuple[float, float]

    def said(self, indices: Sequence[int]) -> str:
        """The words joined by single spaces."""
        return " ".join(self.words[i].text for i in indices)

    def style(self, index: int) -> tuple[bool, int]:
        """Whether a word is bold, and its colour."""
        word = self.words[index]
        x = (word.box.x0 + word.box.x1) / 2
        y = (word.box.y0 + word.box.y1) / 2
        for span in self.spans.get((word.block, word.line), ()):
            x0, y0, x1, y1 = span["bbox"]
            if x0 <= x <= x1 and y0 <= y <= y1:
                return bool(span["flags"] & _BOLD or _NAMED_BOLD.search(span["font"])), span["color"]
        return False, 0


def header_rows(sheet: Sheet, rows: Cells, columns: Sequence[Sequence[int]], box: Rect) -> int:
    """How many of the first rows name the columns; `columns` are where the cells of each row begin.

    Type set apart tells, or numbers that stand under words; else a full first row of few words, unless the
    table begins the page: then it may go on from the page before.
    """
    title = len(rows[0]) == 1
    body = rows[title:]
    count = _set_apart(sheet, body, columns[title:])
    if not count and _is_wordy(sheet, body[0]):
        corner = columns[title][0] > min(starts[0] for starts in columns[title:])
        full = len(body[0]) + corner == max(map(len, body))
        begins = not _is_text_above(sheet, box)
        count = int(_has_numbers_under(sheet, body, columns[title:]) or (full and not begins))
    if count and count + 1 < len(body) and _counts(sheet, body[count]):
        count += 1  # column numbers, as in gazettes
    return min(title + count, len(rows) - 1) if count else 0


def _set_apart(sheet: Sheet, rows: Cells, columns: Sequence[Sequence[int]]) -> int:
    """The number of leading rows in bold type or in a colour of their own, others not being so; what the
    first column holds may be set as the names are. Below names of columns a single cell at the left names a
    group of rows."""
    styles = [{sheet.style(i) for cell in row for i in cell} for row in rows]
    usual = {sheet.style(i) for cell in rows[-1][len(rows[-1]) > 1 :] for i in cell}
    count = 0
    for row, style, starts in zip(rows, styles, columns, strict=True):
        if count and len(row) == 1 and starts[0] == columns[0][0]:
            break
        apart = style.isdisjoint(usual) and (all(bold for bold, _ in style) or _one_colour(style, usual))
        if not apart or max(map(len, row)) > MAX_HEADER_CELL:
            break
        count += 1
    return count if count <= MAX_HEADER_ROWS else 0


def _one_colour(style: set[tuple[bool, int]], usual: set[tuple[bool, int]]) -> bool:
    colours = {colour for _, colour in style}
    return len(colours) == 1 and colours.isdisjoint(colour for _, colour in usual)


def _is_wordy(sheet: Sheet, row: Sequence[Sequence[int]]) -> bool:
    said = [sheet.said(cell) for cell in row]
    return len(row) > 1 and all(
        len(cell) <= MAX_HEADER_CELL
        and any(map(str.isalpha, text))
        and not any(map(str.isdigit, text))
        and not (len(cell) >= _SENTENCE_WORDS and _ENDS.search(text))
        for cell, text in zip(row, said, strict=True)
    )


def _has_numbers_under(sheet: Sheet, rows: Cells, columns: Sequence[Sequence[int]]) -> bool:
    """Whether a column holds numbers in most of the rows below the first."""
    for column in columns[0][1:]:
        below = [
            sheet.said(cell)
            for row, starts in zip(rows[1:], columns[1:], strict=True)
            for cell, start in zip(row, starts, strict=True)
            if start == column
        ]
        numbers = sum(any(map(str.isdigit, text)) and len(text.split()) < 4 for text in below)
        if len(below) > 1 and numbers > len(below) / 2:
            return True
    return False


def _counts(sheet: Sheet, row: Sequence[Sequence[int]]) -> bool:
    """Whether the cells are 1, 2, 3 and so on."""
    found = [_COUNT.fullmatch(sheet.said(cell)) for cell in row]
    numbers = [int(match[1]) for match in found if match]
    return len(numbers) == len(row) > 2 and numbers == list(range(numbers[0], numbers[0] + len(row)))


def _is_text_above(sheet: Sheet, box: Rect) -> bool:
    top = MARGIN * sheet.size[1]
    return any(top < (y0 + y1) / 2 < box[1] for _, y0, _, y1 in sheet.boxes)


def _caption_of(sheet: Sheet, box: Rect, taken: set[int]) -> list[int]:
    """The words of the lines that name the table in `box`, right above or right below it; empty if none do.
    Words that are `taken` belong to tables and captions."""
    lines = [
        list(group)
        for _, group in groupby(
            range(len(sheet.words)), key=lambda i: (sheet.words[i].block, sheet.words[i].line)
        )
    ]
    outside = [line for line in lines if taken.isdisjoint(line)]
    for at, line in enumerate(outside):
        if CAPTION.match(sheet.said(line)):
            found = _caption_from(sheet, outside[at:], box)
            if found:
                return found
    return []


def _caption_from(sheet: Sheet, lines: Sequence[Sequence[int]], box: Rect) -> list[int]:
    """The caption that begins with the first of `lines`, if it stands at the table."""
    first = sheet.boxes[lines[0][0]]
    taken = list(lines[0])
    bottom = first[3]
    height = first[3] - first[1]
    for line in lines[1:]:
        top = sheet.boxes[line[0]][1]
        if (
            not bottom - height / 2 <= top <= bottom + height / 2
            or sheet.words[line[0]].block != sheet.words[taken[0]].block
        ):
            break
        taken += line
        bottom = sheet.boxes[line[0]][3]
    above = -height / 2 <= box[1] - bottom <= _NEAR * height
    below = -height / 2 <= first[1] - box[3] <= _NEAR * height
    beside = first[0] < box[2] and sheet.boxes[lines[0][-1]][2] > box[0]
    return taken if (above or below) and beside and len(taken) <= MAX_CAPTION_WORDS else []


def _lead_in(sheet: Sheet, box: Rect, taken: set[int]) -> list[int]:
    """The words of the sentence right above the table in `box` that ends with a colon ("The fees are:"), and
    says what the rows are of; empty if there is none, or it begins with a number, which is a provision's."""
    above = [
        i for i, (x0, _, x1, y1) in enumerate(sheet.boxes) if y1 <= box[1] + 1 and x0 < box[2] and box[0] < x1
    ]
    last = max(above, key=lambda i: (sheet.boxes[i][3], i), default=None)
    if last is None:
        return []
    line = (sheet.words[last].block, sheet.words[last].line)
    while last + 1 < len(sheet.words) and (sheet.words[last + 1].block, sheet.words[last + 1].line) == line:
        last += 1
    if not sheet.words[last].text.endswith(":"):
        return []
    height = sheet.boxes[last][3] - sheet.boxes[last][1]
    first = last
    while first and sheet.words[first - 1].block == sheet.words[last].block:
        if _ENDS.search(sheet.words[first - 1].text):
            break
        first -= 1
    found = list(range(first, last + 1))
    near = box[1] - sheet.boxes[last][3] <= _NEAR * height
    named = sheet.words[first].text[:1].isalpha() and len(found) <= MAX_CAPTION_WORDS
    return found if near and named and taken.isdisjoint(found) else []


class PageTable(NamedTuple):
    """A table of the unrotated page. `rows` are the words of the cells with words, as indices; the first
    `header_rows` name the columns, `caption` the table. `groups` are the words that belong to each row and
    stand in rows above: cells that fill several rows, the row that names a group."""

    box: Rect
    rows: list[list[list[int]]]
    header_rows: int
    caption: list[int]
    groups: list[list[int]]

    @property
    def words(self) -> list[int]:
        """The words of the rows, row after row, cell after cell."""
        return [word for row in self.rows for cell in row for word in cell]


def tables(turn: PageRotation, texts: PageContent, words: Sequence[Word]) -> list[PageTable]:
    """The tables of the page that `turn` turns, from top to bottom."""
    if not MIN_SHAPES <= len(texts.shapes) <= MAX_SHAPES or not words:
        return []
    shapes = [turn(shape) for shape in texts.shapes]
    boxes = [turn(corners(word.box)) for word in words]
    sheet = Sheet(words, boxes, texts.spans, turn.size)
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


def _named(sheet: Sheet, turn: PageRotation, found: Sequence[PageTable]) -> list[PageTable]:
    """The tables with their captions."""
    taken = {word for table in found for word in table.words}
    named = []
    for table in found:
        box = turn(table.box)
        caption = _caption_of(sheet, box, taken) or _lead_in(sheet, box, taken)
        taken.update(caption)
        named.append(table._replace(caption=caption))
    return named


def _table(grid: Grid, sheet: Sheet) -> PageTable | None:
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
    columns = [[grid.cells[cell].left for cell in row] for row in rows.values()]
    texts = [[held[cell] for cell in row] for row in rows.values()]
    heads = header_rows(sheet, texts, columns, grid.box)
    return PageTable(grid.box, texts, heads, [], _groups(grid, sheet, rows, held, heads))


def _groups(
    grid: Grid, sheet: Sheet, rows: Mapping[int, Sequence[int]], held: Mapping[int, list[int]], heads: int
) -> list[list[int]]:
    """The words above each row that belong to it; see `PageTable`."""
    tops = list(rows)
    naming = {
        top for at, top in enumerate(tops) if at >= heads and _may_name(sheet, [*rows.values()], held, at)
    }
    if len(naming) == 1 and not all(_is_wide(grid, rows[top]) for top in naming):
        naming = set()  # a row whose other cells are empty
    found: list[list[int]] = []
    group: list[int] = []
    going_on = {} if naming else _going_on(grid, sheet, tops[heads:], rows, held)
    for at, top in enumerate(tops):
        if top in naming or at < heads:
            group = held[rows[top][0]] if top in naming else []
            found.append([])
            continue
        spread = [cell for cell in held if grid.cells[cell].top < top < grid.cells[cell].bottom]
        above = [word for cell in sorted(spread) for word in held[cell]]
        found.append([*group, *(above or going_on.get(top, []))])
    return found


def _going_on(
    grid: Grid,
    sheet: Sheet,
    tops: Sequence[int],
    rows: Mapping[int, Sequence[int]],
    held: Mapping[int, list[int]],
) -> dict[int, list[int]]:
    """The words of the first cell above each row whose own is empty, where such rows are alike in several
    groups: "Hall, an hour, 12; empty, a day, 85; Studio, an hour, 7; empty, a day, 44"."""
    named: dict[int, list[int]] = {}
    below: dict[int, str] = {}
    groups: dict[str, set[int]] = defaultdict(set)
    name, number = list[int](), 0
    for top in tops:
        first, *more = sorted(rows[top], key=lambda cell: grid.cells[cell].left)
        if grid.cells[first].left == 0:
            name, number = held[first], number + 1
            second = more[0] if more else first
        elif name and more:
            second, named[top] = first, name
        else:
            continue
        below[top] = sheet.said(held[second])
        groups[below[top]].add(number)
    return {
        top: name
        for top, name in named.items()
        if any(map(str.isalpha, below[top])) and len(groups[below[top]]) > 1
    }


def _may_name(sheet: Sheet, rows: Sequence[Sequence[int]], held: Mapping[int, list[int]], at: int) -> bool:
    """Whether a row of few words in one cell may name those below it, which have several."""
    (first, *more), below = rows[at], rows[at + 1 : at + 2]
    said = sheet.said(held[first])
    return (
        not more
        and len(held[first]) <= MAX_HEADER_CELL
        and any(map(str.isalpha, said))
        and not said.endswith((".", ";"))
        and bool(below)
        and len(below[0]) > 1
    )


def _is_wide(grid: Grid, row: Sequence[int]) -> bool:
    return all(grid.cells[cell].right - grid.cells[cell].left > 1 for cell in row)


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
