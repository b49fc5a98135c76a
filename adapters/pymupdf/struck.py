"""Words that are struck out: by a line drawn through them, by an annotation, or by characters that strike.

A line strikes words where it is thin, runs along them through the middle of their small letters, ends about
where they end and can be seen. Underlines, rules of tables and grids of charts do not. Runs in the worker.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from pymupdf import mupdf

from adapters.pymupdf.characters import Place, WordDraft
from adapters.pymupdf.content import PageContent
from adapters.pymupdf.ink import MIN_CONTRAST, Box, Letter, Views, letters_near
from adapters.pymupdf.rectangles import holds, union

_ZONE = (0.13, 0.56)
"""Share of the type size above the base line where a line strikes: letters like "x" end at about .5."""
_THIN, _THINNEST = 0.22, 1.2
"""Height of a line at most: share of the type size, points."""
_STRIKING = re.compile("[\u0335-\u0338]")
_WHOLE, _PART = 0.8, 0.2  # fraction of a word's width that must be crossed
_ENTIRE, _TOUCHED = 0.97, 0.15  # fraction of a word's and of a letter's width
_GAP = 0.5  # of the type size, between the dashes of a line
_BESIDE = 1.6  # of the type size, that a line may be longer than what it strikes
_BESIDE_SHARE = 0.25
_SHORTEST = 0.45  # of the type size
_OFFSETS = (0.1, 0.17, 0.28)  # of the type size above and below a line, where the page looks otherwise
_SEEN = 0.35  # fraction of the samples along a line; dashed lines have gaps
_SAMPLES = 40
_MOST_LINES = 4_000
_LOW = 6.0
"""Points of the lower side of a shape that may be a line."""
_UPRIGHT = 0.5
_CORE = 0.2  # of a word's height at top and bottom, that a stroke of a pen may touch
_STROKE_SHARE = 0.5
_ALIKE = 4.0  # points between the corners of the two strokes of a cross
_CROSS = (30.0, 8.0)  # minimum width and height in points
_HIGHEST, _LEVEL = 20.0, 4.0  # of a line that is curved or not level: height in points, width by height
_MOST_STROKES = 200
"""More are a chart or a map."""
_WHITE = 0.93
_PER_CURVE = 12  # points
_ONE_ROW = 1.3
_HIDDEN = 1 << 1 | 1 << 5  # ISO 32000-1, 12.5.3: hidden, no view
_STRIKE_OUT = mupdf.PDF_ANNOT_STRIKE_OUT
_PENS = (mupdf.PDF_ANNOT_INK, mupdf.PDF_ANNOT_LINE, mupdf.PDF_ANNOT_POLY_LINE)

Point = tuple[float, float]


class _Row(NamedTuple):
    """Words on one base line, as seen along it: `x` runs with the text, `y` upwards, in points."""

    origin: Point
    along: Point
    size: float

    def place(self, box: Box) -> Box:
        """A box along the row: from, to, lower and upper edge."""
        corners = [
            (x - self.origin[0], y - self.origin[1]) for x in (box[0], box[2]) for y in (box[1], box[3])
        ]
        dx, dy = self.along
        runs = [x * dx + y * dy for x, y in corners]
        ups = [x * dy - y * dx for x, y in corners]
        return min(runs), min(ups), max(runs), max(ups)

    def point(self, along: float, up: float) -> Point:
        """Where on the page a place of the row is."""
        dx, dy = self.along
        return self.origin[0] + along * dx + up * dy, self.origin[1] + along * dy - up * dx


class _Strike(NamedTuple):
    """A line through words of a row, `start` to `end` along it, its middle `up` points above the base."""

    start: float
    end: float
    up: float


def marked(page: Any, texts: PageContent, drafts: Sequence[WordDraft]) -> list[WordDraft]:
    """The words with `struck` set; a word that is struck in part becomes two. `page` is not turned."""
    drafts = _without_overlays(drafts)
    drawn = [*texts.shapes, *(panel.rect for panel in texts.overlays)]
    thin = sorted(filter(_may_strike, drawn), key=lambda box: box[1])[:_MOST_LINES]
    strikes = _strikes(page, texts, drafts, thin) if thin else {}
    over = [*_struck_by_annotation(page), *_crosses(page, texts.shapes)]
    pens = [*_pen_strokes(page), *_drawn_strokes(page, texts.shapes, drafts)]
    if not (strikes or over or pens):
        return list(drafts)
    found: list[WordDraft] = []
    for draft in drafts:
        if draft.struck or any(holds(box, draft.box) for box in over) or _penned(draft.box, pens):
            found.append(draft._replace(struck=True))
        elif draft.place in strikes:
            found += _crossed(page, draft, *strikes[draft.place])
        else:
            found.append(draft)
    return found


def _without_overlays(drafts: Sequence[WordDraft]) -> Sequence[WordDraft]:
    """The words, those that are struck by characters of no width (U+0335 to U+0338) without these."""
    if not any(_STRIKING.search(draft.text) for draft in drafts if not draft.text.isascii()):
        return drafts
    bare = [(draft, _STRIKING.sub("", draft.text)) for draft in drafts]
    return [
        draft if text in ("", draft.text) else draft._replace(text=text, struck=True) for draft, text in bare
    ]


def _may_strike(box: Box) -> bool:
    across, down = sorted((box[2] - box[0], box[3] - box[1]))
    return across <= _LOW and down > across


# Lines drawn through words


def _strikes(
    page: Any, texts: PageContent, drafts: Sequence[WordDraft], thin: Sequence[Box]
) -> dict[Place, tuple[_Row, list[_Strike]]]:
    """The lines that strike words, by the place of the words' line."""
    tops = [box[1] for box in thin]
    rows: dict[Place, tuple[_Row, list[_Strike]]] = {}
    for place, group in groupby(drafts, key=lambda draft: draft.place):
        row = _row(texts.spans.get(place, ()))
        if row is None:
            continue
        bounds = union(span["bbox"] for span in texts.spans[place])
        first = 0 if abs(row.along[1]) > _UPRIGHT else bisect_left(tops, bounds[1] - _LOW)
        near = [box for box in thin[first : bisect_left(tops, bounds[3])] if _meets(box, bounds)]
        lines = list(_in_zone(row, near))
        if lines and (found := list(_through(row, [row.place(draft.box) for draft in group], lines))):
            rows.setdefault(place, (row, []))[1].extend(found)
    return _visible(page, rows) if rows else {}


