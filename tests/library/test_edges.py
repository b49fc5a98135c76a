"""References lead to the documents they mean, also to those that are ingested again or come later."""

import pytest

from core.domain.documents import Edition
from core.domain.passages import Provision, ReferenceKind
from core.domain.scope import Scope
from core.library.cross_references import RECOGNISER
from core.library.edges import CrossReferences, is_called, normalised
from tests.support.search_world import SEEN, edition
from tests.support.world import World

ACT_TEXT = """Harbour Act

1. Short title.
(1) This is the Harbour Act. It holds in every harbour of the country and on every jetty that is built in one.

2. Berths.
(1) A berth is needed by every boat that stays for longer than a night in a harbour of the country.

3. Fees.
(1) Fees are paid for every berth under section 2, as set by rules made by the harbour office each year.
"""
RULES_TEXT = """Harbour Rules

1. Short title.
(1) These are the Harbour Rules. They hold in every harbour of the state and on every jetty built in one.

2. Application.
(1) An application for a berth under section 2 of the Act is written on paper and handed in at the office.

3. Payment.
(1) The fee under section 3 of the Act is paid as in rule 2, in advance, and section 77 of the Act remains.
"""


@pytest.fixture
async def world() -> World:
    return await World().with_registry()


async def rules_and_act(world: World) -> None:
    await world.add("rules.pdf", RULES_TEXT, doc_type="rules", language="en", derived_from="act.pdf")
    await world.add("act.pdf", ACT_TEXT, doc_type="act", language="en")


async def editions(world: World) -> dict[str, Edition]:
    found = await world.library.editions(Scope(collections=("public",)), on=SEEN.date())
    return {item.document.file: item for item in found}


async def implementing(world: World, section: str) -> list[tuple[str, str | None, ReferenceKind]]:
    known = await editions(world)
    start = Provision(edition=known["act.pdf"], section=section)
    edges = await CrossReferences(world.library).incoming(start, list(known.values()))
    return [(edge.source.edition.document.file, edge.source.section, edge.kind) for edge in edges]


async def test_ingestion_keeps_references_and_they_lead_to_the_parent_that_comes_later(world: World) -> None:
    await rules_and_act(world)
    assert await implementing(world, "section:3") == [("rules.pdf", "rule:3", ReferenceKind.DERIVED_FROM)]
    assert await implementing(world, "section:2") == [
        ("act.pdf", "section:3", ReferenceKind.REFERENCES),
        ("rules.pdf", "rule:2", ReferenceKind.DERIVED_FROM),
    ]


async def test_a_parent_that_is_ingested_again_is_still_found(world: World) -> None:
    await rules_and_act(world)
    before = (await editions(world))["act.pdf"]
    world.originals.contents["act.pdf"] = "other bytes"
    await world.add(
        "act.pdf", ACT_TEXT.replace("each year", "every other year"), doc_type="act", language="en"
    )
    assert (await editions(world))["act.pdf"] != before
    assert ("rules.pdf", "rule:3", ReferenceKind.DERIVED_FROM) in await implementing(world, "section:3")


async def test_a_parent_that_was_removed_leaves_unresolved_references(world: World) -> None:
    await rules_and_act(world)
    known = await editions(world)
    lost = await CrossReferences(world.library).unresolved(list(known.values()))
    assert [(row.reference.target, row.why) for row in lost] == [("section:77", "section")]
    await world.ingester.remove(known["act.pdf"].document.id)
    left = await editions(world)
    lost = await CrossReferences(world.library).unresolved(list(left.values()))
    assert {(row.reference.target, row.why) for row in lost} == {
        ("section:2", "parent"), ("section:3", "parent"), ("section:77", "parent"),
    }  # fmt: skip


async def test_libraries_without_references_get_them_at_first_use(world: World) -> None:
    await rules_and_act(world)
    expected = await implementing(world, "section:3")
    for item in (await editions(world)).values():
        await world.library.save_references(item.version.id, [], recogniser=RECOGNISER - 1)
    world.pdf.documents.clear()  # nothing is read again
    assert await implementing(world, "section:3") == expected


async def test_libraries_without_references_get_them_where_nothing_changed(world: World) -> None:
    await rules_and_act(world)
    item = (await editions(world))["rules.pdf"]
    await world.library.save_references(item.version.id, [], recogniser=RECOGNISER - 1)
    world.pdf.documents.pop("act.pdf", None)
    await world.add("rules.pdf", RULES_TEXT, doc_type="rules", language="en", derived_from="act.pdf")
    assert await world.library.references_from([item.version.id])


async def test_paths_end_at_the_editions_given(world: World) -> None:
    await rules_and_act(world)
    rules = (await editions(world))["rules.pdf"]
    start = Provision(edition=rules, section="rule:3")
    found = await CrossReferences(world.library).outgoing(start, [rules])
    assert [edge.target.section for edge in found] == ["rule:2"]


@pytest.mark.parametrize(
    ("title", "name", "called"),
    [
        ("Grundgesetz (Stand 2002)", "GG", True),
        ("Grundgesetz (Stand 2002)", "Grundgesetzes", True),
        ("General Data Protection Regulation (Council 5419/16)", "GDPR", True),
        ("Housing (Rents and Deposits) Act 2016", "Housing (Rents and Deposits) Act, 2016", True),
        ("Housing (Rents and Deposits) Act 2016", "Companies Act, 2013", False),
        ("Housing (Rents and Deposits) Act 2016", "Deposits Act", False),
        ("Grundgesetz (Stand 2002)", "BGB", False),
        ("Harbour Rules", "", False),
    ],
)  # fmt: skip
def test_documents_by_name(title: str, name: str, called: bool) -> None:
    assert is_called(edition("x", title=title), name) is called


@pytest.mark.parametrize(
    ("written", "section"), [("Rule 3", "rule:3"), ("rule:3", "rule:3"), ("§ 5", "par:5"), ("annex", "annex")]
)
def test_sections_as_a_registry_writes_them(written: str, section: str) -> None:
    assert normalised(written) == section
