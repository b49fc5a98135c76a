"""Whether a reader of the page sees the words that are quoted from it. Runs in the worker."""

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import md5
from itertools import chain, product
from math import inf, log
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple
from unicodedata import category, normalize

import pymupdf
from pymupdf import mupdf

from adapters.pymupdf.ink import (
    MIN_RANGE,
    OTHERS,
    Box,
    Letter,
    Raster,
    Sample,
    Views,
    display_list,
    inside,
    letters_near,
)
from adapters.pymupdf.pictures import grouped
from adapters.pymupdf.protocol import Unsure
from adapters.pymupdf.rectangles import page_of, upright
from core.domain.pages import Doubt
from core.recent import Recent

# Which letters the strokes on the page look like.
#
# A font may draw one letter and say another (its ToUnicode map, its glyph names or its outlines lie). The
# letter's strokes are laid on a grid and compared with those of plain fonts. That is a doubt and no proof:
# honest typefaces have letters of their own. Runs in the worker.


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


_MIN_WIDTH = 0.35
"""Points; the second half of a ligature is narrower."""
_CELL = 8.0  # points; where letters are looked up
_LARGER = 1.5
MOST_BEHIND = 0.6
"""Share of the contrast in a letter's place that other text there may have."""
_INNER = 0.25
"""Share of a letter's box, on each side, where the middle of a neighbour may be."""
_REDACTED = 0.35
"""Share of a word's height, above and below, that is left out when it is taken away: other lines stay."""


class Look(NamedTuple):
    """Why words are not what a reader sees, and the letters that nothing vouches for. `said`: the letters and
    digits of each word, where there are such."""

    doubt: Doubt | None = None
    unsure: Sequence[Unsure] = ()
    said: Sequence[str] = ()


def look_on(document: Any, number: int, words: Sequence[Box], *, scan: bool) -> Look:
    """`look` of 1-based page `number`. Raises PdfError: no_such_page."""
    with upright(page_of(document, number)) as page:
        return look(page, words, scan=scan)


def look(page: Any, words: Sequence[Box], *, scan: bool) -> Look:
    """Why the words in these boxes (of the unrotated crop box; the page is not rotated) are not what a reader
    sees. `scan`: they are an invisible layer over a picture, which is examined instead."""
    if not words:
        return Look()
    views = Views(page, words)
    if scan:
        shown = all(views.range(box) >= MIN_RANGE for box in words)
        return Look(None if shown else Doubt.NO_INK)
    near = letters_near(page, words)
    own = [_own(near, box) for box in words]
    if _unreadable([letter for letters in own for letter in letters if _tells(letter)], near, views):
        return Look(Doubt.NO_INK)
    unseen = [box for box, letters in zip(words, own, strict=True) if not _is_seen(views, letters)]
    if unseen and not _change_the_page(page, unseen, near):
        return Look(Doubt.NO_INK)
    try:
        unsure = Witness(views.painted, words, Strokes(views.painted, words, views.letters)).unsure(own)
    except Lie:
        return Look(Doubt.OTHER_LETTERS)
    doubt = Doubt.COMPARE if any(letter.plain for letter in unsure) else None
    said = ["".join(letter.text for letter in letters if letter.text.isalnum()) for letters in own]
    return Look(doubt, unsure, said if unsure else ())


def _own(near: Sequence[Letter], box: Box) -> list[Letter]:
    """The letters of the word in a box, not those of a watermark that runs across it, askew or larger."""
    found = [letter for letter in near if inside(box, letter.middle)]
    level = any(letter.turn is not None for letter in found)
    return [
        letter
        for letter in found
        if (letter.turn is not None or not level)
        and _height(letter.box, letter) <= _LARGER * _height(box, letter)
    ]


def _height(box: Box, letter: Letter) -> float:
    """How high a box is as a letter in it is written."""
    return box[2] - box[0] if letter.turn in (90, 270) else box[3] - box[1]


def _unreadable(own: Sequence[Letter], near: Sequence[Letter], views: Views) -> bool:
    """Whether some of `own` cannot be read because of other text in their places. Where that is larger and
    paler, as a watermark is, they are compared from then on with the page without them, watermark and all."""
    places: dict[tuple[int, int], list[Letter]] = {}
    for letter in filter(_tells, near):
        x0, y0, x1, y1 = (int(value / _CELL) for value in letter.box)
        for place in product(range(x0, x1 + 1), range(y0, y1 + 1)):
            places.setdefault(place, []).append(letter)
    crossed = {letter: others for letter in own if (others := _crossing(letter, places))}
    if not crossed:
        return False
    if not {other for others in crossed.values() for other in others}.isdisjoint(own):
        return True  # two words in the same place
    views.only(own)
    return any(
        views.range(_inner(letter.box), bare=True) > MOST_BEHIND * views.range(letter.box)
        for letter in crossed
    )


