"""Every party in a list is heard: in lower case beside others, with a slip in its name, or unregistered."""

import pytest

from core.domain.registry import Party, Registry
from core.registry.detection import Detector

NAMES = Detector(
    Registry(
        parties=(
            *(Party(name=name) for name in ("SPD", "CSU", "CDU", "FDP", "Volt", "Tierschutzpartei")),
            Party(name="Die Linke", aliases=("Linke",)),
            Party(name="Bündnis 90/Die Grünen", aliases=("Grüne", "Grünen")),
            Party(name="CDU/CSU", aliases=("Union",), members=("CDU", "CSU")),
            *(Party(name=name) for name in ("Lantern Party", "Meadow Union", "Partei der Dämmerung")),
        )
    ),
    (),
)


def heard(question: str) -> tuple[set[str], set[str]]:
    found = NAMES.detect(NAMES.mended(question))
    return {each.key for each in found.parties}, {each.name for each in found.strangers}


@pytest.mark.parametrize(
    ("question", "parties"),
    [
        ("Was sagen FDP und csu zum Tempolimit?", {"FDP", "CSU"}),
        ("Was sagt csu zur Maut?", {"CSU"}),
        ("Was fordert volt zur Maut?", {"Volt"}),
        ("Was sagen volt, SPD und grüne zur Maut?", {"Volt", "SPD", "Bündnis 90/Die Grünen"}),
        ("Was wollen die CDU und die linke bei der Rente?", {"CDU", "Die Linke"}),
        ("Unterschied FDP / volt bei der Rente", {"FDP", "Volt"}),
        ("Was sagt die tierschutzpartei über Wölfe?", {"Tierschutzpartei"}),
        ("Was sagen SPD und union zur Maut?", {"SPD", "CDU/CSU"}),
        ("What do Volt and linke say about tolls?", {"Volt", "Die Linke"}),
    ],
)
def test_lower_case_beside_others(question: str, parties: set[str]) -> None:
    assert heard(question)[0] == parties


@pytest.mark.parametrize(
    "question",
    [
        "Was sagen SPD und grüne Energieverbände zur Maut?",
        "Fordern SPD und linke Politiker höhere Löhne?",
        "Was sagt die SPD zur grünen Wirtschaft und zum linken Ufer?",
        "Was sagt die SPD, die linke Spur zu sperren?",
        "Is the SPD for green energy and the left lane?",
        "Wie viel Strom braucht die SPD bei 230 volt?",
    ],
)
def test_what_only_describes_beside_a_party_is_none(question: str) -> None:
    assert heard(question) == ({"SPD"}, set())


@pytest.mark.parametrize(
    ("question", "party"),
    [
        ("What does the Medow Union say about tolls?", "Meadow Union"),
        ("What does the Lanten Party say about tolls?", "Lantern Party"),
        ("What does the Lantern Pary say about tolls?", "Lantern Party"),
        ("Was sagt die Partei der Dammerung zur Maut?", "Partei der Dämmerung"),
    ],
)
def test_a_slip_in_a_name_of_several_words(question: str, party: str) -> None:
    assert heard(question) == ({party}, set())


@pytest.mark.parametrize(
    "question",
    [
        "What does the Labour Party say about tolls?",
        "What does the Garden Party say about tolls?",
        "who owns the meadow onions",
        "who pays for the lantern parts",
        "Wer zahlt die Laternen der Partei?",
    ],
)
def test_other_names_are_no_slips(question: str) -> None:
    assert heard(question)[0] == set()


def test_a_longer_name_is_not_its_last_word() -> None:
    assert heard("What does the Farmers Union say about tolls?") == (set(), {"Farmers Union"})
    assert heard("Was sagt die Union zur Maut?") == ({"CDU/CSU"}, set())
    assert heard("Maut Union")[0] == {"CDU/CSU"}


@pytest.mark.parametrize(
    ("question", "parties", "stranger"),
    [
        ("Was sagt die SPD, was die DKP zur Maut?", {"SPD"}, "DKP"),
        ("Was sagt die Volt-Partei, was die DKP zur Maut?", {"Volt"}, "DKP"),
        ("Was sagen Deichpiraten, CSU und FDP zur Maut?", {"CSU", "FDP"}, "Deichpiraten"),
        ("Was sagen Deichpiraten und SPD zur Maut?", {"SPD"}, "Deichpiraten"),
        ("What do Volt, Deichpiraten and SPD say about tolls?", {"Volt", "SPD"}, "Deichpiraten"),
    ],
)
def test_who_is_unregistered_does_not_vanish(question: str, parties: set[str], stranger: str) -> None:
    assert heard(question) == (parties, {stranger})
