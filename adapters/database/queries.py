"""Statements and row handling shared by the methods of the library."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database import mapping, tables
from adapters.database.database import Database
from adapters.database.mapping import Values
from adapters.database.tables import table_of
from core.domain.documents import Document, DocumentStatus, DocumentVersion, Edition, VersionStatus
from core.domain.ids import DocumentId, VersionId
from core.recent import Recent

JURISDICTIONS = table_of(tables.JurisdictionRow)
PARTIES = table_of(tables.PartyRow)
GOVERNMENTS = table_of(tables.GovernmentRow)
DERIVATIONS = table_of(tables.DerivationRow)
MANIFESTS = table_of(tables.ManifestRow)
REGISTERED = table_of(tables.RegisteredDocumentRow)
DOCUMENTS = table_of(tables.DocumentRow)
VERSIONS = table_of(tables.VersionRow)
PAGES = table_of(tables.PageRow)
PASSAGES = table_of(tables.PassageRow)
REFERENCES = table_of(tables.CrossReferenceRow)
RECOGNISED = table_of(tables.RecognisedRow)
LIBRARY_ID = table_of(tables.LibraryIdRow)

READABLE = (VersionStatus.ACTIVE, VersionStatus.SUPERSEDED)
AT_ONCE = 500
"""Maximum ids in one statement; both databases allow more, but not without limit."""

A_FEW = 32
"""Maximum rows converted on the event loop; more are converted in a thread."""

FOREVER = datetime.max.replace(tzinfo=UTC)

R = TypeVar("R")
T = TypeVar("T")


async def beside(rows: Sequence[R], convert: Callable[[R], T]) -> list[T]:
    """The results of `convert` for each of `rows`; for many rows in a thread, off the event loop."""
    if len(rows) <= A_FEW:
        return [convert(row) for row in rows]
    return await asyncio.to_thread(lambda: [convert(row) for row in rows])


def as_of(editions: Sequence[Edition], day: date, zone: tzinfo) -> list[Edition]:
    """For each document, the version that was current at the end of `day` in `zone`, if it is readable. Of
    several, the one seen last counts: bytes that came back, or a newer reading of the same."""
    by_document: dict[DocumentId, list[Edition]] = {}
    for edition in editions:
        by_document.setdefault(edition.document.id, []).append(edition)
    chosen = (_current_at(rows, datetime.combine(day, time.max, zone)) for rows in by_document.values())
    return [edition for edition in chosen if edition and edition.version.status in READABLE]


def _current_at(rows: list[Edition], moment: datetime) -> Edition | None:
    moment = max(moment, min(row.version.seen_from for row in rows))
    current = [row for row in rows if row.version.seen_from <= moment < (row.version.seen_to or FOREVER)]
    return max(
        current,
        key=lambda row: (row.version.seen_from, row.version.indexed_at or row.version.seen_from),
        default=None,
    )


def place(document: Document) -> tuple[str, str, str]:
    """The sort key of a document: collection, title and id."""
    return document.collection, document.fields.title, document.id


def editions(collections: Sequence[str] | None) -> sa.Select[Any]:
    """Documents that are not deleted, each joined with each of its versions."""
    joined = sa.join(DOCUMENTS, VERSIONS, DOCUMENTS.c.id == VERSIONS.c.document_id)
    query = sa.select(*DOCUMENTS.c, *VERSIONS.c).select_from(joined)
    query = query.where(DOCUMENTS.c.status == DocumentStatus.ACTIVE)
    return query if collections is None else query.where(DOCUMENTS.c.collection.in_(collections))


def to_edition(row: Row[Any]) -> Edition:
    """An edition from a row of `editions`."""
    document, version = mapping.to_document(part(row, DOCUMENTS)), mapping.to_version(part(row, VERSIONS))
    return Edition(document=document, version=version)


def part(row: Row[Any], table: sa.Table) -> Values:
    """The part of a joined row that belongs to one table."""
    return {column.name: row._mapping[column] for column in table.c}


def of_version(table: sa.Table, version: VersionId) -> sa.Select[Any]:
    """Rows of pages or passages of one version."""
    row = sa.select(VERSIONS.c.row).where(VERSIONS.c.id == version).scalar_subquery()
    return table.select().where(table.c.version_row == row)


def passages_with_version() -> sa.Select[Any]:
    """Passages joined with the id of their version."""
    joined = sa.join(PASSAGES, VERSIONS, PASSAGES.c.version_row == VERSIONS.c.row)
    return sa.select(*PASSAGES.c, VERSIONS.c.id.label("version_id")).select_from(joined)


def references_with_version() -> sa.Select[Any]:
    """References joined with the id of their version, in the order of the text."""
    joined = sa.join(REFERENCES, VERSIONS, REFERENCES.c.version_row == VERSIONS.c.row)
    query = sa.select(*REFERENCES.c, VERSIONS.c.id.label("version_id")).select_from(joined)
    return query.order_by(REFERENCES.c.version_row, REFERENCES.c.position)


def recognised_by(recogniser: int) -> sa.Select[Any]:
    """Ids of the versions that `recogniser` has searched for references."""
    joined = sa.join(RECOGNISED, VERSIONS, RECOGNISED.c.version_row == VERSIONS.c.row)
    return sa.select(VERSIONS.c.id).select_from(joined).where(RECOGNISED.c.recogniser == recogniser)


async def versions_of(connection: AsyncConnection, document: DocumentId) -> list[DocumentVersion]:
    """All versions of a document, newest first."""
    query = (
        VERSIONS.select()
        .where(VERSIONS.c.document_id == document)
        .order_by(VERSIONS.c.number.desc(), VERSIONS.c.seen_from.desc())
    )
    return [mapping.to_version(row) for row in await connection.execute(query)]


async def version_by_id(connection: AsyncConnection, version: VersionId) -> DocumentVersion | None:
    """One version."""
    row = (await connection.execute(VERSIONS.select().where(VERSIONS.c.id == version))).one_or_none()
    return mapping.to_version(row) if row else None


async def lock_document(connection: AsyncConnection, document: DocumentId) -> None:
    """Lock a document, so that activations happen one at a time (SQLite's writers do anyway)."""
    await connection.execute(sa.select(DOCUMENTS.c.id).where(DOCUMENTS.c.id == document).with_for_update())


async def all_rows(
    connection: AsyncConnection, table: sa.Table, convert: Callable[[Row[Any]], T]
) -> tuple[T, ...]:
    """A registry table in its order."""
    rows = (await connection.execute(table.select().order_by(table.c.position))).all()
    return tuple(await beside(rows, convert))


async def replace_all(connection: AsyncConnection, table: sa.Table, rows: list[Values]) -> None:
    """Replace all rows with `rows`."""
    await connection.execute(table.delete())
    await insert_all(connection, table, rows)


async def insert_all(connection: AsyncConnection, table: sa.Table, rows: Sequence[Values]) -> None:
    """Insert many rows with one statement."""
    if rows:
        await connection.execute(table.insert(), rows)


# The library's generation, and whole-library readings cached while it lasts.
#
# Every transaction that changes documents, their versions or the registry raises the number before anything
# else, so that such transactions of several processes wait for each other in one order. A reader compares the
# number within its reading transaction: a cached value is never older than what it would have read.

MOST_READINGS = 64
"""Number of cached readings: per collection, and per past day that is asked about."""


class Generations:
    """Reads through a cache that is emptied as soon as the library changes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._generation: int | None = None
        self._kept: Recent[Hashable, Any] = Recent(MOST_READINGS)

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes data cached by `read`."""
        async with self._database.write() as connection:
            raised = LIBRARY_ID.update().values(generation=LIBRARY_ID.c.generation + 1)
            await connection.execute(raised)
            yield connection

    async def read(self, key: Hashable, make: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """The result of `make`, cached under `key`. A library without an id yet is read each time."""
        async with self._database.read() as connection:
            number = (await connection.execute(sa.select(LIBRARY_ID.c.generation))).scalar_one_or_none()
            if number is not None and number == self._generation and key in self._kept:
                kept: T = self._kept[key]
                return kept
            found = await make(connection)
        if number is not None:
            if number != self._generation:
                self._kept.clear()
                self._generation = number
            self._kept[key] = found
        return found