def _inner(box: Box) -> Box:
    """The middle of a letter's box, which lines above and below do not reach."""
    x0, y0, x1, y1 = box
    across, down = _INNER * (x1 - x0), _INNER * (y1 - y0)
    return x0 + across, y0 + down, x1 - across, y1 - down


def _crossing(letter: Letter, places: Mapping[tuple[int, int], list[Letter]]) -> list[Letter]:
    """The other letters whose middle is in the place of this one, and larger ones that this one's is in."""
    inner, (x, y) = _inner(letter.box), letter.middle
    return [
        other
        for other in places.get((int(x / _CELL), int(y / _CELL)), ())
        if other.text.casefold() != letter.text.casefold()
        and (inside(inner, other.middle) or (_is_larger(other, letter) and inside(other.box, letter.middle)))
    ]


def _is_larger(one: Letter, other: Letter) -> bool:
    return one.box[3] - one.box[1] > _LARGER * (other.box[3] - other.box[1])


def _tells(letter: Letter) -> bool:
    """Whether it is a letter or digit with a place of its own, not the second half of a ligature."""
    x0, y0, x1, y1 = letter.box
    return letter.text.isalnum() and x1 - x0 >= _MIN_WIDTH and y1 - y0 >= _MIN_WIDTH


def _is_seen(views: Views, letters: Sequence[Letter]) -> bool:
    """Whether a word has ink, and each of its letters and digits."""
    if letters and not any(letter.text.isalnum() for letter in letters):
        return True  # dashes, dots and bullets say nothing
    samples = [views.look(letter.box) for letter in letters if _tells(letter)]
    whole = Sample()
    for sample in samples:
        whole = whole.plus(sample)
    return (
        bool(samples)
        and whole.is_seen
        and all(each.is_inked if each.strokes else each.is_seen for each in samples)
    )


def _change_the_page(page: Any, words: Sequence[Box], near: Sequence[Letter]) -> bool:
    """Whether the page changes at each letter of `words` when just these are taken out of its content. Text
    that is a stencil for a gradient or a drawing of its own has no strokes that could be left out."""
    views = Views(page, words)
    if any(views.look(box).strokes for box in words):
        return False  # painted, but covered or in the background colour
    copy = pymupdf.open()
    try:
        only = {"from_page": page.number, "to_page": page.number}
        copy.insert_pdf(page.parent, **only, links=False, annots=False, widgets=False)
        bare: Any = copy[0]
        bare.set_rotation(0)
        for x0, y0, x1, y1 in words:
            cut = _REDACTED * (y1 - y0)
            bare.add_redact_annot(pymupdf.Rect(x0, y0 + cut, x1, y1 - cut), fill=False, cross_out=False)
        bare.apply_redactions(images=0, graphics=0, text=0)
        views.compare(copy[0])
        return all(views.look(letter.box).is_seen for letter in _of(words, near))
    finally:
        copy.close()


def _of(words: Sequence[Box], near: Sequence[Letter]) -> Iterator[Letter]:
    for letter in near:
        if _tells(letter) and any(inside(box, letter.middle) for box in words):
            yield letter


# Which of the cited letters are surely those that the text says: by the names and codes in their fonts, or
# by their strokes. What neither settles has to be read by somebody else. Runs in the worker.

SUSPECT = 12.0
"""Squares by which another character is nearer where the font's own names or map agree with the text."""
_BLANK = frozenset({"Zs", "Zl", "Zp", "Cf", "Cn"})
_SOFT_HYPHEN = "\u00ad"
"""Is drawn at the end of a line."""
_KNOWN = 20_000
_ENOUGH = 3  # number of letters of a kind to compare with
_STEP = 10.0  # of a point, in which places are compared


# The glyphs that a part of a page is set in, and what their fonts say of them.
#
# A font program names its glyphs or maps characters to them (OpenType, "post" and "cmap"; CFF charsets;
# Adobe Glyph List). What the file says the text is (ToUnicode, say) must agree. Subset fonts often have
# neither, or names without a meaning: they say nothing.

