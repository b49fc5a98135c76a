"""A whole database copied into a file of SQLite while others work with it, and such a file made a database.

SQLite is copied by its online backup. Rows of PostgreSQL are read in one transaction that sees one moment
(REPEATABLE READ); their tables are looked up in the database and made in the file by the migrations of their
own revision, so that a copy can be made before anything is migrated.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import LEFT, Database, engine_for, moved, parsed_url, refuse_left
from adapters.database.errors import translated
from adapters.database.migrate import current, make_schema, refuse_strange
from adapters.database.moving import FIRST, ROWS, copy_database, differing_table, is_marked, table_digest
from adapters.database.tables import UtcDateTime
from adapters.durable import PRIVATE
from adapters.priority import at_low_priority
from adapters.sqlite_files import copy_sqlite
from core.domain.backups import DatabaseCopy
from core.errors import Refused

OWN = frozenset({"alembic_version", *FIRST})
"""Tables that have a row as soon as a database is opened."""


@dataclass(frozen=True, slots=True)
class SqlStore:
    """Implements `DatabaseSource` and `DatabaseTarget` for the database at a URL, which is opened for each
    call and never migrated by `copy_to` and `is_empty`."""

    url: str

    async def copy_to(self, file: Path) -> DatabaseCopy:
        """See `DatabaseSource.copy_to`. Raises Broken or Unavailable."""
        stored = _sqlite_file(self.url)
        if stored is None:
            await self._copy_rows(file)
        else:
            with translated(file.parent):
                await at_low_priority(copy_sqlite, stored, file)
        return await at_low_priority(copied, file, "sqlite" if stored else "postgresql")

    async def is_empty(self) -> bool:
        """See `DatabaseTarget.is_empty`."""
        stored = _sqlite_file(self.url)
        if stored is not None and not stored.exists():
            return True
        database = Database(engine_for(self.url))
        try:
            async with database.read() as connection:
                return await connection.run_sync(_holds_nothing)
        finally:
            await database.close()

    async def fill(self, file: Path) -> None:
        """See `DatabaseTarget.fill`. An older copy is brought to this version: nobody works with it yet."""
        copy = await Database.open(f"sqlite:///{file}", outdated=True)
        try:
            await copy.migrate()
            await copy.truncate_log()
        finally:
            await copy.close()
        stored = _sqlite_file(self.url)
        if stored is None:
            await copy_database(f"sqlite:///{file}", self.url, lambda *_: None)
            return
        with translated(stored.parent):
            await asyncio.to_thread(copy_sqlite, file, stored)

    async def _copy_rows(self, file: Path) -> None:
        await asyncio.to_thread(file.touch, mode=PRIVATE)
        source, target = Database(engine_for(self.url)), Database(engine_for(f"sqlite:///{file}"))
        try:
            async with source.snapshot() as read:
                await read.run_sync(refuse_left)
                revision = await read.run_sync(current)
                if revision is None:
                    raise Refused("move.nothing", "there is nothing to copy: no library was ever opened here")
                refuse_strange(revision)
                async with target.write() as write:
                    await write.run_sync(make_schema, revision)
                    await _copy_tables(read, write)
            await target.truncate_log()
        finally:
            await target.close()
            await source.close()


async def _copy_tables(read: AsyncConnection, write: AsyncConnection) -> None:
    theirs, ours = await read.run_sync(_tables), await write.run_sync(_tables)
    for table in theirs.sorted_tables:
        target = ours.tables[table.name]
        found = await read.stream(table.select())
        async for rows in found.mappings().partitions(ROWS):
            await write.execute(target.insert(), [dict(row) for row in rows])
        if await table_digest(write, target, table.columns.keys()) != await table_digest(read, table):
            raise differing_table(table.name)


def _tables(connection: Connection) -> sa.MetaData:
    """The tables that are there, with types whose values are the same from every store."""
    found = sa.MetaData()
    event.listen(found, "column_reflect", _plain_type)
    names = set(sa.inspect(connection).get_table_names()) - {"alembic_version"}
    found.reflect(connection, only=sorted(names), resolve_fks=False)
    return found


def _plain_type(_inspector: object, _table: object, column: Any) -> None:
    plain: dict[type[Any], Callable[[], Any]] = {
        sa.JSON: lambda: sa.JSON(none_as_null=True),
        sa.DateTime: UtcDateTime,
        sa.LargeBinary: sa.LargeBinary,
        sa.Float: sa.Double,
    }
    for kind, made in plain.items():
        if isinstance(column["type"], kind):
            column["type"] = made()


def _holds_nothing(connection: Connection) -> bool:
    if is_marked(connection):
        return True  # of a copy that goes on; whose it is, is asked then
    names = set(sa.inspect(connection).get_table_names()) - OWN
    rows = (sa.select(sa.literal(1)).select_from(sa.table(name)).limit(1) for name in sorted(names))
    return all(connection.execute(row).first() is None for row in rows)


def copied(file: Path, store: str = "sqlite") -> DatabaseCopy:
    """What is in a copied database. Raises Refused("backup.damaged") where SQLite finds damage in it,
    Broken("database.moved") of one that was left, else as `refuse_strange`."""
    try:
        with contextlib.closing(sqlite3.connect(file)) as connection:
            state = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if state != "ok":
                raise Refused("backup.damaged", f"the database in the backup is damaged: {state}")
            return _content(connection, store)
    except sqlite3.DatabaseError as error:
        raise Refused("backup.damaged", f"the database in the backup is damaged: {error}") from error


def settle(file: Path) -> None:
    """Make a copied database one that may be served again: nobody serves it yet, and what waited to be sent
    when it was copied may have been sent since. It counts as interrupted, so that each platform clears it up
    in its own way."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        names = _tables_of(connection)
        if "outbox" in names:
            connection.execute("UPDATE outbox SET state = 'sending' WHERE state = 'pending'")
        if "leases" in names:
            connection.execute("DELETE FROM leases")


def _content(connection: sqlite3.Connection, store: str) -> DatabaseCopy:
    names = sorted(_tables_of(connection))
    if LEFT.name in names:
        raise moved(str(_one(connection, f"SELECT address FROM {LEFT.name}")))  # noqa: S608 - its own
    rows = {name: _one(connection, f'SELECT count(*) FROM "{name}"') for name in names}  # noqa: S608 - its own
    known = "alembic_version" in names
    revision = str(_one(connection, "SELECT version_num FROM alembic_version")) if known else ""
    refuse_strange(revision or None)
    library = _one(connection, "SELECT id FROM library_id") if "library_id" in names else None
    kept = "SELECT DISTINCT original FROM versions WHERE status <> 'deleted' ORDER BY original"
    originals = connection.execute(kept).fetchall() if "versions" in names else []
    return DatabaseCopy(
        library=library,
        revision=revision,
        store=store,
        rows=rows,
        originals=tuple(name for (name,) in originals),
    )


def _tables_of(connection: sqlite3.Connection) -> set[str]:
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in found if not name.startswith("sqlite_")}


def _one(connection: sqlite3.Connection, query: str) -> Any:
    row = connection.execute(query).fetchone()
    return None if row is None else row[0]


def _sqlite_file(url: str) -> Path | None:
    parsed = parsed_url(url)
    return Path(str(parsed.database)) if parsed.get_backend_name() == "sqlite" else None
