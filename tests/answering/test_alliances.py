"""Whose words are quoted for an alliance, and for its members: never somebody else's without a word."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest

from core.answering.extractive.confidence import SURE
from core.domain.answers import Answer, Notice
from core.domain.documents import DocumentType
from core.domain.registry import Party
from core.domain.scope import Scope
from tests.answering.test_comparing import comparer
from tests.support.bad_models import copied, writing_asker, written
from tests.support.fake_model import FakeModel
from tests.support.world import REGISTRY, World

SCOPE = Scope(collections=("public",))
PARTIES = (
    Party(name="Deichbund"),
    Party(name="Hafenliste"),
    Party(name="Hafenbündnis", members=("Deichbund", "Hafenliste")),
    Party(name="Windmüller"),
)
COMMON = ("Hafenbündnis",)
JOINT = ("Deichbund", "Hafenliste")
DEICH = ("Deichbund",)
WAGES = {
    COMMON: "Den Mindestlohn setzen wir auf 13 Taler in der Stunde fest.",
    JOINT: "Den Mindestlohn legt künftig eine Kommission fest.",
    DEICH: "Der Mindestlohn steigt auf 15 Taler in der Stunde.",
    ("Hafenliste",): "Den Mindestlohn heben wir auf 14 Taler an.",
    ("Windmüller",): "Einen Mindestlohn lehnen wir ab.",
}


async def world_of(*held: tuple[str, ...]) -> World:
    world = World()
    await world.library.save_registry(replace(REGISTRY, parties=PARTIES))
    for parties in held:
        await world.add(
            f"{'-'.join(parties)}.pdf",
            f"Arbeit\n\n{WAGES[parties]}",
            jurisdiction="xv",
            parties=parties,
            doc_type=DocumentType.MANIFESTO,
            valid_from=date(2025, 5, 1),
        )
    return world


def quoted(answer: Answer) -> set[tuple[str, ...]]:
    return {item.edition.document.fields.parties for item in answer.citations}


def told(notices: tuple[Notice, ...]) -> Mapping[str, str]:
    kinds = ("notice.of_members", "notice.of_alliance")
    return {item.values["name"]: item.values["others"] for item in notices if item.key in kinds}


CASES = [
    ((COMMON, DEICH), "Hafenbündnis", {COMMON}, {}),
    ((COMMON, DEICH), "Deichbund", {DEICH}, {}),
    ((COMMON, DEICH), "Hafenliste", {COMMON}, {"Hafenliste": "Hafenbündnis"}),
    ((DEICH, ("Windmüller",)), "Hafenbündnis", {DEICH}, {"Hafenbündnis": "Deichbund"}),
    ((JOINT,), "Hafenbündnis", {JOINT}, {}),
    ((JOINT,), "Deichbund", {JOINT}, {"Deichbund": "Hafenbündnis"}),
]


@pytest.mark.parametrize(("held", "asked", "whose", "notices"), CASES)
async def test_whose_words_are_quoted_is_said(
    held: tuple[tuple[str, ...], ...],
    asked: str,
    whose: set[tuple[str, ...]],
    notices: Mapping[str, str],
) -> None:
    world = await world_of(*held)
    model = FakeModel(answer=lambda prompt, schema: written(copied(prompt)))
    for asker in (world.app.asker, writing_asker(world, model)):
        answer = (await asker.answered(f"Was sagt {asked} zum Mindestlohn?", scope=SCOPE)).answer
        assert (quoted(answer), told(answer.notices)) == (whose, notices)
        if "Hafenbündnis" in notices:
            assert answer.confidence < SURE


async def test_members_that_are_not_quoted_are_named() -> None:
    world = await world_of(DEICH, ("Windmüller",))
    answer = (await world.app.asker.answered("Was sagt Hafenbündnis zum Mindestlohn?", scope=SCOPE)).answer
    (found,) = [each for each in answer.notices if each.key == "notice.members_unquoted"]
    assert found.values == {"name": "Hafenbündnis", "others": "Hafenliste"}


async def test_an_alliance_and_a_member_named_together_have_each_their_own() -> None:
    world = await world_of(COMMON, DEICH)
    question = "Was sagen Hafenbündnis und Deichbund zum Mindestlohn?"
    answer = (await world.app.asker.answered(question, scope=SCOPE)).answer
    assert (quoted(answer), told(answer.notices)) == ({COMMON, DEICH}, {})


async def test_a_comparison_says_whose_words_a_row_has() -> None:
    world = await world_of(DEICH, ("Windmüller",))
    question = "Was sagen Hafenbündnis und Windmüller zum Mindestlohn?"
    found = await comparer(world).compare(question, scope=SCOPE)
    assert told(found.notices) == {"Hafenbündnis": "Deichbund"}
    world = await world_of(COMMON, ("Windmüller",))
    question = "Was sagen Hafenliste und Windmüller zum Mindestlohn?"
    found = await comparer(world).compare(question, scope=SCOPE)
    assert told(found.notices) == {"Hafenliste": "Hafenbündnis"}


async def test_a_motion_says_whose_words_a_row_has() -> None:
    world = await world_of(DEICH)
    text = "Der Landtag fordert: Der Mindestlohn steigt auf 15 Taler in der Stunde."
    found = await world.app.motions.report(text, scope=SCOPE, jurisdiction="xv", movers=("Hafenbündnis",))
    assert told(found.notices) == {"Hafenbündnis": "Deichbund"}


async def test_nothing_is_said_of_all_members_together() -> None:
    world = await world_of(JOINT)
    question = "Was sagen Deichbund und Hafenliste zum Mindestlohn?"
    answer = (await world.app.asker.answered(question, scope=SCOPE)).answer
    assert (quoted(answer), told(answer.notices)) == ({JOINT}, {})
