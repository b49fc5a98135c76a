"""Copies a whole database into a SQLite file while others work with it, and turns such a file into a
database.

SQLite is copied by its online backup. Rows of PostgreSQL are read in one transaction that sees one moment
(REPEATABLE READ); their tables are looked up in the database and created in the file by the migrations of its
own revision, so that a copy can be made before anything is migrated.
"""

import asyncio
import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.connecting import translated
from adapters.database.database import (
    LEFT,
    Database,
    address_of,
    engine_for,
    left_for,
    moved,
    parsed_url,
    refuse_left,
)
from adapters.database.migrate import current, make_schema, refuse_strange
from adapters.database.tables import UtcDateTime, metadata
from adapters.disk import PRIVATE, copy_sqlite
from adapters.priority import at_low_priority
from core.domain.backups import DatabaseCopy
from core.errors import Broken, Refused

# A whole database copied into another one: SQLite to PostgreSQL, or back, row by row, and compared.
#
# The source is read in its state at one moment, and nobody writes to it meanwhile. An interrupted copy
# continues: complete tables stay. Until everything is there and equal, the target carries a mark, so that
# nothing mistakes half a library for a whole one.


MARK = sa.Table("unfinished_move", sa.MetaData(), sa.Column("library", sa.Text, nullable=False))
"""Key, in a target, of the library whose rows are being copied."""

LIBRARY = "library_id"
FIRST = (LIBRARY, "pseudonym_keys")
"""Tables that get a row as soon as a database is opened: its id, and the key of its pseudonyms."""

ROWS = 500
"""Number of rows read and written at once."""

_MODULUS = 1 << 256

OnTable = Callable[[str, int, int], None]
"""Called with a table's name, how many tables are done, and how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDigest:
    """The content of a table: `rows`, and the sum of their SHA-256, which is independent of their order."""

    rows: int
    digest: int


async def copy_database(
    source_url: str, target_url: str, report: OnTable, *, leaving: bool = False
) -> dict[str, int]:
    """Rows by table that are now in both databases. Raises Refused for a target that is the source or holds
    something else, Broken and Unavailable for databases that cannot be used. `leaving`: the source refuses
    everybody from then on. It does so before the target opens, so that there are never two libraries;
    interrupted in between there is none until the same is done again."""
    async with AsyncExitStack() as stack:
        source = await Database.open(source_url, left=leaving)
        stack.push_async_callback(source.close)
        await source.refuse_newer()
        if source.is_at(target_url):
            raise Refused("move.same", "the target is the database itself; name another one")
        target = await Database.open(target_url, unfinished=True)
        stack.push_async_callback(target.close)
        async with source.held() as read:
            if leaving:
                await _refuse_left_for_another(read, address_of(target_url))
            library = await _library(read)
            wanted = {table.name: await table_digest(read, table) for table in metadata.sorted_tables}
            complete = await _is_moved(target, library, wanted)
            if not complete:
                await _claim(target, library)
                await _copied(read, target, wanted, report)
                await _compare(target, wanted)
            if leaving:
                await read.run_sync(_leave, address_of(target_url))
        if not complete:
            await _finish(target, wanted)
    return {name: digest.rows for name, digest in wanted.items()}


async def _is_moved(target: Database, library: str, wanted: dict[str, TableDigest]) -> bool:
    """Whether everything is already there: the command was stopped after its last step, or is repeated."""
    async with target.read() as connection:
        if await connection.run_sync(is_marked):
            return False
        found = (await connection.execute(sa.select(metadata.tables[LIBRARY].c.id))).scalar()
    return found == library and await _first_differing(target, wanted) == len(wanted)


async def _copied(
    read: AsyncConnection, target: Database, wanted: dict[str, TableDigest], report: OnTable
) -> None:
    tables = metadata.sorted_tables
    differing = await _first_differing(target, wanted)
    await _emptied(target, tables[differing:])
    for done, table in enumerate(tables):
        report(table.name, done, len(tables))
        if done >= differing:
            await _copy_table(read, target, table)


async def _claim(target: Database, library: str) -> None:
    """Mark an empty target as `library`'s, or find that mark."""
    async with target.write() as connection:
        if await connection.run_sync(is_marked):
            owners = (await connection.execute(sa.select(MARK.c.library))).scalars().all()
            if owners == [library]:
                return
            raise Refused("move.other", "another library is on its way into the target; name an empty one")
        for table in metadata.sorted_tables:
            if table.name in FIRST:
                continue
            if (await connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1))).first():
                detail = f"the target is not empty: {table.name} has rows; name an empty database"
                raise Refused("move.not_empty", detail, table=table.name)
        await connection.run_sync(MARK.create)
        await connection.execute(MARK.insert().values(library=library))


