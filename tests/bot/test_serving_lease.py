"""One process serves a database: the second is refused, the dead one's place is taken."""

import os
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from bot.service.serving_lease import LEASE, TERM, ServingLease, has_died, this_process, told
from bot.settings.tree import load
from core.errors import Broken, Unavailable
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.fake_platform import FakePlatform
from tests.support.leases import NAMESPACES, held_by_term, may_unshare, other_process
from tests.support.world import populated

pytestmark = pytest.mark.thorough

EARLIER = "elsewhere process 1, since 1.00"
"""As earlier versions called themselves."""


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "library.db")
    return await postgresql_url(request.getfixturevalue("postgresql"))


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = await Database.open(url)
    yield opened
    await opened.close()


@pytest.fixture
def journal(database: Database) -> SqlSources:
    return SqlSources(database)


async def _nothing(_: float) -> None:
    """No pause."""


def _lease(journal: SqlSources, holder: str = "") -> ServingLease:
    return ServingLease(journal, holder=holder or this_process(), pause=_nothing)


async def test_the_second_is_told_who_serves(journal: SqlSources) -> None:
    ours = _lease(journal)
    await ours.take()
    with pytest.raises(
        Broken, match=rf"process {os.getpid()}, since \d{{4}}-\d\d-\d\d \d\d:\d\d UTC serves this database"
    ):
        await _lease(journal).take()
    await ours.release()
    await _lease(journal).take()


async def test_a_killed_process_is_followed_at_once(url: str, journal: SqlSources) -> None:
    with other_process(url) as (child, said):
        holder = said.removeprefix("serves ")
        assert not has_died(holder)
        with pytest.raises(Broken, match=f"process {child.pid}"):
            await _lease(journal).take()
        child.kill()
    assert has_died(holder)
    await _lease(journal).take()


@pytest.mark.parametrize("clock_fast_s", [0, 120, 86_400])
@pytest.mark.parametrize("unshared", [(), *NAMESPACES.values()], ids=["none", *NAMESPACES])
async def test_a_living_process_is_not_followed_from_elsewhere(
    url: str, journal: SqlSources, unshared: tuple[str, ...], clock_fast_s: int
) -> None:
    """The one that comes has another clock, or sees no process of our number, or another one."""
    if unshared and not may_unshare(unshared):
        pytest.skip(f"no namespaces can be made here: unshare {' '.join(unshared)}")
    ours = _lease(journal)
    await ours.take()
    with other_process(url, unshared=unshared, fast_s=clock_fast_s) as (_, said):
        assert said == "serve.already"
    assert await journal.renew_lease(LEASE, ours.holder, term=TERM)


@pytest.mark.parametrize("unshared", NAMESPACES.values(), ids=NAMESPACES)
async def test_a_process_in_another_namespace_is_followed_when_it_has_died(
    url: str, database: Database, unshared: tuple[str, ...]
) -> None:
    if not may_unshare(unshared):
        pytest.skip(f"no namespaces can be made here: unshare {' '.join(unshared)}")
    journal = SqlSources(database)
    with other_process(url, unshared=unshared) as (_, said):
        holder = said.removeprefix("serves ")
        assert holder != said
        assert not has_died(holder)
        with pytest.raises(Broken):
            await _lease(journal).take()
    assert not has_died(holder)
    if url.startswith("postgresql"):  # nobody here can know
        with pytest.raises(Broken, match="try again in 45 seconds"):
            await _lease(journal).take()
        await held_by_term(database, LEASE, holder, timedelta(seconds=-1))
    await _lease(journal).take()


