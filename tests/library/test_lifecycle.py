"""Documents and versions on their way out, in the small world."""

import os
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from adapters.files.folder import FolderFiles
from adapters.files.originals import FileOriginals
from bot.library.lifecycle import Keeper, drop_pages
from bot.library.scoping import ScopeOptions
from bot.presentation.attachments import page_name_of
from bot.presentation.i18n import Texts
from core.domain.answers import Outcome, Verdict
from core.domain.documents import DocumentFields, VersionStatus
from core.domain.ids import PassageId, VersionId
from core.domain.ingestion import IngestStatus
from core.domain.scope import Scope
from core.domain.search import IndexPoint, SparseVector
from core.errors import Refused
from core.library.lifecycle import Lifecycle, Terms
from core.ports.clock import Clock
from tests.support.world import NOW, UFER_2025, World, populated, request

QUESTION = "Wie hoch ist der Mindestlohn der Uferpartei?"
QUOTE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
PUBLIC = ScopeOptions()
FILE, UFER = "ufer25.pdf", Scope(collections=("public",))
NEW = "Wohnen\n\nWir bauen jedes Jahr 9.000 neue Wohnungen an den Seen. Der Mindestlohn steigt auf 17 Taler."


class Days(Clock):
    """A clock that stands `days` after the world's."""

    def __init__(self, days: float) -> None:
        self.days = days

    def now(self) -> datetime:
        return NOW + timedelta(days=self.days)


def later(world: World, days: float, **terms: timedelta | None) -> Lifecycle:
    return Lifecycle(
        library=world.library,
        index=world.index,
        originals=world.originals,
        clock=Days(days),
        terms=Terms(**terms),  # type: ignore[arg-type]
    )


async def ingested_again(world: World, file: str, *texts: str, content: str) -> None:
    world.originals.contents[file] = content
    receipt = await world.add(file, *texts)
    assert receipt.status is IngestStatus.UPDATED


async def points(world: World, collection: str = "public") -> int:
    return await world.index.count(collection)


@pytest.fixture
async def world() -> World:
    return await populated()


class TestRemoving:
    async def test_is_out_of_every_answer_at_once(self, world: World) -> None:
        before = await points(world)
        answer = await world.app.questions.ask(QUESTION, PUBLIC)
        assert any(QUOTE in citation.quote.text for citation in answer.citations)
        await world.app.document_lifecycle.remove("ufer25.pdf")
        found = await world.app.questions.search(QUESTION, PUBLIC, k=10)
        assert "ufer25" not in {hit.edition.document.fields.title for hit in found.hits}
        again = await world.app.questions.ask(QUESTION, PUBLIC)
        assert not any(QUOTE in citation.quote.text for citation in again.citations)
        check = await world.app.questions.verify(QUOTE, PUBLIC)
        assert check.verdict is Verdict.ABSENT
        with pytest.raises(Refused):
            await world.app.documents.page("ufer25.pdf", 1, None)
        assert await points(world) == before

    async def test_can_be_undone_within_its_term(self, world: World) -> None:
        document, until = await world.app.document_lifecycle.remove("ufer25.pdf")
        assert until == NOW + timedelta(days=30)
        assert not (await later(world, 29).collect()).anything
        assert await world.app.document_lifecycle.restore("ufer25.pdf") == document
        answer = await world.app.questions.ask(QUESTION, PUBLIC)
        assert answer.outcome is Outcome.GROUNDED
        assert any(QUOTE in citation.quote.text for citation in answer.citations)

    async def test_is_for_good_after_its_term(self, world: World) -> None:
        document, _ = await world.app.document_lifecycle.remove("ufer25.pdf")
        (version,) = await world.library.versions(document.id)
        found = await later(world, 30).collect()
        assert [item.key for item in found.documents] == ["ufer25.pdf"]
        assert await world.index.count("public", version.id) == 0
        assert await world.library.page(version.id, 1) is None
        assert "ufer25.pdf" not in world.originals.kept
        with pytest.raises(Refused):
            await world.app.document_lifecycle.restore("ufer25.pdf")

    async def test_is_for_good_now_where_asked(self, world: World) -> None:
        document, until = await world.app.document_lifecycle.remove("ufer25.pdf", now=True)
        assert until is None
        (version,) = await world.library.versions(document.id)
        assert version.status is VersionStatus.DELETED
        assert await world.index.count("public", version.id) == 0
        assert "ufer25.pdf" not in world.originals.kept

    async def test_of_what_was_removed_before_is_for_good_now(self, world: World) -> None:
        await world.app.document_lifecycle.remove("ufer25.pdf")
        await world.app.document_lifecycle.remove("ufer25.pdf", now=True)
        assert await world.library.withdrawn() == []

    async def test_keeps_bytes_that_a_removed_copy_may_need(self, world: World) -> None:
        await world.ingest(request("ufer25.pdf", collection="internal"))
        copies = await world.library.documents(["internal"])
        copy = next(item for item in copies if item.key == "ufer25.pdf")
        await world.app.document_lifecycle.remove(copy.id)
        original = next(item for item in await world.library.documents(["public"]) if item.key == copy.key)
        await world.app.document_lifecycle.remove(original.id, now=True)
        assert "ufer25.pdf" in world.originals.kept
        await world.app.document_lifecycle.remove(copy.id, now=True)
        assert "ufer25.pdf" not in world.originals.kept

    async def test_nothing_of_it_comes_back_with_a_new_version(self, world: World) -> None:
        document, _ = await world.app.document_lifecycle.remove("ufer25.pdf")
        (old,) = await world.library.versions(document.id)
        world.originals.contents["ufer25.pdf"] = "other"
        await world.add("ufer25.pdf", NEW)
        statuses = {item.id: item.status for item in await world.library.versions(document.id)}
        assert statuses.pop(old.id) is VersionStatus.DELETED
        assert list(statuses.values()) == [VersionStatus.ACTIVE]