_KINDS = ("fill_text", "stroke_text", "clip_text", "clip_stroke_text", "ignore_text")
_UNI = re.compile(r"uni([0-9A-F]{4})|u([0-9A-F]{4,6})")
LAST_CODE = 0xFF
"""A map that has nothing beyond it may be one of codes, not of characters."""
_THIN = 0.1
"""Of the type size; outlines that are narrower are no letters."""
_MARGIN = 1.0
_PRIVATE = range(0xE000, 0xF900)
_MAPS = Recent[str, dict[int, set[str]]](32)


class Font:
    """A font as MuPDF loaded it; for a file that brings none, the one that stands for it."""

    def __init__(self, font: Any) -> None:
        self._font = font
        self.name = str(mupdf.fz_font_name(font))

    @cached_property
    def key(self) -> str:
        """Tells its program from all others; empty where it has none (Type 3)."""
        buffer = self._font.m_internal.buffer
        if buffer is None:
            return ""
        data = mupdf.fz_buffer_extract_copy(mupdf.FzBuffer(mupdf.ll_fz_keep_buffer(buffer)))
        return md5(data, usedforsecurity=False).hexdigest()

    @cached_property
    def _codes(self) -> dict[int, set[str]]:
        """The characters that its map has for a glyph. A large map takes 100 ms; the last ones are kept."""
        known = _MAPS.get(self.key)
        if known is not None:
            return known
        found: dict[int, set[str]] = {}
        for pair in mupdf.fz_enumerate_font_cmap2(self._font):
            if pair.ucs not in _PRIVATE:
                found.setdefault(pair.gid, set()).add(chr(pair.ucs))
        _MAPS[self.key] = found
        return found

    @cached_property
    def maps_characters(self) -> bool:
        """Whether its map is one of characters, not of codes."""
        return any(ord(character) > LAST_CODE for found in self._codes.values() for character in found)

    def named(self, glyph: int) -> str:
        """The character that a glyph's name means, empty if none."""
        if not self.key:
            return ""
        return _meaning(str(mupdf.fz_get_glyph_name2(self._font, glyph)))

    def draws(self, glyph: int) -> bool:
        """Whether a glyph is a letter or digit by its name, or, without one, has an outline."""
        if not self.key or (name := self.named(glyph)):
            return bool(self.key) and name.isalnum()
        box = mupdf.fz_bound_glyph(self._font, glyph, mupdf.FzMatrix())
        return bool(glyph) and box.x1 - box.x0 > _THIN and box.y1 - box.y0 > _THIN

    def mapped(self, glyph: int) -> set[str]:
        """The characters that the font's map has for a glyph."""
        return self._codes.get(glyph, set()) if self.key else set()


def _meaning(name: str) -> str:
    """The character that the name of a glyph means; empty for names without a meaning (g12)."""
    bare = name.partition(".")[0]
    if code := _UNI.fullmatch(bare):
        value = int(code[1] or code[2], 16)
        return chr(value) if value < 0x110000 and value not in _PRIVATE else ""
    value = mupdf.fz_unicode_from_glyph_name_strict(bare)
    return chr(value) if value and value not in _PRIVATE else ""


class Glyph(NamedTuple):
    """A glyph, the character it is said to be, and where it begins."""

    text: str
    number: int
    font: Font
    at: tuple[float, float]


class _Device(mupdf.FzDevice2):  # type: ignore[misc]
    """Takes down text as it is painted."""

    def __init__(self, clip: Box) -> None:
        super().__init__()
        for kind in _KINDS:
            getattr(self, f"use_virtual_{kind}")()
        self._clip = clip
        self._fonts: dict[int, Font] = {}
        self.found: list[Glyph] = []

    def fill_text(self, _context: Any, text: Any, matrix: Any, *_: Any) -> None:
        """Text that is filled."""
        self._take(text, matrix)

    def stroke_text(self, _context: Any, text: Any, _stroke: Any, matrix: Any, *_: Any) -> None:
        """Text that is stroked."""
        self._take(text, matrix)

    def clip_text(self, _context: Any, text: Any, matrix: Any, *_: Any) -> None:
        """Text that clips."""
        self._take(text, matrix)

    def clip_stroke_text(self, _context: Any, text: Any, _stroke: Any, matrix: Any, *_: Any) -> None:
        """Text whose strokes clip."""
        self._take(text, matrix)

    def ignore_text(self, _context: Any, text: Any, matrix: Any) -> None:
        """Text that is not painted."""
        self._take(text, matrix)

    def _take(self, text: Any, matrix: Any) -> None:
        x0, y0, x1, y1 = self._clip
        a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
        span = text.head
        while span:
            wrapped = mupdf.FzTextSpan(span)
            font = None
            for i in range(span.len):
                item = wrapped.items(i)
                x, y = item.x * a + item.y * c + e, item.x * b + item.y * d + f
                if x0 <= x <= x1 and y0 <= y <= y1 and item.gid >= 0:
                    font = font or self._font(wrapped)
                    self.found.append(Glyph(chr(max(item.ucs, 0)), item.gid, font, (x, y)))
            span = span.next

    def _font(self, span: Any) -> Font:
        font = span.font()
        return self._fonts.setdefault(font.m_internal_value(), Font(font))


