"""Tables as text: a grid where there is room, else a list as for phones. Pure."""

import io

from rich.box import ASCII2
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from core.domain.tables import Table

NARROW = 60
"""Columns of characters under which a grid does not help."""


def table_text(table: Table, width: int) -> str:
    """`table` as plain text, no line longer than `width` characters (at least 20)."""
    width = max(20, width)
    return _grid(table, width) if width >= NARROW else _list(table, width)


def table_blocks(table: Table) -> list[str]:
    """`table` as unwrapped text in pieces that may be sent apart: title, rows, notes."""
    rows = ["\n".join(_entry(table, row)) for row in table.rows]
    return [table.title, *rows, *table.notes]


def _grid(table: Table, width: int) -> str:
    grid = Grid(box=ASCII2, show_lines=True, padding=(0, 1), width=width)
    for number, column in enumerate(table.columns):
        last = number == len(table.columns) - 1
        grid.add_column(Text(column), overflow="fold", ratio=4 if last else 1, min_width=12)
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
