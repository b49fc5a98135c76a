"""Whether letters change the page where they stand: what is quoted must have ink.

A page is painted three times from one display list: as it looks, without its text, and its text alone. A
letter has ink where taking the text away changes the picture at its own strokes, enough to be told from what
is behind it. It does not matter how a letter was hidden: masks, opacity, empty glyphs, colours, clipping,
scaling and what is painted over it all come to the same. Runs in the worker.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import pymupdf
from pymupdf import mupdf

MIN_CONTRAST = 32
"""Difference of a colour channel, of 255, from which on a stroke can be told from its background."""
SAME_COLOUR = 20
"""Difference of a colour channel, of 255, that cannot be told."""
MIN_INKED = 0.6
"""Share of a word's strokes that must change the page."""
MAX_SOLID = 0.9
"""Share of a word's box that is painted where no letter can be made out in it."""
MIN_RANGE = 48
"""Difference between the lightest and the darkest sample of a word in a scan, of 255."""
_HIDDEN = 1 << 1  # ISO 32000-1, 12.5.3
_STROKE = 24
"""Coverage, of 255, of the least that is painted as part of a letter."""
_CORE = 0.7
"""Share of a letter's highest coverage that its strokes have; the rest is their soft edge."""
_FAINT = bytes(int(cover >= _STROKE) for cover in range(256))
_ROWS, _HITS = 8, 48  # sampled in a box: rows, and pixels per row
_LETTER_HEIGHT = 24.0  # pixels a line of the smallest letters gets
_SCALES = 1.5, 4.0
MOST_PIXELS = 3_000_000
"""Of a picture: a whole page in 140 dots per inch."""
_LEFT_OUT = ("fill_text", "stroke_text")
OTHERS = ("fill_path", "stroke_path", "fill_shade", "fill_image", "fill_image_mask")
FLAGS = pymupdf.TEXTFLAGS_WORDS | pymupdf.TEXT_IGNORE_ACTUALTEXT
_MARGIN = 6.0
_ASKEW = 0.05
_LIGATURE = re.compile(r"f?f[fijlbhkt]|ff|t?t[fi]|tt|[Tc]h|[cs]t|ck")
"""Letters that fonts draw as one glyph."""

Box = tuple[float, float, float, float]


class Letter(NamedTuple):
    """A character as its glyph stands on the page; `font` is the name of its font, `turn` the degrees
    clockwise that set it upright (0, 90, 180, 270), None where it is askew; `origin` is where it begins."""

    text: str
    box: Box
    font: str
    turn: int | None = 0
    origin: tuple[float, float] = (0.0, 0.0)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


