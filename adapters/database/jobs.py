"""The `SourceJournal` port on SQL. One method, one transaction."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime

from adapters.database.codec import AnyRow, Codec, Values, columns, field_values
from adapters.database.database import Database
from adapters.database.jobs_tables import SourceRow, WatchedFileRow
from adapters.database.journal_rows import put, upsert
from adapters.database.leases import SqlLeases
from adapters.database.tables import table_of
from core.domain.ids import DocumentId
from core.domain.sources import Hold, Revision, SourceState, WatchedFile

SOURCES = table_of(SourceRow)
WATCHED = table_of(WatchedFileRow)

STATES = Codec(SourceState)
FILES = Codec(WatchedFile)


class SqlSources(SqlLeases):
    """Sources, watched folders and leases in an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def source(self, document: DocumentId) -> SourceState | None:
        """What is known of a document's source."""
        async with self._database.read() as connection:
            query = SOURCES.select().where(SOURCES.c.document == document)
            row = (await connection.execute(query)).one_or_none()
        return to_state(row) if row else None

    async def sources(self) -> list[SourceState]:
        """All that is known, by document."""
        async with self._database.read() as connection:
            rows = await connection.execute(SOURCES.select().order_by(SOURCES.c.document))
            return [to_state(row) for row in rows]

    async def save_source(self, state: SourceState) -> None:
        """Replace what is known of a source."""
        async with self._database.write() as connection:
            await put(connection, SOURCES, state_values(state))

    async def drop_source(self, document: DocumentId) -> None:
        """Forget a source."""
        async with self._database.write() as connection:
            await connection.execute(SOURCES.delete().where(SOURCES.c.document == document))

    async def run_at(self, document: DocumentId, at: datetime) -> None:
        """Set the next run; a source that is not known gets a row."""
        values = state_values(SourceState(document=document, next_run=at))
        async with self._database.write() as connection:
            insert = upsert(connection, SOURCES).values(values)
            await connection.execute(
                insert.on_conflict_do_update(index_elements=["document"], set_={"next_run": at})
            )

    async def approve(self, document: DocumentId, *, at: datetime) -> bool:
        """Mark the held change as approved; whether there is one."""
        held = (SOURCES.c.document == document) & SOURCES.c.held_reason.is_not(None)
        async with self._database.write() as connection:
            update = SOURCES.update().where(held).values(approved=True, next_run=at)
            return bool((await connection.execute(update)).rowcount)

    async def watched(self, folder: str) -> list[WatchedFile]:
        """The files of a folder as they were seen last."""
        query = WATCHED.select().where(WATCHED.c.folder == folder).order_by(WATCHED.c.path)
        async with self._database.read() as connection:
            return [FILES.read(row) for row in await connection.execute(query)]

    async def save_watched(self, files: Sequence[WatchedFile]) -> None:
        """Replace what is known of these files."""
        async with self._database.write() as connection:
            for file in files:
                await put(connection, WATCHED, field_values(file))

    async def drop_watched(self, folder: str, paths: Sequence[str]) -> None:
        """Forget files of a folder."""
        async with self._database.write() as connection:
            for path in paths:
                where = (WATCHED.c.folder == folder) & (WATCHED.c.path == path)
                await connection.execute(WATCHED.delete().where(where))


def state_values(state: SourceState) -> Values:
    """A row of `sources`."""
    values = field_values(state)
    revision, hold = values.pop("revision"), values.pop("hold")
    values |= {each.name: getattr(revision, each.name, None) for each in fields(Revision)}
    return values | {f"held_{each.name}": getattr(hold, each.name, None) for each in fields(Hold)}


def to_state(row: AnyRow) -> SourceState:
    """A source from its row."""
    found = columns(row)
    held = {name.removeprefix("held_"): value for name, value in found.items() if name.startswith("held_")}
    return STATES.read(
        found,
        revision=found if found["url"] else None,
        hold={**held, "values": held["values"] or {}} if held["reason"] else None,
    )
