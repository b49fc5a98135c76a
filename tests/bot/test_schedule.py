"""The schedule: APScheduler waits, the database says for what."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.library.sources.jobs import LEASE
from bot.periodic import Supervisor
from bot.service.schedule import LEASE_TERM, Schedule
from core.domain.ids import DocumentId
from core.domain.ingestion import CheckResult, IngestReceipt, SourceState
from core.errors import Unavailable
from tests.support.refreshing import URL, Refreshed, id_of, listed, programme

OTHER = "https://example.org/other.pdf"


class Looks:
    """A watcher that counts."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.count = 0
        self.fault = fault

    async def look(self) -> list[IngestReceipt]:
        self.count += 1
        if self.fault:
            raise self.fault
        return []


@pytest.fixture
async def world(tmp_path: Path) -> Refreshed:
    world = await Refreshed(tmp_path).listing(listed(), listed(OTHER, title="Anderes"))
    world.source.web |= {URL: programme(2), OTHER: programme(3)}
    world.clock.time = datetime.now(UTC)  # APScheduler goes by the machine's clock
    return world


def schedule_of(world: Refreshed, watcher: Looks | None = None) -> Schedule:
    return Schedule(world.refresher, watcher or Looks(), watch_s=0.05, sync_s=0.02)  # type: ignore[arg-type]


@asynccontextmanager
async def running(schedule: Schedule) -> AsyncIterator[None]:
    task = asyncio.create_task(schedule.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; the run's limit of time says when it never is."""
    while not is_so():  # noqa: ASYNC110 - what is waited for has no event
        await asyncio.sleep(0.01)


def results(world: Refreshed) -> dict[DocumentId, CheckResult | None]:
    return {document: state.result for document, state in world.journal._sources.items()}


class TestRuns:
    async def test_what_is_due_is_looked_at(self, world: Refreshed) -> None:
        async with running(schedule_of(world)):
            await until(lambda: len(results(world)) == 2)
        assert set(results(world).values()) == {CheckResult.INDEXED}

    async def test_what_was_missed_is_made_up_for_once(self, world: Refreshed) -> None:
        """The bot was down for days; a source that was due every hour is looked at once."""
        world.clock.pass_(days=-3)
        for url in (URL, OTHER):
            await world.check(url)
        world.source.requests.clear()
        world.clock.pass_(days=3)
        async with running(schedule_of(world)):
            await until(lambda: len(world.source.requests) == 2)
            await asyncio.sleep(0.2)
        assert sorted(url for url, _ in world.source.requests) == [OTHER, URL]

    async def test_what_is_not_due_waits(self, world: Refreshed) -> None:
        for url in (URL, OTHER):
            await world.check(url)
        schedule = schedule_of(world)
        later = datetime.now(UTC) + timedelta(days=1)
        for url in (URL, OTHER):
            await world.journal.run_at(id_of(url), later)
        world.source.requests.clear()
        async with running(schedule):
            await asyncio.sleep(0.2)
            assert schedule.planned() == {id_of(url): later for url in (URL, OTHER)}
        assert world.source.requests == []

    async def test_run_now_reaches_a_running_bot(self, world: Refreshed) -> None:
        for url in (URL, OTHER):
            await world.check(url)
            await world.journal.run_at(id_of(url), datetime.now(UTC) + timedelta(days=1))
        world.source.requests.clear()
        async with running(schedule_of(world)):
            await asyncio.sleep(0.1)
            await world.jobs.request(await world.jobs.find("Anderes"))  # as another process does
            await until(lambda: bool(world.source.requests))
        assert {url for url, _ in world.source.requests} == {OTHER}

    async def test_a_removed_document_is_dropped(self, world: Refreshed) -> None:
        await world.check(URL)
        await world.journal.run_at(id_of(), datetime.now(UTC) + timedelta(days=1))
        schedule = schedule_of(world)
        async with running(schedule):
            await until(lambda: id_of() in schedule.planned())
            await world.ingester.remove(id_of())
            await until(lambda: id_of() not in schedule.planned())

    async def test_folders_are_looked_at_again_and_again(self, world: Refreshed) -> None:
        looks = Looks()
        async with running(schedule_of(world, looks)):
            await until(lambda: looks.count >= 3)


class TestLease:
    async def test_one_process_schedules(self, world: Refreshed) -> None:
        one, two = schedule_of(world), schedule_of(world)
        async with running(one):
            await until(lambda: len(results(world)) == 2)
            async with running(two):
                await asyncio.sleep(0.1)
                assert two.planned() == {}
            assert one.planned() != {}

    async def test_the_next_one_takes_over(self, world: Refreshed) -> None:
        async with running(schedule_of(world)):
            await until(lambda: len(results(world)) == 2)
        assert not await world.jobs.is_served()
        two = schedule_of(world)
        async with running(two):
            await until(lambda: len(two.planned()) == 2)
            assert await world.jobs.is_served()

    async def test_after_a_crash_the_lease_runs_out(self, world: Refreshed) -> None:
        await world.journal.take_lease(LEASE, "crashed", term=LEASE_TERM)
        schedule = schedule_of(world)
        async with running(schedule):
            await asyncio.sleep(0.1)
            assert results(world) == {}
            world.journal.time += LEASE_TERM
            await until(lambda: len(results(world)) == 2)

    async def test_a_database_that_does_not_answer_ends_nothing(
        self, world: Refreshed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plain, calls = world.journal.take_lease, []

        async def failing(*given: object, **named: object) -> bool:
            calls.append(given)
            if len(calls) < 3:
                raise Unavailable("database.unavailable")
            return await plain(*given, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(world.journal, "take_lease", failing)
        async with running(schedule_of(world)):
            await until(lambda: len(results(world)) == 2)


class TestFaults:
    async def test_of_looking_around_are_counted(self, world: Refreshed) -> None:
        supervisor = Supervisor()
        looks = Looks(ValueError())
        schedule = Schedule(
            world.refresher,
            looks,  # type: ignore[arg-type]
            watch_s=0.05,
            sync_s=0.02,
            supervisor=supervisor,
        )
        async with running(schedule):
            await until(lambda: looks.count >= 3)
        assert supervisor.failures["watched folders"] >= 2

    async def test_of_one_source_do_not_touch_others(self, world: Refreshed) -> None:
        world.source.web[URL] = Unavailable("url.server", "status 503")
        async with running(schedule_of(world)):
            await until(lambda: len(results(world)) == 2)
        assert results(world) == {id_of(): CheckResult.FAILED, id_of(OTHER): CheckResult.INDEXED}
        state = await world.journal.source(id_of())
        assert isinstance(state, SourceState)
        assert state.failures == 1
