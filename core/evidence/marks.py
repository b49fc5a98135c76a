"""What to mark on a page: one box per line, and the words that must be read back under it."""

from collections.abc import Iterable, Iterator, Sequence

from core.domain.pages import Box, Page, Word
from core.domain.passages import Span
from core.evidence.text import word_text, words_under

_INSET = 0.12
"""Part of a line's height cut off above and below: word boxes span the font's full ascent and descent, so
those of tightly set lines overlap and a mark would touch the neighbours."""


def marks(page: Page, spans: Iterable[Span]) -> tuple[list[Box], list[str]]:
    """Boxes to highlight on `page` (points, one per run of words in a line) and those words in order.

    Spans of other pages are ignored, so a quote's spans can be given as they are; furniture is left out.
    """
    own = [words_under(page, span) for span in spans if span.page == page.number]
    marked = sorted({word.start: word for words in own for word in words}.values(), key=_start)
    return [_merged(run) for run in _runs(page, marked)], [word_text(word) for word in marked]


def _start(word: Word) -> int:
    return word.start


def _runs(page: Page, marked: Sequence[Word]) -> Iterator[list[Word]]:
    """Neighbouring marked words of one line."""
    run: list[Word] = []
    for word in marked:
        if run and not _neighbours(page, run[-1], word):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _neighbours(page: Page, left: Word, right: Word) -> bool:
    same_line = (left.block, left.line) == (right.block, right.line)
    return same_line and not page.text[left.end : right.start].strip()


def _merged(run: Sequence[Word]) -> Box:
    """The union of the words' boxes, made slimmer across the line."""
    x0, y0 = min(w.box.x0 for w in run), min(w.box.y0 for w in run)
    x1, y1 = max(w.box.x1 for w in run), max(w.box.y1 for w in run)
    if _upright(run, x1 - x0, y1 - y0):
        inset = _INSET * (y1 - y0)
        return Box(x0, y0 + inset, x1, y1 - inset)
    inset = _INSET * (x1 - x0)
    return Box(x0 + inset, y0, x1 - inset, y1)


def _upright(run: Sequence[Word], width: float, height: float) -> bool:
    """Whether the line runs along x; a lone word does where it is wider than high or short."""
    if len(run) > 1:
        first, last = run[0].box, run[-1].box
        return abs(last.x0 - first.x0) >= abs(last.y0 - first.y0)
    return width >= height or len(run[0].text) <= 3
