"""Lines: faces, measuring, breaking with hyphens, justification."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pymupdf

from examples.markup import Piece, Word

NOTE_SCALE = 0.62
"""Size of a superscript footnote mark, relative to its text."""
NOTE_RISE = 0.36
"""How far it is raised, relative to the size of its text."""
_FACES = {
    "serif": {"roman": "tiro", "bold": "tibo", "italic": "tiit", "note": "tiro"},
    "sans": {"roman": "helv", "bold": "hebo", "italic": "heit", "note": "helv"},
}
_MARKS = ".,;:!?)“”\"'…"

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Letter:
    """How text is set: family ("serif" or "sans"), size and colour; `ligatures` replaces fi and fl."""

    family: str
    size: float
    colour: Colour = (0.1, 0.1, 0.1)
    ligatures: bool = False


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Characters at `x`, `rise` points above the base line."""

    x: float
    text: str
    face: str
    letter: Letter
    rise: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """One set line; `notes` are the footnotes referred to in it."""

    glyphs: tuple[Glyphs, ...]
    notes: tuple[str, ...] = field(default=())


@cache
def font(family: str, face: str) -> pymupdf.Font:
    """The face of a family, one of the fonts that come with PyMuPDF."""
    return pymupdf.Font(_FACES[family][face])


@cache
def _breaks() -> dict[str, tuple[str, ...]]:
    lexicon = Path(__file__).with_name("hyphenation.txt").read_text(encoding="utf-8").split()
    return {word.replace("-", ""): tuple(word.split("-")) for word in lexicon}


@cache
def width(text: str, letter: Letter, face: str = "roman") -> float:
    """Width of `text` in points."""
    scale = NOTE_SCALE if face == "note" else 1.0
    return float(font(letter.family, face).text_length(_shaped(text, letter), letter.size * scale))


def set_lines(
    text: Sequence[Word], letter: Letter, measure: float, *, indent: float = 0.0, justified: bool = True
) -> list[Line]:
    """Break `text` into lines of `measure` points, the first one indented. Justified text is
    hyphenated where the lexicon knows the word."""
    rest, lines = list(text), list[Line]()
    while rest:
        first = indent if not lines else 0.0
        taken, rest = _fill(rest, letter, measure - first, hyphenated=justified)
        lines.append(_spread(taken, letter, measure, first, justified=justified and bool(rest)))
    return lines


def centred(text: str, letter: Letter, measure: float, face: str = "roman") -> Line:
    """One centred line."""
    return Line((Glyphs((measure - width(text, letter, face)) / 2, text, face, letter),))


def _shaped(text: str, letter: Letter) -> str:
    return text.replace("fi", "ﬁ").replace("fl", "ﬂ") if letter.ligatures else text


def shaped(glyphs: Glyphs) -> str:
    """The characters as they are written to the page, with ligatures where the letter wants them."""
    return _shaped(glyphs.text, glyphs.letter)


def _word_width(word: Word, letter: Letter) -> float:
    return sum(width(piece.text, letter, piece.face) for piece in word)


def _fill(
    rest: list[Word], letter: Letter, measure: float, *, hyphenated: bool
) -> tuple[list[Word], list[Word]]:
    space, used, taken = width(" ", letter), 0.0, 0
    while taken < len(rest):
        needed = _word_width(rest[taken], letter) + (space if taken else 0.0)
        if used + needed > measure:
            break
        used, taken = used + needed, taken + 1
    if not hyphenated or taken == len(rest):
        pass
    elif parts := _hyphenate(rest[taken], letter, measure - used - space):
        return [*rest[:taken], parts[0]], [parts[1], *rest[taken + 1 :]]
    taken = max(taken, 1)
    return rest[:taken], rest[taken:]


def _hyphenate(word: Word, letter: Letter, room: float) -> tuple[Word, Word] | None:
    head = word[0]
    core = head.text.strip(_MARKS + "„(")
    syllables = _breaks().get(core) or _breaks().get(core[:1].lower() + core[1:])
    if not syllables:
        return None
    lead = head.text.index(core)
    sizes = [lead + sum(map(len, syllables[:count])) for count in range(len(syllables) - 1, 0, -1)]
    for size in sizes:
        if width(head.text[:size] + "-", letter, head.face) <= room:
            left = Piece(head.text[:size] + "-", head.face)
            return (left,), (Piece(head.text[size:], head.face), *word[1:])
    return None


def _spread(taken: list[Word], letter: Letter, measure: float, indent: float, *, justified: bool) -> Line:
    gap = width(" ", letter)
    if justified and len(taken) > 1:
        natural = indent + sum(_word_width(word, letter) for word in taken)
        gap = (measure - natural) / (len(taken) - 1)
    glyphs: list[Glyphs] = []
    x = indent
    for word in taken:
        for number, piece in enumerate(word):
            rise = NOTE_RISE * letter.size if piece.face == "note" else 0.0
            last = number == len(word) - 1 and word is not taken[-1]
            glyphs.append(Glyphs(x, piece.text + (" " if last else ""), piece.face, letter, rise))
            x += width(piece.text, letter, piece.face)
        x += gap
    notes = tuple(piece.text for word in taken for piece in word if piece.face == "note")
    return Line(tuple(glyphs), notes)
