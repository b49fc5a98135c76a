"""Whoever is named gets quotes, or a line that says there is none: all pairs and triples of names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations

import pytest

from adapters.files.manifest import read_manifest
from core.domain.answers import Answer, Outcome
from core.domain.documents import DocumentType
from core.domain.registry import Party, Registry
from core.domain.scope import Scope
from core.registry.registry import find_party
from tests.support.bad_models import copied, writing_asker, written
from tests.support.fake_model import FakeModel
from tests.support.pdfs import DATA
from tests.support.repository import ROOT
from tests.support.world import REGISTRY, World

SCOPE = Scope(collections=("public",))
PARTIES = (
    Party(name="Uferpartei", aliases=("Riverside Party",)),
    Party(name="Windmüller"),
    Party(name="Deichbund"),
    Party(name="Hafenliste"),
    Party(name="Deichbund/Hafenliste", aliases=("Hafenbündnis",), members=("Deichbund", "Hafenliste")),
    Party(name="Drachenflieger"),
    Party(name="Moorfreunde", aliases=("Die Moore",)),
)
WITHOUT_DOCUMENT = {"Drachenflieger"}
SILENT_ON_IT = {"Moorfreunde"}
WAGES = {
    "Uferpartei": "Der Mindestlohn steigt auf 15 Taler in der Stunde.",
    "Windmüller": "Einen Mindestlohn lehnen wir ab.",
    "Deichbund/Hafenliste": "Über den Mindestlohn entscheidet künftig eine Kommission.",
    "Moorfreunde": "Die Moore an der Küste werden bis zum nächsten Jahr wieder vernässt.",
}
NAMES = [name for party in PARTIES for name in (party.name, *party.aliases)]


@pytest.fixture(scope="module")
def registry() -> Registry:
    return replace(REGISTRY, parties=PARTIES)


async def world_of(registry: Registry) -> World:
    world = World()
    await world.library.save_registry(registry)
    for number, (party, sentence) in enumerate(WAGES.items()):
        await world.add(
            f"heft{number}.pdf",
            f"Arbeit\n\n{sentence}",
            jurisdiction="xv",
            parties=tuple(party.split("/")) if "/" in party else (party,),
            doc_type=DocumentType.MANIFESTO,
            valid_from=date(2025, 5, 1),
        )
    return world


def questions() -> Iterator[tuple[str, ...]]:
    yield from combinations(NAMES, 2)
    yield from combinations(NAMES, 3)


def unheard(names: Sequence[str], answer: Answer, registry: Registry) -> list[str]:
    """The names of whom an answer neither quotes anything nor says that there is nothing."""
    if answer.outcome is not Outcome.GROUNDED:
        return []
    quoted = {party for item in answer.citations for party in item.edition.document.fields.parties}
    told = {item.name for item in answer.missing if item.kind == "party"}
    silent = [item.values["name"] for item in answer.notices if item.key == "notice.group_silent"]
    told |= {name for value in silent for name in value.split(" / ")}
    found = []
    for name in names:
        party = find_party(registry, name)
        assert isinstance(party, Party)
        if not {party.name, *party.members} & (quoted | told):
            found.append(name)
    return found


async def test_nobody_named_vanishes_without_a_model(registry: Registry) -> None:
    world = await world_of(registry)
    for names in questions():
        question = f"Was sagen {', '.join(names[:-1])} und {names[-1]} zum Mindestlohn?"
        answer = (await world.app.asker.answered(question, scope=SCOPE)).answer
        assert unheard(names, answer, registry) == [], question


async def test_nobody_named_vanishes_with_a_model(registry: Registry) -> None:
    world = await world_of(registry)
    model = FakeModel(answer=lambda prompt, schema: written(copied(prompt)))
    asker = writing_asker(world, model)
    for names in combinations(NAMES, 3):
        question = f"Was sagen {', '.join(names[:-1])} und {names[-1]} zum Mindestlohn?"
        answer = (await asker.answered(question, scope=SCOPE)).answer
        assert unheard(names, answer, registry) == [], question


async def test_nobody_named_vanishes_from_a_comparison(registry: Registry) -> None:
    world = await world_of(registry)
    for names in questions():
        line = f"Vergleiche {', '.join(names[:-1])} und {names[-1]}: Mindestlohn"
        if len({find_party(registry, name) for name in names}) < 2:
            continue  # one party under two names is nothing to compare
        found = await world.app.comparisons.comparer.compare(line, scope=SCOPE)
        rows = {name for row in found.rows for name in row.side.parties}
        assert missing_from(rows, names, registry) == [], line


async def test_no_mover_vanishes_from_a_report_on_a_motion(registry: Registry) -> None:
    world = await world_of(registry)
    for movers in [*combinations([party.name for party in PARTIES], 2)]:
        found = await world.app.motions.report(
            "1. Der Mindestlohn soll auf 15 Taler steigen.", scope=SCOPE, jurisdiction="xv", movers=movers
        )
        rows = {name for row in found.rows for name in row.parties}
        assert missing_from(rows, movers, registry) == [], movers


def missing_from(rows: set[str], names: Sequence[str], registry: Registry) -> list[str]:
    """The names for which there is no row, neither of the party nor of one of its members."""
    found = []
    for name in names:
        party = find_party(registry, name)
        assert isinstance(party, Party)
        if rows.isdisjoint({party.name, *party.members}):
            found.append(name)
    return found


async def test_an_alliance_beside_another_party_is_quoted(registry: Registry) -> None:
    world = await world_of(registry)
    question = "Was sagen Uferpartei, Hafenbündnis und Windmüller zum Mindestlohn?"
    answer = (await world.app.asker.answered(question, scope=SCOPE)).answer
    quoted = {item.edition.document.fields.parties for item in answer.citations}
    assert quoted == {("Uferpartei",), ("Windmüller",), ("Deichbund", "Hafenliste")}


ABROAD = Registry(
    jurisdictions=REGISTRY.jurisdictions,
    parties=(
        Party(name="Labour", aliases=("Labour Party",)),
        Party(name="Co-operative Party"),
        Party(name="Labour and Co-operative", members=("Labour", "Co-operative Party")),
        Party(name="Les Républicains", aliases=("LR",)),
        Party(name="Parti socialiste", aliases=("PS",)),
        Party(name="Les Écologistes", aliases=("EELV",)),
        Party(name="La France insoumise", aliases=("LFI",)),
        Party(
            name="Nouveau Front populaire",
            aliases=("NFP",),
            members=("Parti socialiste", "Les Écologistes", "La France insoumise"),
        ),
        Party(name="The Left"),
        Party(name="Sinn Féin"),
    ),
)


def registries() -> dict[str, Registry]:
    """The example library's, those of real documents where they are there, and one of parties abroad."""
    files = {
        "example": ROOT / "examples" / "library.toml",
        "manifestos": DATA / "manifestos" / "library.toml",
        "statutes": DATA / "statutes" / "library.toml",
    }
    found = {name: read_manifest(file) for name, file in files.items() if file.exists()}
    return {name: each for name, each in found.items() if each.parties} | {"abroad": ABROAD}


