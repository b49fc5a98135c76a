"""A database moves to another store with every row of every table, whatever interrupts it on the way."""

import asyncio
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.database.database import Database
from adapters.database.snapshots import MARK, copy_database, is_marked
from adapters.database.tables import metadata
from core.errors import Broken, Refused
from tests.support.any_rows import any_rows
from tests.support.databases import postgresql_url, sqlite_url

ROOT = Path(__file__).parents[2]


def quiet(table: str, done: int, tables: int) -> None:
    """Says nothing."""


async def filled(url: str, count: int = 12) -> dict[str, list[dict[str, Any]]]:
    database = await Database.open(url)
    rows = any_rows(metadata, count, seed=7)
    async with database.write() as connection:
        for table in metadata.sorted_tables:
            await connection.execute(table.insert(), rows[table.name])
    await database.close()
    return rows


async def content(url: str) -> dict[str, list[tuple[Any, ...]]]:
    database = await Database.open(url)
    async with database.read() as connection:
        found = {
            table.name: sorted(map(tuple, (await connection.execute(table.select())).all()), key=repr)
            for table in metadata.sorted_tables
        }
    await database.close()
    return found


@pytest.fixture(params=["to PostgreSQL", "to SQLite"])
async def ends(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """Where from and where to."""
    urls = (sqlite_url(tmp_path / "a.db"), await postgresql_url(request.getfixturevalue("postgresql")))
    return urls if request.param == "to PostgreSQL" else urls[::-1]


async def test_every_row_of_every_table_arrives_as_it_was(ends: tuple[str, str]) -> None:
    rows = await filled(ends[0])
    assert await copy_database(*ends, quiet) == {name: len(found) for name, found in rows.items()}
    assert await content(ends[1]) == await content(ends[0])
    assert all(rows.values())


async def test_numbers_go_on_behind_the_highest_one(ends: tuple[str, str]) -> None:
    await filled(ends[0])
    await copy_database(*ends, quiet)
    target = await Database.open(ends[1])
    async with target.write() as connection:
        for table in metadata.sorted_tables:
            column = table.autoincrement_column
            if column is None:
                continue
            highest = (await connection.execute(sa.select(sa.func.max(column)))).scalar()
            values = any_rows(metadata, 40, seed=8)[table.name][-1]
            del values[column.name]
            values |= {c.name: await _first(connection, c) for c in table.columns if c.foreign_keys}
            made = (await connection.execute(table.insert().values(values))).inserted_primary_key
            assert made is not None
            assert made[0] > (highest or 0)
    await target.close()


async def _first(connection: Any, column: sa.Column[Any]) -> Any:
    (other,) = {key.column for key in column.foreign_keys}
    return (await connection.execute(sa.select(other).limit(1))).scalar()


@pytest.mark.parametrize(
    "stopped_at", [0, 1, len(metadata.sorted_tables) // 2, len(metadata.sorted_tables) - 1]
)
async def test_interrupted_it_goes_on_and_the_half_of_it_is_no_library(
    ends: tuple[str, str], stopped_at: int
) -> None:
    def stop(table: str, done: int, tables: int) -> None:
        if done == stopped_at:
            raise KeyError(table)

    await filled(ends[0])
    with pytest.raises(KeyError):
        await copy_database(*ends, stop)
    with pytest.raises(Broken, match="run `fundstelle move` again"):
        await Database.open(ends[1])
    await copy_database(*ends, quiet)
    assert await content(ends[1]) == await content(ends[0])


async def test_what_changed_meanwhile_arrives_as_well(ends: tuple[str, str]) -> None:
    def stop(table: str, done: int, tables: int) -> None:
        if done == tables - 1:
            raise KeyError(table)

    await filled(ends[0])
    with pytest.raises(KeyError):
        await copy_database(*ends, stop)
    source = await Database.open(ends[0])
    async with source.write() as connection:
        await connection.execute(metadata.tables["documents"].update().values(title="renamed"))
    await source.close()
    await copy_database(*ends, quiet)
    assert "renamed" in str((await content(ends[1]))["documents"])
    assert await content(ends[1]) == await content(ends[0])


async def test_a_target_that_holds_something_is_refused_and_left_alone(ends: tuple[str, str]) -> None:
    await filled(ends[0])
    await filled(ends[1], count=3)
    before = await content(ends[1])
    with pytest.raises(Refused, match="not empty"):
        await copy_database(*ends, quiet)
    assert await content(ends[1]) == before


async def test_once_more_it_finds_everything_there(ends: tuple[str, str]) -> None:
    rows = await filled(ends[0])
    first = await copy_database(*ends, quiet)
    assert await copy_database(*ends, quiet) == first == {name: len(found) for name, found in rows.items()}


async def test_another_library_on_its_way_is_not_mixed_in(ends: tuple[str, str]) -> None:
    await filled(ends[0])
    target = await Database.open(ends[1])
    async with target.write() as connection:
        await connection.run_sync(MARK.create)
        await connection.execute(MARK.insert().values(library="another"))
    await target.close()
    with pytest.raises(Refused, match="another library"):
        await copy_database(*ends, quiet)


async def test_the_database_itself_is_no_target(ends: tuple[str, str]) -> None:
    await filled(ends[0])
    with pytest.raises(Refused, match="itself"):
        await copy_database(ends[0], ends[0], quiet)


async def test_an_empty_source_is_nothing_to_move(ends: tuple[str, str]) -> None:
    with pytest.raises(Refused, match="nothing to move"):
        await copy_database(*ends, quiet)


async def test_nobody_writes_to_the_source_meanwhile(ends: tuple[str, str]) -> None:
    await filled(ends[0])
    writing: list[asyncio.Task[None]] = []

    async def write() -> None:
        source = await Database.open(ends[0])
        async with source.write() as connection:
            await connection.execute(metadata.tables["documents"].update().values(title="late"))
        await source.close()

    def begin(table: str, done: int, tables: int) -> None:
        if done == 0:
            writing.append(asyncio.get_running_loop().create_task(write()))

    await copy_database(*ends, begin)
    await asyncio.gather(*writing)
    assert "late" not in str((await content(ends[1]))["documents"])
    assert "late" in str((await content(ends[0]))["documents"])


CHILD = "import asyncio, sys; from adapters.database.snapshots import copy_database as c;" + (
    "asyncio.run(c(sys.argv[1], sys.argv[2], lambda *step: print(*step, flush=True)))"
)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_twenty_kills_lose_and_change_nothing(ends: tuple[str, str]) -> None:
    await filled(ends[0], count=300)
    wanted = await content(ends[0])
    chance, kills = random.Random(3), 0
    while kills < 20:
        kills += await asyncio.to_thread(_killed, ends, chance.uniform(0, 0.2))
        if not await _on_its_way(ends[1]):  # also where the kill came too late
            assert await content(ends[1]) == wanted
            await _emptied(ends[1])
    await copy_database(*ends, quiet)
    assert await content(ends[1]) == wanted
    assert await content(ends[0]) == wanted


def _killed(ends: tuple[str, str], after_s: float) -> bool:
    """Kill a move some time after its first table; False where it had ended by then."""
    command = [sys.executable, "-c", CHILD, *ends]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(after_s)
        child.kill()
    return child.returncode == -signal.SIGKILL


async def _on_its_way(url: str) -> bool:
    database = await Database.open(url, unfinished=True)
    async with database.read() as connection:
        marked = await connection.run_sync(is_marked)
    await database.close()
    return marked


async def _emptied(url: str) -> None:
    database = await Database.open(url)
    async with database.write() as connection:
        for table in reversed(metadata.sorted_tables):
            await connection.execute(table.delete())
    await database.close()
