"""Builds running text from a page's words, and maps text back to pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.pages import Page, Word
from core.domain.passages import Passage, PassageDraft, Span
from core.evidence.skeleton import without_private
from core.evidence.text import Vocabulary, glue
from core.library.lines import Line

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
    for number, word, first, last in _placed(passage, by_number):
        if first < end and last > start:
            numbers.append(number)
            words.append(word)
    return spans_of(numbers, words)


def _placed(
    passage: Passage | PassageDraft, pages: Mapping[int, Page]
) -> Iterator[tuple[int, Word, int, int]]:
    """The passage's words, each with its range in the passage's text."""
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
