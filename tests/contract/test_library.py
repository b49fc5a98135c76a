"""What every `Library` does: the fake, SQLite and PostgreSQL."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from adapters.database.library import SqlLibrary
from core.domain.documents import Document, DocumentStatus, DocumentType, DocumentVersion, VersionStatus
from core.domain.pages import Box, WrittenPage
from core.domain.passages import Passage, PassageKind, Picture
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.errors import Broken
from core.ports.library import Library
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_library import FakeLibrary
from tests.support.library_examples import (
    NO_PASSAGE,
    NO_VERSION,
    NOBODY,
    START,
    day,
    document,
    full_document,
    page,
    passage,
    reference,
    registry,
    version,
)

TODAY = date(2027, 1, 1)
PUBLIC = Scope(collections=("public",))


@pytest.fixture(params=["fake", "sqlite", "postgresql"])
async def library(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Library]:
    opened: Library
    if request.param == "fake":
        opened = FakeLibrary()
    elif request.param == "sqlite":
        opened = await SqlLibrary.open(sqlite_url(tmp_path / "library.db"))
    else:
        opened = await SqlLibrary.open(await postgresql_url(request.getfixturevalue("postgresql")))
    if isinstance(opened, SqlLibrary):
        await opened.identity()  # from then on readings are kept
    yield opened
    await opened.close()


async def saved(library: Library, *documents: Document) -> None:
    for each in documents:
        await library.save_document(each)


async def added(library: Library, item: DocumentVersion, *passages: Passage) -> DocumentVersion:
    await library.add_version(item, [page(1), page(2)], passages or [passage(item, n) for n in range(3)])
    return item


async def activated(library: Library, item: DocumentVersion, *, at: datetime = START) -> DocumentVersion:
    await added(library, item)
    await library.activate(item.id, at=at)
    found = await library.version(item.id)
    assert found is not None
    return found


async def reading(library: Library, scope: Scope = PUBLIC) -> list[str]:
    """The sha256 starts of the versions that a search of `scope` reads."""
    return [each.version.sha256.rstrip("0") for each in await library.editions(scope, on=TODAY)]


def on_day(moment: datetime) -> Scope:
    return replace(PUBLIC, as_of=moment.date())


class TestRegistry:
    async def test_is_empty_at_first(self, library: Library) -> None:
        assert await library.registry() == Registry()

    async def test_comes_back_as_saved(self, library: Library) -> None:
        await library.save_registry(registry())
        assert await library.registry() == registry()

    async def test_is_replaced_as_a_whole(self, library: Library) -> None:
        await library.save_registry(registry())
        smaller = Registry(parties=tuple(reversed(registry().parties)))
        await library.save_registry(smaller)
        assert await library.registry() == smaller


class TestDocuments:
    @pytest.mark.parametrize("item", [document(), full_document()])
    async def test_come_back_as_saved(self, library: Library, item: Document) -> None:
        await saved(library, item)
        assert await library.document(item.id) == item

    async def test_are_updated_by_id(self, library: Library) -> None:
        await saved(library, document())
        changed = replace(document(title="Neu", tags=("x",)), file="b.pdf")
        await saved(library, changed)
        assert await library.documents() == [changed]

    async def test_are_listed_by_collection_and_title(self, library: Library) -> None:
        b, a, c = (
            document("1", title="B"),
            document("2", title="A"),
            document("3", collection="internal", title="Z"),
        )
        await saved(library, b, a, c)
        assert await library.documents() == [c, a, b]
        assert await library.documents(["public"]) == [a, b]
        assert await library.documents([]) == []

    async def test_unknown_one_is_none(self, library: Library) -> None:
        assert await library.document(NOBODY) is None

    async def test_two_of_a_collection_cannot_share_a_key(self, library: Library) -> None:
        await saved(library, document())
        with pytest.raises(Broken) as caught:
            await saved(library, replace(document(), id=NOBODY))
        assert caught.value.key == "database.conflict"

    async def test_key_of_a_deleted_one_is_free(self, library: Library) -> None:
        await saved(library, document())
        await library.delete_document(document().id, at=START)
        other = replace(document(), id=NOBODY)
        await saved(library, other)
        assert await library.documents() == [other]


class TestVersions:
    async def test_come_back_as_added(self, library: Library) -> None:
        await saved(library, document())
        item = await added(library, version(document()))
        assert await library.version(item.id) == item
        assert await library.versions(document().id) == [item]

    async def test_are_listed_newest_first(self, library: Library) -> None:
        await saved(library, document())
        numbers = [await activated(library, version(document(), f"v{n}", number=n)) for n in (1, 2, 3)]
        assert [item.number for item in await library.versions(document().id)] == [3, 2, 1]
        assert len(numbers) == 3

    async def test_unknown_ones_are_none(self, library: Library) -> None:
        assert await library.version(NO_VERSION) is None
        assert await library.versions(NOBODY) == []

    async def test_unfinished_one_is_replaced(self, library: Library) -> None:
        await saved(library, document())
        item = await added(library, version(document()))
        again = replace(item, pages=1, warnings=())
        await library.add_version(again, [page(1, "Anders")], [passage(again, 0, text="Anders")])
        assert await library.version(item.id) == again
        assert [each.text async for each in library.pages(item.id)] == ["Anders"]
        assert [each.text for each in await library.passages_at(item.id, range(9))] == ["Anders"]

    async def test_adding_a_readable_one_again_leaves_it(self, library: Library) -> None:
        await saved(library, document())
        item = await activated(library, version(document()))
        await library.add_version(version(document()), [], [])
        assert await library.version(item.id) == item
        assert await library.page(item.id, 1) == page(1)

    async def test_only_pending_ones_are_added(self, library: Library) -> None:
        await saved(library, document())
        with pytest.raises(ValueError, match="pending"):
            await added(library, replace(version(document()), status=VersionStatus.ACTIVE))

    async def test_needs_its_document(self, library: Library) -> None:
        with pytest.raises(Broken) as caught:
            await added(library, version(document()))
        assert caught.value.key == "database.conflict"

    async def test_failed_save_leaves_nothing(self, library: Library) -> None:
        await saved(library, document())
        with pytest.raises(Broken):
            await added(library, replace(version(document()), document=NOBODY))
        assert await library.version(version(document()).id) is None


class TestActivation:
    async def test_flips_and_supersedes(self, library: Library) -> None:
        await saved(library, document())
        old = await activated(library, version(document(), "old"), at=day(0))
        assert (old.status, old.indexed_at, old.seen_to) == (VersionStatus.ACTIVE, day(0), None)
        await activated(library, version(document(), "new", number=2, seen=day(3)), at=day(4))
        new, former = await library.versions(document().id)
        assert (new.status, new.seen_from, new.indexed_at) == (VersionStatus.ACTIVE, day(3), day(4))
        assert (former.status, former.seen_to) == (VersionStatus.SUPERSEDED, day(4))

    async def test_twice_changes_nothing(self, library: Library) -> None:
        await saved(library, document())
        item = await activated(library, version(document()), at=day(1))
        await library.activate(item.id, at=day(2))
        assert await library.version(item.id) == item

    async def test_leaves_other_documents_alone(self, library: Library) -> None:
        other = document("other.pdf")
        await saved(library, document(), other)
        mine = await activated(library, version(other))
        await activated(library, version(document()))
        assert await library.version(mine.id) == mine

    async def test_of_an_unknown_version_is_an_error(self, library: Library) -> None:
        with pytest.raises(Broken) as caught:
            await library.activate(NO_VERSION, at=START)
        assert caught.value.key == "library.version_unknown"

    async def test_of_a_deleted_version_is_an_error(self, library: Library) -> None:
        await saved(library, document())
        item = await added(library, version(document()))
        await library.delete_document(document().id, at=START)
        with pytest.raises(Broken) as caught:
            await library.activate(item.id, at=START)
        assert caught.value.key == "library.version_unknown"

    async def test_bytes_that_return_keep_their_first_day(self, library: Library) -> None:
        await saved(library, document())
        await activated(library, version(document(), "a"), at=day(0))
        await activated(library, version(document(), "b", number=2, seen=day(5)), at=day(5))
        again = await activated(library, version(document(), "a", seen=day(9)), at=day(9))
        assert (again.status, again.seen_from, again.seen_to) == (VersionStatus.ACTIVE, START, None)

    async def test_newer_pipeline_keeps_the_first_day_of_the_bytes(self, library: Library) -> None:
        await saved(library, document())
        await activated(library, version(document(), "a"), at=day(0))
        rebuilt = await activated(library, version(document(), "a", pipeline="p2", seen=day(7)), at=day(7))
        assert rebuilt.seen_from == START
        for scope in (PUBLIC, on_day(day(3)), on_day(day(-400))):
            assert [each.version.pipeline for each in await library.editions(scope, on=TODAY)] == ["p2"]


class TestBytes:
    async def test_are_found_in_readable_versions(self, library: Library) -> None:
        inside, outside = document(collection="internal"), document()
        await saved(library, inside, outside)
        await activated(library, version(inside, "same"))
        await activated(library, version(outside, "same"))
        await activated(library, version(outside, "newer", number=2))
        same = version(inside, "same").sha256
        found = await library.with_bytes(same)
        assert [(each.document.collection, each.version.status) for each in found] == [
            ("internal", VersionStatus.ACTIVE),
            ("public", VersionStatus.SUPERSEDED),
        ]
        assert [each.document for each in await library.with_bytes(same, "public")] == [outside]

    async def test_of_pending_and_deleted_versions_are_not_found(self, library: Library) -> None:
        await saved(library, document(), document("b.pdf"))
        await added(library, version(document(), "same"))
        await activated(library, version(document("b.pdf"), "same"))
        await library.delete_document(document("b.pdf").id, at=START)
        assert await library.with_bytes(version(document(), "same").sha256) == []


class TestDeletion:
    async def test_takes_pages_and_passages(self, library: Library) -> None:
        await saved(library, document())
        old = await activated(library, version(document(), "old"), at=day(0))
        new = await activated(library, version(document(), "new", number=2), at=day(1))
        half = await added(library, version(document(), "half", number=3))
        gone = await library.delete_document(document().id, at=day(2))
        assert set(gone) == {old.id, new.id, half.id}
        for item in (old, new, half):
            assert await library.page(item.id, 1) is None
            assert [each async for each in library.pages(item.id)] == []
            assert await library.passages_at(item.id, [0, 1, 2]) == []
        assert await library.passages([passage(new).id]) == []

    async def test_keeps_marked_rows(self, library: Library) -> None:
        await saved(library, document())
        await activated(library, version(document(), "old"), at=day(0))
        await activated(library, version(document(), "new", number=2), at=day(1))
        await library.delete_document(document().id, at=day(2))
        kept = await library.document(document().id)
        assert kept is not None
        assert kept.status is DocumentStatus.DELETED
        rows = await library.versions(document().id)
        assert [row.status for row in rows] == [VersionStatus.DELETED] * 2
        assert [row.seen_to for row in rows] == [day(2), day(1)]
        assert await library.documents() == []
        assert await reading(library) == []

    async def test_twice_or_of_nothing_is_no_error(self, library: Library) -> None:
        await saved(library, document())
        await activated(library, version(document()))
        await library.delete_document(document().id, at=START)
        assert await library.delete_document(document().id, at=day(1)) == []
        assert await library.delete_document(NOBODY, at=START) == []

    async def test_can_be_followed_by_a_new_start(self, library: Library) -> None:
        await saved(library, document())
        await activated(library, version(document()))
        await library.delete_document(document().id, at=day(1))
        await saved(library, document())
        item = await activated(library, version(document(), seen=day(2)), at=day(2))
        assert item.seen_from == day(2)
        assert await reading(library) == ["first"]
        assert await library.page(item.id, 2) == page(2)

    async def test_leaves_other_documents_alone(self, library: Library) -> None:
        other = document("other.pdf")
        await saved(library, document(), other)
        await activated(library, version(document()))
        mine = await activated(library, version(other))
        await library.delete_document(document().id, at=START)
        assert len(await library.passages_at(mine.id, range(3))) == 3


class TestEditions:
    async def test_are_the_active_versions(self, library: Library) -> None:
        await saved(library, document())
        assert await reading(library) == []
        await added(library, version(document(), "one"))
        assert await reading(library) == []
        await library.activate(version(document(), "one").id, at=day(0))
        await added(library, version(document(), "two", number=2))
        assert await reading(library) == ["one"]
        await library.activate(version(document(), "two").id, at=day(1))
        assert await reading(library) == ["two"]

    async def test_hold_document_and_version(self, library: Library) -> None:
        await saved(library, full_document())
        item = await activated(library, version(full_document()))
        [edition] = await library.editions(PUBLIC, on=TODAY)
        assert (edition.document, edition.version) == (full_document(), item)

    async def test_never_leave_their_collections(self, library: Library) -> None:
        inside, outside = document(collection="internal"), document()
        await saved(library, inside, outside)
        await activated(library, version(inside, "secret"))
        await activated(library, version(outside, "open"))
        assert await reading(library) == ["open"]
        assert await reading(library, replace(PUBLIC, documents=(inside.id,))) == []
        assert await reading(library, Scope(collections=("internal", "public"))) == ["secret", "open"]

    async def test_are_filtered_by_document_and_type(self, library: Library) -> None:
        act, other = document("act.pdf", doc_type=DocumentType.ACT), document("other.pdf")
        await saved(library, act, other)
        await activated(library, version(act, "act"))
        await activated(library, version(other, "other"))
        assert await reading(library, replace(PUBLIC, documents=(other.id,))) == ["other"]
        assert await reading(library, replace(PUBLIC, doc_types=(DocumentType.ACT,))) == ["act"]

    async def test_as_of_a_day(self, library: Library) -> None:
        await saved(library, document())
        await activated(library, version(document(), "one", seen=day(0)), at=day(0))
        await activated(library, version(document(), "two", number=2, seen=day(5)), at=day(5))
        await activated(library, version(document(), "x", number=3, seen=day(9)), at=day(9))
        asked = [await reading(library, on_day(day(n))) for n in (0, 4, 5, 8, 9, 20)]
        assert asked == [["one"], ["one"], ["two"], ["two"], ["x"], ["x"]]

    async def test_as_of_the_end_of_a_day(self, library: Library) -> None:
        await saved(library, document())
        night = datetime(2026, 1, 12, 23, 59, 59, tzinfo=UTC)
        midnight = night + timedelta(seconds=1)
        await activated(library, version(document(), "one", seen=day(0)), at=day(0))
        await activated(library, version(document(), "two", number=2, seen=night), at=night)
        await activated(library, version(document(), "x", number=3, seen=midnight), at=midnight)
        asked = [await reading(library, on_day(day(n))) for n in (1, 2, 3)]
        assert asked == [["one"], ["two"], ["x"]]

    async def test_as_of_a_day_before_the_first_sight(self, library: Library) -> None:
        await saved(library, document())
        await activated(library, version(document(), "one", seen=day(0)), at=day(0))
        await activated(library, version(document(), "two", number=2, seen=day(5)), at=day(5))
        assert await reading(library, on_day(day(-4000))) == ["one"]

    async def test_as_of_while_other_bytes_were_current(self, library: Library) -> None:
        await saved(library, document())
        await activated(library, version(document(), "a"), at=day(0))
        await activated(library, version(document(), "b", number=2, seen=day(5)), at=day(5))
        await activated(library, version(document(), "a", seen=day(9)), at=day(9))
        asked = [await reading(library, on_day(day(n))) for n in (2, 7, 9)]
        assert asked == [["a"], ["b"], ["a"]]

    async def test_as_of_leaves_pending_versions_out(self, library: Library) -> None:
        await saved(library, document())
        await added(library, version(document(), "half"))
        assert await reading(library, on_day(day(3))) == []

    async def test_as_of_today_is_the_active_version(self, library: Library) -> None:
        await saved(library, document())
        late = datetime(2027, 1, 1, 9, tzinfo=UTC)
        await activated(library, version(document(), "one"), at=day(0))
        await activated(library, version(document(), "two", number=2, seen=late), at=late)
        assert await reading(library, replace(PUBLIC, as_of=TODAY)) == ["two"]


class TestPagesAndPassages:
    async def test_pages_come_back_as_added(self, library: Library) -> None:
        await saved(library, document())
        item = version(document())
        await library.add_version(item, [page(2), page(10, ""), page(1)], [])
        assert [each async for each in library.pages(item.id)] == [page(1), page(2), page(10, "")]
        assert await library.page(item.id, 10) == page(10, "")
        assert await library.page(item.id, 3) is None
        assert await library.page(NO_VERSION, 1) is None
        assert await library.pages_at(item.id, {10, 3, 1}) == [page(1), page(10, "")]
        assert await library.pages_at(NO_VERSION, [1]) == await library.pages_at(item.id, []) == []

    async def test_what_is_written_is_that_of_the_pages(self, library: Library) -> None:
        await saved(library, document())
        item = version(document())
        await library.add_version(item, [page(1), page(10, ""), page(2)], [])
        written = await library.written_at(item.id, range(1, 2_000))
        assert written == [WrittenPage.of(each) for each in (page(1), page(2), page(10, ""))]
        assert await library.written_at(NO_VERSION, [1]) == await library.written_at(item.id, []) == []

    async def test_passages_come_in_the_order_asked_for(self, library: Library) -> None:
        await saved(library, document())
        item = await activated(library, version(document()))
        wanted = [passage(item, n) for n in (2, 0, 1)]
        ids = [each.id for each in wanted]
        assert await library.passages([ids[0], NO_PASSAGE, *ids[1:]]) == wanted
        assert await library.passages([]) == []

    async def test_the_picture_that_a_passage_names_is_kept(self, library: Library) -> None:
        await saved(library, document())
        item = version(document())
        shown = Picture(2, Box(10.5, 20.0, 300.25, 400.0))
        named = replace(passage(item), kind=PassageKind.FIGURE, picture=shown)
        await added(library, item, named, passage(item, 1))
        assert [each.picture for each in await library.passages_at(item.id, [0, 1])] == [shown, None]

    async def test_passages_by_the_hundred(self, library: Library) -> None:
        await saved(library, document())
        item = version(document())
        many = [passage(item, n) for n in range(1201)]
        await library.add_version(item, [], many)
        assert await library.passages([each.id for each in reversed(many)]) == many[::-1]

    async def test_passages_by_ordinal_come_ascending(self, library: Library) -> None:
        await saved(library, document())
        item = await activated(library, version(document()))
        assert await library.passages_at(item.id, [2, 7, -1, 0]) == [passage(item, 0), passage(item, 2)]
        assert await library.passages_at(item.id, []) == []
        assert await library.passages_at(NO_VERSION, [0]) == []

    async def test_section_family(self, library: Library) -> None:
        await saved(library, document())
        item = version(document())
        rows = [passage(item, n, section=s) for n, s in enumerate(["rule:3", "rule:4", None, "rule:3"])]
        await added(library, item, *rows)
        assert await library.section_family(item.id, "rule:3") == [rows[0], rows[3]]
        assert await library.section_family(item.id, "rule:9") == []

    async def test_text_that_no_database_stores_keeps_its_length(self, library: Library) -> None:
        await saved(library, document(title="Titel\x00 \udc80"))
        item = version(document())
        await library.add_version(item, [page(1, "a\x00b \ud800c")], [passage(item, text="a\x00b \ud800c")])
        [found] = await library.passages_at(item.id, [0])
        assert len(found.text) == 6
        kept = await library.page(item.id, 1)
        assert kept is not None
        assert kept.text == "a\x00b \ud800c"


class TestReferences:
    async def test_come_back_as_saved(self, library: Library) -> None:
        await saved(library, document())
        item = await activated(library, version(document()))
        rows = [reference(item, "section:4"), reference(item, "section:13", section=None)]
        rows += [replace(rows[0], path=("2", "l"), target_path=("1",), name="Gesetz \u00fcber B\u00e4ume")]
        await library.save_references(item.id, rows, recogniser=1)
        assert await library.references_from([item.id]) == rows
        assert await library.references_from([item.id], "rule:3") == [rows[0], rows[2]]
        assert await library.references_from([item.id], "rule:9") == []
        assert await library.references_from([]) == []

    async def test_are_found_by_what_they_name_in_the_order_of_versions(self, library: Library) -> None:
        other = document("b.pdf")
        await saved(library, document(), other)
        first, second = (
            await activated(library, version(other)),
            await activated(library, version(document())),
        )
        for item in (first, second):
            rows = [reference(item, "section:4"), reference(item, "section:5")]
            await library.save_references(item.id, rows, recogniser=1)
        found = await library.references_to([second.id, first.id], ["section:4", "rule:1"])
        assert found == [reference(second, "section:4"), reference(first, "section:4")]
        assert await library.references_to([first.id], []) == []

    async def test_are_replaced_as_a_whole(self, library: Library) -> None:
        await saved(library, document())
        item = await activated(library, version(document()))
        await library.save_references(item.id, [reference(item, "section:4")] * 2, recogniser=1)
        await library.save_references(item.id, [reference(item, "section:5")], recogniser=2)
        assert await library.references_from([item.id]) == [reference(item, "section:5")]

    async def test_versions_that_were_not_looked_at_are_known(self, library: Library) -> None:
        other = document("b.pdf")
        await saved(library, document(), other)
        item, fresh = await activated(library, version(document())), await activated(library, version(other))
        await library.save_references(item.id, [], recogniser=1)
        assert await library.unrecognised([item.id, fresh.id], recogniser=1) == [fresh.id]
        assert await library.unrecognised([item.id], recogniser=2) == [item.id]

    async def test_go_with_their_document(self, library: Library) -> None:
        await saved(library, document())
        item = await activated(library, version(document()))
        await library.save_references(item.id, [reference(item, "section:4")], recogniser=1)
        await library.delete_document(document().id, at=day(1))
        assert await library.references_from([item.id]) == []
        assert await library.unrecognised([item.id], recogniser=1) == [item.id]
        await library.save_references(item.id, [reference(item, "section:4")], recogniser=1)
        assert await library.references_to([item.id], ["section:4"]) == []

    async def test_go_with_an_unfinished_version(self, library: Library) -> None:
        await saved(library, document())
        item = await added(library, version(document()))
        await library.save_references(item.id, [reference(item, "section:4")], recogniser=1)
        await added(library, item)
        assert await library.references_from([item.id]) == []

    async def test_of_an_unknown_version_are_not_kept(self, library: Library) -> None:
        await library.save_references(NO_VERSION, [], recogniser=1)
        assert await library.unrecognised([NO_VERSION], recogniser=1) == [NO_VERSION]
