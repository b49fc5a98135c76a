import re

import pytest

from adapters.files.places import known_places
from core.domain.registry import Jurisdiction, Registry
from core.domain.scope import Scope
from core.question.parsed import another_wording
from core.registry.detection import Detector
from core.search.unmentioned import may_be_slips, places_asked, unknown_abbreviations, unknown_words
from tests.support.search_world import EDITIONS, REGISTRY, TODAY, passage, world

NAMES = Detector(REGISTRY, [edition.document for edition in EDITIONS])
PUBLIC = Scope(collections=("public",))
SPD = next(item for item in EDITIONS if item.document.file == "SPD-2025-de")


def named(text: str) -> frozenset[str]:
    return another_wording(text, NAMES, "de").name_words


TEXTS = ("Das UFG regelt Fähren.", "Wir fördern Kähne.")


@pytest.mark.parametrize(
    ("content", "texts", "expected"),
    [
        ("Was steht im XQG?", TEXTS, ["XQG"]),
        ("XQG?", TEXTS, ["XQG"]),
        ("Do XQVs pay?", TEXTS, ["XQV"]),
        ("Was steht in XqVO und XQG?", TEXTS, ["XqVO", "XQG"]),
        ("Was steht im UFG?", TEXTS, []),
        ("Was steht im UFG?", ("Die UFG-Reform kommt.",), []),
        ("What about XQT?", ("The Xylophone and Quay Tax is due.",), []),
        ("Was kostet ein LKW?", TEXTS, []),
        ("Was ist mit dem ÖPNV?", TEXTS, []),
        ("WAS WILL DIE XQG BEI FÄHREN?", TEXTS, []),
        ("Was ist mit der AfD?", TEXTS, []),
        ("Was ist mit Fähren?", TEXTS, []),
    ],
)
def test_abbreviations_that_nothing_knows(content: str, texts: tuple[str, ...], expected: list[str]) -> None:
    assert unknown_abbreviations(content, "de", texts, named(content)) == expected


@pytest.mark.parametrize(("word", "expected"), [("XQG", ("XQG",)), ("UFG", ())])
async def test_what_no_passage_in_scope_has_is_never_mentioned(word: str, expected: tuple[str, ...]) -> None:
    """However many passages come nearer to the question than the one that has the word."""
    texts = [*(f"Im Gesetz steht viel von Fährmann {n}." for n in range(40)), TEXTS[0]]
    searcher, _, _ = await world({SPD.document.file: [passage(SPD, n, text) for n, text in enumerate(texts)]})
    found = await searcher.search(f"Was steht im Gesetz {word}?", scope=PUBLIC, today=TODAY, k=1)
    assert found.hits
    assert found.unmentioned == expected


WORDS = ("Die Anmeldung eines Hausboots kostet Geld.", "Wir fördern die Mietpreisbremse und Pumpwerke.")
INVENTED = tuple(
    re.findall(
        r"\w+",
        "Krollmannreihe Krollmann Ostrowinsel Thalberghaus Brunnolfweg Karvenstein Tarnowitzstraße "
        "Velbronn Plöttke Wessenthal Jurkowiak Kwastelbahn Lommerich Ruckelsau Tambrinallee Eschwedder "
        "Bornhuder "
        "Strelkow Vandrelle Seidlerhof Hullgarten Trebbinger Ossendamm Dworscheid Opplinghusen "
        "Jellenbusch Wrangelmorg Zumsande Faltinsky Pretzlau",
    )
)


def missing(question: str, language: str = "de", *, same_language: bool = False) -> tuple[str, ...]:
    words = unknown_words(question, language, WORDS, named(question), NAMES, same_language=same_language)
    slips = may_be_slips(words, language, WORDS)
    return tuple(word for word in words if word not in slips)


@pytest.mark.parametrize("name", INVENTED)
def test_names_that_nothing_knows(name: str) -> None:
    assert missing(f"Wann wird {name} saniert?") == (name,)
    assert missing(f"When will {name} be renovated?", "en") == (name,)


@pytest.mark.parametrize(
    "question",
    [
        "Wer bekommt eine Hundesteuerbefreiung?",
        "Gilt die Mietpreisbremze weiter?",
        "Was ist mit Mietpreisbremsen und Mietpreisbremsenregeln?",
        "Wer zahlt Buergergeld?",
        "Was wollen die Grünen bei Großbaustellen?",
        "Was passiert in Nordrhein-Westfalen mit der Weiterbildung?",
        "Ich wohne in Karvenstein. Was kostet ein Hausboot?",
        "Darf Frau Krollmann ein Hausboot anmelden?",
        "Was heißt „Krollmannreihe“ hier?",
        "What does the Mietpreisbremse do for tenants in Germany?",
        "Kann unser Käuferverein klagen?",
        "Ist die Vermögenssteuer geplannt? Sinkt das Arbeitlosengeld?",
        "was ist mit krollmannreihe und den schaltkästen",
    ],
)
def test_honest_words_are_no_unknown_names(question: str) -> None:
    assert missing(question) == ()


