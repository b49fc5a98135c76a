"""A whole database copied into another one: SQLite to PostgreSQL, or back, row by row, and compared.

The source is read as it is at one moment, and nobody writes to it meanwhile. A copy that was interrupted goes
on: tables that are whole already stay. Until everything is there and equal the target carries a mark, so that
nothing takes half a library for a whole one.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.database import LEFT, Database, address_of, left_for
from adapters.database.tables import metadata
from core.errors import Broken, Refused

MARK = sa.Table("unfinished_move", sa.MetaData(), sa.Column("library", sa.Text, nullable=False))
"""In a target: the library whose rows are on their way."""

LIBRARY = "library_id"
FIRST = (LIBRARY, "pseudonym_keys")
"""Tables in which who opens a database makes a row: its id, and by which key people are known."""

ROWS = 500
"""Read and written at once."""

_MODULUS = 1 << 256

OnTable = Callable[[str, int, int], None]
"""Called with a table's name, how many tables are done, and how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDigest:
    """What a table holds: `rows`, and the sum of their SHA-256, which no order changes."""

    rows: int
    digest: int


async def copy_database(
    source_url: str, target_url: str, report: OnTable, *, leaving: bool = False
) -> dict[str, int]:
    """Rows by table of what now stands in both databases. Raises Refused for a target that is the source
    or holds something else, Broken and Unavailable for databases that cannot be used. `leaving`: the source
    refuses everybody from then on. It does so before the target opens, so that there are never two libraries;
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
            there = await _is_moved(target, library, wanted)
            if not there:
                await _claim(target, library)
                await _copied(read, target, wanted, report)
                await _compare(target, wanted)
            if leaving:
                await read.run_sync(_leave, address_of(target_url))
        if not there:
            await _finish(target, wanted)
    return {name: digest.rows for name, digest in wanted.items()}


async def _is_moved(target: Database, library: str, wanted: dict[str, TableDigest]) -> bool:
    """Whether all of it is there: the command was stopped behind its last step, or is given once more."""
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
    """Whether rows are on their way into the database."""
    return sa.inspect(connection).has_table(MARK.name)


async def _library(read: AsyncConnection) -> str:
    found = (await read.execute(sa.select(metadata.tables[LIBRARY].c.id))).scalar()
    if found is None:
        raise Refused("move.nothing", "there is nothing to move: no library was ever opened in this database")
    return str(found)


async def _first_differing(target: Database, wanted: dict[str, TableDigest]) -> int:
    """How many tables, in the order of copying, are in the target as they should be."""
    async with target.read() as connection:
        for done, table in enumerate(metadata.sorted_tables):
            if await table_digest(connection, table) != wanted[table.name]:
                return done
    return len(metadata.sorted_tables)


async def _emptied(target: Database, tables: Sequence[sa.Table]) -> None:
    """What refers to others goes first."""
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
    """PostgreSQL counts on from the highest number copied; SQLite does so by itself."""
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
    """What `table` holds, its columns in the order of `columns`."""
    rows = total = 0
    found = await connection.stream(sa.select(*(table.c[name] for name in columns or table.c.keys())))
    async for part in found.partitions(ROWS):
        rows += len(part)
        total += sum(_row_digest(row) for row in part)
    return TableDigest(rows=rows, digest=total % _MODULUS)


def _row_digest(row: sa.Row[Any]) -> int:
    """Values as Python has them: the same from both databases."""
    return int.from_bytes(
        hashlib.sha256(repr(tuple(row)).encode("utf-8", "backslashreplace")).digest(), "big"
    )
