"""The `SourceJournal` and `IndexGenerations` ports on SQL. One method, one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database.connecting import LeaseLocks
from adapters.database.database import Database
from adapters.database.mapping import AnyRow, Codec, Values, columns, field_values, over, put, upsert
from adapters.database.tables import IndexGenerationRow, LeaseRow, SourceRow, WatchedFileRow, table_of
from core.domain.ids import DocumentId
from core.domain.ingestion import LONGEST_LEASE, Hold, Revision, SourceState, WatchedFile
from core.ports.index import IndexGeneration

SOURCES = table_of(SourceRow)
WATCHED = table_of(WatchedFileRow)

STATES = Codec(SourceState)
FILES = Codec(WatchedFile)


# Leases: which process has a task that only one may have.
#
# Neither a process's own clock nor its number decides. A PostgreSQL server judges terms by its own clock.
# Processes that share a SQLite file run on one machine, so there the kernel decides, by a lock. Earlier
# versions took no lock: a row whose holder never had one is theirs, and counts for its term.

LEASES = table_of(LeaseRow)


class SqlLeases:
    """The leases in an open database. A `holder` is a name unique to this process and this attempt: only that
    one can renew and release the lease."""

    _database: Database

    async def server_time(self) -> datetime | None:
        """The server's time; None for a file on this machine."""
        async with self._database.read() as connection:
            return None if self._locks else await _now(connection)

    async def take_lease(self, name: str, holder: str, *, term: timedelta) -> bool:
        """Take or renew a lease that is free, expired, or the holder's own."""
        locks = self._locks
        if locks is None:
            return await self._taken(name, holder, term, None)
        if locks.has(name, holder):
            return await self._taken(name, holder, term, None)
        if not await asyncio.to_thread(locks.acquire, name, holder):
            return False
        taken = False
        try:
            dead = locks.noted(name)
            await asyncio.to_thread(locks.note, name, holder)
            taken = await self._taken(name, holder, term, dead)
        finally:
            if not taken:
                locks.release(name, holder)
        return taken

    async def renew_lease(self, name: str, holder: str, *, term: timedelta) -> bool:
        if self._locks is not None and not self._locks.has(name, holder):
            return False
        async with self._database.write() as connection:
            mine = (LEASES.c.name == name) & (LEASES.c.holder == holder)
            renewed = LEASES.update().where(mine).values(until=await _now(connection) + term)
            return bool((await connection.execute(renewed)).rowcount)

    async def lease_holder(self, name: str) -> str | None:
        async with self._database.read() as connection:
            ended = _is_over(await _now(connection))
            query = sa.select(LEASES.c.holder, ended.label("ended")).where(LEASES.c.name == name)
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return None
        locks = self._locks
        if locks is not None and locks.noted(name) == row.holder:
            return row.holder if await asyncio.to_thread(locks.is_taken, name) else None
        return None if row.ended else row.holder

    async def release_lease(self, name: str, holder: str) -> None:
        mine = (LEASES.c.name == name) & (LEASES.c.holder == holder)
        try:
            await self._database.run(LEASES.delete().where(mine))
        finally:
            if self._locks is not None:
                self._locks.release(name, holder)

    async def _taken(self, name: str, holder: str, term: timedelta, dead: str | None) -> bool:
        """Whether the lease was taken: in one statement, so that only one of several processes gets it.
        `dead` had the lock that we have now."""
        async with self._database.write() as connection:
            now = await _now(connection)
            values = {"name": name, "holder": holder, "until": now + term}
            insert = upsert(connection, LEASES).values(values)
            taken = insert.on_conflict_do_update(
                index_elements=["name"],
                set_={"holder": holder, "until": now + term},
                where=LEASES.c.holder.in_([holder, dead or holder]) | _is_over(now),
            ).returning(LEASES.c.holder)
            return (await connection.execute(taken)).one_or_none() is not None

    @property
    def _locks(self) -> LeaseLocks | None:
        return self._database.lease_locks


def _is_over(now: datetime) -> sa.ColumnElement[bool]:
    return over(LEASES.c.until, before=now, after=now + LONGEST_LEASE)


async def _now(connection: AsyncConnection) -> datetime:
    """The current time, by the one clock that counts for all leases here."""
    if connection.dialect.name != "postgresql":
        return datetime.now(UTC)
    now: datetime = (await connection.execute(sa.select(sa.func.clock_timestamp()))).scalar_one()
    return now


