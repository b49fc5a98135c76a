"""Tables as text: a grid if there is room, else a list, as for phones. Pure."""

import io
import math
from collections.abc import Iterable, Iterator

from rich.box import ASCII2
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from core.domain.rich_text import Block, RichText, bold, heading, small
from core.domain.rich_text import table as drawn_table
from core.domain.tables import Table

Row = tuple[Block, ...]

NARROW = 60
"""Width in characters below which a grid does not help."""
_FILLED = 0.75
"""Share of a message that rows may fill: their signs count as well once they are escaped."""

_FIRST, _LAST = 18, 32
"""Characters that the longest word of a column can ask for, and that the last column needs for its text."""


def table_text(table: Table, width: int) -> str:
    """`table` as plain text, no line longer than `width` characters (at least 20)."""
    width = max(20, width)
    widths = [_column_width(table, number) for number in range(len(table.columns) - 1)]
    rest = width - sum(widths) - 3 * len(table.columns) - 1
    if width < NARROW or rest < _LAST:
        return _list(table, width)
    return _grid(table, [*widths, rest], width)


def table_blocks(table: Table, limit: int | None = None) -> list[RichText]:
    """`table` in pieces that may be sent apart: title, rows as a table, and notes in small type. Where a
    message holds `limit` characters, rows that do not fit into one table begin another."""
    rows: list[Row] = [(bold(row[0]), *row[1:]) for row in table.rows]
    tables = [drawn_table(group) for group in _groups(rows, (limit or math.inf) * _FILLED)]
    return [heading(table.title), *tables, *map(small, table.notes)]


def _groups(rows: Iterable[Row], room: float) -> Iterator[list[Row]]:
    """`rows` in order, as many together as have `room` characters."""
    group: list[Row] = []
    for row in rows:
        if group and sum(_length(each) for each in (*group, row)) > room:
            yield group
            group = []
        group.append(row)
    yield group


def _length(row: Row) -> int:
    return sum(len(cell) + 2 for cell in row)


def _column_width(table: Table, number: int) -> int:
    """Wide enough for the longest word of a column, within reason."""
    cells = [table.columns[number], *(row[number] for row in table.rows)]
    longest = max((cell_len(word) for cell in cells for word in cell.split()), default=1)
    return min(longest, _FIRST)


def _grid(table: Table, widths: list[int], width: int) -> str:
    grid = Grid(box=ASCII2, show_lines=True, padding=(0, 1))
    for column, characters in zip(table.columns, widths, strict=True):
        grid.add_column(Text(column), overflow="fold", width=characters)
    for row in table.rows:
        grid.add_row(*(Text(cell) for cell in row))
    with io.StringIO() as out:
        Console(file=out, width=width, color_system=None, force_terminal=False, _environ={}).print(grid)
        lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n\n".join([_wrapped(table.title, width), "\n".join(lines), *_notes(table, width)])


def _list(table: Table, width: int) -> str:
    rows = ["\n".join(_wrapped(line, width) for line in _entry(table, row)) for row in table.rows]
    return "\n\n".join([_wrapped(table.title, width), *rows, *_notes(table, width)])


def _entry(table: Table, row: tuple[str, ...]) -> list[str]:
    """A row as lines: the first cell as its heading, the others under their columns' names."""
    lines = [row[0]]
    for column, cell in zip(table.columns[1:-1], row[1:-1], strict=True):
        lines += [f"{column}: {cell}"] if cell else []
    return [*lines, *row[-1].splitlines()] if len(row) > 1 else lines


def _notes(table: Table, width: int) -> list[str]:
    return ["\n".join(_wrapped(line, width) for line in note.splitlines()) for note in table.notes]


def _wrapped(text: str, width: int) -> str:
    lines = Text(text).wrap(Console(width=width, color_system=None, _environ={}), width, overflow="fold")
    return "\n".join(line.plain.rstrip() for line in lines)
