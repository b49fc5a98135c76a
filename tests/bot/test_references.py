"""The list of what a section cites, what cites it and what implements it."""

import json
from pathlib import Path

import pytest

from bot.library.scoping import ScopeOptions
from bot.presentation.views.records import ReferencesView
from core.errors import Refused
from tests.support.repository import ROOT
from tests.support.world import World

ACT = """Mooring Act

1. Short title.
(1) This is the Mooring Act. It holds on every river of the country and on every lake that a river feeds.

2. Moorings.
(1) A mooring is needed for every boat that stays for longer than a week on a river of the country.

3. Fees.
(1) Fees are paid for every mooring under section 2, as set by rules that the water office makes each year.
"""
RULES = """Mooring Rules

1. Short title.
(1) These are the Mooring Rules. They hold on every river of the state and on every lake a river feeds.

2. Application.
(1) An application for a mooring under section 2 of the Act is made in writing and handed in at the office.

3. Payment.
(1) The fee for an application under rule 2 is paid in advance, and section 77 of the Act remains as it is.
"""
PUBLIC = ScopeOptions()


@pytest.fixture
async def world() -> World:
    made = await World().with_registry()
    await made.add("act.pdf", ACT, doc_type="act", language="en", jurisdiction="xv")
    for place in ("ho", "se"):
        await made.add(
            f"{place}.pdf", RULES.replace("week", place), doc_type="rules", language="en",
            jurisdiction=f"xv-{place}", derived_from="act.pdf",
        )  # fmt: skip
    return made


async def listed(world: World, section: str, options: ScopeOptions, depth: int = 1) -> dict[str, object]:
    provisions = await world.app.references.of(section, options, depth=depth)
    [found] = ReferencesView.showing(section=section, provisions=provisions).json_object["provisions"]
    return found


def ends(rows: list[dict[str, object]]) -> list[tuple[str, str]]:
    return [(row["document"]["file"], row["label"]) for row in rows]


async def test_what_cites_and_what_implements_are_told_apart(world: World) -> None:
    found = await listed(world, "Section 2", ScopeOptions(documents=("act.pdf",)))
    assert ends(found["cited_by"]) == [("act.pdf", "Section 3(1)")]
    assert sorted(ends(found["implemented_by"])) == [("ho.pdf", "Rule 2(1)"), ("se.pdf", "Rule 2(1)")]
    assert found["cites"] == []
    assert found["implemented_by"][0]["kind"] == "derived_from"
    assert found["implemented_by"][0]["text"] == "section 2"
    assert found["implemented_by"][0]["pages"] == [1]


async def test_sections_of_the_same_number_are_two_where_they_are_of_two_laws(world: World) -> None:
    """As is the case wherever a law and the rules under it follow each other."""
    await world.add(
        "second.pdf", RULES, doc_type="act", language="en", jurisdiction="xv", derived_from="act.pdf"
    )
    found = await listed(world, "Section 2", ScopeOptions(documents=("act.pdf",)))
    assert ("second.pdf", "Section 2(1)") in ends(found["implemented_by"])
    [back] = await world.app.references.of("Section 2", ScopeOptions(documents=("second.pdf",)))
    assert [(item.end.edition.document.file, item.end.section) for item in back.cites] == [
        ("act.pdf", "section:2")
    ]


async def test_two_steps_do_not_lead_back_to_where_they_began(world: World) -> None:
    found = await listed(world, "Section 2", ScopeOptions(documents=("act.pdf",)), depth=4)
    assert ("act.pdf", "Section 2") not in ends(found["cited_by"] + found["implemented_by"])


async def test_a_place_reaches_itself_and_what_stands_above(world: World) -> None:
    found = await listed(world, "Section 2", ScopeOptions(documents=("act.pdf",), jurisdiction="xv-se"))
    assert ends(found["implemented_by"]) == [("se.pdf", "Rule 2(1)")]


async def test_what_leads_nowhere_is_named_not_invented(world: World) -> None:
    found = await listed(world, "Rule 3", ScopeOptions(documents=("se.pdf",)))
    assert ends(found["cites"]) == [("se.pdf", "Rule 2")]
    assert found["unresolved"] == [{"label": "Section 77", "name": None, "why": "section"}]
    assert "se.pdf: 1 (Section 77)" in await world.app.library_checks.cross_references()


async def test_two_steps_carry_their_path(world: World) -> None:
    found = await listed(world, "Rule 3", ScopeOptions(documents=("se.pdf",)), depth=2)
    assert [row["trail"] for row in found["cites"]] == [
        ["Rule 3(1)", "Rule 2"],
        ["Rule 3(1)", "Rule 2", "Section 2"],
    ]


async def test_sub_divisions_narrow_the_list(world: World) -> None:
    narrow = await listed(world, "Rule 3(9)", ScopeOptions(documents=("se.pdf",)))
    assert narrow["cites"] == []


async def test_all_documents_that_have_the_section_are_listed(world: World) -> None:
    found = await world.app.references.of("Rule 2", PUBLIC)
    assert [item.provision.edition.document.file for item in found] == ["ho.pdf", "se.pdf"]
    assert await world.app.references.of("§ 99", PUBLIC) == []


async def test_the_sign_of_a_section_stands_for_what_a_law_numbers(world: World) -> None:
    found = await world.app.references.of("§ 3", PUBLIC)
    assert [item.provision.section for item in found] == ["section:3", "rule:3", "rule:3"]
    [rule] = await world.app.references.of("§ 3", ScopeOptions(documents=("se.pdf",)))
    assert rule.provision.section == "rule:3"


async def test_what_names_no_section_is_refused(world: World) -> None:
    with pytest.raises(Refused) as caught:
        await world.app.references.of("the fee", PUBLIC)
    assert caught.value.key == "references.no_section"


async def test_an_answer_says_the_path(world: World) -> None:
    answer = await world.app.questions.ask(
        "Which rule implements section 2?", ScopeOptions(jurisdiction="xv-se")
    )
    paths = [notice.values["path"] for notice in answer.notices if notice.key == "notice.cross_reference"]
    assert paths[0] == "Rule 2(1) -> Section 2"
    assert answer.citations[0].edition.document.file == "se.pdf"


def test_the_question_set_holds_sections_and_pages_only() -> None:
    file = ROOT / "tests" / "data" / "cross_references.jsonl"
    rows = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 30
    assert len({row["id"] for row in rows}) == len(rows)
    assert {key for row in rows for gold in row["gold"] for key in gold} == {"file", "section", "page"}
