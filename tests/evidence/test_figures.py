import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence.figures import figures


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10 % von 10.000 €", ("10", "%", "10.000", "€")),
        ("2025–2030", ("2025", "-", "2030")),
        ("2025 —\n2030", ("2025", "-", "2030")),
        ("um –5 Grad, +3 und (−2)", ("-", "5", "+", "3", "-", "2")),
        ("COVID-19, CO2, § 5a", ("19", "2", "5")),
        ("1½ oder ½", ("1", "1/2", "1/2")),
        ("12 statt 1½", ("12", "1", "1/2")),
        ("3/4 und 3 / 4", ("3/4", "3/4")),
        ("10’000", ("10'000",)),
        ("20\u00ad25", ("2025",)),
        ("Inhalt ..... 7", ("7",)),
        ("US$ .5", ("$", ".5")),
        ("x > 5", (">", "5")),
        ("> ein Punkt", ()),
        ("5 °C und 1. Satz", ("5", "°", "1")),
        ("Wort¹²", ()),
        ("15³ von 10⁶ und 10^-6", ("15", "10", "^6", "10", "^-6")),
        ("CO₂, 5 m², ¹/₂", ("2", "5", "2", "1/2")),
        ("１０", ("10",)),
        ("65+", ("65+",)),
    ],
)
def test_examples(text: str, found: tuple[str, ...]) -> None:
    assert figures(text) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.000", "1,000"),
        ("1.000", "1000"),
        ("5 %", "5"),
        ("5 €", "5 $"),
        ("-5", "5"),
        ("3/4", "34"),
        ("5-10", "5 10"),
        ("≥ 5", "≤ 5"),
        ("½", "12"),
        ("5‰", "5%"),
        ("٣", "٤"),
    ],
)
def test_differences_that_letters_do_not_show(one: str, other: str) -> None:
    assert figures(one) != figures(other)


@given(st.text(alphabet="abc 0123456789.,%€-–/\n"))
def test_white_space_and_dashes_do_not_matter(text: str) -> None:
    assert figures(text.replace("-", "–").replace(" ", "\u00a0")) == figures(text.replace("–", "-"))
