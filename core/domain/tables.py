"""Tables to show or to print."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of plain text. Every row has one cell per column; a newline in a cell begins a new paragraph.
    `notes` are printed below it, one paragraph each."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("a row has as many cells as there are columns")
