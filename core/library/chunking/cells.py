"""Whose words the cells of a table are: others' claims next to the document's answers, a thesis next to its
"no"."""

from collections.abc import Sequence
from itertools import compress, pairwise

from core.domain.pages import Word
from core.library.chunking.attribution import Speakers, is_in_our_name, is_named_other, is_party
from core.library.chunking.layout import Paragraph
from core.library.chunking.text import bare
from core.library.chunking.voices import (
    names_answers,
    names_claims,
    names_notes,
    names_theses,
    names_us,
    rejects,
)

_PAIR = 2
"""Number of cells in a row that begins with a label: "Myth", "Fact"."""
_NAME_WORDS = 6
_GAP = 0.4
"""Distance between two words of a line where a cell ends, in letter heights."""


def others_in(
    header: Sequence[Word], rows: Sequence[Paragraph], speakers: Speakers
) -> list[tuple[tuple[int, int], ...]]:
    """The ranges of each row's text that are somebody else's words, judging by the column names, whose words
    are in `header`, or by the rows' labels."""
    names = [_text(header[start:end]) for start, end in _cells(header)]
    cut = [_cells(row.flow.words) for row in rows]
    said = [
        [_text(row.flow.words[start:end]) for start, end in cells]
        for row, cells in zip(rows, cut, strict=True)
    ]
    heads = [texts[0] if len(texts) == _PAIR else "" for texts in said]
    named = _of_parties([texts[0] if texts else "" for texts in said], speakers)
    found = []
    for number, (row, cells, texts) in enumerate(zip(rows, cut, said, strict=True)):
        theirs = _theirs(names, texts, speakers)
        paired = names_claims(heads[number]) and any(map(names_answers, heads[number + 1 : number + 2]))
        if paired or named[number]:
            theirs = [True] * len(texts)
        ends = [*row.flow.starts[1:], len(row.text) + 1]
        ranges = [(row.flow.starts[start], ends[end - 1] - 1) for start, end in cells]
        found.append(tuple(each for each, is_theirs in zip(ranges, theirs, strict=True) if is_theirs))
    return found


def _theirs(names: Sequence[str], texts: Sequence[str], speakers: Speakers) -> list[bool]:
    """Which cells are others' words, judging by their column names and contents; none if their numbers
    differ."""
    if len(texts) != len(names):
        return [False] * len(texts)
    answered = any(map(names_answers, names))
    others = _of_others(names, speakers)
    rejected = any(
        rejects(text) and not (names_theses(name) or theirs)
        for name, text, theirs in zip(names, texts, others, strict=True)
    )
    return [
        theirs
        or (answered and names_claims(name))
        or (rejected and names_theses(name))
        or any(speakers.is_answered_by(name, other) for other in names)
        or (is_named_other(name) and any(map(names_us, names)))
        for name, theirs in zip(names, others, strict=True)
    ]


def _of_others(names: Sequence[str], speakers: Speakers) -> list[bool]:
    """Which columns are other parties', where one is named for the document's own or for "us"; the first one
    may say what a row is about, and some what is to be said of it."""
    near = [speakers.nearness(name) for name in names]
    if not (own := max(near)):
        ours = any(map(is_in_our_name, names))
        return [ours and is_party(name) and not is_in_our_name(name) for name in names]
    return [
        value < own and not names_notes(name) and (at > 0 or is_party(name))
        for at, (name, value) in enumerate(zip(names, near, strict=True))
    ]


def _of_parties(heads: Sequence[str], speakers: Speakers) -> list[bool]:
    """Which rows are other parties', where one begins with the document's own and another with a party's
    name."""
    near = [speakers.nearness(head) if len(head.split()) <= _NAME_WORDS else 0.0 for head in heads]
    own = max(near, default=0.0)
    others = [bool(head) and value < own for head, value in zip(heads, near, strict=True)]
    return [each and any(map(is_party, compress(heads, others))) for each in others]


def _text(words: Sequence[Word]) -> str:
    return " ".join(filter(None, map(bare, words)))


def _cells(words: Sequence[Word]) -> list[tuple[int, int]]:
    """The first word of each cell and the one after its last: words come cell by cell, and the next cell
    begins further right in its line, or above it."""
    if not words:
        return []
    begins = (at for at, (left, right) in enumerate(pairwise(words), 1) if _is_next(left, right))
    return [*pairwise([0, *begins, len(words)])]


def _is_next(left: Word, right: Word) -> bool:
    height = left.box.y1 - left.box.y0
    step = right.box.y0 - left.box.y0
    return step < -height / 2 or (step < height / 2 and right.box.x0 - left.box.x1 > _GAP * height)
