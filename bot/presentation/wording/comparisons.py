"""Comparisons and motions as tables, and tables as text: a grid if there is room, else a list, as for
phones."""

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from rich.box import ASCII2
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from bot.presentation.attachments import Attached, file_stem
from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter
from bot.presentation.results import Tabled
from bot.presentation.views.reports import ComparisonView, MotionView
from bot.presentation.wording.answers import quoted_words
from core.answering.reports.comparisons import Comparison, ComparisonRow
from core.answering.reports.motions import MotionReport, MotionRow
from core.domain.answers import Citation, Notice
from core.domain.rich_text import Block, RichText, Table, bold, heading, joined, quotation, small
from core.domain.rich_text import table as drawn_table

Row = tuple[Block, ...]

NARROW = 60
"""Width in characters below which a grid does not help."""
_FILLED = 0.75
"""Share of a message that rows may fill: escaping adds characters."""

_FIRST, _LAST = 18, 32
"""Maximum width for the longest word of a column, and minimum width of the last column."""


def table_text(table: Table, width: int) -> str:
    """`table` as plain text, no line longer than `width` characters (at least 20)."""
    width = max(20, width)
    widths = [_column_width(table, number) for number in range(len(table.columns) - 1)]
    rest = width - sum(widths) - 3 * len(table.columns) - 1
    if width < NARROW or rest < _LAST:
        return _list(table, width)
    return _grid(table, [*widths, rest], width)


def table_blocks(table: Table, limit: int | None = None) -> list[RichText]:
    """`table` in pieces that may be sent separately: title, rows as a table, and notes in small type. If a
    message has at most `limit` characters, rows that do not fit into one table begin another."""
    rows: list[Row] = [(bold(row[0]), *row[1:]) for row in table.rows]
    tables = [drawn_table(group) for group in _groups(rows, (limit or math.inf) * _FILLED)]
    return [heading(table.title), *tables, *map(small, table.notes)]


def _groups(rows: Iterable[Row], room: float) -> Iterator[list[Row]]:
    """`rows` in order, grouped so that each group has at most `room` characters."""
    group: list[Row] = []
    for row in rows:
        if group and sum(len(cell) + 2 for each in (*group, row) for cell in each) > room:
            yield group
            group = []
        group.append(row)
    yield group


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


_STOPS = ".,;: "
"""Punctuation that ends a demand in its motion and is dropped in a list."""


