"""Sheets: rows put on pages, column by column, with footnotes at the foot of their column."""

from dataclasses import dataclass, field, replace

from examples.design import Design
from examples.markup import Block, Text
from examples.rows import Row, note_rows, rows

_NOTE_GAP = 12.0
"""Room between the text and the footnotes of a column, with the rule in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A row with its top left corner on the sheet; `number` is its margin line number."""

    x: float
    y: float
    row: Row
    number: int | None = None


@dataclass(slots=True, kw_only=True)
class Sheet:
    """One page before it is painted. `starts` are the chapters that begin on it; `opens`: the first
    of them has a band of its own. `rules` are the lines above footnotes as (x, y)."""

    opens: bool = False
    landscape: bool = False
    starts: list[str] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    rules: list[tuple[float, float]] = field(default_factory=list)


class Flow:
    """Fills sheets with the rows of a text."""

    def __init__(self, design: Design, notes: dict[str, str]) -> None:
        self.sheets: list[Sheet] = []
        self._design = design
        self._notes = notes
        self._column = 0
        self._top = self._y = 0.0
        self._pending: list[Row] = []
        self._line = 0

    def open(self, *, opening: float = 0.0, title: str = "", landscape: bool = False) -> None:
        """Begin a sheet whose columns start `opening` points below the top margin; with `title`, it
        opens that chapter."""
        self.close()
        starts = [title] if title else []
        self.sheets.append(Sheet(opens=bool(title), landscape=landscape, starts=starts))
        self._column, self._top = 0, self._design.margins[1] + opening
        self._y = self._top

    def put(self, blocks: list[Block]) -> None:
        """Set blocks and place them on this sheet and as many more as they need."""
        set_rows = rows(blocks, self._design, self._measure)
        while set_rows:
            size = next((n for n, row in enumerate(set_rows, 1) if not row.keep), len(set_rows))
            self._place(set_rows[:size])
            set_rows = set_rows[size:]

    def close(self) -> None:
        """Finish the column: put its footnotes at its foot."""
        if not self._pending:
            return
        y = self._bottom - sum(row.height for row in self._pending)
        sheet = self.sheets[-1]
        sheet.rules.append((self._x, y - _NOTE_GAP / 2))
        for row in self._pending:
            sheet.placed.append(Placed(x=self._x, y=y, row=row))
            y += row.height
        self._pending = []

    @property
    def _measure(self) -> float:
        if not self.sheets[-1].landscape:
            return self._design.measure
        left, _, right, _ = self._design.margins
        return self._design.page[1] - left - right

    @property
    def _bottom(self) -> float:
        return self._design.page[not self.sheets[-1].landscape] - self._design.margins[3]

    @property
    def _x(self) -> float:
        return self._design.margins[0] + self._column * (self._design.measure + self._design.gutter)

    def _place(self, group: list[Row]) -> None:
        notes = self._note_rows(group)
        wanted = sum(row.gap + row.height for row in group)
        foot = sum(row.height for row in [*self._pending, *notes])
        if self._y > self._top and self._y + wanted + foot + _NOTE_GAP * bool(foot) > self._bottom:
            self._next_column()
        self._pending += notes
        for row in group:
            self._y += row.gap if self._y > self._top else 0.0
            self.sheets[-1].starts += [row.title] if row.title else []
            self.sheets[-1].placed.append(Placed(x=self._x, y=self._y, row=row, number=self._number(row)))
            self._y += row.height

    def _note_rows(self, group: list[Row]) -> list[Row]:
        marks = [note for row in group for note in row.notes]
        return [
            row for m in marks for row in note_rows(m, self._notes[m], self._design, self._design.measure)
        ]

    def _next_column(self) -> None:
        if self._column + 1 < self._design.columns:
            self.close()
            self._column += 1
            self._y = self._top
        else:
            self.open(landscape=self.sheets[-1].landscape)

    def _number(self, row: Row) -> int | None:
        if not self._design.line_numbers or not row.prose:
            return None
        self._line += 1
        return self._line


def flow(text: Text, design: Design) -> list[Sheet]:
    """The sheets of a text, cover and contents not among them."""
    filler = Flow(design, text.notes)
    if not design.openings:
        filler.open(opening=float(text.front.get("opening", "0")))
    for head, *rest in _chapters(text.blocks):
        if head.kind == "landscape":
            filler.open(landscape=True)
        if design.openings:
            filler.open(opening=design.body.size * 7.5, title=head.text)
            filler.put(rest)
        else:
            filler.put([replace(head, kind="chapter"), *rest])
    filler.close()
    return filler.sheets


def _chapters(blocks: tuple[Block, ...]) -> list[list[Block]]:
    result: list[list[Block]] = []
    for block in blocks:
        if block.kind in ("chapter", "landscape"):
            result.append([])
        result[-1].append(block)
    return result
