"""Cells of tables over several rows or columns, spread over the plain grid that is typeset: below a cell over
several rows stand its words again, so that each row says what it is of. Runs in the child."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TAG = re.compile(r"<(/?)(table|tr|td|th)\b([^>]*)>")
_SPAN = re.compile(r'\b(col|row)span="(\d{1,4})"')
_MARKUP = re.compile(r"<[^>]*>")
_MAX_COLUMNS = 500
_REPEATED_WORDS = 12
"""Words of a cell up to which they stand in every row that it spans."""


def spans(columns: int, rows: int) -> str:
    """The attributes of a cell for `spread`; "" for one of a single row and column."""
    return "".join(f' {name}span="{n}"' for name, n in (("col", columns), ("row", rows)) if n > 1)


@dataclass(slots=True)
class _Table:
    """A table that is open: the column that comes next, and by column what goes on into the rows below it
    (how many, the tag of the cell, its content)."""

    column: int = 0
    below: dict[int, tuple[int, str, str]] = field(default_factory=dict)
    opened: dict[int, tuple[int, str, str]] = field(default_factory=dict)  # by the row that is open
    cell: tuple[str, int, int, int] | None = None  # tag, columns, rows, place of its content

    def filled(self, before: int | None = None) -> Iterator[str]:
        """The cells from above that stand next, or all that are left in the row."""
        while self.column in self.below and (before is None or self.column < before):
            yield self._from_above(self.column)
        if before is None:
            for column in sorted(each for each in self.below if each > self.column):
                while self.column < column:
                    yield "<td></td>"
                    self.column += 1
                yield self._from_above(column)

    def _from_above(self, column: int) -> str:
        rows, tag, content = self.below.pop(column)
        if rows > 1:
            self.opened[column] = rows - 1, tag, content
        self.column = column + 1
        return f"<{tag}>{content}</{tag}>"


def spread(html: str) -> str:
    """`html` without the attributes of `spans`; its tables have a cell for every row and column."""
    if not _SPAN.search(html):
        return html
    parts: list[str] = []
    tables: list[_Table] = []
    at = 0
    for found in _TAG.finditer(html):
        parts.append(html[at : found.start()])
        at = found.end()
        closing, name = found[1], found[2]
        if name == "table":
            if closing:
                del tables[-1:]
            else:
                tables.append(_Table())
            parts.append(found[0])
        elif tables:
            parts.append(_step(tables[-1], parts, closing, name, found[3]))
        else:
            parts.append(found[0])
    return "".join((*parts, html[at:]))


def _step(table: _Table, parts: list[str], closing: str, name: str, attributes: str) -> str:
    if name == "tr":
        if not closing:
            table.column, table.opened = 0, {}
            return "<tr>"
        rest = "".join(table.filled())
        table.below = table.opened
        return f"{rest}</tr>"
    if not closing:
        before = "".join(table.filled(_MAX_COLUMNS))
        sizes = {each[1]: int(each[2]) for each in _SPAN.finditer(attributes)}
        columns = min(sizes.get("col", 1), max(1, _MAX_COLUMNS - table.column))
        table.cell = name, columns, sizes.get("row", 1), len(parts) + 1
        return f"{before}<{name}>"
    if table.cell is None:
        return f"</{name}>"
    tag, columns, rows, begin = table.cell
    content = "".join(parts[begin:])
    table.cell = None
    if rows > 1:
        again = content if len(_MARKUP.sub(" ", content).split()) <= _REPEATED_WORDS else ""
        for more in range(columns):
            table.opened[table.column + more] = rows - 1, tag, "" if more else again
    table.column += columns
    return f"</{name}>" + (columns - 1) * f"<{tag}></{tag}>"
