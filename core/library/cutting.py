"""Cuts a document that was read: furniture, passages, references.

All of this processes untrusted text. `Cutter` decides where it runs: tests and tools cut in a thread, the bot
in a process that can be killed.
"""

import asyncio
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.documents import DocumentFields
from core.domain.pages import Page, PageReading, PageTrouble, Word
from core.domain.passages import Passage, PassageDraft, Reference, Span
from core.evidence.text import Vocabulary
from core.library.chunking.chunker import ChunkResult, chunk
from core.library.chunking.layout import metrics, paragraphs, split_footnotes
from core.library.chunking.packing import CountTokens
from core.library.chunking.text import page_lines, page_spans, spans_of, upright_size
from core.library.cross_references import cross_references
from core.library.furniture import marked, with_asides
from core.registry.quotations import Paragraph


class Cutter(Protocol):
    """Cuts documents without blocking the event loop."""

    async def cut(
        self, readings: Sequence[PageReading], fields: DocumentFields, count_tokens: CountTokens
    ) -> tuple[tuple[Page, ...], ChunkResult]:
        """See `cut_document`. `count_tokens` may be called from another thread. Raises Refused if it takes
        too long or too much memory."""

    async def references(self, passages: Sequence[Passage], fields: DocumentFields) -> tuple[Reference, ...]:
        """See `cross_references`. Raises Refused like `cut`."""


class CutterInThread:
    """Cuts in a thread of this process: for trusted documents."""

    async def cut(
        self, readings: Sequence[PageReading], fields: DocumentFields, count_tokens: CountTokens
    ) -> tuple[tuple[Page, ...], ChunkResult]:
        """See `Cutter.cut`."""
        return await asyncio.to_thread(cut_document, readings, fields, count_tokens)

    async def references(self, passages: Sequence[Passage], fields: DocumentFields) -> tuple[Reference, ...]:
        """See `Cutter.references`."""
        return await asyncio.to_thread(cross_references, passages, fields)


def cut_document(
    readings: Sequence[PageReading], fields: DocumentFields, count_tokens: CountTokens
) -> tuple[tuple[Page, ...], ChunkResult]:
    """The pages with furniture and others' words marked, and the passages of those that are readable."""
    pages = marked(readings)
    fit = {item.page.number for item in readings if item.trouble is not PageTrouble.GARBLED}
    cut = chunk(
        [page for page in pages if page.number in fit],
        doc_type=fields.doc_type,
        language=fields.language,
        title=fields.title,
        count_tokens=count_tokens,
        parties=fields.parties,
        regions={item.page.number: item.regions for item in readings if item.regions},
    )
    return tuple(_with_others(pages, cut.passages)), cut


def _with_others(pages: Sequence[Page], passages: Sequence[PassageDraft]) -> Iterator[Page]:
    """The pages, with the words marked that passages attribute to somebody else."""
    by_number = {page.number: page for page in pages}
    spans: dict[int, list[Span]] = defaultdict(list)
    for passage in passages:
        for start, end in passage.others:
            for span in page_spans(passage, start, end, by_number):
                spans[span.page].append(span)
    for page in pages:
        page_ranges = spans[page.number]
        words = (word.start for word in page.words)
        kept = (
            {at for at in words if any(span.start <= at < span.end for span in page_ranges)}
            if page_ranges
            else set()
        )
        yield with_asides(page, set(), set(), kept)


# A user's own text as read from a file: running paragraphs, and the positions of their characters.


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """The paragraphs of `text`, a line each, footnotes last; `text[starts[i]:]` begins with word i, which is
    on page `numbers[i]`."""

    text: str
    paragraphs: tuple[Paragraph, ...]
    pages: tuple[Page, ...]
    starts: tuple[int, ...]
    words: tuple[Word, ...]
    numbers: tuple[int, ...]

    def spans(self, start: int, end: int) -> tuple[Span, ...]:
        """The positions of the characters `start` to `end`, as whole words."""
        first, last = max(0, bisect_right(self.starts, start) - 1), bisect_left(self.starts, end)
        return spans_of(self.numbers[first:last], self.words[first:last])


def draft_of(readings: Sequence[PageReading]) -> Draft:
    """The draft on the pages of a file, without struck-out words and furniture."""
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
