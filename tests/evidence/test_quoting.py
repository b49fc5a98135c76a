from dataclasses import replace

from core.domain.answers import Verdict
from core.domain.pages import Page
from core.domain.passages import Span
from core.evidence.alignment import in_its_sentences, locate, quote_from_spans
from core.evidence.index import DocumentIndex
from core.library.differences import differences
from tests.support.paper import page, paper

PAGE = "Der Rat beschließt. Danach folgt die Woh-\nnung.\n\n~Seite 7\n\nEin Satz steht hier^{2} allein."


def test_quote_is_the_words_under_the_spans_without_furniture() -> None:
    pages = paper(PAGE)
    end = len(pages[0].text)
    quote = quote_from_spans(pages, [Span(1, 0, end)])
    assert quote.text == "Der Rat beschließt. Danach folgt die Wohnung. Ein Satz steht hier² allein."
    assert quote.spans == (Span(1, 0, end),)


def test_what_lies_between_spans_is_shown_as_left_out_unless_furniture() -> None:
    pages = paper(PAGE)
    text = pages[0].text
    first, second = Span(1, 0, text.index("\n\n")), Span(1, text.index("Ein"), len(text))
    assert "[...]" not in quote_from_spans(pages, [first, second]).text
    short = Span(1, 0, text.index("."))
    assert (
        quote_from_spans(pages, [short, second]).text
        == "Der Rat beschließt. [...] Ein Satz steht hier² allein."
    )


def test_spans_of_neighbouring_pages_join() -> None:
    pages = paper("Der erste Teil des Sat-\n\n~12", "zes geht hier weiter. Danach mehr.")
    spans = [Span(1, 0, 23), Span(2, 0, 21)]
    assert quote_from_spans(pages, spans).text == "Der erste Teil des Satzes geht hier weiter."


def test_locate_finds_a_short_sentence_inside_the_spans() -> None:
    pages = paper("Ja, so ist es. Nein.", "Ja, so ist es. Doch.")
    index = DocumentIndex(pages)
    quote = locate("Ja, so ist es.", index, [Span(2, 0, 20)])
    assert quote is not None
    assert quote.pages == (2,)
    assert locate("Ganz anders.", index, [Span(2, 0, 20)]) is None
    assert locate("…", index, [Span(2, 0, 20)]) is None
    assert locate("Ja, so ist es.", index, []) is None
    assert locate("Ja, so ist es.", index, [Span(9, 0, 20)]) is None


def test_locate_takes_text_with_footnote_digits() -> None:
    index = DocumentIndex([page(PAGE)])
    spans = [Span(1, 0, 200)]
    for text in ("Ein Satz steht hier2 allein.", "Ein Satz steht hier allein."):
        quote = locate(text, index, spans)
        assert quote is not None
        assert quote.text == "Ein Satz steht hier² allein."


def _struck(made: Page, text: str) -> Page:
    """`made` with the words of `text` struck out."""
    start = made.text.index(text)
    inside = range(start, start + len(text))
    return replace(made, words=tuple(replace(word, struck=word.start in inside) for word in made.words))


BUSES, OLD, TRAINS = (
    "Die Busse fahren alle zehn Minuten.",
    "Die Fahrt kostet drei Euro.",
    "Die Züge fahren auch nachts.",
)


def test_what_is_struck_out_between_two_sentences_is_shown_as_left_out() -> None:
    pages = [_struck(page(f"{BUSES} {OLD} {TRAINS}"), OLD)]
    index = DocumentIndex(pages)
    shown = f"{BUSES} [...] {TRAINS}"
    spans = [Span(1, 0, len(BUSES)), Span(1, len(f"{BUSES} {OLD} "), len(pages[0].text))]
    found = locate(f"{BUSES} {TRAINS}", index, spans)
    assert found is not None
    assert (found.text, found.spans) == (shown, tuple(spans))
    assert quote_from_spans(pages, spans).text == shown
    for alleged in (f"{BUSES} {TRAINS}", shown):  # what is shown can be looked up again
        alignment = in_its_sentences(alleged, index)
        assert alignment.verdict is Verdict.VERBATIM
        assert alignment.quote is not None
        assert alignment.quote.text == shown
    assert in_its_sentences(f"{BUSES} {OLD} {TRAINS}", index).verdict is Verdict.STRUCK


def test_what_is_struck_out_within_a_sentence_or_over_pages_is_shown_as_left_out() -> None:
    price = _struck(page("Die Fahrt kostet drei zwei Euro am Tag."), "drei")
    assert quote_from_spans([price], [Span(1, 0, 16), Span(1, 22, 39)]).text == (
        "Die Fahrt kostet [...] zwei Euro am Tag."
    )
    first, second = _struck(page(f"{BUSES} {OLD}"), OLD), page(TRAINS, 2)
    found = locate(f"{BUSES} {TRAINS}", DocumentIndex([first, second]), [Span(1, 0, 35), Span(2, 0, 28)])
    assert found is not None
    assert found.text == f"{BUSES} [...] {TRAINS}"


def test_a_struck_sentence_among_those_that_are_new_is_shown_as_left_out() -> None:
    (change,) = differences([page("Gruß.")], [_struck(page(f"Gruß. {BUSES} {OLD} {TRAINS}"), OLD)]).changes
    assert change.new is not None
    assert change.new.text == f"{BUSES} [...] {TRAINS}"
