"""The library's life: documents withdrawn, restored and deleted, versions succeeded and collected."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database import mapping
from adapters.database.database import Database
from adapters.database.queries import (
    AT_ONCE,
    DOCUMENTS,
    PAGES,
    PASSAGES,
    RECOGNISED,
    REFERENCES,
    VERSIONS,
    Generations,
    versions_of,
)
from adapters.database.rows import over
from core.domain.corrections import Successor
from core.domain.documents import Document, DocumentStatus, DocumentVersion, VersionStatus
from core.domain.ids import DocumentId, VersionId

GONE = VersionStatus.DELETED
OLD = (VersionStatus.SUPERSEDED, GONE)
WITHDRAWN = sa.and_(DOCUMENTS.c.status == DocumentStatus.DELETED, DOCUMENTS.c.withdrawn_at.is_not(None))
JOINED = sa.join(DOCUMENTS, VERSIONS, DOCUMENTS.c.id == VERSIONS.c.document_id)


class SqlLibraryLife:
    """What follows when versions succeed each other and documents go."""

    _database: Database
    _generations: Generations

    async def successors(self, versions: Sequence[VersionId]) -> dict[VersionId, Successor]:
        """Old versions with the active one of their document."""
        new = VERSIONS.alias("new")
        same = sa.and_(new.c.document_id == VERSIONS.c.document_id, new.c.status == VersionStatus.ACTIVE)
        query = sa.select(VERSIONS.c.id, new.c.id.label("successor"), new.c.indexed_at).select_from(
            JOINED.join(new, same)
        )
        query = query.where(DOCUMENTS.c.status == DocumentStatus.ACTIVE, VERSIONS.c.status.in_(OLD))
        found: dict[VersionId, Successor] = {}
        async with self._database.read() as connection:
            for start in range(0, len(versions), AT_ONCE):
                some = query.where(VERSIONS.c.id.in_(versions[start : start + AT_ONCE]))
                for row in await connection.execute(some):
                    found[VersionId(row.id)] = Successor(VersionId(row.successor), row.indexed_at)
        return found

    async def withdraw(self, document: DocumentId, *, at: datetime) -> bool:
        """Whether a document was taken out of sight, with one statement."""
        mine = DOCUMENTS.c.id == document, DOCUMENTS.c.status == DocumentStatus.ACTIVE
        gone = DOCUMENTS.update().where(*mine).values(status=DocumentStatus.DELETED, withdrawn_at=at)
        async with self._generations.changing() as connection:
            return bool((await connection.execute(gone)).rowcount)

    async def restore(self, document: DocumentId) -> bool:
        """Whether a document came back into sight, with one statement."""
        back = DOCUMENTS.update().where(DOCUMENTS.c.id == document, WITHDRAWN)
        back = back.values(status=DocumentStatus.ACTIVE, withdrawn_at=None)
        async with self._generations.changing() as connection:
            return bool((await connection.execute(back)).rowcount)

    async def withdrawn(
        self, *, before: datetime | None = None, after: datetime | None = None
    ) -> list[tuple[Document, datetime]]:
        """Withdrawn documents, longest ago first."""
        query = DOCUMENTS.select().where(WITHDRAWN).order_by(DOCUMENTS.c.withdrawn_at, DOCUMENTS.c.id)
        if before is not None:
            query = query.where(over(DOCUMENTS.c.withdrawn_at, before=before, after=after))
        async with self._database.read() as connection:
            return [(mapping.to_document(row), row.withdrawn_at) for row in await connection.execute(query)]

    async def superseded(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        """Versions that were superseded long ago."""
        time = over(VERSIONS.c.seen_to, before=before, after=after)
        kept = DOCUMENTS.c.status == DocumentStatus.ACTIVE, time
        return await self._versions(VERSIONS.c.status == VersionStatus.SUPERSEDED, *kept)

    async def unfinished(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        """Versions that nobody works on any more."""
        return await self._versions(
            VERSIONS.c.status == VersionStatus.PENDING, over(VERSIONS.c.seen_from, before=before, after=after)
        )

    async def _versions(self, *conditions: sa.ColumnElement[bool]) -> list[DocumentVersion]:
        query = sa.select(*VERSIONS.c).select_from(JOINED).where(*conditions).order_by(VERSIONS.c.row)
        async with self._database.read() as connection:
            return [mapping.to_version(row) for row in await connection.execute(query)]

    async def delete_version(self, version: VersionId, *, at: datetime) -> None:
        """What an old version says goes; an active one stays."""
        mine = VERSIONS.c.id == version, VERSIONS.c.status.not_in((VersionStatus.ACTIVE, GONE))
        async with self._generations.changing() as connection:
            await _empty(connection, sa.and_(*mine), at)

    async def delete_document(self, document: DocumentId, *, at: datetime) -> list[VersionId]:
        """Delete what a document says; its row and those of its versions stay, marked deleted."""
        async with self._generations.changing() as connection:
            gone = [row for row in await versions_of(connection, document) if row.status is not GONE]
            await connection.execute(
                DOCUMENTS.update()
                .where(DOCUMENTS.c.id == document)
                .values(status=DocumentStatus.DELETED, withdrawn_at=None)
            )
            await _empty(connection, VERSIONS.c.document_id == document, at)
        return [row.id for row in gone]

    async def keeps(self, sha256: str, *, apart_from: Sequence[VersionId]) -> bool:
        """Whether these bytes are still needed."""
        query = sa.select(VERSIONS.c.id).where(VERSIONS.c.sha256 == sha256, VERSIONS.c.status != GONE)
        async with self._database.read() as connection:
            found = (await connection.execute(query)).scalars().all()
        return bool(set(found) - set(apart_from))

    async def collections(self) -> list[str]:
        """Collections of all documents, deleted ones included."""
        query = sa.select(DOCUMENTS.c.collection).distinct().order_by(DOCUMENTS.c.collection)
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())

    async def kept(self, collection: str, *, before: datetime) -> set[VersionId]:
        """Versions whose points may stay."""
        new = VERSIONS.alias("new")
        same = new.c.document_id == VERSIONS.c.document_id, new.c.sha256 == VERSIONS.c.sha256
        again = sa.exists().where(*same, new.c.status == VersionStatus.ACTIVE)
        old = VERSIONS.c.status == VersionStatus.SUPERSEDED, VERSIONS.c.seen_to <= before
        query = sa.select(VERSIONS.c.id).select_from(JOINED)
        query = query.where(DOCUMENTS.c.collection == collection, VERSIONS.c.status != GONE)
        query = query.where(~sa.and_(*old, again))
        async with self._database.read() as connection:
            return {VersionId(found) for found in (await connection.execute(query)).scalars()}


async def _empty(connection: AsyncConnection, which: sa.ColumnElement[bool], at: datetime) -> None:
    """Pages, passages and references of versions go; their rows are marked."""
    rows = sa.select(VERSIONS.c.row).where(which)
    for table in (PAGES, PASSAGES, REFERENCES, RECOGNISED):
        await connection.execute(table.delete().where(table.c.version_row.in_(rows)))
    await connection.execute(
        VERSIONS.update()
        .where(which, VERSIONS.c.status != GONE)
        .values(status=GONE, seen_to=sa.func.coalesce(VERSIONS.c.seen_to, at))
    )
