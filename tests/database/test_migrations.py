import asyncio
import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from adapters.database.database import Database, engine_for
from adapters.database.journal import SqlJournal
from adapters.database.library import SqlLibrary
from adapters.database.migrate import newest, scripts
from adapters.database.snapshots import SqlStore, copy_database
from adapters.database.tables import metadata
from core.domain.journal import Pseudonym, Pseudonyms
from core.errors import Broken
from tests.database.test_moving import content, filled
from tests.support.databases import emptied, with_another_step
from tests.support.fake_journal import KEY
from tests.support.journal_examples import at
from tests.support.library_examples import document

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/folder to make/100%.db"
    return await emptied(request.getfixturevalue("postgresql"))


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = await Database.open(url)
    yield opened
    await opened.close()


def difference(connection: Connection) -> list[object]:
    options = {"compare_type": True, "compare_server_default": True}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))


async def set_revision(url: str, revision: str) -> None:
    database = await Database.open(url)
    async with database.write() as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = :r"), {"r": revision})
    await database.close()


def table_names(connection: Connection) -> set[str]:
    return set(sa.inspect(connection).get_table_names()) - {"alembic_version"}


async def test_migrations_make_what_the_tables_say(database: Database) -> None:
    async with database.read() as connection:
        assert await connection.run_sync(table_names) == set(metadata.tables)
        assert await connection.run_sync(difference) == []


def test_newest_script_is_the_head() -> None:
    assert ScriptDirectory(str(scripts())).get_current_head() == newest()


async def test_a_missing_column_would_be_noticed(database: Database) -> None:
    async with database.write() as connection:
        await connection.exec_driver_sql("ALTER TABLE parties DROP COLUMN members")
        assert await connection.run_sync(difference) != []


async def test_failed_migration_leaves_nothing(url: str) -> None:
    engine = engine_for(url)
    database = Database(engine)
    async with database.write() as connection:
        await connection.exec_driver_sql("CREATE TABLE versions (id TEXT)")  # stands in the way
    with pytest.raises(Broken):
        await Database.open(url)
    async with database.read() as connection:
        assert await connection.run_sync(table_names) == {"versions"}
    await database.close()


async def test_database_of_a_newer_product(url: str) -> None:
    await (await Database.open(url)).close()
    await set_revision(url, "9999")
    with pytest.raises(Broken) as caught:
        await Database.open(url)
    assert caught.value.key == "database.newer"


async def test_opening_again_keeps_everything(url: str) -> None:
    library = await SqlLibrary.open(url)
    await library.save_document(document())
    await library.close()
    again = await SqlLibrary.open(url)
    assert await again.documents() == [document()]
    await again.close()


async def test_opening_many_times_at_once(url: str) -> None:
    opened = await asyncio.gather(*(SqlLibrary.open(url) for _ in range(8)))
    await asyncio.gather(*(library.save_document(document(f"{n}.pdf")) for n, library in enumerate(opened)))
    assert len(await opened[0].documents()) == 8
    await asyncio.gather(*(library.close() for library in opened))


OPEN_AND_WRITE = """
import asyncio, sys
from adapters.database.journal import SqlJournal
from adapters.database.library import SqlLibrary
from tests.support.library_examples import document

async def main():
    library = await SqlLibrary.open(sys.argv[1])
    for number in range(5):
        await library.save_document(document(f"{sys.argv[2]}-{number}.pdf"))
    await library.close()

asyncio.run(main())
"""