def test_only_what_is_surely_dead_is_dead() -> None:
    """A clock that was set moves the times at which processes began: a live one is not followed for that."""
    ours = this_process()
    said, _, mark = ours.removesuffix("]").rpartition(" [")
    boot, namespaces, number, began, token = mark.split()

    def name(boot: str = boot, namespaces: str = namespaces, number: str = number, began: str = began) -> str:
        return f"{said} [{boot} {namespaces} {number} {began} {token}]"

    assert name() == ours
    assert this_process() != ours
    assert not has_died(ours)
    assert has_died(name(began=str(int(began) - 1)))  # of the container before
    nobody = "4194304"  # the largest number that there is, plus one
    assert has_died(name(number=nobody))
    assert not has_died(name(number=nobody, boot="another"))
    assert not has_died(name(number=nobody, namespaces="1.2"))
    assert not has_died(said)
    assert not has_died(said.replace(f"process {os.getpid()}", f"process {nobody}"))
    assert not has_died(EARLIER)
    assert not has_died("what nobody wrote")


def test_people_are_told_the_minute() -> None:
    name = "host (12345678) process 7, since 2026-03-01 12:30:59.123456"
    assert (
        told(f"{name} [b 1.2 7 99 t]")
        == told(name)
        == "host (12345678) process 7, since 2026-03-01 12:30 UTC"
    )


async def test_an_earlier_version_is_followed_when_its_term_is_over(database: Database) -> None:
    journal = SqlSources(database)
    await held_by_term(database, LEASE, EARLIER, TERM)
    with pytest.raises(Broken, match="try again in 45 seconds"):
        await _lease(journal).take()
    await held_by_term(database, LEASE, EARLIER, timedelta(seconds=-1))
    await _lease(journal).take()


async def test_who_was_away_for_too_long_ends(database: Database) -> None:
    journal = SqlSources(database)
    ours = _lease(journal)
    await ours.take()
    await held_by_term(database, LEASE, EARLIER, TERM)
    with pytest.raises(Broken, match=r"elsewhere process 1, since .* has taken over"):
        await ours.keep()


async def test_who_lost_it_ends_though_nobody_has_it_now(database: Database) -> None:
    journal = SqlSources(database)
    ours = _lease(journal)
    await ours.take()
    await held_by_term(database, LEASE, EARLIER, TERM)
    await journal.release_lease(LEASE, EARLIER)
    with pytest.raises(Broken, match="another process has taken over"):
        await ours.keep()


async def test_what_is_beside_a_file_lost_does_not_let_a_second_in(tmp_path: Path) -> None:
    """Somebody has tidied up the folder of the locks: the row and its term are left."""
    url = sqlite_url(tmp_path / "library.db")
    one, two = await Database.open(url), await Database.open(url)
    await _lease(SqlSources(one)).take()
    for file in (tmp_path / "library.db.leases").iterdir():
        file.unlink()
    with pytest.raises(Broken, match="serves this database"):
        await _lease(SqlSources(two)).take()
    await one.close()
    await two.close()


async def test_a_database_that_is_away_does_not_end_it(
    journal: SqlSources, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0
    ours = _lease(journal)
    await ours.take()
    plain = journal.renew_lease

    async def away(*given: object, **named: object) -> bool:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise Unavailable("database.unavailable")
        await journal.release_lease(LEASE, ours.holder)
        return await plain(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(journal, "renew_lease", away)
    with pytest.raises(Broken, match="taken over"):
        await ours.keep()
    assert calls == 3


async def test_the_server_says_what_time_it_is(url: str, journal: SqlSources) -> None:
    there = await journal.server_time()
    assert (there is None) == url.startswith("sqlite")
    assert there is None or abs(there - datetime.now(there.tzinfo)) < timedelta(minutes=1)


async def test_serve_begins_only_with_the_lease_and_gives_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform, world = FakePlatform(), await populated()
    monkeypatch.setattr("bot.wiring.platforms.platforms", lambda *_: {"telegram": platform})
    (tmp_path / "fundstelle.toml").write_text("open = true\n[http]\nport = 0\n")
    other = ServingLease(world.app.sources.jobs.journal, holder="elsewhere process 1, since 1")
    await other.take()
    with pytest.raises(Broken, match="elsewhere process 1"):
        await world.use(load(data=tmp_path).settings).server.run(print)
    assert platform.closed
    assert platform.texts() == []
