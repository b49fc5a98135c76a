"""Pages, parts of pages and lines of them as pictures. Runs in the worker."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pymupdf

from adapters.pymupdf.content import mend
from adapters.pymupdf.ink import Box
from adapters.pymupdf.protocol import PdfError
from adapters.pymupdf.rectangles import page_of, upright

DPI = 200
LONGEST = 1600
"""Pixels of the longest side at most; larger parts get fewer dots per inch."""
_ROUND = 3.0  # margin around the part, in points


# Pages as pictures for text recognition, and its text laid over them.

MAX_PIXELS = 40_000_000
"""An A3 page at 300 dpi has 17 million; larger pages get fewer dots per inch."""
SHOWN_DPI, SHOWN_QUALITY = 150, 70
SKEW_DPI = 75
_SAVE = {"garbage": 3, "deflate": True, "use_objstms": 1, "no_new_id": True, "encryption": 1}


def picture(document: Any, number: int, dpi: int, turn: int) -> bytes:
    """PNG in grey of 1-based page `number` as it is shown, turned clockwise and level."""
    page = page_of(document, number)
    pixmap = _pixels_of(page, _view(page, turn), dpi, pymupdf.csGRAY)
    pixmap.set_dpi(dpi, dpi)
    return bytes(pixmap.tobytes("png"))


def with_layers(document: Any, layers: Mapping[int, tuple[bytes, int]]) -> bytes:
    """The document with the pages of `layers` (text, turn) as pictures under that text. A page that was
    turned becomes upright, so its text is not."""
    for number, (layer, turn) in sorted(layers.items()):
        page = page_of(document, number)
        view = _view(page, turn)
        shown = page.rect * view
        pixmap = _pixels_of(page, view, SHOWN_DPI, pymupdf.csRGB)
        fresh = document.new_page(pno=number - 1, width=shown.width, height=shown.height)
        fresh.insert_image(fresh.rect, stream=pixmap.tobytes("jpeg", jpg_quality=SHOWN_QUALITY))
        with pymupdf.open(stream=layer, filetype="pdf") as text:
            fresh.show_pdf_page(fresh.rect, text, 0, keep_proportion=False)
        document.delete_page(number)
    return bytes(document.tobytes(**_SAVE))


def _view(page: Any, turn: int) -> Any:
    """The matrix that turns a page clockwise by `turn` degrees and its lines level. Tesseract loses whole
    blocks of a page that lies askew by 3 degrees."""
    small = _pixels_of(page, pymupdf.Matrix(1, 1).prerotate(turn), SKEW_DPI, pymupdf.csGRAY)
    return pymupdf.Matrix(1, 1).prerotate(turn - skew(small.samples, small.width, small.height))


def _pixels_of(page: Any, view: Any, dpi: int, colours: Any) -> Any:
    shown = page.rect * view
    pixels = shown.width * shown.height * (dpi / 72) ** 2
    scale = dpi / 72 * min(1.0, (MAX_PIXELS / max(pixels, 1.0)) ** 0.5)
    matrix = view * pymupdf.Matrix(scale, scale)
    return page.get_pixmap(matrix=matrix, colorspace=colours, alpha=False)


def cutout(document: Any, number: int, box: tuple[float, ...]) -> bytes:
    """PNG of what shows in `box` (of the unrotated crop box) of 1-based page `number`, upright as shown.
    Raises PdfError: no_such_page, broken where the box is not on the page."""
    page_of(document, number)
    mend(document, number)
    page = document[number - 1]
    shown = pymupdf.Rect(box) * page.rotation_matrix
    clip = (shown + (-_ROUND, -_ROUND, _ROUND, _ROUND)) & page.rect  # noqa: RUF005 - moves the corners
    if (shown & page.rect).is_empty:
        raise PdfError("pdf.broken", f"there is nothing of page {number} in that part")
    scale = min(DPI / 72, LONGEST / max(clip.width, clip.height))
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=clip, alpha=False)
    return bytes(pixmap.tobytes("png"))


# By how much a scan was laid askew on the glass. Pure; runs in the worker.
#
# Lines of text make the ink of a picture's rows rise and fall steeply; that is steepest where the rows run
# along the lines (Postl's criterion on projection profiles). The picture is cut into upright strips, and
# turning by a small angle is moving each strip's rows up or down, so that no picture is turned to try one.

LIMIT, STEP, FINE = 6.0, 0.25, 0.05
"""Degrees: what is considered, coarsely and then closely."""
LEAST = 0.3
"""Degrees that are left as they are: recognition reads them as well."""
_GAIN = 1.15
"""The criterion must be so much better than for the picture as it is."""
_STRIP = 16
_DARK = 180
_INK = bytes(1 if value < _DARK else 0 for value in range(256))

Profile = list[int]


def skew(samples: bytes, width: int, height: int) -> float:
    """Degrees by which the lines of a picture fall to the right (negative: rise), 0.0 where they are level
    or none are found. `samples` are `width` * `height` bytes, 0 is black."""
    strips = list(_profiles(samples, width, height))
    margin = math.ceil(math.tan(math.radians(LIMIT)) * width / 2) + 1
    if len(strips) < 2 or height < 2 * margin + 2:
        return 0.0

    def steepness(angle: float) -> int:
        return _steepness(strips, angle, margin)

    steps, near = round(LIMIT / STEP), round(STEP / FINE) - 1
    rough = max((step * STEP for step in range(-steps, steps + 1)), key=steepness)
    best = max((rough + step * FINE for step in range(-near, near + 1)), key=steepness)
    if not LEAST <= abs(best) < LIMIT or steepness(best) < _GAIN * steepness(0.0):
        return 0.0
    return round(best, 2)


def _profiles(samples: bytes, width: int, height: int) -> Iterator[Profile]:
    """For each strip, the dark pixels of its rows."""
    ink = samples.translate(_INK)
    for left in range(0, width - _STRIP + 1, _STRIP):
        yield [ink.count(1, row + left, row + left + _STRIP) for row in range(0, height * width, width)]


def _steepness(strips: list[Profile], angle: float, margin: int) -> int:
    """Sum of the squared differences between neighbouring rows, as if turned back by `angle`; of the rows
    that are there at every angle."""
    fall = math.tan(math.radians(angle)) * _STRIP
    shifts = [round(fall * (at - len(strips) / 2)) for at in range(len(strips))]
    moved = [strip[margin + by : len(strip) - margin + by] for strip, by in zip(strips, shifts, strict=True)]
    rows = map(sum, zip(*moved, strict=True))
    return sum((after - before) ** 2 for before, after in pairwise(rows))


# The strip of a page around what is marked on it, for small screens.

NARROWEST = 250.0
"""Points of the page that a strip is wide at least: at 300 pixels of a screen, running text stays legible."""
LEGIBLE = 1.0
"""Pixels a point at least: wider lines are shown in part, without the words that the edges cut."""
_HIGH = 0.4
"""Of its width."""
_AROUND = 8.0
"""Points shown around what is marked."""
_QUALITY = 85
_HIGHLIGHT = 8  # PDF_ANNOT_HIGHLIGHT, which the library's type stubs lack


def strip(document: Any, pixels: int) -> bytes:
    """JPEG, `pixels` wide, of the first page of a one-page PDF: the lines of the words that stand out, else
    of all that is marked, else the page's top. Lines are whole while that is legible; no word is cut, at the
    sides or above and below."""
    page = document[0]
    marks = _boxes_marked(page)
    lines = _lines_shown(page)
    words = _words_marked(lines, [box for each in marks for box in each])
    clip = around(marks[-1] if marks else [], page.rect, words, widest=pixels / LEGIBLE)
    scale = pixels / clip.width
    left, top = round(clip.x0 * scale), round(clip.y0 * scale)  # whole pixels, otherwise there is one more
    clip = pymupdf.Rect(left, top, left + pixels, top + round(clip.height * scale)) / scale
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=clip, alpha=False)
    for word in (word for line in lines for word in line):
        if word.intersects(clip) and not clip.contains(word):
            _cover(pixmap, (word * scale).irect & pixmap.irect)
    return bytes(pixmap.tobytes("jpeg", jpg_quality=_QUALITY))


def _cover(pixmap: Any, box: Any) -> None:
    """What is left of a word that an edge cuts, in the colour of the paper beside it: of its corners, that is
    most of them."""
    if box.is_empty:
        return
    x0, y0 = box.x0 - pixmap.x, box.y0 - pixmap.y
    corners = [(x, y) for x in (x0, x0 + box.width - 1) for y in (y0, y0 + box.height - 1)]
    colours = [pixmap.pixel(*corner) for corner in corners]
    pixmap.set_rect(box, max(colours, key=lambda colour: (colours.count(colour), sum(colour))))


def _boxes_marked(page: Any) -> list[list[Any]]:
    """The boxes of each highlight, as shown; what stands out lies over the rest."""
    with upright(page):
        found = [annotation.vertices for annotation in page.annots(types=[_HIGHLIGHT])]
    return [
        [
            pymupdf.Quad(points[start : start + 4]).rect * page.rotation_matrix
            for start in range(0, len(points), 4)
        ]
        for points in found
    ]


def _lines_shown(page: Any) -> list[list[Any]]:
    """The boxes of the words of each line, as shown; a scanned page has none."""
    lines: dict[tuple[int, int], list[Any]] = {}
    for x0, y0, x1, y1, _, block, line, _ in page.get_text("words"):
        lines.setdefault((block, line), []).append(pymupdf.Rect(x0, y0, x1, y1) * page.rotation_matrix)
    return list(lines.values())


def _words_marked(lines: Sequence[Sequence[Any]], marked: Sequence[Any]) -> list[Any]:
    """The boxes of all words on lines with marks."""
    return [
        word
        for line in lines
        if any(pymupdf.Point((w.x0 + w.x1) / 2, (w.y0 + w.y1) / 2) in box for w in line for box in marked)
        for word in line
    ]


def around(marked: Sequence[Any], page: Any, words: Sequence[Any] = (), *, widest: float) -> Any:
    """The part of `page` to show: all of `marked` and the whole lines of `words` in its middle where that
    fits into `widest` points, else from where `marked` begins."""
    marked = marked or [pymupdf.Rect(page.x0, page.y0, page.x0, page.y0)]
    whole, lines = _union(marked), _union([*marked, *words])
    width = min(max(lines.width + 2 * _AROUND, NARROWEST), widest, page.width)
    height = min(_HIGH * width, page.height)
    left = _from(lines.x0, lines.x1, marked[0].x0, width, page.x0, page.x1)
    top = _from(whole.y0, whole.y1, marked[0].y0, height, page.y0, page.y1)
    return pymupdf.Rect(left, top, left + width, top + height)


def _union(boxes: Sequence[Any]) -> Any:
    return pymupdf.Rect(
        *(min(box[side] for box in boxes) for side in (0, 1)),
        *(max(box[side] for box in boxes) for side in (2, 3)),
    )


def _from(low: float, high: float, first: float, length: float, least: float, most: float) -> float:
    """Where a side of the strip begins, within the page; nothing is shown behind the end while something
    before it is not."""
    fits = high - low + 2 * _AROUND <= length
    wanted = (low + high - length) / 2 if fits else min(first - _AROUND, high + _AROUND - length)
    return float(max(least, min(wanted, most - length)))


# A picture of cited lines alone, for text recognition.

_HEIGHT = 36.0  # pixels per line
_SCALES = 0.5, 12.0
_LINES_MARGIN = 16  # pixels around a line
_SPACE = 12.0  # lines' heights between two words of one line
_WIDTH = 4000  # pixels


def lines_of(
    document: Any, number: int, words: Sequence[Box], wanted: Sequence[int]
) -> tuple[bytes, list[int]]:
    """PNG in grey of the lines of `words` in which those with the indices `wanted` stand, one under another;
    the indices of all words in it, in reading order. Raises PdfError: no_such_page."""
    held = [line for line in grouped(words) if not set(wanted).isdisjoint(line)]
    with upright(page_of(document, number)) as page:
        strips = [_strip(page, [words[i] for i in line]) for line in held]
    return _stacked(strips), [i for line in held for i in line]


def grouped(words: Sequence[Box]) -> Iterator[list[int]]:
    """The indices of the words of each line."""
    line: list[int] = []
    for i, box in enumerate(words):
        if line and not _goes_on(words[line[-1]], box):
            yield line
            line = []
        line.append(i)
    if line:
        yield line


def _goes_on(before: Box, box: Box) -> bool:
    """Whether a word stands beside the one before it."""
    height = min(before[3] - before[1], box[3] - box[1])
    shared = min(before[3], box[3]) - max(before[1], box[1])
    return 2 * shared > height and -height < box[0] - before[2] < _SPACE * height


def _strip(page: Any, words: Sequence[Box]) -> Any:
    x0, y0, x1, y1 = zip(*words, strict=True)
    box = pymupdf.Rect(min(x0), min(y0), max(x1), max(y1))
    scale = min(max(_HEIGHT / max(box.height, 1.0), _SCALES[0]), _SCALES[1], _WIDTH / max(box.width, 1.0))
    matrix = pymupdf.Matrix(scale, scale)
    return page.get_pixmap(matrix=matrix, clip=box, colorspace=pymupdf.csGRAY, alpha=False, annots=False)


def _stacked(strips: Sequence[Any]) -> bytes:
    width = max((strip.width for strip in strips), default=1) + 2 * _LINES_MARGIN
    height = sum(strip.height + _LINES_MARGIN for strip in strips) + _LINES_MARGIN
    whole = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, width, height), False)
    whole.clear_with(255)
    y = _LINES_MARGIN
    for strip in strips:
        strip.set_origin(_LINES_MARGIN, y)
        whole.copy(strip, strip.irect)
        y += strip.height + _LINES_MARGIN
    return bytes(whole.tobytes("png"))
