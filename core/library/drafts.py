"""A text of one's own as it was read from a file: running paragraphs, and where their characters stand."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.pages import Page, PageReading, Word
from core.domain.passages import Span
from core.evidence.text import Vocabulary
from core.library.chunking.layout import metrics, paragraphs
from core.library.chunking.notes import split_footnotes
from core.library.chunking.text import spans_of
from core.library.furniture import marked
from core.library.lines import page_lines, upright_size
from core.registry.quotations import Paragraph


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """The paragraphs of `text`, a line each, footnotes last; `text[starts[i]:]` begins with word i, which
    stands on page `numbers[i]`."""

    text: str
    paragraphs: tuple[Paragraph, ...]
    pages: tuple[Page, ...]
    starts: tuple[int, ...]
    words: tuple[Word, ...]
    numbers: tuple[int, ...]

    def spans(self, start: int, end: int) -> tuple[Span, ...]:
        """Where the characters `start` to `end` stand: whole words."""
        first, last = max(0, bisect_right(self.starts, start) - 1), bisect_left(self.starts, end)
        return spans_of(self.numbers[first:last], self.words[first:last])


def draft_of(readings: Sequence[PageReading]) -> Draft:
    """The draft on the pages of a file. What is struck out or furniture is none of it."""
    pages = marked(readings)
    lines = [line for page in pages for line in page_lines(page)]
    usual = metrics(lines)
    running, notes = split_footnotes(lines, usual, {page.number: upright_size(page)[1] for page in pages})
    parts: list[str] = []
    found: list[Paragraph] = []
    starts: list[int] = []
    words: list[Word] = []
    numbers: list[int] = []
    at, vocabulary = 0, Vocabulary.of(pages)
    for each in (*paragraphs(running, usual, vocabulary), *paragraphs(notes, usual, vocabulary)):
        found.append(Paragraph(at, at + len(each.text), set_off=each.set_off))
        starts += [at + start for start in each.flow.starts]
        words += each.flow.words
        numbers += each.flow.pages
        parts.append(each.text)
        at += len(each.text) + 1
    return Draft("\n".join(parts), tuple(found), pages, tuple(starts), tuple(words), tuple(numbers))
