"""The heading over a quote, as its source line shows it."""

from dataclasses import replace

import pytest

from core.answering.extractive.citations import heading_over, recurs, shown_heading
from tests.support.search_world import edition, passage

OF = edition("programme")
FIELDS = replace(OF.document.fields, title="Unser Weg (2025)", parties=("Uferpartei",), language="de")


@pytest.mark.parametrize(
    "heading",
    [
        "Klima schützen, Küste sichern",
        "3. Gute Schulen",
        "Was kostet die Anmeldung?",
        "Betriebliche Altersvorsorge",
    ],
)
def test_a_heading_that_names_something_stays(heading: str) -> None:
    assert shown_heading(heading, FIELDS) == heading


@pytest.mark.parametrize(
    "heading",
    [
        "7. Wir kämpfen für Arbeit, die ein gutes Leben ermöglicht.",
        "Wir sollen den Wind nutzen",
        "Die gestiegenen Preise haben wir unter …",
        "Jung und",
        "Die Leute treten ein für",
        "und das Meer",
        "REGIERUNGSPROGRAMM",
        "Uferpartei",
        "Unser Weg",
        "",
    ],
)
def test_sentences_fragments_and_the_papers_own_name_are_left_out(heading: str) -> None:
    assert shown_heading(heading, FIELDS) == ""


def test_a_code_in_front_of_a_heading_is_no_part_of_it() -> None:
    assert shown_heading("RP03: Familien entlasten", FIELDS) == "Familien entlasten"
    assert shown_heading("A. Gute Löhne", FIELDS) == "Gute Löhne"


@pytest.mark.parametrize(
    ("heading", "language", "said"),
    [
        ("A. EINE LEBENDIGE DEMOKRATIE", "de", "Eine lebendige Demokratie"),
        ("3 ELEMENTS OF VALID CONSENT", "en", "3 Elements of valid consent"),
        ("LES MARCHÉS", "fr", "Les marchés"),
        ("CONSENT IN THE GDPR", "en", ""),
        ("KLIMA, IN DEM WIR GUT LEBEN", "de", ""),
    ],
)
def test_capitals_become_ordinary_letters_where_a_dictionary_tells_them(
    heading: str, language: str, said: str
) -> None:
    assert shown_heading(heading, replace(FIELDS, language=language)) == said


def test_a_line_that_comes_back_is_a_running_head() -> None:
    pages = [passage(OF, n, f"Welt\nDer {n}. Satz steht hier.") for n in range(3)]
    assert recurs("Welt", pages)
    assert not recurs("Welt", pages[:2])


def test_the_heading_over_a_passage_is_the_last_one() -> None:
    below = replace(passage(OF, 0, "Text."), heading="Unser Weg › Arbeit › Löhne")
    assert heading_over(below) == "Löhne"
