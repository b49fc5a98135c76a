"""One process serves a database: the second is refused, the dead one's place is taken."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from bot.service.serving_lease import LEASE, TERM, ServingLease, has_died, this_process
from bot.settings.tree import load
from bot.wiring import composition
from core.errors import Broken, Unavailable
from tests.support.databases import sqlite_url
from tests.support.fake_platform import FakePlatform, ManualClock
from tests.support.world import populated


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[SqlSources]:
    database = await Database.open(sqlite_url(tmp_path / "library.db"))
    yield SqlSources(database)
    await database.close()


async def _nothing(_: float) -> None:
    """No pause."""


def _lease(journal: SqlSources, clock: ManualClock, holder: str = "") -> ServingLease:
    return ServingLease(journal, clock, holder=holder or this_process(), pause=_nothing)


async def test_the_second_is_told_who_serves(journal: SqlSources) -> None:
    clock = ManualClock()
    await _lease(journal, clock).take()
    with pytest.raises(
        Broken, match=rf"process {os.getpid()}, since \d{{4}}-\d\d-\d\d \d\d:\d\d UTC serves this database"
    ):
        await _lease(journal, clock, "another").take()
    await _lease(journal, clock).release()
    await _lease(journal, clock, "another").take()


def _other_process() -> "subprocess.Popen[str]":
    """Says its name and lives on."""
    code = (
        "import time; from bot.service.serving_lease import this_process;"
        "print(this_process(), flush=True); time.sleep(99)"
    )
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


async def test_a_killed_process_is_followed_at_once(journal: SqlSources) -> None:
    with _other_process() as child:
        assert child.stdout is not None
        holder = child.stdout.readline().strip()
        clock = ManualClock()
        await _lease(journal, clock, holder).take()
        assert not has_died(holder)
        with pytest.raises(Broken, match=f"process {child.pid}"):
            await _lease(journal, clock).take()
        child.kill()
    assert has_died(holder)
    await _lease(journal, clock).take()


def test_only_what_is_surely_dead_is_dead() -> None:
    """A clock that was set moves the times at which processes began: a live one is not followed for that."""
    name, _, _ = this_process().partition(" process ")
    assert has_died(
        f"{name} process {os.getpid()}, since 1999-12-31 23:59:59.000000"
    )  # of the container before
    assert not has_died(this_process())
    assert not has_died(f"{name} process {os.getppid()}, since 1999-12-31 23:59:59.000000")
    assert not has_died("elsewhere process 1, since 1.00")
    assert not has_died("what nobody wrote")


async def test_of_another_machine_it_is_taken_over_when_its_term_is_over(journal: SqlSources) -> None:
    clock = ManualClock()
    await _lease(journal, clock, "elsewhere process 1, since 1.00").take()
    with pytest.raises(Broken, match="try again in 45 seconds"):
        await _lease(journal, clock).take()
    clock.advance(seconds=TERM.seconds + 1)
    await _lease(journal, clock).take()


async def test_who_was_away_for_too_long_ends(journal: SqlSources) -> None:
    clock = ManualClock()
    ours = _lease(journal, clock)
    await ours.take()
    clock.advance(seconds=TERM.seconds + 1)
    await _lease(journal, clock, "another").take()
    with pytest.raises(Broken, match="another has taken over"):
        await ours.keep()


async def test_a_database_that_is_away_does_not_end_it(
    journal: SqlSources, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, calls = ManualClock(), 0
    ours = _lease(journal, clock)
    await ours.take()
    plain = journal.take_lease

    async def away(*given: object, **named: object) -> bool:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise Unavailable("database.unavailable")
        await journal.release_lease(LEASE, ours.holder)
        await plain(LEASE, "another", at=clock.now(), until=clock.now() + TERM)
        return await plain(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(journal, "take_lease", away)
    with pytest.raises(Broken, match="taken over"):
        await ours.keep()
    assert calls == 3


async def test_serve_begins_only_with_the_lease_and_gives_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform, world = FakePlatform(), await populated()
    monkeypatch.setattr(composition, "platforms", lambda *_: {"telegram": platform})
    (tmp_path / "fundstelle.toml").write_text("open = true\n[http]\nport = 0\n")
    journal = world.app.sources.jobs.journal
    other = ServingLease(journal, world.app.clock, holder="elsewhere process 1, since 1")
    await other.take()
    with pytest.raises(Broken, match="elsewhere process 1"):
        await world.use(load(data=tmp_path).settings).server.run(print)
    assert platform.closed
    assert platform.texts() == []