def is_marked(connection: sa.Connection) -> bool:
    """Whether rows are being copied into the database."""
    return sa.inspect(connection).has_table(MARK.name)


async def _library(read: AsyncConnection) -> str:
    found = (await read.execute(sa.select(metadata.tables[LIBRARY].c.id))).scalar()
    if found is None:
        raise Refused("move.nothing", "there is nothing to move: no library was ever opened in this database")
    return str(found)


async def _first_differing(target: Database, wanted: dict[str, TableDigest]) -> int:
    """How many tables, in the order of copying, are complete in the target."""
    async with target.read() as connection:
        for done, table in enumerate(metadata.sorted_tables):
            if await table_digest(connection, table) != wanted[table.name]:
                return done
    return len(metadata.sorted_tables)


async def _emptied(target: Database, tables: Sequence[sa.Table]) -> None:
    """Delete rows, referring tables first."""
    async with target.write() as connection:
        for table in reversed(tables):
            await connection.execute(table.delete())


async def _copy_table(read: AsyncConnection, target: Database, table: sa.Table) -> None:
    """All rows in one transaction of the target's."""
    async with target.write() as connection:
        found = await read.stream(table.select())
        async for rows in found.mappings().partitions(ROWS):
            await connection.execute(table.insert(), [dict(row) for row in rows])
        await _advance(connection, table)


async def _advance(connection: AsyncConnection, table: sa.Table) -> None:
    """Make PostgreSQL's sequences continue from the highest number copied; SQLite does so by itself."""
    column = table.autoincrement_column
    if connection.dialect.name != "postgresql" or column is None:
        return
    counter = sa.func.pg_get_serial_sequence(table.name, column.name)
    highest = sa.select(sa.func.max(column)).scalar_subquery()
    await connection.execute(sa.select(sa.func.setval(counter, highest)).where(highest.is_not(None)))


async def _finish(target: Database, wanted: dict[str, TableDigest]) -> None:
    """Compare everything once more; then the target is a library like any other."""
    await _compare(target, wanted)
    async with target.write() as connection:
        await connection.run_sync(MARK.drop)


async def _compare(target: Database, wanted: dict[str, TableDigest]) -> None:
    differing = await _first_differing(target, wanted)
    if differing < len(metadata.sorted_tables):
        raise differing_table(metadata.sorted_tables[differing].name)


async def _refuse_left_for_another(read: AsyncConnection, address: str) -> None:
    known = await read.run_sync(left_for)
    if known not in (None, address):
        raise Refused("move.left", f"this library was moved to {known} already; work with it there")


def _leave(connection: sa.Connection, address: str) -> None:
    if left_for(connection) is None:
        LEFT.create(connection)
        connection.execute(LEFT.insert().values(address=address))


def differing_table(name: str) -> Broken:
    """The error of a table that should have been copied, and is not the same."""
    return Broken("move.differs", f"{name} is not the same in both databases; run the command again")


async def table_digest(
    connection: AsyncConnection, table: sa.Table, columns: Sequence[str] | None = None
) -> TableDigest:
    """The content of `table`, with its columns in the order of `columns`."""
    rows = total = 0
    found = await connection.stream(sa.select(*(table.c[name] for name in columns or table.c.keys())))
    async for part in found.partitions(ROWS):
        rows += len(part)
        total += sum(_row_digest(row) for row in part)
    return TableDigest(rows=rows, digest=total % _MODULUS)


def _row_digest(row: sa.Row[Any]) -> int:
    """Values as Python objects, the same from both databases."""
    return int.from_bytes(
        hashlib.sha256(repr(tuple(row)).encode("utf-8", "backslashreplace")).digest(), "big"
    )


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
    """The existing tables, with types whose values are the same from every store."""
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
    """The contents of a copied database. Raises Refused("backup.damaged") if SQLite finds damage in it,
    Broken("database.moved") if its library was moved elsewhere, else like `refuse_strange`."""
    try:
        with contextlib.closing(sqlite3.connect(file)) as connection:
            state = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if state != "ok":
                raise Refused("backup.damaged", f"the database in the backup is damaged: {state}")
            return _content(connection, store)
    except sqlite3.DatabaseError as error:
        raise Refused("backup.damaged", f"the database in the backup is damaged: {error}") from error


def settle(file: Path) -> None:
    """Prepare a copied database for serving: nobody serves it yet, and parts that were waiting when it was
    copied may have been sent since. They count as interrupted, so that each platform recovers them in its own
    way."""
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
