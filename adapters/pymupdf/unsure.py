"""Letters that nothing in a file vouches for, as a worker tells of them. The parent imports no PyMuPDF."""

from typing import NamedTuple


class Unsure(NamedTuple):
    """A letter of a cited word (index): which of its letters and digits, what the text says, its glyph (empty
    where its font has no program), and the characters whose strokes are nearer."""

    word: int
    place: int
    text: str
    glyph: str
    rivals: str
