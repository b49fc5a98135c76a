"""Names of parties and places in sentences: the article from what the name or its aliases say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.languages import tags
from core.language.name_forms import Case, case_behind, drawn_together, forms


@pytest.mark.parametrize(
    ("name", "aliases", "nominative", "accusative", "dative"),
    [
        ("Uferpartei", (), "die Uferpartei", "die Uferpartei", "der Uferpartei"),
        ("Bund der Weber", (), "der Bund der Weber", "den Bund der Weber", "dem Bund der Weber"),
        ("Hafenbündnis", (), "das Hafenbündnis", "das Hafenbündnis", "dem Hafenbündnis"),
        ("UVW", ("Uferländischer Verband der Weber",), "der UVW", "den UVW", "dem UVW"),
        ("UVW", (), "die UVW", "die UVW", "der UVW"),
        ("UVW", ("das UVW",), "das UVW", "das UVW", "dem UVW"),
        ("UVW/XYZ", (), "die UVW/XYZ", "die UVW/XYZ", "der UVW/XYZ"),
        ("LILANE", ("Lilanen",), "die LILANEN", "die LILANEN", "den LILANEN"),
        ("Lila", ("die LILANEN",), "die LILANEN", "die LILANEN", "den LILANEN"),
        ("Die Obere", ("Oberen",), "die Obere", "die Obere", "der Oberen"),
        ("Die FAHRT", (), "die FAHRT", "die FAHRT", "der FAHRT"),
        ("Freie Fischer", (), "die Freien Fischer", "die Freien Fischer", "den Freien Fischern"),
        ("Neue Uferliste", (), "die Neue Uferliste", "die Neue Uferliste", "der Neuen Uferliste"),
        ("Unabhängiger Weberverband", (), "der Unabhängige Weberverband", "den Unabhängigen Weberverband",
         "dem Unabhängigen Weberverband"),
        ("Korsaren", (), "die Korsaren", "die Korsaren", "den Korsaren"),
        ("Ampere", (), "Ampere", "Ampere", "Ampere"),
        ("Ufer25", (), "Ufer25", "Ufer25", "Ufer25"),
    ],
)  # fmt: skip
def test_parties_in_german(
    name: str, aliases: tuple[str, ...], nominative: str, accusative: str, dative: str
) -> None:
    assert forms(name, aliases, "de", party=True).cases == (nominative, accusative, dative)


@pytest.mark.parametrize(
    ("name", "dative", "shown"),
    [
        ("Schweiz", "der Schweiz", "in der Schweiz"),
        ("Saarland", "dem Saarland", "im Saarland"),
        ("Vereinigtes Königreich", "dem Vereinigten Königreich", "im Vereinigten Königreich"),
        ("Niederlande", "den Niederlanden", "in den Niederlanden"),
        ("Hochau", "Hochau", "in Hochau"),
        ("Deutschland", "Deutschland", "in Deutschland"),
    ],
)
def test_places_in_german(name: str, dative: str, shown: str) -> None:
    assert forms(name, (), "de", party=False).cases[Case.DATIVE] == dative
    assert drawn_together("in", dative, "de") == shown


@pytest.mark.parametrize(
    ("name", "aliases", "after_of"),
    [
        ("LILANE", ("les Lilas",), "des Lilas"),
        ("Les Lilas", (), "des Lilas"),
        ("Rassemblement du rivage", (), "du Rassemblement du rivage"),
        ("Alliance du rivage", (), "de la Alliance du rivage"),
        ("UVW", (), "du parti UVW"),
    ],
)
def test_parties_in_french(name: str, aliases: tuple[str, ...], after_of: str) -> None:
    said = forms(name, aliases, "fr", party=True).cases[Case.ACCUSATIVE]
    assert drawn_together("de", said, "fr").replace("l'", "la ") == after_of


def test_a_vowel_takes_a_letter() -> None:
    assert drawn_together("de", "Hochau", "fr") == "d'Hochau"
    assert drawn_together("de", "Valombre", "fr") == "de Valombre"


def test_english_names_stand_alone_unless_they_are_said_with_an_article() -> None:
    assert forms("UVW", (), "en", party=True).cases[0] == "UVW"
    assert forms("UVW", ("the Weavers",), "en", party=True).cases[0] == "the Weavers"


def test_only_prepositions_ask_for_a_case() -> None:
    assert case_behind("für", "de") is Case.ACCUSATIVE
    assert case_behind("von", "de") is Case.DATIVE
    assert case_behind("Partei", "de") is None


@given(
    st.text(max_size=30), st.lists(st.text(max_size=20), max_size=3), st.sampled_from(tags()), st.booleans()
)
def test_every_name_has_its_forms(name: str, aliases: list[str], language: str, party: bool) -> None:
    found = forms(name, tuple(aliases), language, party=party)
    assert len(found.cases) == len(Case)
    assert all(isinstance(each, str) for each in found.cases)
