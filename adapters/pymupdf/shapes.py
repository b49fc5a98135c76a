"""Which letters the strokes on the page look like.

A font may draw one letter and say another (its ToUnicode map, its glyph names or its outlines lie). The
letter's strokes are laid on a grid and compared with those of plain fonts. That is a doubt and no proof:
honest typefaces have letters of their own. Runs in the worker.
"""

import string
from collections.abc import Sequence
from functools import lru_cache
from math import inf, log
from operator import itemgetter
from typing import Any, NamedTuple

import pymupdf

from adapters.pymupdf.ink import OTHERS, Box, Letter, Raster, display_list, letters_near

GRID = 12
CHARACTERS = string.ascii_letters + string.digits
FONTS = ("helv", "hebo", "heit", "tiro", "tibo", "tiit", "cour", "cobo")
CLEAR, APART, DIGITS_APART = 34, 30, 20
"""Squares of the grid, of 144: a letter that differs from another in so few, and in so many more from the one
that the text says, is plainly the other one. Digits are compared with digits."""
_PROPORTION = 24
TWIN = 16
"""Squares in which the same letter of the same typeface differs at most."""
_ALIKE = ("0oq", "1iljrt7", "s5", "z2", "b6", "g9q", "uv", "fj", "ceo", "ao", "adq")
"""Characters whose strokes are nearly the same in many fonts; capitals and small letters are."""
SURE_OF_DIGIT = 6
"""Squares by which a digit's own shape must be nearer than others to be sure."""
_SIZE = 30.0  # pixels a line of letters gets
_SCALES = 1.0, 8.0
_STROKE = 96  # coverage, of 255
_BITS = bytes(int(cover >= _STROKE) for cover in range(256))


class Shape(NamedTuple):
    """The strokes of a letter on the grid, a byte for each square, and its proportions: the logarithm of
    width by height, in squares."""

    squares: int
    proportions: float

    def distance(self, other: "Shape") -> float:
        """In how many squares they differ; other proportions count as squares, too."""
        return (self.squares ^ other.squares).bit_count() + abs(self.proportions - other.proportions)


class Strokes:
    """The text of a part of a page alone, to take the shapes of its letters from."""

    def __init__(self, painted: Any, boxes: Sequence[Box], text_of: Sequence[Letter] | None = None) -> None:
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        self._clip = min(x0) - 1, min(y0) - 1, max(x1) + 1, max(y1) + 1
        smallest = min(max(b - a, 2.0) for a, b in zip(y0, y1, strict=True))
        area = (self._clip[2] - self._clip[0]) * (self._clip[3] - self._clip[1])
        self._scale = min(max(_SIZE / smallest, _SCALES[0]), _SCALES[1], (4e6 / max(area, 1.0)) ** 0.5)
        self._picture = Raster(painted, self._clip, self._scale, without=OTHERS, alone=True, text_of=text_of)

    def shape(self, box: Box, turn: int = 0) -> Shape | None:
        """The shape of the letter in `box` when it is turned; None where there is hardly any stroke."""
        x0, y0, x1, y1 = ((value - self._clip[i % 2]) * self._scale for i, value in enumerate(box))
        left, right = max(0, round(x0)), round(x1)
        rows = [
            self._picture.row(y, left, right).translate(_BITS) for y in range(max(0, round(y0)), round(y1))
        ]
        rows = _turned(rows, turn)
        inked = [row for row in rows if 1 in row]
        if len(inked) < 4:
            return None
        start, end = min(row.find(1) for row in inked), max(row.rfind(1) for row in inked) + 1
        first = next(i for i, row in enumerate(rows) if 1 in row)
        last = len(rows) - next(i for i, row in enumerate(reversed(rows)) if 1 in row)
        pick = itemgetter(*(start + (2 * i + 1) * (end - start) // (2 * GRID) for i in range(GRID)))
        lines = (rows[first + (2 * i + 1) * (last - first) // (2 * GRID)] for i in range(GRID))
        squares = int.from_bytes(b"".join(bytes(pick(line)) for line in lines))
        return Shape(squares, _PROPORTION * log((end - start) / (last - first)))


def _turned(rows: list[bytes], turn: int) -> list[bytes]:
    """A picture turned clockwise by 0, 90, 180 or 270 degrees."""
    if turn == 180:
        return [row[::-1] for row in reversed(rows)]
    if turn in (90, 270):
        columns = [bytes(column) for column in zip(*rows, strict=True)]
        return [column[::-1] for column in columns] if turn == 90 else columns[::-1]
    return rows


@lru_cache(maxsize=1)
def models() -> dict[str, tuple[Shape, ...]]:
    """The shapes of each character in plain fonts."""
    found: dict[str, tuple[Shape, ...]] = {}
    with pymupdf.open() as document:
        for name in FONTS:
            page = document.new_page(width=900, height=300)
            for row in range(0, len(CHARACTERS), 16):
                page.insert_text(
                    (10, 40 + 4 * row), "  ".join(CHARACTERS[row : row + 16]), fontname=name, fontsize=20
                )
            letters = [each for each in letters_near(page, [tuple(page.rect)]) if each.text in CHARACTERS]
            strokes = Strokes(display_list(page), [letter.box for letter in letters])
            for letter in letters:
                shape = strokes.shape(letter.box)
                if shape is not None:
                    found[letter.text] = (*found.get(letter.text, ()), shape)
    return found


class Rivals(NamedTuple):
    """The characters whose shapes are nearer to a letter's than those of what the text says, by how many
    squares the nearest is (zero where there is none), and whether one that does not look alike is so plainly.
    A digit's must be nearer by `SURE_OF_DIGIT`."""

    characters: str = ""
    lead: float = 0.0
    plain: bool = False


def rivals(shape: Shape, text: str) -> Rivals:
    """See `Rivals`. Capitals and small letters are one."""
    nearest = {character: min(map(shape.distance, known)) for character, known in models().items()}
    own = min(nearest.get(each, inf) for each in (text, text.lower(), text.upper()))
    own += SURE_OF_DIGIT if text in string.digits else 0
    found = [c for c, distance in nearest.items() if distance < own and c.lower() != text.lower()]
    alike = {text.lower()}.union(*(group for group in _ALIKE if text.lower() in group))
    like = min(distance for c, distance in nearest.items() if c.lower() in alike)
    among = string.digits if text in string.digits else CHARACTERS
    other = min(distance for c, distance in nearest.items() if c in among and c.lower() not in alike)
    lead = own - min((nearest[c] for c in found), default=own)
    apart = DIGITS_APART if text in string.digits else APART
    return Rivals("".join(found), lead, other <= CLEAR and like - other >= apart)
