"""Builds running text from a page's words, and maps text back to pages.

Lines are visual ones, words side by side, whatever lines the PDF itself has: PDFs set "1." and a title, the
cells of a table row or the words of a justified line as separate lines; for paragraphs, headings and
numbering only the height on the page counts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.pages import Box, Page, Word
from core.domain.passages import Passage, PassageDraft, Span
from core.evidence.skeleton import without_private
from core.evidence.text import Vocabulary, glue

_SAME_HEIGHT = 0.6
_OTHER_BLOCK_GAP = 1.2
_SIZE_RATIO = 1.7
_LABEL_GAP = 4.0
_TELLING_LETTERS = 4
_LABEL = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxl]{1,6})[.)]|[•▪●■►▶➔➢✓✔◦‣⁃»→·–—-]|[\uf000-\uf0ff]")


@dataclass(slots=True, eq=False)
class Line:
    """Words side by side on 1-based page `page`. Coordinates are in points of the displayed page (rotation
    applied), origin top left; `size` is the height of its words, `block` the PDF's block."""

    page: int
    words: list[Word]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    block: int
    _text: str = ""

    @property
    def text(self) -> str:
        """The words joined by single spaces. Read it only once the line is complete: it is cached."""
        if not self._text:
            self._text = " ".join([word.text for word in self.words])
        return self._text


def upright(box: Box, page: Page) -> tuple[float, float, float, float]:
    """`box` (unrotated points) on the displayed page: x0, y0, x1, y1."""
    if page.rotation == 90:
        return page.height - box.y1, box.x0, page.height - box.y0, box.x1
    if page.rotation == 180:
        return page.width - box.x1, page.height - box.y1, page.width - box.x0, page.height - box.y0
    if page.rotation == 270:
        return box.y0, page.width - box.x1, box.y1, page.width - box.x0
    return box.x0, box.y0, box.x1, box.y1


def upright_size(page: Page) -> tuple[float, float]:
    """Width and height of the displayed page."""
    return (page.height, page.width) if page.rotation in {90, 270} else (page.width, page.height)


def page_lines(page: Page, words: Iterable[Word] | None = None) -> list[Line]:
    """Visual lines of the page's words (or of `words`) that are neither furniture nor struck out, in reading
    order."""
    lines: list[Line] = []
    line: Line | None = None
    last: Word | None = None
    turned = page.rotation != 0
    for word in page.words if words is None else words:
        if word.furniture or word.struck:
            continue
        box = word.box
        x0, y0, x1, y1 = upright(box, page) if turned else (box.x0, box.y0, box.x1, box.y1)
        if line is None or last is None:
            line = Line(page.number, [word], x0, y0, x1, y1, y1 - y0, word.block)
            lines.append(line)
        elif word.line == last.line and word.block == last.block and y0 == line.y0 and x1 > line.x1:
            line.words.append(word)  # the usual case
            line.x1 = x1
        elif _continues(line, last, word, x0, y0, y1):
            line.words.append(word)
            _grow(line, x0, y0, x1, y1)
        elif _is_label_of(line, word, x0, y0, x1, y1):
            line.words.insert(0, word)
            _grow(line, x0, y0, x1, y1)
        else:
            line = Line(page.number, [word], x0, y0, x1, y1, y1 - y0, word.block)
            lines.append(line)
        last = word
    _settle_sizes(lines, page)
    return lines


def _settle_sizes(lines: Iterable[Line], page: Page) -> None:
    """Determine line sizes: opening signs and numbers may be set smaller or larger, so the longest word
    decides."""
    for line in lines:
        if len(line.words) > 1 and len(line.words[0].text) < _TELLING_LETTERS:
            box = upright(max(line.words, key=lambda word: len(word.text)).box, page)
            line.size = box[3] - box[1]


def _is_label_of(line: Line, word: Word, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Whether the word is the line's number or list sign, placed before it but stored after it."""
    near = x1 <= line.x0 + 1 and line.x0 - x1 < _LABEL_GAP * (y1 - y0)
    level = min(y1, line.y1) - max(y0, line.y0) >= _SAME_HEIGHT * min(y1 - y0, line.y1 - line.y0)
    return near and level and x0 < x1 and bool(_LABEL.fullmatch(word.text))


def _grow(line: Line, x0: float, y0: float, x1: float, y1: float) -> None:
    line.x0, line.y0 = min(line.x0, x0), min(line.y0, y0)
    line.x1, line.y1 = max(line.x1, x1), max(line.y1, y1)


def _continues(line: Line, last: Word, word: Word, x0: float, y0: float, y1: float) -> bool:
    """Whether the word is at the line's height and to its right."""
    height, line_height = y1 - y0, line.y1 - line.y0
    lower = min(height, line_height)
    if min(y1, line.y1) - max(y0, line.y0) < _SAME_HEIGHT * lower:
        return False
    same_block = last.block == word.block
    if same_block and last.line == word.line:
        return True
    if x0 < line.x1 - 0.3 * lower:
        return False
    higher = max(height, line_height)
    return higher <= _SIZE_RATIO * lower and (same_block or x0 - line.x1 < _OTHER_BLOCK_GAP * higher)


_SOFT_HYPHEN = "\u00ad"
_HYPHENS = ("-", "\u2010", "\u2011", _SOFT_HYPHEN)
_MAX_SEPARATOR = 2


@dataclass(slots=True, eq=False)
class Flow:
    """Words as running text: `text[starts[i]:]` begins with word i, which is on page `pages[i]`."""

    text: str = ""
    starts: list[int] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)


