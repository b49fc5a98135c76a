"""From any range of a passage back to the page: exact, whatever the layout."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import DocumentType
from core.domain.pages import Page
from core.domain.passages import PassageDraft
from core.evidence.skeleton import skeleton, word_skeleton
from core.language.sentences import sentences
from core.library.chunking.chunker import ChunkResult, chunk
from core.library.chunking.text import page_spans
from core.library.furniture import mark_furniture
from tests.support.typesetting import Set, column, count_words, page

_WORDS = (
    "Wirt¬schaft wir Ar¬beits- und die Nordrhein-West¬falen 2025 z. B. ein¬fach Euro. Ende! Kommission¹² "
    "Abs. \u2009„so“ weiter\u00adhin 5 1. (a) • Ziel; –"
)
_word = st.sampled_from(_WORDS.split(" "))
_paragraph = st.lists(_word, min_size=1, max_size=60).map(" ".join)
_layout = st.lists(
    st.tuples(st.lists(_paragraph, min_size=1, max_size=5), st.sampled_from([30, 60]), st.booleans()),
    min_size=1,
    max_size=5,
)


def typeset(layout: list[tuple[list[str], int, bool]]) -> list[Page]:
    pages = []
    for number, (texts, width, noted) in enumerate(layout, start=1):
        lines = [Set("Kopfzeile", 60, 20, block=90), *column(texts, y=100, width=width)]
        if noted:
            lines.append(Set("12 Eine Fußnote mit kleiner Schrift.", 60, 770, 7.0, block=91))
        pages.append(page(number, lines))
    return list(mark_furniture(pages))


def cut(pages: list[Page], doc_type: DocumentType = DocumentType.MANIFESTO) -> ChunkResult:
    return chunk(pages, doc_type=doc_type, language="de", title="Titel", count_tokens=count_words)


def assert_exact(passage: PassageDraft, pages: dict[int, Page], language: str) -> None:
    """Every sentence and window stands, word for word, under its spans; so does the whole passage."""
    ranges = [*sentences(passage.text, language), *passage.windows, (0, len(passage.text))]
    for start, end in ranges:
        spans = page_spans(passage, start, end, pages)
        under = "".join(
            word_skeleton(word)
            for span in spans
            for word in pages[span.page].words
            if span.start <= word.start < span.end and not word.furniture
        )
        assert under == skeleton(passage.text[start:end])
    assert spans == passage.spans


@given(_layout, st.sampled_from([DocumentType.MANIFESTO, DocumentType.ACT]))
def test_every_sentence_is_found_again(
    layout: list[tuple[list[str], int, bool]], doc_type: DocumentType
) -> None:
    pages = typeset(layout)
    result = cut(pages, doc_type)
    for passage in result.passages:
        assert_exact(passage, {p.number: p for p in pages}, "de")


@given(_layout)
def test_no_word_is_lost_and_none_invented(layout: list[tuple[list[str], int, bool]]) -> None:
    pages = typeset(layout)
    covered = {
        (span.page, word.start)
        for passage in cut(pages).passages
        for span in passage.spans
        for word in pages[span.page - 1].words
        if span.start <= word.start < span.end
    }
    readable = {(p.number, w.start) for p in pages for w in p.words if not w.furniture and word_skeleton(w)}
    assert readable <= covered


@given(_layout)
def test_the_same_pages_give_the_same_passages(layout: list[tuple[list[str], int, bool]]) -> None:
    assert cut(typeset(layout)) == cut(typeset(layout))


def test_spans_leave_furniture_out() -> None:
    lines = [Set(f"{i} Wort eins zwei drei vier fünf", 60, 150 + 14 * i) for i in range(1, 31)]
    pages = list(mark_furniture([page(n, lines) for n in (1, 2, 3)]))
    result = cut(pages)
    spans = [span for passage in result.passages for span in passage.spans]
    assert all(a.page != b.page or a.end <= b.start for a, b in pairwise(result.passages[0].spans))
    assert not any(pages[s.page - 1].text[s.start : s.end].split()[0].isdigit() for s in spans)


def test_other_pages_are_refused() -> None:
    pages = typeset([(["Wir wollen die Wirt¬schaft stärken und vieles mehr erreichen."], 60, False)])
    passage = cut(pages).passages[0]
    others = typeset([(["Etwas anderes steht hier, und zwar an derselben Stelle der Seite."], 60, False)])
    with pytest.raises(ValueError, match="not the text of the passage"):
        page_spans(passage, 0, 10, others)
