"""Makes quotes from spans of a document's pages."""

from collections.abc import Sequence

from core.domain.answers import Quote
from core.domain.pages import Page, Word
from core.domain.passages import Span
from core.evidence.exact import find_exact
from core.evidence.index import GAP, DocumentIndex
from core.evidence.quoted import Quoted
from core.evidence.text import Vocabulary, joined_words, legible, words_under


def quote_from_spans(pages: Sequence[Page], spans: Sequence[Span]) -> Quote:
    """The words under `spans`, without furniture, as a quote.

    `pages` ascend and hold every page of the spans (KeyError else). "[...]" marks words other than furniture
    between one span and the next, struck out or not.
    """
    by_number = {page.number: page for page in pages}
    vocabulary = Vocabulary.of(pages)
    runs: list[list[Word]] = [[]]
    for i, span in enumerate(spans):
        if i and _words_between(pages, spans[i - 1], span):
            runs.append([])
        runs[-1].extend(words_under(by_number[span.page], span))
    text = f" {GAP} ".join(joined_words(run, vocabulary) for run in runs if run)
    return Quote(spans=tuple(spans), text=legible(text))


def _words_between(pages: Sequence[Page], left: Span, right: Span) -> bool:
    """Whether there are words of the text between the spans; a span further back on the pages counts as
    adjacent."""
    between = [page for page in pages if left.page <= page.number <= right.page]
    for page in between:
        start = left.end if page.number == left.page else 0
        end = right.start if page.number == right.page else len(page.text)
        if any(start < w.end and w.start < end and (w.is_text or w.struck) for w in page.words):
            return True
    return False


def locate(text: str, index: DocumentIndex, spans: Sequence[Span]) -> Quote | None:
    """The quote for a text cut from the document itself, such as a sentence of a passage.

    `spans` are the passage's. Unlike `align` it requires no minimum length, as nothing is alleged. None if
    the words are not there in this order.
    """
    quote = Quoted(text)
    if not quote.skeleton or not spans:
        return None
    first = index.number_at(spans[0].page, spans[0].start)
    last = index.number_at(spans[-1].page, spans[-1].end)
    if first is None or last is None:
        return None
    for view in index.views():
        start, end = view.offset(view.entry_of(first)), view.offset(view.entry_of(last))
        for at in view.occurrences(quote.skeleton, start, end):
            stretch = view.stretch(at, at + len(quote.skeleton))
            if stretch is not None:
                return index.quote(view, (stretch,))
    found = find_exact(quote, index, spans)
    return index.quote(found.view, found.stretches) if found else None
