"""No quote costs more than its time, whatever it repeats and whatever the pages repeat."""

import pytest

from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.quoted import OutOfPatienceError, Patience
from tests.support.fake_pdf import text_page
from tests.support.hostile import cpu_seconds, texts

LONGEST = 10_000
"""Characters of a quote at most."""
ALLOWED, MOST = 1.0, 10.0
"""CPU seconds: what the comparison may take, and what it takes with the step at which the time ends: one that
does not end takes minutes, one that ends a second or two, on whatever processor."""
PAGES = ("a ", "7 ", "A- ", "a\n", "a. ", "aa bb ", "Wir wollen die Mieten nicht erhöhen. ")
CHARACTERS = 8_000


def compared(text: str, index: DocumentIndex) -> None:
    """Find it or give up."""
    try:
        in_its_sentences(text, index, patience=Patience(ALLOWED))
    except OutOfPatienceError:
        return


def pages(unit: str) -> DocumentIndex:
    """Three pages of nothing else, with what is built once for a document."""
    index = DocumentIndex([text_page(unit * (CHARACTERS // len(unit)), number) for number in (1, 2, 3)])
    index.vocabulary  # noqa: B018
    list(index.views())
    return index


@pytest.mark.parametrize("quote", ["a" * LONGEST, "a\u00ad" * (LONGEST // 2), "7 a " * (LONGEST // 4)])
def test_a_quote_that_is_everywhere_ends_in_time(quote: str) -> None:
    index = pages("a ")
    assert cpu_seconds(lambda text: compared(text, index), quote, limit=20) < MOST


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("unit", PAGES)
def test_every_quote_ends_in_time(unit: str) -> None:
    index = pages(unit)
    for name, quote in texts(LONGEST):
        assert cpu_seconds(lambda text: compared(text, index), quote, limit=20) < MOST, name
