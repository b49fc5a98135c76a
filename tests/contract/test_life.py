"""What every `LifecycleLibrary` and every `CorrectionLog` does: the fakes, SQLite and PostgreSQL."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pytest

from adapters.database.corrections import SqlCorrections
from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.library import SqlLibrary
from core.domain.documents import DocumentVersion, VersionStatus
from core.domain.ids import TraceId, VersionId
from core.domain.journal import Pseudonym, Pseudonyms, Retention
from core.domain.messages import CorrectedQuotes
from core.domain.records import AnswerRecord, Moved, Recheck, Settled, Successor
from core.domain.scope import Scope
from core.ports.journal import Journal
from core.ports.library import CorrectionLog, LifecycleLibrary
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_journal import KEY, FakeJournal
from tests.support.fake_library import FakeLibrary
from tests.support.fake_life import FakeCorrections
from tests.support.journal_examples import at, cited, reply
from tests.support.library_examples import day, document, page, passage, version

A, B = document("a.pdf"), document("b.pdf")
PUBLIC = Scope(collections=("public",))


@dataclass(frozen=True)
class Stores:
    library: LifecycleLibrary
    journal: Journal
    log: CorrectionLog


@pytest.fixture(params=["fake", "sqlite", "postgresql"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    if request.param == "fake":
        journal = FakeJournal()
        yield Stores(FakeLibrary(), journal, FakeCorrections(journal))
        return
    sqlite = request.param == "sqlite"
    server = "" if sqlite else request.getfixturevalue("postgresql")
    database = await Database.open(
        sqlite_url(tmp_path / "life.db") if sqlite else await postgresql_url(server)
    )
    yield Stores(SqlLibrary(database), SqlJournal(database, Pseudonyms(KEY)), SqlCorrections(database))
    await database.close()


async def added(library: LifecycleLibrary, item: DocumentVersion) -> DocumentVersion:
    await library.add_version(item, [page(1), page(2)], [passage(item, n) for n in range(3)])
    return item


async def activated(library: LifecycleLibrary, item: DocumentVersion, moment: datetime) -> VersionId:
    await added(library, item)
    await library.activate(item.id, at=moment)
    return item.id


async def two_versions(library: LifecycleLibrary) -> tuple[VersionId, VersionId]:
    await library.save_document(A)
    old = await activated(library, version(A, "one"), day(0))
    return old, await activated(library, version(A, "two", number=2, seen=day(3)), day(3))


async def searched(library: LifecycleLibrary) -> list[str]:
    return [item.document.key for item in await library.editions(PUBLIC, on=day(90).date())]


class TestSuccessors:
    async def test_of_old_versions_only(self, stores: Stores) -> None:
        old, new = await two_versions(stores.library)
        assert await stores.library.successors([old, new]) == {old: Successor(new, day(3))}

    async def test_none_while_the_document_is_out_of_sight(self, stores: Stores) -> None:
        old, new = await two_versions(stores.library)
        await stores.library.withdraw(A.id, at=day(4))
        assert await stores.library.successors([old]) == {}
        await stores.library.restore(A.id)
        assert await stores.library.successors([old]) == {old: Successor(new, day(3))}

    async def test_after_the_old_version_was_collected(self, stores: Stores) -> None:
        old, new = await two_versions(stores.library)
        await stores.library.delete_version(old, at=day(9))
        assert await stores.library.successors([old]) == {old: Successor(new, day(3))}

    async def test_a_version_that_comes_back_counts_from_then_on(self, stores: Stores) -> None:
        old, new = await two_versions(stores.library)
        await stores.library.activate(old, at=day(7))
        assert await stores.library.successors([old, new]) == {new: Successor(old, day(7))}


class TestWithdrawal:
    async def test_takes_a_document_out_of_sight_and_brings_it_back(self, stores: Stores) -> None:
        _, new = await two_versions(stores.library)
        assert await stores.library.withdraw(A.id, at=day(4))
        assert await searched(stores.library) == []
        assert await stores.library.documents() == []
        assert await stores.library.restore(A.id)
        assert await searched(stores.library) == ["a.pdf"]
        assert await stores.library.page(new, 1) == page(1)

    async def test_is_listed_longest_ago_first(self, stores: Stores) -> None:
        for each, when in ((A, day(5)), (B, day(2))):
            await stores.library.save_document(each)
            await stores.library.withdraw(each.id, at=when)
        found = [(item.key, when) for item, when in await stores.library.withdrawn()]
        assert found == [("b.pdf", day(2)), ("a.pdf", day(5))]
        late = [item.key for item, _ in await stores.library.withdrawn(before=day(1), after=day(4))]
        assert late == ["a.pdf"]
        early = [item.key for item, _ in await stores.library.withdrawn(before=day(2))]
        assert early == ["b.pdf"]

    async def test_twice_or_of_nothing_is_no(self, stores: Stores) -> None:
        assert not await stores.library.withdraw(A.id, at=day(1))
        await stores.library.save_document(A)
        assert await stores.library.withdraw(A.id, at=day(1))
        assert not await stores.library.withdraw(A.id, at=day(2))

    async def test_what_is_deleted_does_not_come_back(self, stores: Stores) -> None:
        await two_versions(stores.library)
        await stores.library.withdraw(A.id, at=day(4))
        await stores.library.delete_document(A.id, at=day(5))
        assert not await stores.library.restore(A.id)
        assert await stores.library.withdrawn() == []
        assert await searched(stores.library) == []


class TestCollection:
    async def test_finds_what_was_superseded_long_ago(self, stores: Stores) -> None:
        old, _ = await two_versions(stores.library)
        assert await stores.library.superseded(before=day(2)) == []
        assert [item.id for item in await stores.library.superseded(before=day(3))] == [old]

    async def test_takes_what_an_old_version_says(self, stores: Stores) -> None:
        old, new = await two_versions(stores.library)
        await stores.library.delete_version(old, at=day(9))
        gone = await stores.library.version(old)
        assert gone is not None
        assert (gone.status, gone.seen_to) == (VersionStatus.DELETED, day(3))
        assert await stores.library.passages_at(old, range(3)) == []
        assert await stores.library.kept("public", before=day(90)) == {new}

    async def test_leaves_the_active_version(self, stores: Stores) -> None:
        _, new = await two_versions(stores.library)
        await stores.library.delete_version(new, at=day(9))
        assert await searched(stores.library) == ["a.pdf"]

    async def test_finds_what_nobody_finishes(self, stores: Stores) -> None:
        await stores.library.save_document(A)
        item = await added(stores.library, version(A, "half", seen=day(1)))
        assert await stores.library.unfinished(before=day(0)) == []
        assert [each.id for each in await stores.library.unfinished(before=day(1))] == [item.id]
        await stores.library.delete_version(item.id, at=day(2))
        assert await stores.library.kept("public", before=day(90)) == set()

    async def test_knows_which_bytes_are_needed(self, stores: Stores) -> None:
        old, _ = await two_versions(stores.library)
        await stores.library.withdraw(A.id, at=day(4))
        sha256 = version(A, "one").sha256
        assert await stores.library.keeps(sha256, apart_from=[])
        assert not await stores.library.keeps(sha256, apart_from=[old])
        assert sha256 in await stores.library.needed_files()
        await stores.library.delete_document(A.id, at=day(5))
        assert not await stores.library.keeps(sha256, apart_from=[])
        assert sha256 not in await stores.library.needed_files()

    async def test_does_not_need_an_earlier_reading_of_the_same_bytes(self, stores: Stores) -> None:
        await stores.library.save_document(A)
        old = await activated(stores.library, version(A, "one"), day(0))
        new = await activated(stores.library, version(A, "one", pipeline="p2"), day(3))
        assert await stores.library.kept("public", before=day(2)) == {old, new}
        assert await stores.library.kept("public", before=day(3)) == {new}

    async def test_collections_are_remembered(self, stores: Stores) -> None:
        inner = document("i.pdf", collection="internal")
        for each in (A, inner):
            await stores.library.save_document(each)
        await stores.library.delete_document(inner.id, at=day(1))
        assert await stores.library.collections() == ["internal", "public"]


def settled(trace: str = "t1", version: str = "v2", **fields: object) -> Settled:
    base = Settled(
        trace=TraceId(trace),
        label="S1",
        version=VersionId(version),
        since=at(0),
        outcome=Recheck.CHANGED,
    )
    return replace(base, **fields)  # type: ignore[arg-type]


OLD_TO_NEW = {VersionId("v1"): Successor(VersionId("v2"), at(0))}


class TestCorrections:
    async def test_answers_that_cite_an_old_version_are_unsettled(self, stores: Stores) -> None:
        for name, cites, when in (("t2", "v1", at(2)), ("t1", "v1", at(1)), ("t3", "v9", at(3))):
            await stores.journal.record(cited(name, cites, at=when))
        assert await stores.log.cited() == ["v1", "v9"]
        assert await stores.log.unsettled(OLD_TO_NEW, limit=9) == ["t1", "t2"]
        assert await stores.log.unsettled(OLD_TO_NEW, limit=1) == ["t1"]
        assert await stores.log.unsettled({}, limit=9) == []

    async def test_once_settled_they_are_done_with_that_version(self, stores: Stores) -> None:
        await stores.journal.record(cited("t1", "v1"))
        assert await stores.log.settle([settled()], [], [], at=at(1))
        assert await stores.log.unsettled(OLD_TO_NEW, limit=9) == []
        newer = {VersionId("v1"): Successor(VersionId("v3"), at(0))}
        assert await stores.log.unsettled(newer, limit=9) == ["t1"]

    async def test_what_comes_back_is_looked_at_anew(self, stores: Stores) -> None:
        await stores.journal.record(cited("t1", "v1"))
        await stores.journal.record(cited("t2", "v1"))
        await stores.log.settle([settled(said="Neu.")], [], [], at=at(1))
        back = {VersionId("v2"): Successor(VersionId("v1"), at(2))}
        assert await stores.log.cited() == ["v1", "v2"]
        assert await stores.log.unsettled(back, limit=9) == ["t1"]
        assert await stores.log.settle([settled(version="v1", since=at(2))], [], [], at=at(3))
        assert await stores.log.unsettled(back, limit=9) == []
        again = {VersionId("v1"): Successor(VersionId("v2"), at(4))}
        assert await stores.log.unsettled(again, limit=9) == ["t1", "t2"]
        assert await stores.log.settle([settled(since=at(4))], [], [], at=at(5))
        assert not await stores.log.settle([settled(since=at(4))], [], [], at=at(6))
        assert await stores.log.unsettled(again, limit=9) == ["t2"]

    async def test_the_second_to_settle_changes_nothing(self, stores: Stores) -> None:
        await stores.journal.record(cited("t1", "v1"))
        assert await stores.log.settle([settled()], [], [reply("first")], at=at(1))
        assert not await stores.log.settle([settled()], [], [reply("second")], at=at(2))
        assert (await stores.journal.backlog()).pending == 1

    async def test_a_citation_that_moved_points_elsewhere(self, stores: Stores) -> None:
        record = cited("t1", "v1")
        await stores.journal.record(record)
        (was,) = record.citations
        now = replace(was, version=VersionId("v2"), spans=was.spans[:1])
        moved = Moved(trace=record.trace, was=was, now=now)
        assert await stores.log.settle([], [moved], [], at=at(1))
        kept = await stores.journal.answer(record.trace)
        assert isinstance(kept, AnswerRecord)
        assert kept == replace(record, citations=(now,))
        assert await stores.log.unsettled(OLD_TO_NEW, limit=9) == []

    async def test_what_is_said_goes_out_and_is_counted(self, stores: Stores) -> None:
        chat = Pseudonym("chat1")
        for name in ("t1", "t2"):
            await stores.journal.record(cited(name, "v1"))
        told = [settled(name, said="Neu.", chat=chat, reply="k") for name in ("t1", "t2")]
        await stores.log.settle(told, [], [reply("k-0")], at=at(5))
        assert await stores.log.messages_since(chat, at(4)) == 1
        assert await stores.log.messages_since(chat, at(5)) == 0
        assert await stores.log.messages_since(Pseudonym("other"), at(4)) == 0
        assert await stores.log.messages_since(None, at(4)) == 1
        assert (await stores.journal.backlog()).pending == 1

    async def test_the_last_word_counts(self, stores: Stores) -> None:
        await stores.journal.record(cited("t1", "v1"))
        assert await stores.log.last_said(TraceId("t1"), "S1") is None
        await stores.log.settle([settled(said="Zwei.")], [], [], at=at(1))
        await stores.log.settle([settled(version="v3")], [], [], at=at(2))
        assert await stores.log.last_said(TraceId("t1"), "S1") == "Zwei."
        await stores.log.settle([settled(version="v4", said="")], [], [], at=at(3))
        assert await stores.log.last_said(TraceId("t1"), "S1") == ""

    async def test_what_was_found_of_late_is_counted_by_version(self, stores: Stores) -> None:
        for name in ("t1", "t2", "t3", "t4"):
            await stores.journal.record(cited(name, "v1"))
        found = [
            (1, settled("t1", "v2")),
            (2, settled("t2", "v2", outcome=Recheck.GONE)),
            (3, settled("t3", "v3")),
            (4, settled("t4", "v4", outcome=Recheck.KEPT)),
        ]
        for minute, item in found:
            await stores.log.settle([item], [], [], at=at(minute))
        recent = await stores.log.recent(since=at(0), limit=9)
        assert recent == [
            CorrectedQuotes(version=VersionId("v3"), at=at(3), changed=1, gone=0),
            CorrectedQuotes(version=VersionId("v2"), at=at(2), changed=1, gone=1),
        ]
        assert await stores.log.recent(since=at(0), limit=1) == recent[:1]
        assert await stores.log.recent(since=at(3), limit=9) == []

    async def test_goes_with_its_record(self, stores: Stores) -> None:
        await stores.journal.record(cited("t1", "v1"))
        await stores.log.settle([settled(chat=Pseudonym("chat1"), reply="k")], [], [], at=at(1))
        await stores.journal.purge(Retention(), at=at(days=400))
        assert await stores.log.unsettled(OLD_TO_NEW, limit=9) == []
        assert await stores.log.settle([settled("gone")], [], [], at=at(days=400))


async def test_holdings_are_what_the_index_must_have(stores: Stores) -> None:
    library = stores.library
    await library.save_document(A)
    await library.save_document(replace(B, collection="internal"))
    old, new = version(A, "1" * 64, number=1), version(A, "2" * 64, number=2)
    for item, moment in ((old, day(1)), (new, day(2))):
        await activated(library, item, moment)
    kept = await activated(library, version(B, "3" * 64), day(1))
    await added(library, version(B, "4" * 64, number=2))  # pending: nobody can read it yet
    found = await library.holdings()
    assert [(each.version, each.passages, each.kept) for each in found[:2]] == [
        (each.version, 3, 3) for each in found[:2]
    ]
    assert {each.version for each in found} == {old.id, new.id, kept}
    assert found[-1].version == old.id  # active ones come first
    assert [each.version for each in await library.holdings(["internal"])] == [kept]
    await library.withdraw(B.id, at=day(3))
    assert len(await library.holdings()) == 3
    await library.delete_document(B.id, at=day(3))
    assert kept not in {each.version for each in await library.holdings()}


async def test_another_reading_of_the_same_bytes_needs_no_points(stores: Stores) -> None:
    library = stores.library
    await library.save_document(A)
    first = version(A, "1" * 64)
    await activated(library, first, day(1))
    second = replace(first, id=VersionId("00000000-0000-5000-8000-000000000001"), pipeline="another")
    await activated(library, second, day(2))
    assert [each.version for each in await library.holdings()] == [second.id]


async def test_what_was_lost_is_filled_in_again(stores: Stores) -> None:
    library = stores.library
    await library.save_document(A)
    item = version(A)
    await activated(library, item, day(1))
    await library.refill(item.id, [page(1)], [passage(item, n) for n in range(2)])
    (found,) = await library.holdings()
    assert (found.passages, found.kept) == (2, 2)
    assert [each.ordinal for each in await library.passages_at(item.id, range(5))] == [0, 1]
    assert [each.number async for each in library.pages(item.id)] == [1]
    await library.delete_document(A.id, at=day(2))
    await library.refill(item.id, [page(1)], [passage(item, 0)])
    assert await library.passages_at(item.id, range(5)) == []
