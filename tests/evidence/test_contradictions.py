"""What a claim says otherwise than its quote, by kind; each with a claim that says the same as its quote."""

import pytest

from core.evidence.contradictions import QuotedText, contradictions


def found(claim: str, language: str, quote: str, written: str) -> set[str]:
    differing = contradictions(claim, language, [QuotedText(text=quote, language=written)])
    return {item.partition(":")[0] for item in differing}


@pytest.mark.parametrize(
    ("kind", "claim", "language", "quote", "written"),
    [
        ("opposite", "Die Steuer wird erhöht.", "de", "Wir senken die Steuer.", "de"),
        ("opposite", "The tax is cut.", "en", "Wir erhöhen die Steuer.", "de"),
        ("opposite", "Le parti veut maintenir la taxe.", "fr", "Nous supprimerons la taxe.", "fr"),
        ("modality", "Die Behörde muss prüfen.", "de", "Die Behörde kann prüfen.", "de"),
        ("modality", "The court must ask.", "en", "Das Gericht kann fragen.", "de"),
        ("tense", "The party has built 900 homes.", "en", "We will build 900 homes.", "en"),
        ("quantity", "Alle Schulen bekommen ein Bad.", "de", "Einige Schulen bekommen ein Bad.", "de"),
        ("quantity", "Only members may vote.", "en", "Members may vote.", "en"),
        (
            "condition",
            "Der Antrag wird bewilligt.",
            "de",
            "Der Antrag wird bewilligt, falls Geld da ist.",
            "de",
        ),
        ("bound", "The fee is at least 10 euros.", "en", "The fee shall not exceed 10 euros.", "en"),
        ("bound", "Der Zuschuss beträgt 20 Euro.", "de", "Der Zuschuss beträgt bis zu 20 Euro.", "de"),
        ("period", "The fee is 10 euros a month.", "en", "The fee is 10 euros a year.", "en"),
        ("number", "Kinder zahlen 90 Euro.", "de", "Erwachsene zahlen 90 Euro, Kinder zahlen 40 Euro.", "de"),
        ("actor", "Der Mieter zahlt die Reparatur.", "de", "Der Vermieter zahlt die Reparatur.", "de"),
    ],
)
def test_a_contradiction_is_named(kind: str, claim: str, language: str, quote: str, written: str) -> None:
    assert kind in found(claim, language, quote, written)


@pytest.mark.parametrize(
    ("claim", "language", "quote", "written"),
    [
        ("Die Steuer soll sinken.", "de", "Wir senken die Steuer.", "de"),
        ("The party wants to raise the tax.", "en", "Wir erhöhen die Steuer.", "de"),
        ("Das Amt darf prüfen.", "de", "Die Behörde kann prüfen.", "de"),
        ("The party will build 900 homes.", "en", "We will build 900 homes.", "en"),
        ("Every child gets a breakfast.", "en", "We will provide a breakfast for each child.", "en"),
        (
            "Falls Geld da ist, wird er bewilligt.",
            "de",
            "Der Antrag wird bewilligt, sofern Geld da ist.",
            "de",
        ),
        ("The fee is no more than 10 euros.", "en", "The fee shall not exceed 10 euros.", "en"),
        ("Nötig sind mindestens 25 Mitglieder.", "de", "Anwesend sein müssen 25 oder mehr Mitglieder.", "de"),
        ("Kinder zahlen 40 Euro.", "de", "Erwachsene zahlen 90 Euro, Kinder zahlen 40 Euro.", "de"),
        ("Der Mindestlohn soll 15 Euro betragen.", "de", "Der Mindestlohn soll auf 15 Euro steigen.", "de"),
    ],
)
def test_what_says_the_same_contradicts_nothing(claim: str, language: str, quote: str, written: str) -> None:
    assert found(claim, language, quote, written) == set()
