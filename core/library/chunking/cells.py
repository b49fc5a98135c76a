"""Whose words the cells of a table are: what others claim stands beside what the document answers, a thesis
beside its "no"."""

from collections.abc import Sequence
from itertools import pairwise

from core.domain.pages import Word
from core.library.chunking.layout import Paragraph
from core.library.chunking.text import bare
from core.library.chunking.voices import names_answers, names_claims, names_theses, rejects

_GAP = 0.4
"""Heights of its letters by which two words of a line stand apart where a cell ends."""


def others_in(header: Sequence[Word], row: Paragraph) -> tuple[tuple[int, int], ...]:
    """The ranges of a row's text that are somebody else's words by the names of the columns, whose words
    `header` has; none where it has other cells than they."""
    names = [_text(header[start:end]) for start, end in _cells(header)]
    cells = _cells(row.flow.words)
    if len(cells) != len(names):
        return ()
    said = [_text(row.flow.words[start:end]) for start, end in cells]
    ends = [*row.flow.starts[1:], len(row.text) + 1]
    ranges = [(row.flow.starts[start], ends[end - 1] - 1) for start, end in cells]
    return tuple(each for each, theirs in zip(ranges, _theirs(names, said), strict=True) if theirs)


def _theirs(names: Sequence[str], said: Sequence[str]) -> list[bool]:
    """Which cells are others' words, by the names of their columns and what they say."""
    answered = any(map(names_answers, names))
    rejected = any(rejects(text) and not names_theses(name) for name, text in zip(names, said, strict=True))
    return [(answered and names_claims(name)) or (rejected and names_theses(name)) for name in names]


def _text(words: Sequence[Word]) -> str:
    return " ".join(filter(None, map(bare, words)))


def _cells(words: Sequence[Word]) -> list[tuple[int, int]]:
    """The first word of each cell and the one behind its last: words come cell after cell, and the next one
    begins further right in its line, or above it."""
    if not words:
        return []
    begins = (at for at, (left, right) in enumerate(pairwise(words), 1) if _is_next(left, right))
    return [*pairwise([0, *begins, len(words)])]


def _is_next(left: Word, right: Word) -> bool:
    height = left.box.y1 - left.box.y0
    step = right.box.y0 - left.box.y0
    return step < -height / 2 or (step < height / 2 and right.box.x0 - left.box.x1 > _GAP * height)