def in_rows(registry: Registry) -> Iterator[tuple[str, ...]]:
    """Every name beside two others, alliances beside each of their members, and pairs far apart."""
    names = [name for party in registry.parties for name in (party.name, *party.aliases)]
    for at, name in enumerate(names):
        yield name, names[(at + 1) % len(names)], names[(at + len(names) // 2) % len(names)]
        yield name, names[(at + len(names) // 3) % len(names)]
    for party in registry.parties:
        yield from ((party.name, member) for member in party.members)


@pytest.mark.parametrize("library", registries())
async def test_nobody_vanishes_in_other_registries(library: str) -> None:
    registry = registries()[library]
    world = World()
    await world.library.save_registry(registry)
    for number, party in enumerate(registry.parties):
        if number % 4 == 3:  # it has no document
            continue
        sentence = (
            "Die Moore an der Küste werden bis zum nächsten Jahr wieder vernässt."
            if number % 4 == 2
            else f"Der Mindestlohn steigt auf {12 + number} Taler in der Stunde."
        )
        await world.add(
            f"heft{number}.pdf",
            f"Arbeit\n\n{sentence}",
            parties=(party.name,),
            doc_type=DocumentType.MANIFESTO,
            valid_from=date(2025, 5, 1),
        )
    asked = [names for names in in_rows(registry) if len({find_party(registry, name) for name in names}) > 1]
    for names in asked:
        question = f"Was sagen {', '.join(names[:-1])} und {names[-1]} zum Mindestlohn?"
        answer = (await world.app.asker.answered(question, scope=SCOPE)).answer
        assert unheard(names, answer, registry) == [], question
