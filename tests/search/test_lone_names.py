"""Parties named by the one word behind their article, and places by what people call them."""

import pytest

from adapters.files.places import known_places
from core.domain.registry import Jurisdiction, Party, Registry
from core.registry.detection import Detector

REGISTRY = Registry(
    jurisdictions=tuple(
        Jurisdiction(code=code, name=name)
        for code, name in (("de", "Deutschland"), ("de-bw", "Baden-Württemberg"), ("de-mv", "Mecklenburg"))
    ),
    parties=(Party(name="dieBasis", aliases=("Die Basis",)), Party(name="Die Heimat"), Party(name="SPD")),
)
NAMES = Detector(REGISTRY, [], known_places())


def parties(question: str) -> list[str]:
    return [party.key for party in NAMES.detect(question).parties]


@pytest.mark.parametrize(
    "question",
    [
        "gras legal lassen oder nich, basis?",
        "mieten deckeln basis?",
        "Mieten deckeln Basis?",
        "mindestlohn basis?",
        "Basis: Mieten deckeln?",
        "basis, wollt ihr mieten deckeln?",
    ],
)
def test_a_word_that_stands_apart_names_the_party_that_is_called_so(question: str) -> None:
    assert parties(question) == ["dieBasis"]


@pytest.mark.parametrize(
    "question",
    [
        "auf welcher Basis?",
        "die gesetzliche Basis?",
        "gesetzliche basis?",
        "legal basis?",
        "What is the legal basis?",
        "Was ist die Basis?",
        "Was bedeutet Heimat?",
        "unsere Heimat?",
        "Natur und Heimat?",
        "Heimat schützen?",
        "Kultur, Tradition, Heimat?",
        "Kultur, Heimat?",
        "Was gilt auf dieser Basis für Mieten?",
        "Basis der Berechnung?",
        "basis?",
    ],
)
def test_a_common_noun_names_nobody(question: str) -> None:
    assert parties(question) == []


def test_where_somebody_else_is_named_the_word_is_a_noun() -> None:
    assert parties("will die spd mieten deckeln, basis?") == ["SPD"]


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("Was gilt in BaWü?", "de-bw"),
        ("was gilt in bawü", "de-bw"),
        ("was gilt in bawue", "de-bw"),
        ("Wie hoch ist die Miete in Meck-Pomm?", "de-mv"),
        ("wie hoch ist die miete in meckpomm", "de-mv"),
        ("Schulen in RLP?", "de-rp"),
        ("Was gilt in NRW?", "de-nw"),
    ],
)
def test_places_are_called_as_everybody_calls_them(question: str, place: str) -> None:
    assert [found.key for found in NAMES.detect(question).places] == [place]