@pytest.mark.slow
async def test_opening_from_several_processes(url: str) -> None:
    started = (
        asyncio.create_subprocess_exec(
            *(sys.executable, "-W", "error", "-c", OPEN_AND_WRITE, url, str(n)),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for n in range(2)
    )
    said = [await process.communicate() for process in await asyncio.gather(*started)]
    assert [output for output, _ in said] == [b""] * 2
    library = await SqlLibrary.open(url)
    assert len(await library.documents()) == 10
    await library.close()


async def test_a_schema_that_was_made_step_by_step_is_the_same(tmp_path: Path) -> None:
    file = tmp_path / "fundstelle.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as made:
        made.executescript((ROOT / "tests" / "data" / "schema_0018.sql").read_text())
    database = await Database.open(f"sqlite:///{file}", outdated=True)
    await database.migrate()
    await database.close()
    rows = await filled(f"sqlite:///{file}")
    database = await Database.open(f"sqlite:///{file}")
    async with database.read() as connection:
        assert await connection.run_sync(difference) == []
    await database.close()
    found = await content(f"sqlite:///{file}")
    assert {name: len(each) for name, each in found.items()} == {
        name: len(each) for name, each in rows.items()
    }


@pytest.mark.parametrize("outdated", [False, True])
async def test_a_schema_from_before_the_first_is_refused_and_left_alone(url: str, outdated: bool) -> None:
    await (await Database.open(url)).close()
    await set_revision(url, "0017")
    with pytest.raises(Broken, match=r"0017.*earlier build.*ingest") as caught:
        await Database.open(url, outdated=outdated)
    assert caught.value.key == "database.too_old"
    database = Database(engine_for(url))
    assert await database.revision() == "0017"
    await database.close()


async def test_an_older_schema_gets_the_steps_it_lacks(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = await filled(url)
    before = with_another_step(monkeypatch, tmp_path / "steps")
    ahead = f"{int(before) + 1:04}"
    with pytest.raises(Broken) as caught:
        await Database.open(url)
    assert (caught.value.key, caught.value.values) == (
        "database.older",
        {"found": before, "wanted": ahead},
    )
    database = await Database.open(url, outdated=True)
    await database.migrate()
    assert await database.revision() == newest() == ahead
    async with database.read() as connection:
        steps = await connection.execute(sa.text("SELECT count(*), count(step_ahead) FROM documents"))
        assert tuple(steps.one()) == (len(rows["documents"]), 0)
    await database.close()


async def ahead(url: str, folder: Path, *, compatible: bool) -> None:
    """The database gets a step of a newer version."""
    await (await Database.open(url)).close()
    with pytest.MonkeyPatch.context() as newer:
        with_another_step(newer, folder, compatible=compatible)
        database = await Database.open(url, outdated=True)
        await database.migrate()
        await database.close()


@pytest.mark.parametrize("compatible", [True, False])
async def test_a_newer_schema_says_who_can_work_with_it(url: str, tmp_path: Path, compatible: bool) -> None:
    await ahead(url, tmp_path / "steps", compatible=compatible)
    if not compatible:
        with pytest.raises(Broken) as caught:
            await Database.open(url)
        assert caught.value.key == "database.newer"
        return
    library = await SqlLibrary.open(url)
    await library.save_document(document())
    assert await library.documents() == [document()]
    await library.close()


async def test_what_must_miss_nothing_is_refused_beside_a_newer_schema(url: str, tmp_path: Path) -> None:
    await ahead(url, tmp_path / "steps", compatible=True)
    journal = SqlJournal(await Database.open(url), Pseudonyms(KEY))
    target = f"sqlite:///{tmp_path / 'other.db'}"
    for refused in (
        copy_database(url, target, lambda *_: None),
        journal.forget(Pseudonym("p"), private_chat=None, at=at()),
        SqlStore(url).copy_to(tmp_path / "copy.db"),
    ):
        with pytest.raises(Broken) as caught:
            await refused
        assert caught.value.key == "database.newer"
    await journal.close()


async def test_steps_that_did_not_say_who_can_work_with_them_are_refused(url: str, tmp_path: Path) -> None:
    """As by Alembic's own command, which leaves the mark of before."""
    await ahead(url, tmp_path / "steps", compatible=True)
    await set_revision(url, f"{int(newest()) + 2:04}")
    with pytest.raises(Broken) as caught:
        await Database.open(url)
    assert caught.value.key == "database.newer"


def test_a_step_is_compatible_from_an_earlier_schema_or_its_own() -> None:
    steps = {each.revision: each.module for each in ScriptDirectory(str(scripts())).walk_revisions()}
    stated = {
        revision: module.compatible_from
        for revision, module in steps.items()
        if hasattr(module, "compatible_from")
    }
    assert stated
    assert all(oldest in steps and oldest <= revision for revision, oldest in stated.items())


async def test_a_table_that_is_kept_is_waited_for_without_a_queue_behind(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = await emptied(postgresql)
    library = await SqlLibrary.open(url)
    database = Database(engine_for(url))
    with_another_step(monkeypatch, tmp_path / "steps", compatible=True)
    migrating = await Database.open(url, outdated=True)
    async with database.read() as reading:
        await reading.exec_driver_sql("SELECT * FROM documents")  # keeps the table until its end
        task = asyncio.create_task(migrating.migrate())
        for _ in range(5):
            assert await library.documents() == []
            await asyncio.sleep(0.2)
        assert not task.done()
    await task
    assert await migrating.revision() == newest()
    for each in (library, database, migrating):
        await each.close()
