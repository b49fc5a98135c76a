"""Sources that are named with a quote: another place, kind of paper or law than the library has, and those of
several parties that did not say the words."""

import pytest

from adapters.files.places import known_places
from core.domain.answers import Verdict
from core.domain.registry import Jurisdiction, Registry
from core.registry.attribution import is_either, of_speaker
from core.registry.foreign_sources import kinds_named, place_beside, place_of_paper
from core.registry.registry import Places
from tests.bot.test_claimed_places import BOOT, NOISE, REAL, World, checked, world

__all__ = ["world"]

PLACES = Places(
    Registry(
        parties=(),
        jurisdictions=(Jurisdiction(code="de", name="Deutschland"), Jurisdiction(code="in", name="India")),
    ),
    known_places(),
)


FOREIGN = [
    f"Im Europawahlprogramm der Uferpartei steht: „{REAL}“",
    f"Grundsatzprogramm der Uferpartei: „{REAL}“",
    f"Parteitagsbeschluss der Uferpartei: „{REAL}“",
    f"Kommunalwahlprogramm der Uferpartei: „{REAL}“",
    f"Im Koalitionsvertrag der Uferpartei steht: „{REAL}“",
    f"Im Strafgesetzbuch steht: „{BOOT}“",
    f"BGB: „{BOOT}“",
    f"Die bayerische Verfassung sagt: „{BOOT}“",
    f"Weimarer Verfassung: „{BOOT}“",
    f"The Consumer Protection Act says: “{NOISE}”",
    f"Under the French constitution: “{NOISE}”",
    f"La constitution suisse dit : « {BOOT} »",
]
"""Sources that the library does not have."""

OWN = [
    f"Die Uferpartei schreibt im Wahlprogramm: „{REAL}“",
    f"Wahlprogramm der Uferpartei: „{REAL}“",
    f"Das Hafengesetz sagt: „{BOOT}“",
    f"Im Gesetz steht: „{BOOT}“",
    f"The Harbour Act says: “{NOISE}”",
]
"""Sources that it has, by any of their names."""

NUMBERED = [
    (f"Uferpartei, Seite drei: „{REAL}“", Verdict.VERBATIM),
    (f"Uferpartei, Seite zwölf: „{REAL}“", Verdict.MISATTRIBUTED),
    (f"Uferpartei, s. 3: „{REAL}“", Verdict.VERBATIM),
    (f"Uferpartei, s. 12: „{REAL}“", Verdict.MISATTRIBUTED),
    (f"Uferpartei, S. 1 und 99: „{REAL}“", Verdict.MISATTRIBUTED),
    (f"Uferpartei, S. 2 und 3: „{REAL}“", Verdict.VERBATIM),
    (f"Paragraf zwei Hafengesetz: „{BOOT}“", Verdict.VERBATIM),
    (f"Paragraf fünf Hafengesetz: „{BOOT}“", Verdict.MISATTRIBUTED),
    (f"Harbour Act, section seven: “{NOISE}”", Verdict.VERBATIM),
    (f"Harbour Act, section five: “{NOISE}”", Verdict.MISATTRIBUTED),
]
"""Numbers in words, and lists of pages."""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        *((text, Verdict.MISATTRIBUTED) for text in FOREIGN),
        *((text, Verdict.VERBATIM) for text in OWN),
        *NUMBERED,
    ],
)
async def test_a_quote_is_confirmed_for_the_source_that_it_is_from(
    text: str, verdict: Verdict, world: World
) -> None:
    check = await checked(world, text)
    assert check.verdict is verdict, check.claimed


@pytest.mark.parametrize(
    ("before", "right"),
    [
        ("Uferpartei oder Windmüller? ", True),
        ("Die Windmüller wollen davon nichts wissen, die Uferpartei aber schon: ", True),
        ("Steht bei der Uferpartei und nicht bei den Windmüllern: ", True),
        ("Anders als bei den Windmüllern liest man bei der Uferpartei: ", True),
        ("Nein, nicht die Windmüller. Die Uferpartei hat geschrieben: ", True),
        ("Die Uferpartei will davon nichts wissen, die Windmüller dagegen fordern: ", False),
        ("Steht bei den Windmüllern und nicht bei der Uferpartei: ", False),
        ("Nicht die Uferpartei, sondern die Windmüller schreiben: ", False),
        ("Die Windmüller und die Uferpartei: ", False),
    ],
)
async def test_of_several_parties_the_one_that_is_said_to_have_said_it_counts(
    before: str, right: bool, world: World
) -> None:
    check = await checked(world, f"{before}„{REAL}“")
    assert (check.verdict is Verdict.VERBATIM) is right, check.claimed


@pytest.mark.parametrize("marks", [",,{}''", "‹{}›", "`{}`", "›{}‹"])
async def test_other_marks_are_marks(marks: str, world: World) -> None:
    check = await checked(world, f"Uferpartei: {marks.format(REAL)}")
    assert check.verdict is Verdict.VERBATIM
    other = REAL.replace("15", "18")
    assert (await checked(world, f"Uferpartei: {marks.format(other)}")).verdict is Verdict.ALTERED


def test_the_speaker_is_told_from_those_who_are_named_beside_it() -> None:
    text = "X says nothing about it, but Y writes"
    assert of_speaker(text, [(0, 1), (30, 31)]) == " Y writes"
    both = "X and Y write"
    assert of_speaker(both, [(0, 1), (6, 7)]) == both
    assert is_either("X or Y", [(0, 1), (5, 6)])
    assert not is_either(both, [(0, 1), (6, 7)])


def test_kinds_of_papers_are_named_in_any_language() -> None:
    assert kinds_named("im Europawahlprogramm von", parties=True) == {"european": "Europawahlprogramm"}
    assert kinds_named("l'accord de coalition de 2021", parties=True) == {"agreement": "accord de coalition"}
    assert "basic" in kinds_named("the programme of principles", parties=True)
    assert not kinds_named("das Programm der Partei", parties=True)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("@ Hamburg", "de-hh"),
        ("die Hamburger @", "de-hh"),
        ("@ Österreich schreibt", "at"),
        ("Die @ aus Köln schreibt", "de-nw-koeln"),
        ("@, Landesverband Bayern", "de-by"),
        ("le @ de Cologne", "de-nw-koeln"),
        ("die @ köln", "de-nw-koeln"),
        ("the Swiss @", "ch"),
        ("@ Goa", "in-ga"),
        ("Die @ will das nicht", ""),
        ("Die @ im Wald", ""),
        ("@ fordert in Hamburg", ""),
        ("Ein Freund in Hamburg sagt, die @ schreibe", ""),
        ("the @ in fact says", ""),
    ],
)
def test_a_party_is_of_the_place_right_beside_it(text: str, place: str) -> None:
    at = text.index("@")
    assert place_beside(text, at, at + 1, PLACES) == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Delhi RERA FAQs, question 3", "in-dl"),
        ("The Maharashtra rules are clear", "in-mh"),
        ("Goa has a RERA FAQ too", "in-ga"),
        ("the guidelines of the board", ""),
        ("What does the act say", ""),
    ],
)
def test_a_paper_is_of_the_place_beside_it(text: str, place: str) -> None:
    assert place_of_paper(text, PLACES)[0] == place
