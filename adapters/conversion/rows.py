"""Tables of numbers (XLSX, CSV) as text: a row stands for itself where it is searched, quoted and marked, so
each of its cells has its column's heading, and the row the name of its group. Runs in the child."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

MAX_CELLS = 500_000
"""Maximum number of non-empty cells."""
_GROUP_WORDS = 8
"""Words of the lone cell of a row up to which it names a group of the rows below."""
_SENTENCE_END = re.compile(r"[.!?;,]\s*$")
_TOTAL = re.compile(
    r"(?:zwischen|gesamt|end)?(?:summe|gesamt|insgesamt|total|sum|sous-total|ensemble)\b", re.I
)


@dataclass(slots=True)
class Row:
    """The texts of a row's cells by column. `above`: the columns of those that stand in it because a cell
    above spans it; `wide`: that span several columns, with the last of them; `gap`: an empty row stands
    above it."""

    cells: dict[int, str]
    above: set[int] = field(default_factory=set)
    wide: dict[int, int] = field(default_factory=dict)
    gap: bool = False

    def filled(self) -> dict[int, str]:
        """Its cells with text, with white space normalised."""
        texts = ((column, " ".join(text.split())) for column, text in self.cells.items())
        return {column: text for column, text in texts if text}

    def own(self) -> dict[int, str]:
        """The cells that don't come from a row above."""
        return {column: text for column, text in self.filled().items() if column not in self.above}


def paragraphs(rows: Iterable[Row]) -> Iterator[str]:
    """A paragraph a row: "Heading: cell; heading: cell". The first row with two or more cells heads, and with
    it those that stand under its merged cells; behind empty rows a row of words may begin another table."""
    kept = [row for row in rows if row.filled()]
    begins = [0, *(n for n in range(1, len(kept)) if _begins_anew(kept, n)), len(kept)]
    for begin, end in pairwise(begins):
        yield from _table(kept[begin:end])


def _begins_anew(rows: Sequence[Row], n: int) -> bool:
    """Whether another table begins with row `n`: its title, or the names of its columns."""
    if not rows[n].gap:
        return False
    head = n if len(rows[n].own()) > 1 else n + 1
    if head + 1 >= len(rows) or len(rows[head].own()) < 2:
        return False
    return _is_wordy(rows[head]) and not _is_wordy(rows[head + 1])


def _table(rows: Sequence[Row]) -> Iterator[str]:
    first = next((n for n, row in enumerate(rows) if len(row.own()) > 1), len(rows))
    yield from (" ".join(row.filled().values()) for row in rows[:first])
    heads, at = _heads(rows[first:])
    group = ""
    for n, row in enumerate(rows[first + at :], first + at):
        if name := _group(row, rows[n + 1 : n + 2]):
            group = name
            yield name
            continue
        cells = row.filled()
        begins = next(iter(cells.values()))
        named = [f"{heads[column]}: {text}" if column in heads else text for column, text in cells.items()]
        yield "; ".join((group, *named) if group and not _TOTAL.match(begins) else named)


def _heads(rows: Sequence[Row]) -> tuple[dict[int, str], int]:
    """The name of each column, and the number of header rows."""
    if not rows:
        return {}, 0
    heads = _spread(rows[0])
    at = 1
    while at < len(rows) - 1 and (rows[at].above or rows[at - 1].wide) and _is_wordy(rows[at]):
        for column, text in _spread(rows[at]).items():
            if column not in rows[at].above:
                heads[column] = f"{heads[column]} {text}" if column in heads else text
        at += 1
    return heads, at


def _spread(row: Row) -> dict[int, str]:
    """A row's texts, those of wide cells in every column they span."""
    found = row.filled()
    for left, right in row.wide.items():
        for column in range(left + 1, right + 1):
            if left in found:
                found.setdefault(column, found[left])
    return found


def _is_wordy(row: Row) -> bool:
    return not any(character.isdigit() for text in row.own().values() for character in text)


def _group(row: Row, following: Sequence[Row]) -> str:
    """The name of a group of rows that stands alone above them; "" where the row is none."""
    own = row.own()
    if len(own) != 1 or row.above or not following or len(following[0].own()) < 2:
        return ""
    [(_, text)] = own.items()
    short = len(text.split()) <= _GROUP_WORDS and not _SENTENCE_END.search(text)
    return text if short and any(map(str.isalpha, text)) and min(following[0].filled()) >= min(own) else ""