class ComparisonPresenter:
    """Tables of results; quotes stay in their language."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter

    def within(self, collections: Iterable[str]) -> "ComparisonPresenter":
        """The same for people who may read `collections`."""
        return ComparisonPresenter(self._presenter.within(collections))

    def comparison(
        self, found: Comparison, notices: Sequence[Notice] = (), *, all_quotes: bool = False
    ) -> Table:
        """The comparison table: a row for each party or place, with its best quote or with `all_quotes`."""
        texts = self._presenter.texts(found.language)
        by_place = any(row.side.jurisdiction for row in found.rows)
        first = texts("compare.jurisdiction" if by_place else "compare.party")
        return Table(
            title=defused(found.topic[:1].upper() + found.topic[1:]),
            columns=(first, texts("compare.quote")),
            rows=tuple(
                (self._name(row, texts), self._row_quotes(row, texts, all_quotes=all_quotes))
                for row in found.rows
            ),
            notes=(
                *(self._presenter.notice(notice, texts) for notice in notices),
                texts("answer.scope", scope=self._presenter.scope(found.scope, texts)),
                self._presenter.disclaimer(texts),
            ),
        )

    def words(self, language: str) -> Texts:
        """The bot's own texts for a report in `language`."""
        return self._presenter.texts(language)

    def comparison_file(self, found: Comparison) -> str:
        """The name of its table's file."""
        return file_stem(self._presenter.texts(found.language)("compare.file"), found.topic, found.language)

    def _name(self, row: ComparisonRow, texts: Texts) -> str:
        return "/".join(map(defused, row.side.parties)) or self._presenter.place(row.side.name, texts)

    def _row_quotes(self, row: ComparisonRow, texts: Texts, *, all_quotes: bool) -> Block:
        """The quotes of a row, each with its source, and the number of further ones."""
        if not row.citations:
            return texts(f"compare.{row.status.value}")
        shown = (*row.citations, *row.further) if all_quotes else row.citations
        blocks: list[Block] = []
        for item in shown:
            blocks += [self._quote(item, texts), self._source(item, row.side.parties, texts)]
        left = len(row.further) if not all_quotes else 0
        return joined(blocks) + (f" (+{left})" if left else "")

    def _quote(self, citation: Citation, texts: Texts) -> RichText:
        return quotation(quoted_words(citation, texts))

    def _source(self, citation: Citation, parties: Sequence[str], texts: Texts, to: str = "") -> str:
        """Label, title and page, after an introduction (`to`); the title without the name that the row begins
        with."""
        title = citation.edition.document.fields.title
        name, _, rest = title.partition(": ")
        own = {*parties, "/".join(parties)}
        label = defused(rest if rest and name in own else title)
        return f"[{citation.label}] {to}{label}, {self._presenter.pages(citation, texts)}"

    def motion(self, found: MotionReport, notices: Sequence[Notice] = ()) -> Table:
        """The table of what parties have written about the demands of a motion."""
        texts = self._presenter.texts(found.language)
        columns = ("compare.party", "compare.quotes")
        return Table(
            title=texts("motion.title", place=self._presenter.place(found.jurisdiction, texts)),
            columns=tuple(texts(key) for key in columns),
            rows=tuple(self._motion_row(row, texts) for row in found.rows),
            notes=(
                "\n".join(
                    [
                        texts("motion.demands"),
                        *(f"{each.number}. {defused(_in_a_list(each.text))}" for each in found.demands),
                    ]
                ),
                *(self._presenter.notice(notice, texts) for notice in notices),
                *self._motion_notes(found, texts),
                self._presenter.disclaimer(texts),
            ),
        )

    def motion_file(self, found: MotionReport) -> str:
        """The name of its table's file."""
        word = self._presenter.texts(found.language)("motion.file")
        return file_stem(word, found.demands[0].text if found.demands else "", found.language)

    def _motion_row(self, row: MotionRow, texts: Texts) -> tuple[str, ...]:
        roles = {"motion.mover": row.mover, "motion.governing": row.governing}
        roles_text = ", ".join(texts(key) for key, holds in roles.items() if holds)
        name = "/".join(map(defused, row.parties))
        return f"{name}\n({roles_text})" if roles_text else name, self._on_demands(row, texts)

    def _on_demands(self, row: MotionRow, texts: Texts) -> Block:
        """The quotes of a row, each with the demand it was found for, and notes on what is not shown."""
        if not row.citations:
            return texts(f"compare.{row.status.value}")
        lines: list[Block] = []
        for item, number in zip(row.citations, row.demands, strict=True):
            to = texts("motion.to_demand", number=number)
            lines += [self._quote(item, texts), self._source(item, row.parties, texts, to)]
        if row.unshown:
            lines.append(texts("motion.unshown", numbers=_listed(row.unshown)))
        if row.silent:
            lines.append(texts("motion.silent", numbers=_listed(row.silent)))
        return joined(lines)

    def _motion_notes(self, found: MotionReport, texts: Texts) -> list[str]:
        notes = [texts("motion.omitted", count=found.omitted)] if found.omitted else []
        if found.government is None:
            place = self._presenter.place(found.jurisdiction, texts)
            notes.append(texts("motion.no_government", place=place))
        return [*notes, texts("motion.meaning")]


def _in_a_list(demand: str) -> str:
    """A demand as a list item, whether it is a sentence or a part of one: with a capital, without a full
    stop."""
    wording = demand.rstrip().rstrip(_STOPS)
    return wording[:1].upper() + wording[1:]


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


WIDTH = 100
"""Maximum characters per line of a table's `text`."""

NOTHING: Mapping[str, Attached] = MappingProxyType({})
"""No pages were written."""


def comparison_view(
    made: Tabled[Comparison],
    attached: Mapping[str, Attached] = MappingProxyType({}),
    file: Path | None = None,
) -> ComparisonView:
    """Result of `compare`, with the pages and the table if they were written."""
    return ComparisonView.showing(made.report, **_tabled(made, attached, file))


def motion_view(
    made: Tabled[MotionReport],
    attached: Mapping[str, Attached] = MappingProxyType({}),
    file: Path | None = None,
) -> MotionView:
    """Result of `motion`, with the pages and the table if they were written."""
    return MotionView.showing(made.report, **_tabled(made, attached, file))


def _tabled(
    made: Tabled[Comparison] | Tabled[MotionReport], attached: Mapping[str, Attached], file: Path | None
) -> dict[str, object]:
    return {
        "text": table_text(made.table, WIDTH),
        "table": file,
        "notices": made.notices,
        "trace": made.trace,
        "attached": attached,
    }
