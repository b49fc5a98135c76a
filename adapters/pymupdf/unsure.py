"""What is told between a worker and its parent of cited words. The parent imports no PyMuPDF."""

from collections.abc import Sequence
from typing import NamedTuple


class Unsure(NamedTuple):
    """A letter of a cited word (index): which of its letters and digits, what the text says, its glyph (empty
    where its font has no program), and the characters whose strokes are nearer."""

    word: int
    place: int
    text: str
    glyph: str
    rivals: str


def rounded(box: Sequence[float]) -> tuple[float, ...]:
    """The place of a word, to a tenth of a point: by it, words that were looked at are known again."""
    return tuple(round(value, 1) for value in box)