def _row(spans: Sequence[dict[str, Any]]) -> _Row | None:
    """The base line of a line's spans: that of the type which most of it is set in."""
    base = max(spans, key=lambda span: (span["size"] * len(span["text"]), span["size"]), default=None)
    if base is None or base["size"] <= 0:
        return None
    return _Row(base["origin"], base["dir"], base["size"])


def _meets(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _in_zone(row: _Row, boxes: Iterable[Box]) -> Iterator[_Strike]:
    """Those of the boxes that are thin and lie where a line strikes."""
    low, high = (share * row.size for share in _ZONE)
    for box in boxes:
        start, bottom, end, top = row.place(box)
        up = (bottom + top) / 2
        thin = top - bottom <= max(_THIN * row.size, _THINNEST) and end - start > top - bottom
        if thin and low <= up <= high:
            yield _Strike(start, end, up)


def _through(row: _Row, words: Sequence[Box], lines: Sequence[_Strike]) -> Iterator[_Strike]:
    """The lines that end about where the words do through which they run."""
    for start, end, up in _joined(lines, _GAP * row.size):
        covered = sum(max(0.0, min(end, word[2]) - max(start, word[0])) for word in words)
        spaces = sum(
            max(0.0, min(end, right[0]) - max(start, left[2]))
            for left, right in pairwise(words)
            if 0 < right[0] - left[2] < row.size
        )
        beside = end - start - covered - spaces
        if end - start >= _SHORTEST * row.size and beside <= max(
            _BESIDE * row.size, _BESIDE_SHARE * (end - start)
        ):
            yield _Strike(start, end, up)


def _joined(lines: Sequence[_Strike], gap: float) -> list[_Strike]:
    """Pieces of a line, such as one for each letter or dash, put together."""
    found: list[_Strike] = []
    for line in sorted(lines):
        if found and line.start <= found[-1].end + gap and abs(line.up - found[-1].up) < gap:
            found[-1] = found[-1]._replace(end=max(found[-1].end, line.end))
        else:
            found.append(line)
    return found


def _visible(
    page: Any, rows: dict[Place, tuple[_Row, list[_Strike]]]
) -> dict[Place, tuple[_Row, list[_Strike]]]:
    """Those of the lines that can be seen: white ones and covered ones strike nothing."""
    boxes = [_box(row, strike) for row, strikes in rows.values() for strike in strikes]
    with suppress(RuntimeError, mupdf.FzErrorBase):  # a broken picture: nothing can be determined
        views = Views(page, boxes, _scale(boxes))
        seen = {
            place: (row, [strike for strike in strikes if _shows(views, row, strike)])
            for place, (row, strikes) in rows.items()
        }
        return {place: found for place, found in seen.items() if found[1]}
    return rows


def _scale(boxes: Sequence[Box]) -> float:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    area = max(1.0, (max(x1) - min(x0) + 2) * (max(y1) - min(y0) + 2))
    return float(min(4.0, (3_000_000 / area) ** 0.5))


def _box(row: _Row, strike: _Strike) -> Box:
    corners = [
        row.point(at, up) for at in (strike.start, strike.end) for up in (strike.up - row.size, row.size)
    ]
    x, y = zip(*corners, strict=True)
    return min(x), min(y), max(x), max(y)


def _shows(views: Views, row: _Row, strike: _Strike) -> bool:
    step = (strike.end - strike.start) / _SAMPLES
    places = [strike.start + (n + 0.5) * step for n in range(_SAMPLES)]
    hits = sum(all(_apart(views, row, at, strike.up, side) for side in (1, -1)) for at in places)
    return hits >= _SEEN * _SAMPLES


def _apart(views: Views, row: _Row, at: float, up: float, side: int) -> bool:
    """Whether a line looks otherwise than the page some way above or below it, letters left out."""
    colour = views.bare_at(row.point(at, up))
    others = (views.bare_at(row.point(at, up + side * off * row.size)) for off in _OFFSETS)
    return any(
        max(abs(a - b) for a, b in zip(colour, other, strict=True)) >= MIN_CONTRAST for other in others
    )


def _crossed(page: Any, draft: WordDraft, row: _Row, strikes: Sequence[_Strike]) -> Iterator[WordDraft]:
    """A word, in two or three where lines cross a part of it alone."""
    start, _, end, _ = row.place(draft.box)
    width = max(end - start, 0.01)
    share = sum(max(0.0, min(end, s.end) - max(start, s.start)) for s in strikes) / width
    if share >= _ENTIRE or (share >= _WHOLE and not _ends_within(page, draft, row, strikes)):
        yield draft._replace(struck=True)
    elif share <= _PART or len(draft.text) < 2:
        yield draft
    else:
        yield from _parted(page, draft, row, strikes)


def _ends_within(page: Any, draft: WordDraft, row: _Row, strikes: Sequence[_Strike]) -> bool:
    """Whether a letter or digit of the word is not touched by the lines at all."""
    letters = (row.place(each.box) for each in letters_near(page, [draft.box]) if _is_part(draft, each))
    return any(
        all(min(end, each.end) - max(start, each.start) < _TOUCHED * (end - start) for each in strikes)
        for start, _, end, _ in letters
    )


def _is_part(draft: WordDraft, letter: Letter) -> bool:
    return letter.text.isalnum() and holds(draft.box, letter.box)


def _parted(page: Any, draft: WordDraft, row: _Row, strikes: Sequence[_Strike]) -> Iterator[WordDraft]:
    letters = [
        letter
        for letter in letters_near(page, [draft.box])
        if not letter.text.isspace() and holds(draft.box, letter.box)
    ]
    if "".join(letter.text for letter in letters) != draft.text:
        yield draft
        return
    runs = [
        (struck, list(group))
        for struck, group in groupby(letters, key=lambda letter: _is_crossed(row.place(letter.box), strikes))
    ]
    for n, (struck, group) in enumerate(runs, 1):
        x0, y0, x1, y1 = zip(*(letter.box for letter in group), strict=True)
        upright = abs(row.along[0]) > _UPRIGHT
        box = (
            (min(x0), draft.box[1], max(x1), draft.box[3])
            if upright
            else (draft.box[0], min(y0), draft.box[2], max(y1))
        )
        yield draft._replace(
            text="".join(letter.text for letter in group),
            box=box,
            struck=struck,
            note_chars=draft.note_chars if n == len(runs) else 0,
        )


def _is_crossed(letter: Box, strikes: Sequence[_Strike]) -> bool:
    middle = (letter[0] + letter[2]) / 2
    return any(strike.start <= middle <= strike.end for strike in strikes)


# Annotations and strokes of a pen


def _annotations(page: Any, kinds: Sequence[int]) -> Iterator[Any]:
    if mupdf.pdf_first_annot(mupdf.pdf_page_from_fz_page(page.this)).m_internal is None:
        return
    for annotation in page.annots(types=list(kinds)):
        if not annotation.flags & _HIDDEN:
            yield annotation


def _struck_by_annotation(page: Any) -> Iterator[Box]:
    """The boxes over which annotations strike text out (ISO 32000-1, 12.5.6.10)."""
    for annotation in _annotations(page, [_STRIKE_OUT]):
        points = annotation.vertices or ()
        for at in range(0, len(points) - 3, 4):
            x, y = zip(*points[at : at + 4], strict=True)
            yield min(x), min(y), max(x), max(y)


def _pen_strokes(page: Any) -> Iterator[list[Point]]:
    """The points of lines that people have drawn over the page, close to each other."""
    for annotation in _annotations(page, _PENS):
        points = annotation.vertices or ()
        strokes = points if points and isinstance(points[0], list) else [points]
        for stroke in strokes:
            yield [*_sampled(stroke)]


def _drawn_strokes(page: Any, shapes: Sequence[Box], drafts: Sequence[WordDraft]) -> Iterator[list[Point]]:
    """The points of lines of the page itself that are curved or not quite level, and run through words from
    their beginning to their end."""
    low = [box for box in shapes if _may_be_stroke(box)]
    if not low or len(low) > _MOST_STROKES:
        return
    near = [box for box in low if any(_meets(box, draft.box) for draft in drafts)]
    if not near:
        return
    for drawing in page.get_cdrawings():
        if drawing["type"] == "f" or not _may_be_stroke(drawing["rect"]) or min(drawing["color"]) > _WHITE:
            continue
        points = [*_sampled([point for item in drawing["items"] for point in _along(item)])]
        words = [
            draft.box
            for draft in drafts
            if _meets(drawing["rect"], draft.box) and _penned(draft.box, [points])
        ]
        if words and _spans_words(drawing["rect"], words):
            yield points


def _may_be_stroke(box: Box) -> bool:
    across, down = box[2] - box[0], box[3] - box[1]
    return _THINNEST < down <= _HIGHEST and across >= _LEVEL * down


def _along(item: Sequence[Any]) -> Iterator[Point]:
    """Points along a part of a path; none for boxes, which are no lines."""
    if item[0] == "l":
        yield from (tuple(item[1]), tuple(item[2]))
    elif item[0] == "c":
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = item[1:5]
        for n in range(_PER_CURVE + 1):
            t = n / _PER_CURVE
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            yield a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy


def _spans_words(stroke: Box, words: Sequence[Box]) -> bool:
    """Whether a stroke ends about where the words of one row do; lines of charts run on."""
    x0, y0, x1, y1 = zip(*words, strict=True)
    height = max(below - above for above, below in zip(y0, y1, strict=True))
    one_row = max(y1) - min(y0) <= _ONE_ROW * height
    beside = max(min(x0) - stroke[0], 0.0) + max(stroke[2] - max(x1), 0.0)
    return bool(one_row and beside <= _BESIDE * height)


def _sampled(points: Sequence[Point]) -> Iterator[Point]:
    for (x0, y0), (x1, y1) in pairwise(points):
        count = min(400, 1 + int(max(abs(x1 - x0), abs(y1 - y0)) / 1.5))
        yield from ((x0 + (x1 - x0) * n / count, y0 + (y1 - y0) * n / count) for n in range(count + 1))


def _penned(box: Box, strokes: Sequence[Sequence[Point]]) -> bool:
    """Whether a stroke runs through the middle of most of a word."""
    x0, y0, x1, y1 = box
    cut = _CORE * (y1 - y0)
    for points in strokes:
        inside = [x for x, y in points if x0 <= x <= x1 and y0 + cut <= y <= y1 - cut]
        if inside and max(inside) - min(inside) >= _STROKE_SHARE * (x1 - x0):
            return True
    return False


def _crosses(page: Any, shapes: Sequence[Box]) -> Iterator[Box]:
    """The boxes of crosses: two straight strokes from corner to corner of the same box."""
    large = sorted(box for box in shapes if box[2] - box[0] > _CROSS[0] and box[3] - box[1] > _CROSS[1])
    if not any(_same(a, b) for a, b in pairwise(large)):
        return
    diagonals: dict[bool, list[Box]] = {True: [], False: []}
    for drawing in page.get_cdrawings():
        for item in drawing["items"] if drawing["type"] != "f" else ():
            if item[0] == "l":
                (x0, y0), (x1, y1) = item[1], item[2]
                box = min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
                if box[2] - box[0] > _CROSS[0] and box[3] - box[1] > _CROSS[1]:
                    diagonals[(x1 > x0) == (y1 > y0)].append(box)
    for box in diagonals[True]:
        if any(_same(box, other) for other in diagonals[False]):
            yield box


def _same(box: Box, other: Box) -> bool:
    return all(abs(a - b) <= _ALIKE for a, b in zip(box, other, strict=True))
