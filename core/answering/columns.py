"""The columns of a table as its page shows them, and whose words each contains if several parties have
one."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import groupby, pairwise

from core.answering.lapsed import outdated
from core.answering.told import words_named
from core.domain.pages import Page, Word
from core.domain.passages import Span
from core.evidence.pieces import STOPS
from core.evidence.text import legible, words_under
from core.language.patterns import pattern

_LABEL = pattern(r"(?:{speakers.labels})\W*", re.IGNORECASE)
"""Names of the column that says what rows are about; any other first column may be a party's."""

TABLE = 600
"""Maximum words above a cell that are searched for the names of columns."""
_NAME_WORDS = 6
_NARROW_GAP = 0.35
"""The same for a line that is known to name parties."""
_SEVERAL = 2
_LEADING = 2.0
"""Maximum distance between the lines of a cell, in letter heights."""
_GAP = 1.2
"""Minimum gap between two words of a row where a column ends, in letter heights."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column by the left edge of its name, in points, and the characters of its page that name it."""

    left: float
    name: str
    start: int
    end: int


Naming = Callable[[Sequence[Column]], bool]
"""A test that columns name what they should."""


def columns_over(
    above: Sequence[Word], cell: Word, gap: float = _GAP, naming: Naming | None = None
) -> list[Column]:
    """The columns around `cell`: named by the highest line among the words `above` it on its page that has
    short cells, none of them a sentence; with `naming`, by the lowest such line that passes that test, as a
    page may have several tables. None if there is no such line."""
    lines = _lines(above[-TABLE:])
    for at in range(len(lines)) if naming is None else reversed(range(len(lines))):
        cells = _cells(lines[at], gap)
        if len(cells) > 1 and lines[at][0].box.y1 <= cell.box.y0 and all(map(_is_name, cells)):
            columns = _named(cells, lines[at + 1 :], gap)
            if naming is None or naming(columns):
                return columns
    return []


def _named(cells: list[list[Word]], below: Sequence[Sequence[Word]], gap: float) -> list[Column]:
    """The columns named by `cells`: names may continue below their first line, and names that are read after
    such a continuation are also level with the first line."""
    height = _height(cells[0][0])
    for line in below:
        last, first = cells[-1][-1], line[0]
        if abs(first.box.y0 - cells[0][0].box.y0) <= height / 2 and first.box.x0 > last.box.x0:
            cells += _cells(line, gap)
        elif (
            0 < first.box.y0 - last.box.y0 < _LEADING * height
            and abs(first.box.x0 - cells[-1][0].box.x0) <= height / 2
            and len(_cells(line, gap)) == 1
        ):
            cells[-1] = [*cells[-1], *line]
        else:
            break
    return [
        Column(each[0].box.x0, " ".join(word.text for word in each), each[0].start, each[-1].end)
        for each in cells
    ]


def name_over(columns: Sequence[Column], cell: Word) -> str:
    """The name above `cell`, "" if there is none."""
    left = [each for each in columns if each.left <= cell.box.x0 + _height(cell)]
    return left[-1].name if left else ""


def party_of(name: str, parties: Sequence[str]) -> str:
    """The one of `parties` that a column is named after: the one most of whose words it has; "" if there is
    none, or a tie."""
    found = Counter({party: words_named(name, party) for party in parties}).most_common(2)
    alone = found and found[0][1] and (len(found) < 2 or found[0][1] > found[1][1])
    return found[0][0] if alone else ""


def party_over(pages: Sequence[Page], spans: Sequence[Span], parties: Sequence[str]) -> str:
    """The one of `parties` named at the top of the column in which the words at `spans` begin; "" if there is
    none."""
    _, words, columns = _table(pages, spans[:1], partial(_name_several, parties))
    return party_of(name_over(columns, words[0]), parties) if words else ""


def cells_of(
    pages: Sequence[Page], row: Sequence[Span], asked: Sequence[str], parties: Sequence[str]
) -> list[Span]:
    """The cells of a row in the columns of those `asked` about, if the table has columns for several of
    `parties`; empty for any other table."""
    page, words, columns = _table(pages, row, partial(_name_several, parties))
    owners = {each.name: party_of(each.name, parties) for each in columns}
    runs = groupby(words, lambda word: owners.get(name_over(columns, word), "") in asked) if columns else ()
    return _spans(page, [list(run) for is_kept, run in runs if is_kept])