def test_compounds_of_plain_words_are_looked_for_where_the_library_has_their_language() -> None:
    words = unknown_words("Wann öffnet die Mirabellenschanze?", "de", WORDS, (), NAMES, same_language=True)
    assert "mirabellen" in words["Mirabellenschanze"].split()
    assert missing("Wann öffnet die Mirabellenschanze?") == ()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wann wird die Krollmannreihe saniert?", ("Krollmannreihe",)),
        ("Wann wird das Fährmannfest gefeiert?", ()),
        ("Wann fährt der Brunnolfbus?", ()),
    ],
)
async def test_a_compound_is_mentioned_where_its_parts_are(question: str, expected: tuple[str, ...]) -> None:
    texts = [*(f"Im Gesetz steht viel von Fährmann {n}." for n in range(40)), "Der Brunnolf fährt."]
    searcher, _, _ = await world({SPD.document.file: [passage(SPD, n, text) for n, text in enumerate(texts)]})
    assert (await searcher.search(question, scope=PUBLIC, today=TODAY, k=1)).unmentioned == expected


PLACES = Detector(
    REGISTRY,
    [
        edition.document
        for edition in EDITIONS
        if edition.document.fields.jurisdiction not in (None, "global", "eu")
    ],
    [Jurisdiction(code="cn-sc", name="Sichuan"), Jurisdiction(code="gh-ce", name="Central")],
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Was kostet ein Liegeplatz in Sichuan?", {"Sichuan"}),
        ("Was kostet ein Liegeplatz in Kleinbach?", {"Kleinbach"}),
        ("Was kostet ein Liegeplatz in Wolkenfurt?", {"Wolkenfurt"}),
        ("Was sagt ihr zu Sichuan?", set()),
        ("Gilt das in Central?", set()),
        ("Was hilft Menschen in Armut?", set()),
        ("Was gilt in Innenstädten und in Mietwohnungen?", set()),
        ("Was gilt in der Innenstadt?", set()),
        ("Was gilt im Sommer in Deutschland?", set()),
    ],
)
def test_a_place_that_is_asked_about_has_to_be_mentioned(question: str, expected: set[str]) -> None:
    assert set(unknown_words(question, "de", WORDS, (), PLACES, same_language=False)) == expected


def test_what_holds_everywhere_holds_in_places_that_are_not_mentioned() -> None:
    assert unknown_words("Was gilt in Kleinbach?", "de", WORDS, (), NAMES, same_language=False) == {}


class TestPlacesThatAreAsked:
    """What one town charges is no answer for another of which nothing is known."""

    @pytest.mark.parametrize(
        ("question", "place"),
        [
            ("Was kostet die Hundesteuer in Hamburg?", "Hamburg"),
            ("How much is the dog licence in Vienna?", "Vienna"),
            ("Wie hoch ist die Hundesteuer in Entenhausen?", "Entenhausen"),
            ("How much is the dog tax in Wolgrave?", "Wolgrave"),
        ],
    )
    def test_a_name_behind_in_says_where(self, question: str, place: str) -> None:
        names = Detector(Registry(), (), known_places())
        assert [*places_asked(question, names, ())] == [place]

    @pytest.mark.parametrize(
        "question",
        [
            *("Was gilt in Krankenhäusern?", "Was steht in Kapitel 3?", "Was kostet ein Hund im Jahr?"),
            *("What holds in general?", "Wer wohnt in Miete?", "Was ist in Kindertagesstätten erlaubt?"),
        ],
    )
    def test_other_nouns_do_not(self, question: str) -> None:
        names = Detector(Registry(), (), known_places())
        assert places_asked(question, names, ()) == {}

    def test_a_place_is_known_by_its_names_in_all_languages(self) -> None:
        names = Detector(Registry(), (), known_places())
        found = places_asked("What is said of schools in Germany?", names, ())
        assert {"Germany", "Deutschland", "Allemagne"} <= {*found["Germany"]}


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("What is the charge for plonkwelding?", "en", ("plonkwelding",)),
        ("Does vexolite belong to that class?", "en", ("vexolite",)),
        ("Combien coûte la skarnouvelle ?", "fr", ("skarnouvelle",)),
        ("Qui contrôle l'ombrelinage ?", "fr", ("ombrelinage",)),
        ("What is the charge for houseboats, normally?", "en", ()),
        ("Et pourquoi est-ce exactement, définitivement ainsi ?", "fr", ()),
        ("Combien coûte la location ?", "fr", ()),
        ("was kostet das plonkwelding", "de", ()),
    ],
)
def test_rare_words_in_lower_case_where_nouns_have_no_capitals(
    question: str, language: str, expected: tuple[str, ...]
) -> None:
    assert missing(question, language) == expected
