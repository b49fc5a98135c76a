"""What the index lacks is told with every answer, and rebuilt from what is kept."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.library.scoping import ScopeOptions
from bot.library.upkeep import in_words
from core.domain.answers import Outcome, Verdict
from core.domain.ids import VersionId
from core.domain.ingestion import IngestReceipt, IngestStatus
from core.domain.search import IndexPoint
from core.errors import Unavailable
from core.library.completeness import REBUILDING, Rebuilt
from tests.support.world import World, populated, request

MINIMUM_WAGE = "Wie hoch ist der Mindestlohn der Uferpartei?"
INTERNAL = ScopeOptions(collections=("internal",))
BOTH = ScopeOptions(parties=("Uferpartei", "Windmüller"))


@pytest.fixture
async def world() -> World:
    return await populated()


async def lose(world: World, *files: str) -> list[VersionId]:
    """Take the points of documents out of the index, of all where none is named; their versions."""
    lost = []
    for document in await world.library.documents():
        if not files or document.key in files:
            for version in await world.library.versions(document.id):
                await world.index.remove_version(document.collection, version.id)
                lost.append(version.id)
    return lost


async def rebuilt(world: World) -> list[Rebuilt]:
    return [made async for _, made in world.app.upkeep.rebuilder.rebuild()]


async def points(world: World) -> dict[str, dict[VersionId, int]]:
    return {name: await world.index.counts(name) for name in ("public", "internal")}


def keys(notices: Sequence[object]) -> list[str]:
    return [notice.key for notice in notices]  # type: ignore[attr-defined]


async def test_a_whole_index_is_not_spoken_of(world: World) -> None:
    assert await world.app.completeness.lacking() == ()
    answer = await world.app.questions.ask(MINIMUM_WAGE, ScopeOptions())
    assert answer.outcome is Outcome.GROUNDED
    assert REBUILDING not in keys(answer.notices)
    assert all(count.is_whole for count in await world.app.upkeep.completeness.counted())


async def test_silence_says_that_the_library_is_being_rebuilt(world: World) -> None:
    await lose(world)
    answer = await world.app.questions.ask(MINIMUM_WAGE, ScopeOptions())
    assert answer.outcome is Outcome.NO_EVIDENCE
    assert "Ein Teil der Bibliothek ist zurzeit nicht durchsuchbar" in world.app.presenter.answer_text(answer)
    record = await world.journal.answer(answer.trace)
    assert record is not None
    assert REBUILDING in record.notices


async def test_what_is_found_in_a_part_of_the_library_says_so_too(world: World) -> None:
    await lose(world, "wind25.pdf")
    answer = await world.app.questions.ask(MINIMUM_WAGE, ScopeOptions())
    assert answer.outcome is Outcome.GROUNDED
    assert keys(answer.notices)[0] == REBUILDING


async def test_other_collections_are_nobodys_business(world: World) -> None:
    await lose(world, "intern.pdf")
    answer = await world.app.questions.ask(MINIMUM_WAGE, ScopeOptions())
    assert REBUILDING not in keys(answer.notices)
    hidden = await world.app.questions.ask(MINIMUM_WAGE, INTERNAL)
    assert REBUILDING in keys(hidden.notices)


async def test_small_talk_says_nothing_of_it(world: World) -> None:
    await lose(world)
    answer = await world.app.questions.ask("Hallo!", ScopeOptions())
    assert REBUILDING not in keys(answer.notices)


async def test_every_way_of_searching_says_so(world: World) -> None:
    await lose(world)
    app = world.app
    check = await app.questions.verify("Der Mindestlohn steigt auf 15 Taler in der Stunde.", ScopeOptions())
    assert (check.verdict, keys(check.notices)) == (Verdict.ABSENT, [REBUILDING])
    assert (await app.questions.search(MINIMUM_WAGE, ScopeOptions(), k=3)).incomplete
    compared = await app.comparisons.compare("Wie hoch ist der Mindestlohn?", BOTH)
    motion = await app.comparisons.motion(
        "Der Landtag möge beschließen: Der Mindestlohn steigt auf 15 Taler.",
        ScopeOptions(),
        jurisdiction="xv",
        movers=("Uferpartei",),
    )
    for made in (compared, motion):
        assert keys(made.notices) == [REBUILDING]
        assert any("nicht durchsuchbar" in note or "cannot be searched" in note for note in made.table.notes)
    summary = await app.summaries.new("Mindestlohn", ScopeOptions())
    assert REBUILDING in keys(summary.summary.notices)


async def test_everything_lost_comes_back_as_it_was(world: World) -> None:
    before = await points(world)
    await lose(world)
    assert sum(not count.is_whole for count in await world.app.upkeep.completeness.counted()) == 6
    made = await rebuilt(world)
    assert len(made) == 6
    assert all(one.error is None for one in made)
    assert await points(world) == before
    assert await world.app.completeness.lacking() == ()
    answer = await world.app.questions.ask(MINIMUM_WAGE, ScopeOptions())
    assert any("15 Taler" in citation.quote.text for citation in answer.citations)


async def test_an_interrupted_rebuilding_goes_on_with_what_is_left(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await points(world)
    await lose(world)
    upsert, calls = world.index.upsert, 0

    async def ends(collection: str, rows: Sequence[IndexPoint]) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            await upsert(collection, rows[:1])
            raise Unavailable("index.unreachable", "the server went away")
        await upsert(collection, rows)

    with monkeypatch.context() as patched:
        patched.setattr(world.index, "upsert", ends)
        with pytest.raises(Unavailable):
            await rebuilt(world)
    assert 1 <= len(await rebuilt(world)) <= 4
    assert await points(world) == before


async def test_superseded_versions_come_back_too(world: World) -> None:
    world.originals.contents["ufer25.pdf"] = "other bytes"
    await world.add(
        "ufer25.pdf", "Der Mindestlohn steigt auf 16 Taler in der Stunde.", parties=("Uferpartei",)
    )
    before = await points(world)
    await lose(world, "ufer25.pdf")
    assert [made.document.key for made in await rebuilt(world)] == ["ufer25.pdf", "ufer25.pdf"]
    assert await points(world) == before


async def test_points_too_many_are_too_many(world: World) -> None:
    (lost,) = await lose(world, "wind25.pdf")
    version = await world.library.version(lost)
    assert version is not None
    await rebuilt(world)
    (collection,) = [name for name, known in (await points(world)).items() if lost in known]
    stored = world.index._collections[collection]
    one = next(point for point in stored.values() if point.version == lost)
    stored["a stray one"] = replace(one, passage="a stray one")  # type: ignore[index, arg-type]
    assert len(await world.app.completeness.lacking()) == 1
    await rebuilt(world)
    assert await world.index.count(collection, lost) == version.passages


async def test_passages_that_the_database_has_lost_are_read_from_the_kept_file(world: World) -> None:
    before = await points(world)
    (lost,) = await lose(world, "wind25.pdf")
    await world.library.refill(lost, (), ())
    stated = world.library._contents[lost]
    world.library._contents[lost] = replace(stated, version=replace(stated.version, passages=1))
    (made,) = await rebuilt(world)
    assert (made.document.key, made.error) == ("wind25.pdf", None)
    assert await points(world) == before
    assert [page async for page in world.library.pages(lost)]


async def test_what_cannot_be_read_any_more_is_told_and_the_others_go_on(world: World) -> None:
    lost = await lose(world, "wind25.pdf", "ufer25.pdf")
    for version in lost:
        await world.library.refill(version, (), ())
        stated = world.library._contents[version]
        world.library._contents[version] = replace(stated, version=replace(stated.version, passages=1))
    del world.pdf.documents["wind25.pdf"]
    made = {one.document.key: one.error for one in await rebuilt(world)}
    assert made["ufer25.pdf"] is None
    assert made["wind25.pdf"] is not None
    assert len(await world.app.completeness.lacking()) == 1


async def test_a_document_removed_meanwhile_leaves_no_points(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lost,) = await lose(world, "wind25.pdf")
    version = await world.library.version(lost)
    assert version is not None
    upsert = world.index.upsert

    async def removed_meanwhile(collection: str, rows: Sequence[IndexPoint]) -> None:
        await world.ingester.remove(version.document)
        await upsert(collection, rows)

    monkeypatch.setattr(world.index, "upsert", removed_meanwhile)
    await rebuilt(world)
    assert lost not in (await points(world))["public"]


async def again(world: World, file: str) -> IngestReceipt:
    document = next(item for item in await world.library.documents() if item.key == file)
    wanted = replace(
        request(file, collection=document.collection), fields=document.fields, stated=frozenset()
    )
    return (await world.ingest(wanted))[0]


async def test_ingesting_an_unchanged_file_mends_what_the_index_lacks(world: World) -> None:
    before = await points(world)
    await lose(world, "wind25.pdf")
    receipt = await again(world, "wind25.pdf")
    assert receipt.status is IngestStatus.UPDATED
    assert any(warning.startswith("index.mended:") for warning in receipt.warnings)
    assert await points(world) == before
    assert (await again(world, "wind25.pdf")).status is IngestStatus.UNCHANGED


async def test_doctor_tells_of_points_files_and_damaged_indexes(world: World) -> None:
    await lose(world, "wind25.pdf")
    checks = world.app.library_checks
    lines = {name: (ok, found, advice) for name, ok, found, advice in await checks.index_lines([Path("x")])}
    assert not lines["index"][0]
    assert lines["index"][1] == in_words(await world.app.completeness.lacking())
    assert "fundstelle reindex --missing" in lines["index"][2]
    assert not lines["damaged indexes"][0]
    assert [(name, ok, found) for name, ok, found, _ in await checks.file_lines()] == [
        ("kept files", True, "6 files")
    ]
    for name in sorted(world.originals.kept)[:2]:
        await world.originals.drop(name)
    ((_, ok, found, _),) = await checks.file_lines()
    assert (ok, "2 of 6 are missing" in found) == (False, True)
    await rebuilt(world)
    lines = {
        name: (ok, found, advice)
        for name, ok, found, advice in await world.app.library_checks.index_lines([])
    }
    assert lines["index"][0]
    assert "damaged indexes" not in lines
    assert [ok for name, ok, *_ in await checks.index_lines([Path("x")]) if name == "damaged indexes"] == [
        True
    ]
