"""Abbreviations that only the first page of a document prints, and what is no head of a provision."""

import pytest

from core.library.subdivisions import sure_heads, under_head
from core.registry.titles import printed_abbreviations


@pytest.mark.parametrize(
    ("title", "opening", "found"),
    [
        ("Uferschutzgesetz", "Uferschutzgesetz (UfSchG)\n\n§ 1 Ziel", ("UfSchG",)),
        (
            "Gesetz über Ufer",
            "Gesetz zum Schutz der Ufer\n(Uferschutzgesetz – UfSchG)\nVom 3. Mai 2020",
            ("UfSchG",),
        ),
        ("satzung2024", "Bedingungen für die Fahrradversicherung\n(BFV)\n1 Was ist versichert?", ("BFV",)),
        (
            "Steuern",
            "Satzung über Hunde (Hundesteuersatzung, im Folgenden „HStS“)\n§ 1 Die Gemeinde",
            ("HStS",),
        ),
        ("x", "Coastal Paths (Access) Act 2014\n“CPAA”\n1 Overview", ("CPAA",)),
        ("x", "Tarifvertrag der Seilbahnen\n– TV-S –\nzwischen", ("TV-S",)),
        ("Satzung", "Satzung über Hunde\n§ 1 Wie nach dem Bürgerlichen Gesetzbuch (BGB)", ()),
        ("Satzung", "Satzung über Hunde (siehe EU)\n§ 1 Ziel", ()),
    ],
)
def test_what_a_statute_is_called_for_short(title: str, opening: str, found: tuple[str, ...]) -> None:
    assert printed_abbreviations(title, opening, statutory=True) == found


def test_other_documents_are_called_by_their_titles_only() -> None:
    opening = "Sozialpartei Deutschlands (SPD)\nUnser Plan"
    assert printed_abbreviations("Unser Plan", opening, statutory=False) == ()
    assert printed_abbreviations("Hafenordnung", "Hafenordnung (HafO)", statutory=False) == ("HafO",)


def test_items_of_lists_and_contents_are_no_heads() -> None:
    below = "\nDer Vorstand entscheidet binnen vier Wochen über den Antrag.\n"
    assert [head.number for head in sure_heads(f"1 Zweck{below}2 Ziel{below}")] == ["1", "2"]
    assert sure_heads(f"Anlagen\n1. Leistungsverzeichnis\n2. Preisblatt\n3. Eigenerklärung{below}") == []
    assert sure_heads("§ 31a BGB begrenzt die Haftung der Ehrenamtlichen") == []
    assert [head.number for head in sure_heads("§ 1004 BGB Beseitigung")] == ["1004"]


def test_a_quote_stands_right_under_its_head() -> None:
    below = "\nDer Vorstand entscheidet binnen vier Wochen über den Antrag.\n"
    found = under_head([f"1 Zweck{below}2 Ziel{below}3 Antrag\n(1) "])
    assert found is not None
    assert found.title == "Antrag"
    assert under_head(["Anlagen\n1. Leistungsverzeichnis\n2. Preisblatt\n3. Eigenerklärung\n"]) is None
