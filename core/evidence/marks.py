"""What to highlight on a page: one box per line, and the words that must be read back under it."""

from collections.abc import Iterable, Iterator, Sequence

from core.domain.pages import Box, Page, Word
from core.domain.passages import Span
from core.evidence.text import word_text, words_under

_INSET = 0.12
"""Fraction of a line's height cut off above and below: word boxes span the font's full ascent and descent, so
in tightly set lines they overlap and a mark would touch the neighbouring lines."""

_SHARED, _WIDEST_GAP = 0.7, 2.5
"""As fractions of the lower word's height: the vertical overlap of two words in a line, and the widest gap
between words in a justified line."""


def marks(page: Page, spans: Iterable[Span]) -> tuple[list[Box], list[str]]:
    """Boxes to highlight on `page` (points, one per run of words in a line) and those words in order.

    Spans of other pages are ignored, so a quote's spans can be passed unfiltered; furniture is left out.
    """
    own = [words_under(page, span) for span in spans if span.page == page.number]
    marked = sorted({word.start: word for words in own for word in words}.values(), key=_start)
    return [_merged(run) for run in _runs(page, marked)], [word_text(word) for word in marked]


def _start(word: Word) -> int:
    return word.start


def _runs(page: Page, marked: Sequence[Word]) -> Iterator[list[Word]]:
    """Runs of adjacent marked words in one line."""
    run: list[Word] = []
    for word in marked:
        if run and not _neighbours(page, run[-1], word):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _neighbours(page: Page, left: Word, right: Word) -> bool:
    """Whether `right` follows `left` in its line. PDF readers split justified lines at wide gaps: words side
    by side with nothing in between are one line all the same."""
    if page.text[left.end : right.start].strip():
        return False
    return (left.block, left.line) == (right.block, right.line) or _adjacent(page, left.box, right.box)


def _adjacent(page: Page, left: Box, right: Box) -> bool:
    """Whether `right` follows `left` at a distance possible in a justified line."""
    height = min(left.y1 - left.y0, right.y1 - right.y0)
    shared = min(left.y1, right.y1) - max(left.y0, right.y0)
    if shared < _SHARED * height or not 0 <= right.x0 - left.x1 <= _WIDEST_GAP * height:
        return False
    gap = Box(left.x1, max(left.y0, right.y0), right.x0, min(left.y1, right.y1))
    return not any(_centre_in(gap, word.box) for word in page.words)


def _centre_in(place: Box, box: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return place.x0 < x < place.x1 and place.y0 < y < place.y1


def _merged(run: Sequence[Word]) -> Box:
    """The union of the words' boxes, made thinner across the line."""
    x0, y0 = min(w.box.x0 for w in run), min(w.box.y0 for w in run)
    x1, y1 = max(w.box.x1 for w in run), max(w.box.y1 for w in run)
    if _upright(run, x1 - x0, y1 - y0):
        inset = _INSET * (y1 - y0)
        return Box(x0, y0 + inset, x1, y1 - inset)
    inset = _INSET * (x1 - x0)
    return Box(x0 + inset, y0, x1 - inset, y1)


def _upright(run: Sequence[Word], width: float, height: float) -> bool:
    """Whether the line runs along x; a lone word does if it is wider than high, or short."""
    if len(run) > 1:
        first, last = run[0].box, run[-1].box
        return abs(last.x0 - first.x0) >= abs(last.y0 - first.y0)
    return width >= height or len(run[0].text) <= 3
