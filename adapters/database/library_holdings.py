"""What the index has to hold of the library, and whose index that is."""

import asyncio
import uuid
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from adapters.database import mapping
from adapters.database.codec import Codec
from adapters.database.database import Database
from adapters.database.generations import Generations
from adapters.database.queries import DOCUMENTS, LIBRARY_ID, PAGES, PASSAGES, READABLE, VERSIONS, insert_all
from core.domain.documents import Holding, VersionStatus
from core.domain.ids import LibraryId, VersionId
from core.domain.pages import Page
from core.domain.passages import Passage
from core.errors import Broken

HOLDINGS = Codec(Holding)

_ROW = 1


class SqlLibraryHoldings:
    """Versions with the number of their passages, as the database has them."""

    _database: Database
    _generations: Generations

    async def identity(self) -> LibraryId:
        """The id of this library, made when it is first asked for."""
        async with self._database.read() as connection:
            query = sa.select(LIBRARY_ID.c.id).order_by(LIBRARY_ID.c.row).limit(1)
            known = (await connection.execute(query)).scalar_one_or_none()
        if known is not None:
            return LibraryId(known)
        try:
            async with self._database.write() as connection:
                await connection.execute(LIBRARY_ID.insert().values(row=_ROW, id=uuid.uuid4().hex))
        except Broken as error:
            if error.key != "database.conflict":  # another process was quicker
                raise
        return await self.identity()

    async def holdings(self, collections: Sequence[str] | None = None) -> list[Holding]:
        """See `LifecycleLibrary.holdings`."""
        async with self._database.read() as connection:
            return [_holding(row) for row in await connection.execute(_holdings(collections))]

    async def refill(self, version: VersionId, pages: Sequence[Page], passages: Sequence[Passage]) -> None:
        """See `LifecycleLibrary.refill`."""
        page_rows = await asyncio.to_thread(lambda: [mapping.page_values(page) for page in pages])
        passage_rows = [mapping.passage_values(passage) for passage in passages]
        mine = VERSIONS.c.id == version, VERSIONS.c.status.in_(READABLE)
        async with self._generations.changing() as connection:
            row = (await connection.execute(sa.select(VERSIONS.c.row).where(*mine))).scalar_one_or_none()
            if row is None:
                return
            for table, rows in ((PAGES, page_rows), (PASSAGES, passage_rows)):
                await connection.execute(table.delete().where(table.c.version_row == row))
                await insert_all(connection, table, [{"version_row": row, **values} for values in rows])
            update = VERSIONS.update().where(VERSIONS.c.row == row)
            await connection.execute(update.values(passages=len(passages)))


def _holdings(collections: Sequence[str] | None) -> sa.Select[Any]:
    kept = sa.select(PASSAGES.c.version_row, sa.func.count().label("kept"))
    kept_of = kept.group_by(PASSAGES.c.version_row).subquery()
    new = VERSIONS.alias("new")
    same = new.c.document_id == VERSIONS.c.document_id, new.c.sha256 == VERSIONS.c.sha256
    again = sa.exists().where(*same, new.c.status == VersionStatus.ACTIVE)
    joined = sa.join(DOCUMENTS, VERSIONS, DOCUMENTS.c.id == VERSIONS.c.document_id)
    joined = joined.outerjoin(kept_of, kept_of.c.version_row == VERSIONS.c.row)
    query = sa.select(
        DOCUMENTS.c.collection,
        VERSIONS.c.document_id,
        VERSIONS.c.id,
        VERSIONS.c.passages,
        VERSIONS.c.original,
        sa.func.coalesce(kept_of.c.kept, 0).label("kept"),
    ).select_from(joined)
    query = query.where(VERSIONS.c.status.in_(READABLE))
    query = query.where(~sa.and_(VERSIONS.c.status == VersionStatus.SUPERSEDED, again))
    query = query.order_by(VERSIONS.c.status, DOCUMENTS.c.collection, VERSIONS.c.row)  # "active" comes first
    return query if collections is None else query.where(DOCUMENTS.c.collection.in_(collections))


def _holding(row: Any) -> Holding:
    return HOLDINGS.read(row, document=row.document_id, version=row.id)
