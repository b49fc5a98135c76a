from core.domain.passages import Span
from core.evidence.index import DocumentIndex
from core.evidence.quoting import locate, quote_from_spans
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
