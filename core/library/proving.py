"""Whether the pages of a document can be quoted: checked at ingestion, not when somebody asks a question.

Three sentences of each page are read back: they must be there letter for letter and be visible. Pages that
cannot be quoted are named in the receipt and by `doctor`.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from core.domain.answers import Quote, Verdict
from core.domain.pages import Doubt, Page, TextSource
from core.domain.passages import PassageDraft, PassageKind
from core.errors import Refused
from core.evidence.alignment import align, quote_from_spans
from core.evidence.index import DocumentIndex
from core.evidence.text import words_under
from core.language.sentences import sentences
from core.library.chunking.text import page_spans
from core.library.printed_pages import page_ranges
from core.ports.pdf import PdfToolkit

UNPROVEN, COMPARE = "pages.unproven", "pages.compare"
"""Warnings: how many and which pages cannot be quoted, or only with the advice to compare."""
_LEAST = 40
"""Minimum characters of a sentence that is checked."""
T = TypeVar("T")
_WRITTEN = frozenset({Verdict.VERBATIM, Verdict.CUT})


async def warnings_on(
    pdf: PdfToolkit, path: Path, pages: Sequence[Page], passages: Sequence[PassageDraft], language: str
) -> tuple[str, ...]:
    """The warnings about the pages of the PDF at `path`."""
    asked = await asyncio.to_thread(_asked, pages, passages, language)
    proofs = await asyncio.gather(*(_page_doubt(pdf, path, page, quotes) for page, quotes in asked))
    found = {page.number: doubt for (page, _), doubt in zip(asked, proofs, strict=True)}
    unproven = [number for number, doubt in found.items() if doubt and doubt.refuses]
    unusual = [number for number, doubt in found.items() if doubt is Doubt.COMPARE]
    counted = ((UNPROVEN, unproven), (COMPARE, unusual))
    return tuple(
        f"{key}:{len(numbers)}/{len(pages)} ({page_ranges(numbers)})" for key, numbers in counted if numbers
    )


def _asked(
    pages: Sequence[Page], passages: Sequence[PassageDraft], language: str
) -> list[tuple[Page, list[Quote]]]:
    """The sentences to check on each page; pages without sentences are not checked."""
    by_number = {page.number: page for page in pages}
    quotes_by_page: dict[int, list[Quote]] = {}
    for passage in passages:
        if passage.kind is PassageKind.PROSE:
            for quote in _sentences(passage, by_number, language):
                quotes_by_page.setdefault(quote.pages[0], []).append(quote)
    return [(by_number[number], _spread(quotes)) for number, quotes in sorted(quotes_by_page.items())]


def _sentences(passage: PassageDraft, pages: Mapping[int, Page], language: str) -> Iterator[Quote]:
    """The sentences of a passage that are on a single page each."""
    found = sentences(passage.text, language)
    for start, end in found if len({span.page for span in passage.spans}) > 1 else _spread(found):
        if end - start >= _LEAST:
            spans = page_spans(passage, start, end, pages)
            if spans and spans[0].page == spans[-1].page:
                yield quote_from_spans([pages[spans[0].page]], spans)


def _spread(items: Sequence[T]) -> list[T]:
    """The first, a middle and the last one."""
    return [items[at] for at in sorted({0, len(items) // 2, len(items) - 1})] if items else []


async def _page_doubt(pdf: PdfToolkit, path: Path, page: Page, quotes: Sequence[Quote]) -> Doubt | None:
    """Why most of the sentences cannot be quoted from a page, or the warning to show with them."""
    doubt = await _doubt(pdf, path, page, quotes)
    if doubt and doubt.refuses:  # one of them may be the cause
        each = [await _doubt(pdf, path, page, [quote]) for quote in quotes]
        refused = [one for one in each if one and one.refuses]
        doubt = refused[0] if 2 * len(refused) > len(quotes) else None
    if doubt is None or not doubt.refuses:
        index = DocumentIndex([page])
        found = [(await asyncio.to_thread(align, quote.text, index)).verdict for quote in quotes]
        if 2 * sum(verdict in _WRITTEN for verdict in found) < len(quotes):
            return Doubt.NO_INK
    return doubt


async def _doubt(pdf: PdfToolkit, path: Path, page: Page, quotes: Iterable[Quote]) -> Doubt | None:
    words = [word for quote in quotes for span in quote.spans for word in words_under(page, span)]
    scan = page.text_source is TextSource.OCR
    try:
        return await pdf.doubt(path, page.number, [word.box for word in words], scan=scan, quick=True)
    except Refused:  # is reported when somebody asks for the page
        return None