class TestCollecting:
    async def test_old_versions_go_after_their_term(self, world: World) -> None:
        await ingested_again(world, "ufer25.pdf", NEW, content="new")
        before = await points(world)
        assert (await later(world, 364).collect()).superseded == 0
        assert (await later(world, 365).collect()).superseded == 1
        assert await points(world) < before
        answer = await world.app.questions.ask(QUESTION, PUBLIC)
        assert any("17 Taler" in citation.quote.text for citation in answer.citations)

    async def test_old_versions_are_kept_where_wanted(self, world: World) -> None:
        await ingested_again(world, "ufer25.pdf", NEW, content="new")
        assert (await later(world, 9999, superseded=None).collect()).superseded == 0

    async def test_points_that_nobody_knows_go(self, world: World) -> None:
        before = await points(world)
        stray = IndexPoint(
            passage=PassageId("00000000-0000-0000-0000-000000000001"),
            version=VersionId("00000000-0000-0000-0000-000000000002"),
            primary=np.ones(64, np.float32),
            secondary=np.ones(64, np.float32),
            windows=np.ones((1, 64), np.float32),
            lexical=SparseVector(indices=(), values=()),
        )
        await world.index.upsert("public", [stray])
        assert (await later(world, 0).collect()).orphans == 1
        assert await points(world) == before

    async def test_what_was_never_finished_goes_after_a_day(self, world: World) -> None:
        document = next(item for item in await world.library.documents() if item.key == "ufer25.pdf")
        (done,) = await world.library.versions(document.id)
        half = replace(done, id=VersionId("half"), sha256="0" * 64, status=VersionStatus.PENDING, number=2)
        await world.library.add_version(replace(half, original="half.pdf"), [], [])
        assert (await later(world, 0.9).collect()).unfinished == 0
        assert (await later(world, 1).collect()).unfinished == 1
        answer = await world.app.questions.ask(QUESTION, PUBLIC)
        assert answer.outcome is Outcome.GROUNDED

    async def test_twice_finds_nothing_more(self, world: World) -> None:
        await ingested_again(world, "ufer25.pdf", NEW, content="new")
        await world.app.document_lifecycle.remove("wind25.pdf")
        assert (await later(world, 400).collect()).anything
        assert not (await later(world, 400).collect()).anything


async def test_the_same_file_ten_times_is_one(world: World) -> None:
    before = await points(world)
    for _ in range(10):
        await world.add("ufer25.pdf", UFER_2025)
    assert await points(world) == before