class SqlSources(SqlLeases):
    """Sources, watched folders and leases in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def source(self, document: DocumentId) -> SourceState | None:
        query = SOURCES.select().where(SOURCES.c.document == document)
        row = await self._database.row(query)
        return _to_state(row) if row else None

    async def sources(self) -> list[SourceState]:
        rows = await self._database.rows(SOURCES.select().order_by(SOURCES.c.document))
        return [_to_state(row) for row in rows]

    async def save_source(self, state: SourceState) -> None:
        async with self._database.write() as connection:
            await put(connection, SOURCES, _state_values(state))

    async def drop_source(self, document: DocumentId) -> None:
        await self._database.run(SOURCES.delete().where(SOURCES.c.document == document))

    async def run_at(self, document: DocumentId, at: datetime) -> None:
        values = _state_values(SourceState(document=document, next_run=at))
        async with self._database.write() as connection:
            insert = upsert(connection, SOURCES).values(values)
            await connection.execute(
                insert.on_conflict_do_update(index_elements=["document"], set_={"next_run": at})
            )

    async def approve(self, document: DocumentId, *, at: datetime) -> bool:
        held = (SOURCES.c.document == document) & SOURCES.c.held_reason.is_not(None)
        async with self._database.write() as connection:
            update = SOURCES.update().where(held).values(approved=True, next_run=at)
            return bool((await connection.execute(update)).rowcount)

    async def watched(self, folder: str) -> list[WatchedFile]:
        query = WATCHED.select().where(WATCHED.c.folder == folder).order_by(WATCHED.c.path)
        return [FILES.read(row) for row in await self._database.rows(query)]

    async def save_watched(self, files: Sequence[WatchedFile]) -> None:
        async with self._database.write() as connection:
            for file in files:
                await put(connection, WATCHED, field_values(file))

    async def drop_watched(self, folder: str, paths: Sequence[str]) -> None:
        async with self._database.write() as connection:
            for path in paths:
                where = (WATCHED.c.folder == folder) & (WATCHED.c.path == path)
                await connection.execute(WATCHED.delete().where(where))


def _state_values(state: SourceState) -> Values:
    """A row of `sources`."""
    values = field_values(state)
    revision, hold = values.pop("revision"), values.pop("hold")
    values |= {each.name: getattr(revision, each.name, None) for each in fields(Revision)}
    return values | {f"held_{each.name}": getattr(hold, each.name, None) for each in fields(Hold)}


def _to_state(row: AnyRow) -> SourceState:
    """A source from its row."""
    values = columns(row)
    held = {name.removeprefix("held_"): value for name, value in values.items() if name.startswith("held_")}
    return STATES.read(
        values,
        revision=values if values["url"] else None,
        hold={**held, "values": held["values"] or {}} if held["reason"] else None,
    )


GENERATIONS = table_of(IndexGenerationRow)
READ = Codec(IndexGeneration)


class SqlIndexGenerations:
    """Generations in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> list[IndexGeneration]:
        newest = GENERATIONS.c.since.desc().nulls_last()
        query = sa.select(GENERATIONS).order_by(newest, GENERATIONS.c.encoders)
        return [READ.read(row) for row in await self._database.rows(query)]

    async def begin(self, generation: IndexGeneration) -> IndexGeneration:
        """Insert it, unless another process was first: then its row counts."""
        values = {
            "encoders": generation.encoders,
            "setting": generation.setting,
            "place": generation.place,
            "since": generation.since,
        }
        async with self._database.write() as connection:
            made = upsert(connection, GENERATIONS).values(values)
            await connection.execute(made.on_conflict_do_nothing(index_elements=["encoders"]))
            query = GENERATIONS.select().where(GENERATIONS.c.encoders == generation.encoders)
            return READ.read((await connection.execute(query)).one())

    async def answer_from(self, encoders: str, *, at: datetime) -> None:
        chosen = GENERATIONS.update().where(GENERATIONS.c.encoders == encoders).values(since=at)
        await self._database.run(chosen)

    async def forget(self, encoders: str) -> None:
        await self._database.run(GENERATIONS.delete().where(GENERATIONS.c.encoders == encoders))
