import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence.skeleton import skeleton
from core.evidence.text import Vocabulary, joined_words, legible
from tests.support.paper import page


def shown(text: str, known: str = "") -> str:
    pages = [page(text)] + ([page(known, 2)] if known else [])
    return joined_words(pages[0].words, Vocabulary.of(pages))


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("neue Woh-\nnungen bauen", "neue Wohnungen bauen"),
        ("in Nordrhein-\nWestfalen gilt", "in Nordrhein-Westfalen gilt"),
        ("Miet-\nund Eigentumswohnungen", "Miet- und Eigentumswohnungen"),
        ("Miet- und\nEigentumswohnungen", "Miet- und Eigentumswohnungen"),
        ("eine 10-\njährige Frist", "eine 10-jährige Frist"),
        ("gegen COVID-\n19 impfen", "gegen COVID-19 impfen"),
        ("per E-\nmail senden", "per E-mail senden"),
        ("Zei\u00ad\nlen", "Zeilen"),
        ("ein Satz –\nund mehr", "ein Satz – und mehr"),
        ("lang -\nkurz", "lang - kurz"),
    ],
)
def test_hyphens_at_the_line_end(lines: str, text: str) -> None:
    assert shown(lines) == text


def test_the_documents_own_spelling_decides() -> None:
    assert shown("a long-\nterm plan", known="no long-term debt") == "a long-term plan"
    assert shown("a long-\nterm plan", known="a longterm plan") == "a longterm plan"
    assert shown("UNSERE WOH-\nNUNGEN", known="viele Wohnungen") == "UNSERE WOHNUNGEN"
    assert shown("UNSERE CDU-\nCSU") == "UNSERE CDU-CSU"


def test_footnote_marks_show_as_superscripts() -> None:
    assert shown("bis 2030^{12} und weiter") == "bis 2030¹² und weiter"


@given(st.text(alphabet="abfilst \ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06\u00ad\u00e4\u00b2"))
def test_what_is_shown_has_letters_for_ligatures_and_the_same_skeleton(text: str) -> None:
    shown = legible(text)
    assert not set(shown) & set(map(chr, range(0xFB00, 0xFB07)))
    assert legible("Wohn\u00adraum und \ufb01nanzieren") == "Wohnraum und finanzieren"
    assert skeleton(shown) == skeleton(text)
    assert legible(shown) == shown