def structured(page: Any, flags: int, bounds: Any = None) -> Any:
    """The structured text of the page's own content (no annotations; within `bounds`, if given), as a PyMuPDF
    text page."""
    options = mupdf.FzStextOptions()
    options.flags = flags
    if bounds is None:
        return pymupdf.TextPage(mupdf.FzStextPage(page.this, options))
    text_page = mupdf.FzStextPage(mupdf.FzRect(*bounds))
    device = mupdf.fz_new_stext_device(text_page, options)
    mupdf.fz_run_page_contents(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return pymupdf.TextPage(text_page)


_USUAL = 0.7, 1.7
"""How high a font's box may be, in parts of the type size, to be believed."""
_ABOVE, _BELOW = 0.9, 0.25
"""What a letter reaches above and below its base line otherwise."""


def is_odd(span: dict[str, Any]) -> bool:
    """Whether a span's font claims a box that no letter has: nobody checks what a file says of that."""
    return not _USUAL[0] <= span["ascender"] - span["descender"] <= _USUAL[1]


def held(box: Box, origin: tuple[float, float], size: float, direction: tuple[float, float]) -> Box:
    """A box of level or upright text that begins at `origin`, as high as letters are."""
    x0, y0, x1, y1 = box
    (x, y), (along, down) = origin, direction
    if abs(along) > 1 - _ASKEW:
        up, low = (_ABOVE, _BELOW) if along > 0 else (_BELOW, _ABOVE)
        return x0, y - up * size, x1, y + low * size
    if abs(down) > 1 - _ASKEW:
        right, left = (_ABOVE, _BELOW) if down > 0 else (_BELOW, _ABOVE)
        return x - left * size, y0, x + right * size, y1
    return box


def letters_near(page: Any, boxes: Sequence[Box]) -> list[Letter]:
    """The letters in and around `boxes`, as the glyphs say, not what /ActualText says of them."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    around = min(x0) - _MARGIN, min(y0) - _MARGIN, max(x1) + _MARGIN, max(y1) + _MARGIN
    return [
        Letter(
            character["c"],
            held(character["bbox"], character["origin"], span["size"], line["dir"]) if is_odd(span) else box,
            span["font"],
            _turn(*line["dir"]),
            character["origin"],
        )
        for block in structured(page, FLAGS, around).extractRAWDICT()["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for character, box in zip(span["chars"], _boxes(span["chars"]), strict=True)
    ]


def _boxes(characters: Sequence[dict[str, Any]]) -> list[Box]:
    """The boxes of a line's characters. Those behind the first of a ligature are said to begin where the next
    letter does: they share the box of the first."""
    boxes: list[Box] = [character["bbox"] for character in characters]
    at = 0
    while at < len(boxes) - 1:
        end = at + 1
        while end < len(boxes) - 1 and _begin_together(characters[end], characters[end + 1]):
            end += 1
        joined = "".join(character["c"] for character in characters[at:end])
        if _LIGATURE.fullmatch(joined):
            x0, y0, x1, y1 = boxes[at]
            step = (x1 - x0) / (end - at)
            boxes[at:end] = [(x0 + n * step, y0, x0 + (n + 1) * step, y1) for n in range(end - at)]
        at = end
    return boxes


def _begin_together(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(abs(a - b) < _ASKEW for a, b in zip(one["origin"], other["origin"], strict=True))


def _turn(x: float, y: float) -> int | None:
    """The degrees that set a line upright which runs along (x, y), y downwards."""
    turns = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}
    straight = abs(x - round(x)) < _ASKEW and abs(y - round(y)) < _ASKEW
    return turns.get((round(x), round(y))) if straight else None


def inside(box: Box, middle: tuple[float, float]) -> bool:
    """Whether a point lies in a box."""
    return box[0] <= middle[0] <= box[2] and box[1] <= middle[1] <= box[3]


class Sample(NamedTuple):
    """The pixels of a letter or word: those of its strokes, those of them that change the page, all that are
    painted (or, without strokes, change the page), and all examined."""

    strokes: int = 0
    inked: int = 0
    changed: int = 0
    pixels: int = 0

    def plus(self, other: "Sample") -> "Sample":
        """Both together."""
        return Sample(*map(sum, zip(self, other, strict=True)))

    @property
    def is_inked(self) -> bool:
        """Whether most of the strokes change the page."""
        return self.inked >= MIN_INKED * self.strokes

    @property
    def is_seen(self) -> bool:
        """Whether what is painted of it can be seen. Where the text alone leaves no trace (letters under a
        mask do not), what changes is all there is."""
        if self.strokes:
            return self.is_inked and self.strokes <= MAX_SOLID * self.pixels
        return self.changed > 1


def without_icons(page: Any) -> None:
    """Hide the icons of notes: buttons of a reader that may be moved, no part of what is printed."""
    if mupdf.pdf_first_annot(mupdf.pdf_page_from_fz_page(page.this)).m_internal is not None:
        for annotation in page.annots(types=[mupdf.PDF_ANNOT_TEXT]):
            annotation.set_flags(annotation.flags | _HIDDEN)


def display_list(page: Any, over: Any = None) -> Any:
    """What a page paints, to be painted again: its own content, and over it the annotations and form fields
    of the page `over`, its own ones if None."""
    without_icons(over or page)
    painted = mupdf.FzDisplayList(mupdf.fz_bound_page(page.this))
    device = mupdf.fz_new_list_device(painted)
    mupdf.fz_run_page_contents(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_run_page_annots((over or page).this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_run_page_widgets((over or page).this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return painted


class _Sieve(mupdf.FzDevice2):  # type: ignore[misc]
    """Paints on `target` what it is told to; of the texts only those of `letters` or, with `others`, only the
    rest."""

    def __init__(self, target: Any, letters: Sequence[Letter], *, others: bool) -> None:
        super().__init__()
        self._target = target.m_internal
        self._others = others
        self._places = {(letter.text, *point(*letter.origin)) for letter in letters}
        self._cells = {(column, row) for letter in letters for column, row in _cells(letter.box)}
        for name in _FORWARDED:
            getattr(self, f"use_virtual_{name}")()

    def fill_text(self, _: Any, text: Any, matrix: Any, space: Any, colour: Any, *rest: Any) -> None:
        """Text that is filled."""
        if self._holds(text, matrix) != self._others:
            count = mupdf.ll_fz_colorspace_n(space) if space else 0
            inks = [mupdf.floats_getitem(colour, i) for i in range(count)]
            mupdf.ll_fz_fill_text(self._target, text, matrix, space, inks, *rest)

    def stroke_text(self, _: Any, text: Any, stroke: Any, matrix: Any, *rest: Any) -> None:
        """Text that is stroked."""
        if self._holds(text, matrix) != self._others:
            mupdf.ll_fz_stroke_text(self._target, text, stroke, matrix, *rest)

    def _holds(self, text: Any, matrix: Any) -> bool:
        """Whether most of what begins where the letters are is one of them."""
        here = own = 0
        span = text.head
        while span:
            wrapped = mupdf.FzTextSpan(span)
            for i in range(span.len):
                item = wrapped.items(i)
                at = mupdf.ll_fz_transform_point_xy(item.x, item.y, matrix)
                here += (int(at.x), int(at.y)) in self._cells
                own += (chr(max(item.ucs, 0)), *point(at.x, at.y)) in self._places
            span = span.next
        return 2 * own > here


def _forward(name: str) -> Callable[..., Any]:
    paint = getattr(mupdf, f"ll_fz_{_OTHERWISE_CALLED.get(name, name)}")
    return lambda self, _, *arguments: paint(self._target, *arguments)


_OTHERWISE_CALLED = {"end_mask": "end_mask_tr"}
_FORWARDED = [
    name.removeprefix("use_virtual_")
    for name in dir(mupdf.FzDevice2)
    if name.startswith("use_virtual_") and not name.endswith(("close_device", "drop_device"))
]
for _name in _FORWARDED:
    if _name not in vars(_Sieve):
        setattr(_Sieve, _name, _forward(_name))


def point(x: float, y: float) -> tuple[int, int]:
    """A rounded position, which identifies a letter."""
    return round(2 * x), round(2 * y)


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    x0, y0, x1, y1 = map(int, box)
    return product(range(x0, x1 + 1), range(y0, y1 + 1))


class Raster:
    """Pixels of a part of a page, `count` bytes each."""

    def __init__(
        self,
        painted: Any,
        clip: Box,
        scale: float,
        *,
        without: Sequence[str] = (),
        alone: bool = False,
        text_of: Sequence[Letter] | None = None,
    ) -> None:
        """`alone`: coverage only, on nothing; else colours on white. `without`: kinds of painting that are
        left out, by their names in MuPDF's device. `text_of`: letters whose text is painted if `alone`,
        and left out if not."""
        matrix = mupdf.FzMatrix(scale, 0, 0, scale, 0, 0)
        area = mupdf.fz_round_rect(mupdf.fz_transform_rect(mupdf.FzRect(*clip), matrix))
        colours = mupdf.FzColorspace() if alone else mupdf.fz_device_rgb()
        pixmap = mupdf.fz_new_pixmap_with_bbox(colours, area, mupdf.FzSeparations(), int(alone))
        if alone:
            mupdf.fz_clear_pixmap(pixmap)
        else:
            mupdf.fz_clear_pixmap_with_value(pixmap, 255)
        device = mupdf.fz_new_draw_device(matrix, pixmap)
        for name in without:
            setattr(device.m_internal, name, None)  # MuPDF skips operations that a device does not implement
        through = device if text_of is None else _Sieve(device, text_of, others=not alone)
        mupdf.fz_run_display_list(painted, through, mupdf.FzMatrix(), mupdf.FzRect(*clip), mupdf.FzCookie())
        mupdf.fz_close_device(device)
        self.count = 1 if alone else 3
        self.stride = mupdf.fz_pixmap_stride(pixmap)
        self.data = bytes(mupdf.fz_pixmap_samples_memoryview(pixmap))

    def row(self, y: int, left: int, right: int) -> bytes:
        """The pixels `left` to `right` of row `y`."""
        start = y * self.stride
        return self.data[start + left * self.count : start + right * self.count]


class Views:
    """A part of a page as it looks, without its text, and its text alone. Letters are considered in it."""

    def __init__(self, page: Any, boxes: Sequence[Box], scale: float | None = None) -> None:
        """`scale`: pixels per point; as many as the smallest of `boxes` needs if None."""
        self._clip = _around(boxes, page.rect)
        self._scale = scale or _scale(boxes, self._clip)
        self.painted = display_list(page)
        self._over = page
        self.letters: Sequence[Letter] | None = None
        self._page = Raster(self.painted, self._clip, self._scale)
        self.width = self._page.stride // self._page.count
        self.height = len(self._page.data) // self._page.stride if self._page.stride else 0

    @cached_property
    def _bare(self) -> Raster:
        return Raster(self.painted, self._clip, self._scale, without=_LEFT_OUT)

    @cached_property
    def _text(self) -> Raster:
        return Raster(self.painted, self._clip, self._scale, without=OTHERS, alone=True)

    def only(self, letters: Sequence[Letter]) -> None:
        """Compare the page, from now on, with itself without the text of these letters."""
        self.letters = letters
        how = (self.painted, self._clip, self._scale)
        self._bare = Raster(*how, text_of=letters)
        self._text = Raster(*how, without=OTHERS, alone=True, text_of=letters)

    def compare(self, bare: Any) -> None:
        """From now on `bare`, a page that lacks some of the text, is what the page is compared with."""
        self._bare = Raster(display_list(bare, self._over), self._clip, self._scale)

    def look(self, box: Box) -> Sample:
        """How much of the letter in `box` is visible."""
        left, right, rows = self._pixels(box)
        lines = [self._text.row(y, left, right) for y in rows]
        peak = max(map(max, lines), default=0)
        pixels = (right - left) * len(rows)
        if peak < _STROKE:
            return Sample(changed=sum(self._changes(y, left, right) for y in rows), pixels=pixels)
        core = max(_STROKE, int(_CORE * peak))
        strokes = inked = covered = 0
        for y, line in zip(rows, lines, strict=True):
            covered += len(line) - line.translate(_FAINT).count(0)
            hits = [at for at, cover in enumerate(line) if cover >= core]
            if hits:
                hits = hits[:: 1 + len(hits) // _HITS]
                strokes += len(hits)
                inked += self._changes(y, left, right, hits)
        return Sample(strokes, inked, covered, pixels)

    def _changes(self, y: int, left: int, right: int, at: Sequence[int] | None = None) -> int:
        """How many pixels of a row, of those `at` these places, look another way without the text."""
        one, other = self._page.row(y, left, right), self._bare.row(y, left, right)
        if one == other:
            return 0
        places = range(0, len(one), 3) if at is None else [3 * place for place in at]
        return sum(
            abs(one[i] - other[i]) >= MIN_CONTRAST
            or abs(one[i + 1] - other[i + 1]) >= MIN_CONTRAST
            or abs(one[i + 2] - other[i + 2]) >= MIN_CONTRAST
            for i in places
        )

    def bare_at(self, point: tuple[float, float]) -> bytes:
        """The colour of a pixel of the page without its text: red, green, blue."""
        x = min(max(0, int((point[0] - self._clip[0]) * self._scale)), self.width - 1)
        y = min(max(0, int((point[1] - self._clip[1]) * self._scale)), self.height - 1)
        return self._bare.row(y, x, x + 1)

    def range(self, box: Box, *, bare: bool = False) -> int:
        """Difference between the lightest and the darkest pixel of a box, in the channel where it is most;
        of what the page is compared with if `bare`."""
        left, right, rows = self._pixels(box)
        picture = self._bare if bare else self._page
        data = b"".join(picture.row(y, left, right) for y in rows)
        return max((max(data[i::3]) - min(data[i::3]) for i in range(3)), default=0) if data else 0

    def unlike(self, box: Box, colour: tuple[int, int, int]) -> float:
        """Share of a box that is plainly of another colour."""
        left, right, rows = self._pixels(box)
        step = 3 * (1 + (right - left) // _HITS)
        red, green, blue = colour
        found: list[bool] = []
        for y in rows:
            row = self._page.row(y, left, right)
            found += [
                abs(r - red) > SAME_COLOUR or abs(g - green) > SAME_COLOUR or abs(b - blue) > SAME_COLOUR
                for r, g, b in zip(row[::step], row[1::step], row[2::step], strict=False)
            ]
        return sum(found) / max(1, len(found))

    def _pixels(self, box: Box) -> tuple[int, int, Sequence[int]]:
        x0, y0, x1, y1 = ((value - self._clip[i % 2]) * self._scale for i, value in enumerate(box))
        left = min(max(0, round(x0)), self.width - 1)
        right = min(self.width, max(left + 1, round(x1)))
        top = min(max(0, round(y0)), self.height - 1)
        bottom = min(self.height, max(top + 1, round(y1)))
        return left, right, range(top, bottom, max(1, (bottom - top) // _ROWS))


def _around(boxes: Sequence[Box], bounds: Any) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (
        max(min(x0) - 1, bounds.x0),
        max(min(y0) - 1, bounds.y0),
        min(max(x1) + 1, bounds.x1),
        min(max(y1) + 1, bounds.y1),
    )


def _scale(boxes: Sequence[Box], clip: Box) -> float:
    """Pixels per point, so that the smallest letters are large enough and the picture is not too large."""
    smallest = min(max(min(y1 - y0, 100.0), 1.0) for _, y0, _, y1 in boxes)
    area = max(1.0, (clip[2] - clip[0]) * (clip[3] - clip[1]))
    wanted = min(max(_LETTER_HEIGHT / smallest, _SCALES[0]), _SCALES[1])
    return float(min(wanted, (MOST_PIXELS / area) ** 0.5))
