"""What everybody calls parties: found where they are registered, told to be missing where they are not."""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import permutations

import pytest

from core.domain.registry import Jurisdiction, Party, Registry
from core.registry.detection import Detector
from core.registry.names import fold
from core.registry.usual_parties import usual_names

COUNTRIES = ("de", "at", "ch", "fr", "gb", "us", "ie", "in")
RENTS = "Was sagen {} zur Miete?"


def rows(country: str) -> list[dict[str, list[str]]]:
    text = files("core.registry").joinpath("usual_parties.toml").read_text(encoding="utf-8")
    found: list[dict[str, list[str]]] = tomllib.loads(text)[country]["parties"]
    return found


@cache
def registered(country: str) -> Detector:
    """Who finds names where every party of a country has a row with its shortest name only."""
    parties = tuple(Party(name=row["names"][0]) for row in rows(country))
    places = (Jurisdiction(code=country, name="Land"),)
    return Detector(Registry(jurisdictions=places, parties=parties), [])


def called(country: str) -> Iterator[tuple[str, str]]:
    """Each name that one party alone has there, with what the party's row is called."""
    owners: dict[str, set[str]] = {}
    for row in rows(country):
        for name in (*row["names"], *row["said"]):
            owners.setdefault(fold(name), set()).add(row["names"][0])
    for row in rows(country):
        for name in (*row["names"], *row["said"]):
            if len(owners[fold(name)]) == 1:
                yield name, row["names"][0]


@pytest.mark.parametrize("country", COUNTRIES)
def test_a_registered_party_is_known_by_each_of_its_names(country: str) -> None:
    found = registered(country)
    missed = [
        (name, party)
        for name, party in called(country)
        if [each.key for each in found.detect(RENTS.format(f"die {name} und die Mieter")).parties] != [party]
        and [each.key for each in found.detect(RENTS.format(name)).parties] != [party]
    ]
    assert missed == []


@pytest.mark.parametrize("country", COUNTRIES)
def test_two_of_them_are_both_known(country: str) -> None:
    found, names = registered(country), [(row["names"][0], row["names"][0]) for row in rows(country)]
    missed = [
        (one, other)
        for (one, party), (other, another) in permutations(names, 2)
        if {each.key for each in found.detect(RENTS.format(f"{one} und {other}")).parties} != {party, another}
    ]
    assert missed == []


@pytest.mark.parametrize("country", COUNTRIES)
def test_without_a_row_each_is_said_to_have_no_source(country: str) -> None:
    nobody = Detector(Registry(parties=(Party(name="Uferpartei"),)), [])
    names = [name for row in rows(country) for name in row["names"]]
    missed = [
        name for name in names if len(nobody.detect(RENTS.format(f"Uferpartei und {name}")).strangers) != 1
    ]
    assert missed == []


def test_a_name_of_another_country_does_not_make_a_party_another() -> None:
    greens = Party(name="GRÜNE", aliases=("Greens", "Green Party"))
    german = Registry(jurisdictions=(Jurisdiction(code="de", name="Deutschland"),), parties=(greens,))
    assert "Verts" in usual_names(german)["GRÜNE"]
    assert "Comhaontas Glas" not in usual_names(german)["GRÜNE"]


def test_what_another_row_is_called_is_its_own() -> None:
    parties = (Party(name="SPD"), Party(name="Landesverband", aliases=("Sozis",)))
    assert "Sozis" not in usual_names(Registry(parties=parties))["SPD"]


@pytest.mark.parametrize(
    ("question", "party"),
    [
        ("Was will die C.D.U. bei der Miete?", "CDU"),
        ("was will der s.s.w. bei der miete", "SSW"),
        ("Was wollen die Sozis?", "SPD"),
        ("Que veulent les Verts pour le climat ?", "Grüne"),
    ],
)
def test_as_people_write_it(question: str, party: str) -> None:
    assert [each.key for each in registered("de").detect(question).parties] == [party]


@pytest.mark.parametrize(
    ("question", "stranger"),
    [
        ("Was sagen die Sozialen Demokraten Nord zur Miete?", "Sozialen Demokraten Nord"),
        ("Was wollen SPD, Klimaliste und CDU beim Klima?", "Klimaliste"),
        ("Was will die Neue Mitte Sachsen zur Schule?", "Neue Mitte Sachsen"),
        ("Was fordert Unabhängige für Halle zur Miete?", "Unabhängige für Halle"),
        ("Was sagen SPD und Freie Union zur Miete?", "Freie Union"),
        ("What is the republicans' view on tax?", "Republicans"),
        ("One Nation climate policy?", "One Nation"),
        ("What's the Lib Dems' position on rent?", "Lib Dems"),
        ("Que propose Renaissance pour les retraites ?", "Renaissance"),
    ],
)
def test_who_is_not_registered_is_noticed(question: str, stranger: str) -> None:
    parties = (Party(name="SPD"), Party(name="CDU"), Party(name="CDU/CSU", members=("CDU",)))
    places = (Jurisdiction(code="de", name="Deutschland"),)
    names = Detector(Registry(jurisdictions=places, parties=parties), [])
    assert [each.name for each in names.detect(question).strangers] == [stranger]


@pytest.mark.parametrize(
    "question",
    [
        "Wie steht die SPD zur Renaissance der Kernkraft?",
        "Was fordert die CDU für unabhängige Gutachter?",
        "Was will die Europäische Kommission beim Klima ändern?",
        "Was sagt der Deutsche Ethikrat zur Sterbehilfe?",
        "Was will die SPD für die Neue Mitte der Stadt?",
        "What does the reform of the SPD cost?",
    ],
)
def test_who_is_no_party_is_none(question: str) -> None:
    assert registered("de").detect(question).strangers == ()


def test_each_of_a_row_is_noticed() -> None:
    found = registered("de").detect("Fine Gael or Labour on rent?").strangers
    assert [each.name for each in found] == ["Fine Gael", "Labour"]


def test_of_namesakes_in_several_countries_the_one_with_most_names_is_meant() -> None:
    places = tuple(Jurisdiction(code=code, name=code) for code in ("de", "at", "ch"))
    one, two = ("GRÜNE", ("Grüne", "Bündnis 90/Die Grünen")), ("GRÜNE", ())
    known, unsure = (
        usual_names(Registry(jurisdictions=places, parties=(Party(name=name, aliases=aliases),)))
        for name, aliases in (one, two)
    )
    assert "Bündnis 90" in known["GRÜNE"]
    assert "Bündnis 90" not in unsure["GRÜNE"]
