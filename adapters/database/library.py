"""The `Library` port on SQL. One method, one transaction."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Collection, Sequence
from datetime import UTC, date, datetime, tzinfo
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database import mapping
from adapters.database.database import Database
from adapters.database.mapping import Codec, over
from adapters.database.queries import (
    AT_ONCE,
    DERIVATIONS,
    DOCUMENTS,
    GOVERNMENTS,
    JURISDICTIONS,
    LIBRARY_ID,
    MANIFESTS,
    PAGES,
    PARTIES,
    PASSAGES,
    READABLE,
    RECOGNISED,
    REFERENCES,
    REGISTERED,
    VERSIONS,
    Generations,
    all_rows,
    as_of,
    beside,
    editions,
    insert_all,
    lock_document,
    of_version,
    passages_with_version,
    place,
    recognised_by,
    references_with_version,
    replace_all,
    to_edition,
    version_by_id,
    versions_of,
)
from core.domain.documents import Document, DocumentStatus, DocumentVersion, Edition, Holding, VersionStatus
from core.domain.ids import DocumentId, LibraryId, PassageId, VersionId
from core.domain.pages import Page, WrittenPage
from core.domain.passages import Passage, Reference
from core.domain.records import Successor
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.errors import Broken
from core.registry.manifests import seen_from

# The library's life: documents withdrawn, restored and deleted, versions succeeded and collected.

GONE = VersionStatus.DELETED
OLD = (VersionStatus.SUPERSEDED, GONE)
WITHDRAWN = sa.and_(DOCUMENTS.c.status == DocumentStatus.DELETED, DOCUMENTS.c.withdrawn_at.is_not(None))
JOINED = sa.join(DOCUMENTS, VERSIONS, DOCUMENTS.c.id == VERSIONS.c.document_id)


class SqlLibraryLife:
    """The consequences of versions succeeding each other and of documents being removed."""

    _database: Database
    _generations: Generations

    async def successors(self, versions: Sequence[VersionId]) -> dict[VersionId, Successor]:
        new = VERSIONS.alias("new")
        same = sa.and_(new.c.document_id == VERSIONS.c.document_id, new.c.status == VersionStatus.ACTIVE)
        query = sa.select(VERSIONS.c.id, new.c.id.label("successor"), new.c.indexed_at).select_from(
            JOINED.join(new, same)
        )
        query = query.where(DOCUMENTS.c.status == DocumentStatus.ACTIVE, VERSIONS.c.status.in_(OLD))
        successors: dict[VersionId, Successor] = {}
        async with self._database.read() as connection:
            for start in range(0, len(versions), AT_ONCE):
                some = query.where(VERSIONS.c.id.in_(versions[start : start + AT_ONCE]))
                for row in await connection.execute(some):
                    successors[VersionId(row.id)] = Successor(VersionId(row.successor), row.indexed_at)
        return successors

    async def withdraw(self, document: DocumentId, *, at: datetime) -> bool:
        mine = DOCUMENTS.c.id == document, DOCUMENTS.c.status == DocumentStatus.ACTIVE
        statement = DOCUMENTS.update().where(*mine).values(status=DocumentStatus.DELETED, withdrawn_at=at)
        async with self._generations.changing() as connection:
            return bool((await connection.execute(statement)).rowcount)

    async def restore(self, document: DocumentId) -> bool:
        back = DOCUMENTS.update().where(DOCUMENTS.c.id == document, WITHDRAWN)
        back = back.values(status=DocumentStatus.ACTIVE, withdrawn_at=None)
        async with self._generations.changing() as connection:
            return bool((await connection.execute(back)).rowcount)

    async def withdrawn(
        self, *, before: datetime | None = None, after: datetime | None = None
    ) -> list[tuple[Document, datetime]]:
        query = DOCUMENTS.select().where(WITHDRAWN).order_by(DOCUMENTS.c.withdrawn_at, DOCUMENTS.c.id)
        if before is not None:
            query = query.where(over(DOCUMENTS.c.withdrawn_at, before=before, after=after))
        return [(mapping.to_document(row), row.withdrawn_at) for row in await self._database.rows(query)]

    async def superseded(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        time = over(VERSIONS.c.seen_to, before=before, after=after)
        kept = DOCUMENTS.c.status == DocumentStatus.ACTIVE, time
        return await self._versions(VERSIONS.c.status == VersionStatus.SUPERSEDED, *kept)

    async def unfinished(self, *, before: datetime, after: datetime | None = None) -> list[DocumentVersion]:
        return await self._versions(
            VERSIONS.c.status == VersionStatus.PENDING, over(VERSIONS.c.seen_from, before=before, after=after)
        )

    async def _versions(self, *conditions: sa.ColumnElement[bool]) -> list[DocumentVersion]:
        query = sa.select(*VERSIONS.c).select_from(JOINED).where(*conditions).order_by(VERSIONS.c.row)
        return [mapping.to_version(row) for row in await self._database.rows(query)]

    async def delete_version(self, version: VersionId, *, at: datetime) -> None:
        mine = VERSIONS.c.id == version, VERSIONS.c.status.not_in((VersionStatus.ACTIVE, GONE))
        async with self._generations.changing() as connection:
            await _empty(connection, sa.and_(*mine), at)

    async def delete_document(self, document: DocumentId, *, at: datetime) -> list[VersionId]:
        """Delete the content of a document; its row and those of its versions stay, marked deleted."""
        async with self._generations.changing() as connection:
            removable = [row for row in await versions_of(connection, document) if row.status is not GONE]
            await connection.execute(
                DOCUMENTS.update()
                .where(DOCUMENTS.c.id == document)
                .values(status=DocumentStatus.DELETED, withdrawn_at=None)
            )
            await _empty(connection, VERSIONS.c.document_id == document, at)
        return [row.id for row in removable]

    async def keeps(self, sha256: str, *, apart_from: Sequence[VersionId]) -> bool:
        query = sa.select(VERSIONS.c.id).where(VERSIONS.c.sha256 == sha256, VERSIONS.c.status != GONE)
        async with self._database.read() as connection:
            users = (await connection.execute(query)).scalars().all()
        return bool(set(users) - set(apart_from))

    async def needed_files(self) -> set[str]:
        query = sa.select(VERSIONS.c.sha256).where(VERSIONS.c.status != GONE).distinct()
        async with self._database.read() as connection:
            return set((await connection.execute(query)).scalars())

    async def collections(self) -> list[str]:
        query = sa.select(DOCUMENTS.c.collection).distinct().order_by(DOCUMENTS.c.collection)
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())

    async def kept(self, collection: str, *, before: datetime) -> set[VersionId]:
        new = VERSIONS.alias("new")
        same = new.c.document_id == VERSIONS.c.document_id, new.c.sha256 == VERSIONS.c.sha256
        again = sa.exists().where(*same, new.c.status == VersionStatus.ACTIVE)
        old = VERSIONS.c.status == VersionStatus.SUPERSEDED, VERSIONS.c.seen_to <= before
        query = sa.select(VERSIONS.c.id).select_from(JOINED)
        query = query.where(DOCUMENTS.c.collection == collection, VERSIONS.c.status != GONE)
        query = query.where(~sa.and_(*old, again))
        async with self._database.read() as connection:
            return {VersionId(version) for version in (await connection.execute(query)).scalars()}


async def _empty(connection: AsyncConnection, which: sa.ColumnElement[bool], at: datetime) -> None:
    """Delete pages, passages and references of versions; their rows are marked."""
    rows = sa.select(VERSIONS.c.row).where(which)
    for table in (PAGES, PASSAGES, REFERENCES, RECOGNISED):
        await connection.execute(table.delete().where(table.c.version_row.in_(rows)))
    await connection.execute(
        VERSIONS.update()
        .where(which, VERSIONS.c.status != GONE)
        .values(status=GONE, seen_to=sa.func.coalesce(VERSIONS.c.seen_to, at))
    )


PAGES_AT_ONCE = 8
"""Number of pages unpacked together: many take memory, one by one they take time."""


# What the index must contain of the library, and whose index it is.

HOLDINGS = Codec(Holding)

_ROW = 1


# References between sections, as the recogniser found them in each version.


class SqlLibraryReferences:
    """Keeps references and finds them from either end."""

    _database: Database

    async def save_references(
        self, version: VersionId, references: Sequence[Reference], *, recogniser: int
    ) -> None:
        async with self._database.write() as connection:
            conditions = VERSIONS.c.id == version, VERSIONS.c.status != VersionStatus.DELETED
            row = (
                await connection.execute(sa.select(VERSIONS.c.row).where(*conditions))
            ).scalar_one_or_none()
            if row is None:
                return
            for table in (REFERENCES, RECOGNISED):
                await connection.execute(table.delete().where(table.c.version_row == row))
            rows = [
                {"version_row": row, "position": position, **mapping.reference_values(reference)}
                for position, reference in enumerate(references)
            ]
            await insert_all(connection, REFERENCES, rows)
            await insert_all(connection, RECOGNISED, [{"version_row": row, "recogniser": recogniser}])

    async def unrecognised(self, versions: Sequence[VersionId], *, recogniser: int) -> list[VersionId]:
        done: set[str] = set()
        async with self._database.read() as connection:
            for start in range(0, len(versions), AT_ONCE):
                some = versions[start : start + AT_ONCE]
                query = recognised_by(recogniser).where(VERSIONS.c.id.in_(some))
                done.update((await connection.execute(query)).scalars())
        return [version for version in versions if version not in done]

    async def references_from(
        self, versions: Sequence[VersionId], section: str | None = None
    ) -> list[Reference]:
        condition = sa.true() if section is None else REFERENCES.c.section == section
        return await self._references(versions, condition)

    async def references_to(self, versions: Sequence[VersionId], sections: Sequence[str]) -> list[Reference]:
        return await self._references(versions, REFERENCES.c.target.in_(sections))

    async def _references(
        self, versions: Sequence[VersionId], condition: sa.ColumnElement[bool]
    ) -> list[Reference]:
        references: list[Reference] = []
        async with self._database.read() as connection:
            for start in range(0, len(versions), AT_ONCE):
                some = versions[start : start + AT_ONCE]
                query = references_with_version().where(VERSIONS.c.id.in_(some), condition)
                rows = (await connection.execute(query)).all()
                references += await beside(rows, mapping.to_reference)
        order = {version: number for number, version in enumerate(versions)}
        return sorted(references, key=lambda reference: order[reference.version])


class SqlLibraryHoldings:
    """Versions with the number of their passages, according to the database."""

    _database: Database
    _generations: Generations

    async def identity(self) -> LibraryId:
        """The id of this library, created on first use."""
        async with self._database.read() as connection:
            query = sa.select(LIBRARY_ID.c.id).order_by(LIBRARY_ID.c.row).limit(1)
            library_id = (await connection.execute(query)).scalar_one_or_none()
        if library_id is not None:
            return LibraryId(library_id)
        try:
            await self._database.run(LIBRARY_ID.insert().values(row=_ROW, id=uuid.uuid4().hex))
        except Broken as error:
            if error.key != "database.conflict":  # another process was quicker
                raise
        return await self.identity()

    async def holdings(self, collections: Sequence[str] | None = None) -> list[Holding]:
        return [
            HOLDINGS.read(row, document=row.document_id, version=row.id)
            for row in await self._database.rows(_holdings(collections))
        ]

    async def refill(self, version: VersionId, pages: Sequence[Page], passages: Sequence[Passage]) -> None:
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


class SqlLibrary(SqlLibraryLife, SqlLibraryHoldings, SqlLibraryReferences):
    """Documents, versions, pages and passages in an open database."""

    def __init__(self, database: Database, zone: tzinfo = UTC) -> None:
        """Days end in `zone`."""
        self._database = database
        self._generations = Generations(database)
        self._zone = zone

    @classmethod
    async def open(cls, url: str) -> "SqlLibrary":
        """Open `url` and bring its schema up to date; see `Database.open` for what it raises."""
        return cls(await Database.open(url))

    async def close(self) -> None:
        await self._database.close()

    async def save_registry(self, registry: Registry) -> None:
        async with self._generations.changing() as connection:
            await replace_all(connection, JURISDICTIONS, mapping.registry_values(registry.jurisdictions))
            await replace_all(connection, PARTIES, mapping.registry_values(registry.parties))
            await replace_all(connection, GOVERNMENTS, mapping.registry_values(registry.governments))
            await replace_all(connection, DERIVATIONS, mapping.registry_values(registry.derivations))
            await replace_all(connection, REGISTERED, mapping.registered_values(registry.documents))
            await replace_all(connection, MANIFESTS, mapping.manifest_values(registry.manifests))

    async def registry(self, collections: Collection[str] | None = None) -> Registry:
        sight = None if collections is None else frozenset(collections)
        return await self._generations.read(("registry", sight), partial(_registry, sight))

    async def save_document(self, document: Document) -> None:
        """Insert or update by id. Raises Broken if another document of the collection has the key."""
        values = mapping.document_values(document)
        async with self._generations.changing() as connection:
            updated = await connection.execute(
                DOCUMENTS.update().where(DOCUMENTS.c.id == document.id).values(values)
            )
            if not updated.rowcount:
                await connection.execute(DOCUMENTS.insert().values(values))

    async def documents(self, collections: Sequence[str] | None = None) -> list[Document]:
        documents = await self._generations.read("documents", _documents)
        return [each for each in documents if collections is None or each.collection in collections]

    async def document(self, document: DocumentId) -> Document | None:
        query = DOCUMENTS.select().where(DOCUMENTS.c.id == document)
        row = await self._database.row(query)
        return mapping.to_document(row) if row else None

    async def versions(self, document: DocumentId) -> list[DocumentVersion]:
        async with self._database.read() as connection:
            return await versions_of(connection, document)

    async def version(self, version: VersionId) -> DocumentVersion | None:
        async with self._database.read() as connection:
            return await version_by_id(connection, version)

    async def add_version(
        self, version: DocumentVersion, pages: Sequence[Page], passages: Sequence[Passage]
    ) -> None:
        """Save a pending version; replaces an unfinished or deleted one with the same id, and leaves a
        readable one alone: the id identifies bytes and pipeline, so its content is the same."""
        if version.status is not VersionStatus.PENDING:
            raise ValueError("a version is added as pending")
        page_rows = await asyncio.to_thread(lambda: [mapping.page_values(page) for page in pages])
        passage_rows = [mapping.passage_values(passage) for passage in passages]
        async with self._database.write() as connection:
            existing = await version_by_id(connection, version.id)
            if existing is not None and existing.status in READABLE:
                return
            await connection.execute(VERSIONS.delete().where(VERSIONS.c.id == version.id))
            insert = VERSIONS.insert().values(mapping.version_values(version)).returning(VERSIONS.c.row)
            row = (await connection.execute(insert)).scalar_one()
            for table, rows in ((PAGES, page_rows), (PASSAGES, passage_rows)):
                await insert_all(connection, table, [{"version_row": row, **values} for values in rows])

    async def activate(self, version: VersionId, *, at: datetime) -> None:
        """Make it active and supersede the previous one. `seen_from` becomes the first time these bytes were
        seen. Raises Broken if the version does not exist (any more)."""
        async with self._generations.changing() as connection:
            chosen = await version_by_id(connection, version)
            if chosen is None or chosen.status is VersionStatus.DELETED:
                detail = "the version was deleted; ingest the document again"
                raise Broken("library.version_unknown", detail)
            if chosen.status is VersionStatus.ACTIVE:
                return
            await lock_document(connection, chosen.document)
            siblings = await versions_of(connection, chosen.document)
            same = [row for row in siblings if row.sha256 == chosen.sha256 and row.status in READABLE]
            await connection.execute(
                VERSIONS.update()
                .where(VERSIONS.c.document_id == chosen.document, VERSIONS.c.status == VersionStatus.ACTIVE)
                .values(status=VersionStatus.SUPERSEDED, seen_to=at)
            )
            await connection.execute(
                VERSIONS.update()
                .where(VERSIONS.c.id == version)
                .values(
                    status=VersionStatus.ACTIVE,
                    seen_from=min(row.seen_from for row in (chosen, *same)),
                    seen_to=None,
                    indexed_at=at,
                )
            )

    async def with_bytes(self, sha256: str, collection: str | None = None) -> list[Edition]:
        query = editions(None if collection is None else [collection]).where(
            VERSIONS.c.sha256 == sha256, VERSIONS.c.status.in_(READABLE)
        )
        rows = await self._database.rows(query)
        all_editions = await beside(rows, to_edition)
        all_editions.sort(key=lambda edition: edition.version.number, reverse=True)
        return sorted(all_editions, key=lambda edition: place(edition.document))

    async def editions(self, scope: Scope, *, on: date) -> list[Edition]:
        """The editions in `scope`. A day before a document was first seen counts as the day it was: its
        earlier bytes are unknown, and the document's own dates say what is valid. `on` is today; as of today
        means the active version."""
        day = scope.as_of if scope.as_of and scope.as_of < on else None
        candidates: list[Edition] = []
        for collection in sorted(set(scope.collections)):
            read = partial(self._editions, collection, day)
            candidates += await self._generations.read(("editions", collection, day), read)
        wanted, types = frozenset(scope.documents), frozenset(scope.doc_types)
        return [
            each
            for each in candidates
            if (not wanted or each.document.id in wanted)
            and (not types or each.document.fields.doc_type in types)
        ]

    async def _editions(
        self, collection: str, day: date | None, connection: AsyncConnection
    ) -> tuple[Edition, ...]:
        """All of a collection by title: active versions, or those that were current at the end of `day`."""
        query = editions([collection])
        if day is None:
            query = query.where(VERSIONS.c.status == VersionStatus.ACTIVE)
        else:
            query = query.where(VERSIONS.c.status != VersionStatus.PENDING)
        found = await beside((await connection.execute(query)).all(), to_edition)
        chosen = found if day is None else as_of(found, day, self._zone)
        return tuple(sorted(chosen, key=lambda edition: place(edition.document)))

    async def page(self, version: VersionId, number: int) -> Page | None:
        query = of_version(PAGES, version).where(PAGES.c.number == number)
        row = await self._database.row(query)
        return await asyncio.to_thread(mapping.to_page, row) if row else None

    async def pages_at(self, version: VersionId, numbers: Collection[int]) -> list[Page]:
        """Pages of a version by number, unpacked off the event loop."""
        rows = await self._page_rows(version, numbers)
        return await asyncio.to_thread(_to_pages, rows) if rows else []

    async def written_at(self, version: VersionId, numbers: Collection[int]) -> list[WrittenPage]:
        """The texts of pages of a version, unpacked off the event loop."""
        rows = await self._page_rows(version, numbers)
        return await asyncio.to_thread(lambda: list(map(mapping.to_written_page, rows))) if rows else []

    async def _page_rows(self, version: VersionId, numbers: Collection[int]) -> list[sa.Row[Any]]:
        wanted, found = sorted(set(numbers)), list[sa.Row[Any]]()
        async with self._database.read() as connection:
            for start in range(0, len(wanted), AT_ONCE):
                some = PAGES.c.number.in_(wanted[start : start + AT_ONCE])
                query = of_version(PAGES, version).where(some).order_by(PAGES.c.number)
                found += (await connection.execute(query)).all()
        return found

    async def pages(self, version: VersionId) -> AsyncIterator[Page]:
        """All pages in order, unpacked a few at a time, off the event loop."""
        query = of_version(PAGES, version).order_by(PAGES.c.number)
        rows = await self._database.rows(query)
        for start in range(0, len(rows), PAGES_AT_ONCE):
            for page in await asyncio.to_thread(_to_pages, rows[start : start + PAGES_AT_ONCE]):
                yield page

    async def passages(self, passages: Sequence[PassageId]) -> list[Passage]:
        found: dict[PassageId, Passage] = {}
        async with self._database.read() as connection:
            for start in range(0, len(passages), AT_ONCE):
                query = passages_with_version().where(PASSAGES.c.id.in_(passages[start : start + AT_ONCE]))
                rows = (await connection.execute(query)).all()
                found.update({each.id: each for each in await beside(rows, mapping.to_passage)})
        return [found[wanted] for wanted in passages if wanted in found]

    async def passages_at(self, version: VersionId, ordinals: Sequence[int]) -> list[Passage]:
        return await self._passages_where(version, PASSAGES.c.ordinal.in_(ordinals))

    async def section_family(self, version: VersionId, section: str) -> list[Passage]:
        return await self._passages_where(version, PASSAGES.c.section_id == section)

    async def _passages_where(self, version: VersionId, condition: sa.ColumnElement[bool]) -> list[Passage]:
        query = (
            passages_with_version().where(VERSIONS.c.id == version, condition).order_by(PASSAGES.c.ordinal)
        )
        rows = await self._database.rows(query)
        return await beside(rows, mapping.to_passage)


async def _registry(sight: Collection[str] | None, connection: AsyncConnection) -> Registry:
    whole = Registry(
        jurisdictions=await all_rows(connection, JURISDICTIONS, mapping.JURISDICTIONS.read),
        parties=await all_rows(connection, PARTIES, mapping.PARTIES.read),
        governments=await all_rows(connection, GOVERNMENTS, mapping.GOVERNMENTS.read),
        documents=await all_rows(connection, REGISTERED, mapping.to_registered),
        derivations=await all_rows(connection, DERIVATIONS, mapping.DERIVATIONS.read),
        manifests=await all_rows(connection, MANIFESTS, mapping.to_manifest),
    )
    return whole if sight is None else seen_from(whole, sight)


async def _documents(connection: AsyncConnection) -> tuple[Document, ...]:
    query = DOCUMENTS.select().where(DOCUMENTS.c.status == DocumentStatus.ACTIVE)
    found = await beside((await connection.execute(query)).all(), mapping.to_document)
    return tuple(sorted(found, key=place))


def _to_pages(rows: Sequence[sa.Row[Any]]) -> list[Page]:
    return [mapping.to_page(row) for row in rows]