def cells_under(pages: Sequence[Page], row: Sequence[Span], name: str) -> list[Span]:
    """The name of a column, a row's cell in it, and its cell in the column that says what the row is about;
    empty if no column has exactly this name, or the cell is empty."""
    page, words, columns = _table(pages, row, lambda found: column_of(found, name) is not None)
    wanted = column_of(columns, name)
    if wanted is None:
        return []
    runs = [(owner, [*run]) for owner, run in groupby(words, lambda word: name_over(columns, word))]
    if not any(owner == wanted.name for owner, _ in runs):
        return []
    about = {""} | ({columns[0].name} if _LABEL().fullmatch(legible(columns[0].name)) else set())
    kept = [run for owner, run in runs if owner in {wanted.name, *about}]
    return [Span(page.number, wanted.start, wanted.end), *_spans(page, kept)]


def column_of(columns: Sequence[Column], name: str) -> Column | None:
    """The column named `name`; None if there is none, or several."""
    found = [each for each in columns if legible(each.name).casefold() == name.casefold()]
    return found[0] if len(found) == 1 else None


def _name_several(parties: Sequence[str], columns: Sequence[Column]) -> bool:
    return len({party_of(each.name, parties) for each in columns} - {""}) >= _SEVERAL


def is_under(pages: Sequence[Page], spans: Sequence[Span], name: str) -> bool | None:
    """Whether all words at `spans` are in the column named `name`; None if there is no such column."""
    _, words, columns = _table(pages, spans, lambda found: column_of(found, name) is not None)
    wanted = column_of(columns, name)
    return None if wanted is None else all(name_over(columns, word) == wanted.name for word in words)


def cells_holding(pages: Sequence[Page], row: Sequence[Span], day: date) -> list[Span]:
    """A row's cells in the columns that are valid on `day`; empty if all columns are, or none."""
    page, words, columns = _table(pages, row)
    lapsed = outdated([each.name for each in columns], day)
    runs = groupby(words, lambda word: name_over(columns, word) in lapsed) if lapsed else ()
    return _spans(page, [list(run) for is_over, run in runs if not is_over])


def outdated_over(pages: Sequence[Page], spans: Sequence[Span], day: date) -> str:
    """The name of the column, among those of a table not valid on `day`, in which the words at `spans` end;
    "" if they end in none."""
    _, words, columns = _table(pages, spans[-1:])
    name = name_over(columns, words[-1]) if words else ""
    return name if name in outdated([each.name for each in columns], day) else ""


def _table(
    pages: Sequence[Page], spans: Sequence[Span], naming: Naming | None = None
) -> tuple[Page, list[Word], list[Column]]:
    """The page on which `spans` begin, the words that they have on it, and the columns around the first one
    (see `columns_over`)."""
    page = next(each for each in pages if each.number == spans[0].page)
    words = [word for span in spans if span.page == page.number for word in words_under(page, span)]
    above = [word for word in page.words if words and word.start < words[0].start]
    return page, words, columns_over(above, words[0], _NARROW_GAP, naming) if words else []


def _spans(page: Page, runs: Sequence[Sequence[Word]]) -> list[Span]:
    return [Span(page.number, run[0].start, run[-1].end) for run in runs]


def _is_name(cell: Sequence[Word]) -> bool:
    return len(cell) <= _NAME_WORDS and not STOPS.search(cell[-1].text)


def _height(word: Word) -> float:
    return word.box.y1 - word.box.y0


def _lines(words: Sequence[Word]) -> list[list[Word]]:
    """Adjacent words, in order."""
    lines = [[*words[:1]]] if words else []
    for left, right in pairwise(words):
        if abs(right.box.y0 - left.box.y0) > _height(left) / 2:
            lines.append([])
        lines[-1].append(right)
    return lines


def _cells(line: Sequence[Word], gap: float) -> list[list[Word]]:
    """The words of a line, split at gaps of so many letter heights."""
    cells = [[line[0]]]
    for left, right in pairwise(line):
        if right.box.x0 - left.box.x1 > gap * _height(left):
            cells.append([])
        cells[-1].append(right)
    return cells