def _glyphs_near(painted: Any, boxes: Sequence[Box]) -> list[Glyph]:
    """The glyphs of a display list that begin within the bounds of `boxes`."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    clip = min(x0) - _MARGIN, min(y0) - _MARGIN, max(x1) + _MARGIN, max(y1) + _MARGIN
    device = _Device(clip)
    mupdf.fz_run_display_list(painted, device, mupdf.FzMatrix(), mupdf.FzRect(*clip), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return device.found


class Lie(Exception):
    """A font says itself that a glyph is another letter."""


class Witness:
    """Says of words which of their letters are unsure. What is known of glyphs is kept for the process."""

    known: ClassVar[dict[tuple[str, str], Rivals]] = {}

    def __init__(self, painted: Any, boxes: Sequence[Box], strokes: Strokes) -> None:
        self._glyphs: dict[tuple[int, int], list[Glyph]] = {}
        self._strokes = strokes
        self._boxes = boxes
        for glyph in _glyphs_near(painted, boxes):
            self._glyphs.setdefault(_place(*glyph.at), []).append(glyph)

    def unsure(self, words: Sequence[Sequence[Letter]]) -> list[Unsure]:
        """The unsure letters of `words`. Raises Lie."""
        if self._drawn_blanks():
            raise Lie
        found = [each for word, letters in enumerate(words) for each in self._of(word, letters)]
        unsure = [each for each in found if not each.glyph or self._is_open(each)]
        return [each for each in self._compared(unsure, words) if each.rivals] if unsure else []

    def _compared(self, unsure: Sequence[Unsure], words: Sequence[Sequence[Letter]]) -> Iterator[Unsure]:
        """The unsure letters, without those rivals that the words have themselves in the same typeface and
        that look otherwise there: plain fonts are no measure for others."""
        rivals = {rival for each in unsure for rival in each.rivals}
        shapes: dict[tuple[str, str], list[Shape]] = {}
        for letter in (letter for letters in words for letter in letters if letter.text in rivals):
            known = shapes.setdefault((letter.font, letter.text), [])
            shape = self._strokes.shape(letter.box, letter.turn or 0) if len(known) < _ENOUGH else None
            if shape is not None:
                known.append(shape)
        for each in unsure:
            letter = [one for one in words[each.word] if one.text.isalnum()][each.place]
            own = self._strokes.shape(letter.box, letter.turn or 0)
            held = [rival for rival in each.rivals if (letter.font, rival) in shapes and own is not None]
            twins = "".join(
                rival
                for rival in held
                if own and min(map(own.distance, shapes[letter.font, rival]), default=inf) <= TWIN
            )
            left = "".join(rival for rival in each.rivals if rival in twins or rival not in held)
            yield each._replace(rivals=left, twins=twins, plain=each.plain and bool(left))

    def _is_open(self, letter: Unsure) -> bool:
        """Whether it is unsure still, after all other places of its glyph have been looked at."""
        known = self.known.get((letter.glyph, letter.text))
        return known is None or known.lead > 0

    def _drawn_blanks(self) -> bool:
        """Whether what is said to be blank is letters: one by its name, or two that are drawn and have none
        (some typefaces draw the space)."""
        drawn = {(glyph.font.key, glyph.number): glyph for glyph in self._blanks()}
        shown = [glyph for glyph in drawn.values() if glyph.font.draws(glyph.number)]
        return len(shown) > 1 or any(glyph.font.named(glyph.number) for glyph in shown)

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
                    yield Unsure(word, place, letter.text, _key(glyph), found.characters, "", found.plain)

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
    """Whether the names or the map of a font say that a glyph is this character (names may be mistaken).
    Raises Lie where they say that it is another letter or digit."""
    named, mapped = font.named(glyph), font.mapped(glyph)
    if (named and _same(named, text)) or any(_same(character, text) for character in mapped):
        return True
    if named:
        raise Lie
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
