"""An in-memory `Library`, held to the same contract suite as the SQL one."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from core.domain.documents import Document, DocumentStatus, DocumentVersion, Edition, VersionStatus
from core.domain.ids import DocumentId, PassageId, VersionId
from core.domain.pages import Page
from core.domain.passages import Passage
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.errors import Broken

READABLE = (VersionStatus.ACTIVE, VersionStatus.SUPERSEDED)


@dataclass(frozen=True)
class Content:
    """A version row with what hangs on it."""

    version: DocumentVersion
    pages: tuple[Page, ...]
    passages: tuple[Passage, ...]

    def with_status(self, status: VersionStatus, *, seen_to: datetime | None) -> "Content":
        return replace(self, version=replace(self.version, status=status, seen_to=seen_to))


class FakeLibrary:
    """Keeps everything in dictionaries. A version id has at most one pending and one settled row."""

    def __init__(self) -> None:
        self._registry = Registry()
        self._documents: dict[DocumentId, Document] = {}
        self._settled: dict[VersionId, Content] = {}
        self._pending: dict[VersionId, Content] = {}

    async def save_registry(self, registry: Registry) -> None:
        self._registry = registry

    async def registry(self) -> Registry:
        return self._registry

    async def save_document(self, document: Document) -> None:
        self._documents[document.id] = document

    async def documents(self, collections: Sequence[str] | None = None) -> list[Document]:
        return sorted(
            (
                document
                for document in self._documents.values()
                if document.status is DocumentStatus.ACTIVE
                and (collections is None or document.collection in collections)
            ),
            key=lambda document: (document.collection, document.fields.title, document.id),
        )

    async def document(self, document: DocumentId) -> Document | None:
        return self._documents.get(document)

    async def versions(self, document: DocumentId) -> list[DocumentVersion]:
        rows = [content.version for content in self._rows(document)]
        return sorted(rows, key=lambda version: version.number, reverse=True)

    async def version(self, version: VersionId) -> DocumentVersion | None:
        content = self._current(version) or self._settled.get(version)
        return content.version if content else None

    async def add_version(
        self, version: DocumentVersion, pages: Sequence[Page], passages: Sequence[Passage]
    ) -> None:
        if version.status is not VersionStatus.PENDING:
            raise ValueError("a version is added as pending")
        if version.document not in self._documents:
            raise Broken("library.document_unknown", "save the document before its versions")
        if self._settled.get(version.id, None) and self._deleted(version.id):
            del self._settled[version.id]
        self._pending[version.id] = Content(version, tuple(pages), tuple(passages))

    async def activate(self, version: VersionId, *, at: datetime) -> None:
        chosen = self._pending.pop(version, None) or self._current(version)
        if chosen is None:
            raise Broken("library.version_unknown", "the version was deleted; ingest the document again")
        if chosen.version.status is VersionStatus.ACTIVE:
            return
        for former in self._rows(chosen.version.document):
            if former.version.status is VersionStatus.ACTIVE:
                self._settled[former.version.id] = former.with_status(VersionStatus.SUPERSEDED, seen_to=at)
        first_seen = min(
            content.version.seen_from for content in (chosen, self._settled.get(version, chosen))
        )
        flipped = replace(
            chosen.version,
            status=VersionStatus.ACTIVE,
            seen_from=first_seen,
            seen_to=None,
            indexed_at=at,
        )
        self._settled[version] = replace(chosen, version=flipped)

    async def delete_document(self, document: DocumentId, *, at: datetime) -> list[VersionId]:
        known = self._documents.get(document)
        if known is None:
            return []
        self._documents[document] = replace(known, status=DocumentStatus.DELETED)
        gone = sorted(
            (row.version for row in self._rows(document) if row.version.status is not VersionStatus.DELETED),
            key=lambda version: version.number,
        )
        for version in gone:
            bare = Content(version, (), ()).with_status(VersionStatus.DELETED, seen_to=version.seen_to or at)
            if version.status is not VersionStatus.PENDING or version.id not in self._settled:
                self._settled[version.id] = bare
            self._pending.pop(version.id, None)
        return list(dict.fromkeys(version.id for version in gone))

    async def editions(self, scope: Scope, *, on: date) -> list[Edition]:
        found = []
        for document in await self.documents(scope.collections):
            if scope.documents and document.id not in scope.documents:
                continue
            if scope.doc_types and document.fields.doc_type not in scope.doc_types:
                continue
            version = self._version_on(document.id, scope.as_of if scope.as_of and scope.as_of < on else None)
            if version:
                found.append(Edition(document=document, version=version))
        return found

    async def page(self, version: VersionId, number: int) -> Page | None:
        content = self._current(version)
        return next((page for page in content.pages if page.number == number), None) if content else None

    async def pages(self, version: VersionId) -> AsyncIterator[Page]:
        content = self._current(version)
        for page in sorted(content.pages if content else (), key=lambda page: page.number):
            yield page

    async def passages(self, passages: Sequence[PassageId]) -> list[Passage]:
        known = {
            passage.id: passage
            for version in {*self._settled, *self._pending}
            for passage in self._passages(version)
        }
        return [known[wanted] for wanted in passages if wanted in known]

    async def passages_at(self, version: VersionId, ordinals: Sequence[int]) -> list[Passage]:
        return [passage for passage in self._passages(version) if passage.ordinal in set(ordinals)]

    async def section_family(self, version: VersionId, section: str) -> list[Passage]:
        return [
            passage
            for passage in self._passages(version)
            if passage.section is not None and passage.section.id == section
        ]

    async def close(self) -> None:
        self._documents.clear()

    def _rows(self, document: DocumentId) -> list[Content]:
        both: Iterator[Content] = iter([*self._settled.values(), *self._pending.values()])
        return [content for content in both if content.version.document == document]

    def _deleted(self, version: VersionId) -> bool:
        return self._settled[version].version.status is VersionStatus.DELETED

    def _current(self, version: VersionId) -> Content | None:
        settled = self._settled.get(version)
        return settled if settled and settled.version.status in READABLE else self._pending.get(version)

    def _passages(self, version: VersionId) -> list[Passage]:
        content = self._current(version)
        return sorted(content.passages if content else (), key=lambda passage: passage.ordinal)

    def _version_on(self, document: DocumentId, day: date | None) -> DocumentVersion | None:
        rows = [
            row.version for row in self._rows(document) if row.version.status is not VersionStatus.PENDING
        ]
        if day is None:
            return next((row for row in rows if row.status is VersionStatus.ACTIVE), None)
        end = datetime.combine(day + timedelta(days=1), time(), UTC)
        rows.sort(key=lambda row: row.seen_from)
        seen = [row for row in rows if row.seen_from < end and (row.seen_to is None or row.seen_to >= end)]
        first = rows[:1] if rows and rows[0].seen_from >= end else []
        chosen = (seen or first)[-1:]
        return next((row for row in chosen if row.status in READABLE), None)