def bare(word: Word) -> str:
    """The word as it appears in a passage's text: without footnote marks, soft hyphens and symbol-font
    glyphs, and with plain single spaces, since PDFs have thin ones inside words; "" for a list sign."""
    if word.bullet:
        return ""
    text = word.text[: len(word.text) - word.note_chars] if word.note_chars else word.text
    return text if text.isascii() else " ".join(without_private(text).replace(_SOFT_HYPHEN, "").split())


def flow(lines: Iterable[Line], vocabulary: Vocabulary) -> Flow:
    """The words of `lines` joined by single spaces, with words split at a line end rejoined."""
    made = Flow()
    pieces: list[str] = []
    length = 0
    for line in lines:
        if made.words and made.words[-1].text.endswith(_HYPHENS) and not line.words[0].bullet:
            length = _join_cut_word(pieces, length, made.words[-1], line.words[0], vocabulary)
        for word in line.words:
            text = bare(word)
            if not text:
                continue
            made.starts.append(length)
            made.words.append(word)
            made.pages.append(line.page)
            pieces += (text, " ")
            length += len(text) + 1
    made.text = "".join(pieces).rstrip(" ")
    return made


def _join_cut_word(pieces: list[str], length: int, left: Word, right: Word, vocabulary: Vocabulary) -> int:
    """Remove the space (and the hyphen) after `left` if `right` is its rest; returns the new length."""
    glued = glue(left, right, vocabulary)
    if glued is None:
        return length
    kept = glued.replace(_SOFT_HYPHEN, "")
    removed = len(pieces[-2]) - len(kept) + 1
    pieces[-2:] = [kept, ""]
    return length - removed


def spans_of(pages: Sequence[int], words: Sequence[Word]) -> tuple[Span, ...]:
    """Spans covering `words` (each with its page number), one per unbroken stretch."""
    spans: list[Span] = []
    start = end = page = -1
    for number, word in zip(pages, words, strict=True):
        if number != page or not 0 <= word.start - end <= _MAX_SEPARATOR:
            if page >= 0:
                spans.append(Span(page, start, end))
            page, start = number, word.start
        end = word.end
    if page >= 0:
        spans.append(Span(page, start, end))
    return tuple(spans)


def page_spans(
    passage: Passage | PassageDraft, start: int, end: int, pages: Sequence[Page] | Mapping[int, Page]
) -> tuple[Span, ...]:
    """Spans of the characters `start` to `end` of `passage.text`: whole words, in reading order.

    `pages` are the version's pages, in any order, or a mapping by page number; only those of `passage.pages`
    are considered. Furniture inside a span is left out, so a stretch may be split into several spans. Raises
    ValueError if the pages are not the ones the passage was cut from.
    """
    by_number = pages if isinstance(pages, Mapping) else {page.number: page for page in pages}
    numbers: list[int] = []
    words: list[Word] = []
    for number, word, first, last in placed_words(passage, by_number):
        if first < end and last > start:
            numbers.append(number)
            words.append(word)
    return spans_of(numbers, words)


def placed_words(
    passage: Passage | PassageDraft, pages: Mapping[int, Page]
) -> Iterator[tuple[int, Word, int, int]]:
    """The passage's words, each with its page and its range in the passage's text. Raises ValueError as
    `page_spans`."""
    at = 0
    text = passage.text
    for number, word in _words_under(passage.spans, pages):
        written = bare(word)
        if not written:
            continue
        while text[at : at + 1].isspace():
            at += 1
        if not text.startswith(written, at):
            written = written[:-1]
            if not written or not text.startswith(written, at):
                raise ValueError(f"page {number}, character {word.start}: not the text of the passage")
        yield number, word, at, at + len(written)
        at += len(written)


def _words_under(spans: Iterable[Span], pages: Mapping[int, Page]) -> Iterator[tuple[int, Word]]:
    for span in spans:
        for word in pages[span.page].words:
            if word.start >= span.end:
                break
            if word.start >= span.start and word.is_text:
                yield span.page, word
