import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from adapters.database.corrections import SqlCorrections
from adapters.database.database import Database, engine_for
from adapters.database.jobs import SqlSources
from adapters.database.journal import SqlJournal
from adapters.database.library import SqlLibrary
from adapters.database.migrate import downgrade, newest, scripts, upgrade
from adapters.database.rows import CORRECTIONS
from adapters.database.tables import metadata
from core.domain.corrections import Recheck, Settled
from core.domain.documents import DocumentFields
from core.domain.ids import TraceId, VersionId
from core.domain.journal import Pseudonyms
from core.domain.registry import Government, Jurisdiction, Party, RegisteredDocument, Registry
from core.domain.sources import WatchedFile
from core.errors import Broken
from core.registry.manifests import seen_from
from tests.support.databases import emptied
from tests.support.fake_journal import KEY
from tests.support.journal_examples import cited
from tests.support.library_examples import day, document, version

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


async def test_down_and_up_again(database: Database) -> None:
    async with database.write() as connection:
        await connection.run_sync(downgrade, "base")
        assert await connection.run_sync(table_names) == set()
    async with database.write() as connection:
        await connection.run_sync(upgrade)
        assert await connection.run_sync(difference) == []


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
    database = await Database.open(url)
    async with database.write() as connection:
        await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    await database.close()
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


async def test_corrections_of_before_count_for_the_version_as_it_became_active(database: Database) -> None:
    library, log = SqlLibrary(database), SqlCorrections(database)
    item = version(document(), "new", number=2)
    await library.save_document(document())
    await library.add_version(item, [], [])
    await library.activate(item.id, at=day(3))
    await SqlJournal(database, Pseudonyms(KEY)).record(cited("t1", "v1"))
    for name, since in ((item.id, day(3)), (item.id, day(5)), (VersionId("gone"), day(3))):
        settled = Settled(
            trace=TraceId("t1"), label="S1", version=name, since=since, outcome=Recheck.CHANGED, said="Neu."
        )
        assert await log.settle([settled], [], [], at=day(4))
    async with database.write() as connection:
        await connection.run_sync(downgrade, "0007")
    async with database.write() as connection:
        await connection.run_sync(upgrade)
        assert await connection.run_sync(difference) == []
        rows = await connection.execute(sa.select(CORRECTIONS.c.version, CORRECTIONS.c.since))
        assert {tuple(row) for row in rows} == {(item.id, day(3)), ("gone", day(4))}


PUBLIC_ROWS = Registry(
    jurisdictions=(Jurisdiction(code="xv", name="Valdorien", aliases=("Drosselland",)),),
    parties=(
        Party(name="Uferpartei", aliases=("Zeisigliste",)),
        Party(name="Amselpartei", aliases=("Spatzenbund",)),
        Party(name="Neue Liste"),
    ),
    governments=(Government(jurisdiction="xv", parties=("Uferpartei",), since=date(2024, 1, 1)),),
)


def row(file: str, collection: str, party: str) -> RegisteredDocument:
    fields = DocumentFields(title=file, language="de", parties=(party,), jurisdiction="xv")
    return RegisteredDocument(key=file, collection=collection, fields=fields, file=file)


async def of_before(database: Database, registry: Registry) -> Registry:
    """`registry` as a version before has kept it, with all manifests' rows merged."""
    library = SqlLibrary(database)
    await library.save_registry(registry)
    async with database.write() as connection:
        await connection.run_sync(downgrade, "0012")
    async with database.write() as connection:
        await connection.run_sync(upgrade)
        assert await connection.run_sync(difference) == []
    return await library.registry()


async def test_a_registry_of_one_collection_is_that_ones(database: Database) -> None:
    uploaded = replace(document(), collection="internal")
    uploaded = replace(uploaded, fields=replace(uploaded.fields, parties=("Neue Liste",)))
    await SqlLibrary(database).save_document(uploaded)
    found = await of_before(database, replace(PUBLIC_ROWS, documents=(row("a", "public", "Uferpartei"),)))
    seen = seen_from(found, ("public",))
    assert seen.jurisdictions == PUBLIC_ROWS.jurisdictions
    assert seen.parties == PUBLIC_ROWS.parties[:2]  # of the third only a command knew
    assert seen.governments == PUBLIC_ROWS.governments
    assert PUBLIC_ROWS.parties[2] in seen_from(found, ("internal",)).parties


async def test_of_several_collections_nothing_is_taken_for_public(database: Database) -> None:
    documents = (row("a", "public", "Uferpartei"), row("b", "internal", "Amselpartei"))
    found = await of_before(database, replace(PUBLIC_ROWS, documents=documents))
    seen = seen_from(found, ("public",))
    assert seen.parties == (Party(name="Uferpartei"),)
    assert seen.jurisdictions == (Jurisdiction(code="xv", name="Valdorien"),)
    assert not seen.governments
    assert seen_from(found, ("internal",)).parties == PUBLIC_ROWS.parties


async def test_manifests_of_several_collections_are_read_again(database: Database) -> None:
    sources = SqlSources(database)
    watched = [WatchedFile(folder="f", path=name, size=1, mtime_ns=1) for name in ("library.toml", "a.pdf")]
    await sources.save_watched(watched)
    documents = (row("a", "public", "Uferpartei"), row("b", "internal", "Amselpartei"))
    await of_before(database, replace(PUBLIC_ROWS, documents=documents))
    assert [file.path for file in await sources.watched("f")] == ["a.pdf"]
