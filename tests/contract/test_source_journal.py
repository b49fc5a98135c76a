"""What every `SourceJournal` does: the fake, SQLite and PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from core.domain.ids import DocumentId
from core.domain.ingestion import CheckResult, Hold, HoldReason, Revision, SourceState, WatchedFile
from core.ports.sources import SourceJournal
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_sources import FakeSources
from tests.support.leases import held_by_term

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ONE, OTHER = DocumentId("document-1"), DocumentId("document-2")
FULL = SourceState(
    document=ONE,
    revision=Revision(url="https://example.org/ä.pdf", etag='W/"7"', last_modified="Sun, 01 Mar 2026"),
    checked_at=NOW,
    result=CheckResult.HELD,
    error="url.server",
    failures=3,
    next_run=NOW + timedelta(hours=6),
    hold=Hold(
        reason=HoldReason.SHRANK, at=NOW, sha256="ab", original="ab.pdf", values={"before": 80, "now": 2}
    ),
    dismissed="shrank:cd",
)
VANISHED = replace(FULL, hold=Hold(reason=HoldReason.VANISHED, at=NOW))


@pytest.fixture(params=["fake", "sqlite", "postgresql"])
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SourceJournal]:
    if request.param == "fake":
        yield FakeSources()
        return
    sqlite = request.param == "sqlite"
    server = "" if sqlite else request.getfixturevalue("postgresql")
    database = await Database.open(
        sqlite_url(tmp_path / "sources.db") if sqlite else await postgresql_url(server)
    )
    yield SqlSources(database)
    await database.close()


class TestSources:
    @pytest.mark.parametrize("state", [FULL, VANISHED, SourceState(document=ONE)])
    async def test_come_back_as_saved(self, journal: SourceJournal, state: SourceState) -> None:
        await journal.save_source(state)
        assert await journal.source(ONE) == state
        assert await journal.sources() == [state]

    async def test_are_replaced(self, journal: SourceJournal) -> None:
        await journal.save_source(FULL)
        await journal.save_source(SourceState(document=ONE, failures=1))
        assert await journal.source(ONE) == SourceState(document=ONE, failures=1)

    async def test_unknown_ones(self, journal: SourceJournal) -> None:
        assert await journal.source(ONE) is None
        assert await journal.sources() == []
        await journal.drop_source(ONE)

    async def test_are_listed_by_document_and_forgotten(self, journal: SourceJournal) -> None:
        await journal.save_source(replace(FULL, document=OTHER))
        await journal.save_source(FULL)
        assert [state.document for state in await journal.sources()] == [ONE, OTHER]
        await journal.drop_source(ONE)
        assert [state.document for state in await journal.sources()] == [OTHER]

    async def test_the_next_run_of_a_known_source(self, journal: SourceJournal) -> None:
        await journal.save_source(FULL)
        await journal.run_at(ONE, NOW)
        assert await journal.source(ONE) == replace(FULL, next_run=NOW)

    async def test_the_next_run_of_an_unknown_source(self, journal: SourceJournal) -> None:
        await journal.run_at(ONE, NOW)
        assert await journal.source(ONE) == SourceState(document=ONE, next_run=NOW)

    async def test_approval(self, journal: SourceJournal) -> None:
        await journal.save_source(FULL)
        assert await journal.approve(ONE, at=NOW)
        assert await journal.source(ONE) == replace(FULL, approved=True, next_run=NOW)

    async def test_nothing_to_approve(self, journal: SourceJournal) -> None:
        assert not await journal.approve(ONE, at=NOW)
        await journal.save_source(SourceState(document=ONE))
        assert not await journal.approve(ONE, at=NOW)
        assert await journal.source(ONE) == SourceState(document=ONE)


class TestWatchedFiles:
    async def test_of_several_folders(self, journal: SourceJournal) -> None:
        here = [WatchedFile(folder="/a", path=name, size=2**40, mtime_ns=2**60) for name in ("1", "2")]
        there = WatchedFile(folder="/b", path="1", size=1, mtime_ns=1)
        await journal.save_watched([*reversed(here), there])
        await journal.save_watched([replace(there, size=5)])
        assert await journal.watched("/a") == here
        assert await journal.watched("/b") == [replace(there, size=5)]
        await journal.drop_watched("/a", ["1", "3"])
        assert await journal.watched("/a") == here[1:]
        assert await journal.watched("/b") == [replace(there, size=5)]


TERM = timedelta(minutes=1)


async def ended(journal: SourceJournal, holder: str, left: timedelta) -> None:
    """The lease of a process that does not renew it; an earlier version's, which took no lock."""
    if isinstance(journal, FakeSources):
        await journal.take_lease("schedule", holder, term=TERM)
        journal.time += TERM - left
    else:
        assert isinstance(journal, SqlSources)
        await held_by_term(journal._database, "schedule", holder, left)


class TestLeases:
    async def test_one_at_a_time(self, journal: SourceJournal) -> None:
        assert await journal.take_lease("schedule", "a", term=TERM)
        assert not await journal.take_lease("schedule", "b", term=TERM)
        assert await journal.take_lease("other", "b", term=TERM)
        assert await journal.lease_holder("schedule") == "a"
        assert await journal.lease_holder("third") is None

    async def test_is_renewed_by_its_holder_only(self, journal: SourceJournal) -> None:
        assert not await journal.renew_lease("schedule", "a", term=TERM)
        await journal.take_lease("schedule", "a", term=TERM)
        assert await journal.renew_lease("schedule", "a", term=TERM)
        assert await journal.take_lease("schedule", "a", term=TERM)
        assert not await journal.renew_lease("schedule", "b", term=TERM)
        assert await journal.lease_holder("schedule") == "a"

    async def test_once_lost_it_is_not_renewed_though_it_is_free(self, journal: SourceJournal) -> None:
        await ended(journal, "a", -TERM)
        assert await journal.take_lease("schedule", "b", term=TERM)
        await journal.release_lease("schedule", "b")
        assert not await journal.renew_lease("schedule", "a", term=TERM)
        assert await journal.lease_holder("schedule") is None

    async def test_runs_out(self, journal: SourceJournal) -> None:
        await ended(journal, "a", TERM / 2)
        assert await journal.lease_holder("schedule") == "a"
        assert not await journal.take_lease("schedule", "b", term=TERM)
        await ended(journal, "a", -TERM)
        assert await journal.lease_holder("schedule") is None
        assert await journal.take_lease("schedule", "b", term=TERM)

    async def test_one_of_the_future_is_nobodys(self, journal: SourceJournal) -> None:
        await ended(journal, "a", timedelta(days=30_000))
        assert await journal.lease_holder("schedule") is None
        assert await journal.take_lease("schedule", "b", term=TERM)
        assert await journal.lease_holder("schedule") == "b"

    async def test_is_given_back_by_its_holder_only(self, journal: SourceJournal) -> None:
        await journal.take_lease("schedule", "a", term=TERM)
        await journal.release_lease("schedule", "b")
        assert await journal.lease_holder("schedule") == "a"
        await journal.release_lease("schedule", "a")
        assert await journal.lease_holder("schedule") is None
        assert await journal.take_lease("schedule", "b", term=TERM)

    async def test_of_many_at_once_one_gets_it(self, journal: SourceJournal) -> None:
        names = [f"process {number}" for number in range(8)]
        taken = await asyncio.gather(*(journal.take_lease("schedule", name, term=TERM) for name in names))
        assert taken.count(True) == 1
