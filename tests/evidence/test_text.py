import pytest

from core.evidence.text import Vocabulary, joined_words
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
