"""Which of the cited letters are surely those that the text says: by the names and codes in their fonts, or
by their strokes. What neither settles has to be read by somebody else. Runs in the worker.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar
from unicodedata import category, normalize

from adapters.pymupdf.glyphs import Font, Glyph, glyphs_near
from adapters.pymupdf.letters import Box, Letter
from adapters.pymupdf.lines import grouped
from adapters.pymupdf.shapes import Rivals, Strokes, models, rivals
from adapters.pymupdf.unsure import Unsure

SUSPECT = 12.0
"""Squares by which another character is nearer where the font's own names or map agree with the text."""
_BLANK = frozenset({"Zs", "Zl", "Zp", "Cf", "Cn"})
_SOFT_HYPHEN = "\u00ad"
"""Is drawn at the end of a line."""
_KNOWN = 20_000
_STEP = 10.0  # of a point, in which places are compared


class Lie(Exception):
    """A font says itself that a glyph is another letter."""


class Witness:
    """Says of words which of their letters are unsure. What is known of glyphs is kept for the process."""

    known: ClassVar[dict[tuple[str, str], Rivals]] = {}

    def __init__(self, painted: Any, boxes: Sequence[Box], strokes: Strokes) -> None:
        self._glyphs: dict[tuple[int, int], list[Glyph]] = {}
        self._strokes = strokes
        self._boxes = boxes
        for glyph in glyphs_near(painted, boxes):
            self._glyphs.setdefault(_place(*glyph.at), []).append(glyph)

    def unsure(self, words: Sequence[Sequence[Letter]]) -> list[Unsure]:
        """The unsure letters of `words`. Raises Lie."""
        if any(glyph.font.draws(glyph.number) for glyph in self._blanks()):
            raise Lie
        found = [each for word, letters in enumerate(words) for each in self._of(word, letters)]
        return [each for each in found if not each.glyph or self._is_open(each)]

    def _is_open(self, letter: Unsure) -> bool:
        """Whether it is unsure still, after all other places of its glyph have been looked at."""
        known = self.known.get((letter.glyph, letter.text))
        return known is None or known.lead > 0

    def _blanks(self) -> Iterator[Glyph]:
        """What is said to be a blank in the lines of the words, between them as well."""
        for line in grouped(self._boxes):
            x0, y0, x1, y1 = zip(*(self._boxes[i] for i in line), strict=True)
            left, top, right, bottom = min(x0), min(y0), max(x1), max(y1)
            for glyph in chain.from_iterable(self._glyphs.values()):
                x, y = glyph.at
                if left <= x <= right and top <= y <= bottom and _is_blank(glyph.text):
                    yield glyph

    def _of(self, word: int, letters: Sequence[Letter]) -> Iterator[Unsure]:
        telling = [letter for letter in letters if letter.text.isalnum()]
        for place, letter in enumerate(telling):
            glyph = self._drawing(letter)
            if glyph is not None:
                vouched = vouches(glyph.font, glyph.number, letter.text)
                found = self._rivals(letter, glyph)
                if found.lead > (SUSPECT if vouched else 0):
                    yield Unsure(word, place, letter.text, _key(glyph), found.characters)

    def _drawing(self, letter: Letter) -> Glyph | None:
        """The glyph that begins where a letter does, and is said to be it."""
        column, row = _place(*letter.origin)
        near = ((column + x, row + y) for x in (0, -1, 1) for y in (0, -1, 1))
        found = (glyph for place in near for glyph in self._glyphs.get(place, ()))
        return next((glyph for glyph in found if glyph.text == letter.text), None)

    def _rivals(self, letter: Letter, glyph: Glyph) -> Rivals:
        """Of a glyph, as far as is known: where its neighbours do not reach into its box, it is surest."""
        if letter.text not in models() or letter.turn is None:
            return Rivals()
        key = _key(glyph), letter.text
        known = self.known.get(key)
        if known is not None and known.lead <= 0:
            return known
        shape = self._strokes.shape(letter.box, letter.turn)
        found = Rivals() if shape is None else rivals(shape, letter.text)
        if known is not None and known.lead <= found.lead:
            return known
        if shape is not None and glyph.font.key and len(self.known) < _KNOWN:
            self.known[key] = found
        return found


def _is_blank(text: str) -> bool:
    return category(text) in _BLANK and text != _SOFT_HYPHEN


def vouches(font: Font, glyph: int, text: str) -> bool:
    """Whether the names or the map of a font say that a glyph is this character. Raises Lie where they say
    that it is another letter or digit."""
    named = font.named(glyph)
    if named:
        if not _same(named, text):
            raise Lie
        return True
    mapped = font.mapped(glyph)
    if any(_same(character, text) for character in mapped):
        return True
    if font.maps_characters and any(character.isalnum() for character in mapped):
        raise Lie
    return False


def _same(one: str, other: str) -> bool:
    """Whether two characters are the same letter; a ligature is its first."""
    a, b = (normalize("NFKC", each).casefold() for each in (one, other))
    return a.startswith(b) or b.startswith(a)


def _place(x: float, y: float) -> tuple[int, int]:
    return round(x * _STEP), round(y * _STEP)


def _key(glyph: Glyph) -> str:
    return f"{glyph.font.key}/{glyph.number}" if glyph.font.key else ""
