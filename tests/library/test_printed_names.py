"""Abbreviations that only the first page of a document prints."""

import pytest

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