async def test_pages_in_replies_go_with_their_document(tmp_path: Path) -> None:
    store, fields = FolderFiles(tmp_path), DocumentFields(title="Plan B", language="de", parties=("Ufer",))
    page = page_name_of(fields, "xii", Texts("de"))
    gone = ["a/S1-plan-b-p3.pdf", "a/S1-plan-b-p3-320.jpg", "b/S1-S2-plan-b-p12.pdf", f"c/{page}.pdf"]
    gone += [f"c/{page_name_of(fields, '7', Texts('en'))}-2.jpg"]
    others = (replace(fields, title="Plan"), replace(fields, title="Plan B Sieben"))
    kept = ["a/S2-plan-p3.pdf", *(f"c/{page_name_of(each, '3', Texts('de'))}.pdf" for each in others)]
    for name in (*gone, *kept):
        await store.put(f"outgoing/{name}", b"x")
    assert await drop_pages(store, fields) == len(gone)
    assert [file.key async for file in store.listing("")] == sorted(f"outgoing/{name}" for name in kept)


class TestKeeping:
    async def test_builds_anew_in_the_small_hours_where_something_went(self, world: World) -> None:
        keeper = Keeper(world.app.document_lifecycle, Days(0))
        assert await keeper.once() == ()
        await world.app.document_lifecycle.remove("wind25.pdf")
        living = replace(world.app.document_lifecycle, lifecycle=later(world, 31))
        at_noon = Keeper(living, Days(31))
        assert await at_noon.once() == ()
        assert await world.library.withdrawn() == []
        at_noon.clock = Days(31 + 14 / 24)
        assert await at_noon.once() == ("internal", "public")
        assert await at_noon.once() == ()


async def test_bytes_that_come_back_are_there_all_the_while(world: World) -> None:
    """For questions as of the day when they were current, and after the switch for all."""
    (old,) = [item for item in await world.library.editions(UFER, on=NOW.date()) if item.document.key == FILE]
    await ingested_again(world, FILE, NEW, content="new")
    before = await points(world)
    removed: list[str] = []
    remove = world.index.remove_version

    async def noted(collection: str, version: VersionId) -> None:
        removed.append(version)
        await remove(collection, version)

    world.index.remove_version = noted  # type: ignore[method-assign]
    await ingested_again(world, FILE, UFER_2025, content=FILE)
    assert removed == []
    assert await points(world) == before
    (now,) = [item for item in await world.library.editions(UFER, on=NOW.date()) if item.document.key == FILE]
    assert now.version.id == old.version.id


async def test_stored_files_that_nothing_needs_go(world: World, tmp_path: Path) -> None:
    """Not what waits for approval, what was just written, or what others have put there."""
    (tmp_path / "kept.pdf").write_bytes(b"%PDF kept")
    (tmp_path / "held.pdf").write_bytes(b"%PDF held")
    (tmp_path / "left.pdf").write_bytes(b"%PDF left")
    folder = tmp_path / "originals"
    originals = FileOriginals(folder)
    held = await originals.keep(tmp_path / "held.pdf")
    left = await originals.keep(tmp_path / "left.pdf")
    await originals.keep_pages(left.original, b"%PDF made")
    needed = (await world.library.needed_files()).pop()
    for name in (f"{needed}.pdf", ".new-abc", "README", f"{'0' * 64}.pdf"):
        (folder / name).write_bytes(b"x")
    long_ago = (NOW - timedelta(days=3)).timestamp()
    for path in folder.iterdir():
        os.utime(path, (long_ago, long_ago))
    young = f"{'1' * 64}.bin"
    (folder / young).write_bytes(b"x")
    os.utime(folder / young, (NOW.timestamp(), NOW.timestamp()))

    async def names() -> set[str]:
        return {held.original}

    lifecycle = replace(later(world, 0), originals=originals, held=names)
    assert (await lifecycle.collect()).files == 3  # with what was made of one
    assert {path.name for path in folder.iterdir()} == {f"{needed}.pdf", held.original, "README", young}
    assert (await lifecycle.collect()).files == 0
