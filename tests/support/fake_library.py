"""An in-memory `Library`, held to the same contract suite as the SQL one."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, tzinfo

from core.domain.documents import Document, DocumentStatus, DocumentVersion, Edition, VersionStatus
from core.domain.ids import DocumentId, PassageId, VersionId
from core.domain.pages import Page, WrittenPage
from core.domain.passages import Passage, Reference
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.errors import Broken
from core.registry.manifests import seen_from
from tests.support.fake_life import FakeLife

READABLE = (VersionStatus.ACTIVE, VersionStatus.SUPERSEDED)


@dataclass(frozen=True)
class Content:
    """A version with its pages, passages and references."""

    version: DocumentVersion
    pages: tuple[Page, ...]
    passages: tuple[Passage, ...]


class FakeLibrary(FakeLife):
    """Keeps everything in dictionaries."""

    def __init__(self, zone: tzinfo = UTC) -> None:
        self._zone = zone
        self._registry = Registry()
        self._documents: dict[DocumentId, Document] = {}
        self._contents: dict[VersionId, Content] = {}
        self._references: dict[VersionId, tuple[int, tuple[Reference, ...]]] = {}
        self._withdrawn: dict[DocumentId, datetime] = {}

    async def save_registry(self, registry: Registry) -> None:
        self._registry = registry

    async def registry(self, collections: Collection[str] | None = None) -> Registry:
        return self._registry if collections is None else seen_from(self._registry, collections)

    async def save_document(self, document: Document) -> None:
        if any(
            other.id != document.id
            and (other.collection, other.key) == (document.collection, document.key)
            and other.status is document.status is DocumentStatus.ACTIVE
            for other in self._documents.values()
        ):
            raise Broken("database.conflict", f"{document.key} is taken in {document.collection}")
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
        return sorted(
            (row for row in self._versions() if row.document == document),
            key=lambda row: (row.number, row.seen_from),
            reverse=True,
        )

    async def version(self, version: VersionId) -> DocumentVersion | None:
        content = self._contents.get(version)
        return content.version if content else None

    async def add_version(
        self, version: DocumentVersion, pages: Sequence[Page], passages: Sequence[Passage]
    ) -> None:
        if version.status is not VersionStatus.PENDING:
            raise ValueError("a version is added as pending")
        if version.document not in self._documents:
            raise Broken("database.conflict", "save the document before its versions")
        known = self._contents.get(version.id)
        if known is None or known.version.status not in READABLE:
            self._contents[version.id] = Content(version, tuple(pages), tuple(passages))
            self._references.pop(version.id, None)

    async def activate(self, version: VersionId, *, at: datetime) -> None:
        chosen = self._contents.get(version)
        if chosen is None or chosen.version.status is VersionStatus.DELETED:
            raise Broken("library.version_unknown", "the version was deleted; ingest the document again")
        if chosen.version.status is VersionStatus.ACTIVE:
            return
        siblings = await self.versions(chosen.version.document)
        for former in siblings:
            if former.status is VersionStatus.ACTIVE:
                self._update(replace(former, status=VersionStatus.SUPERSEDED, seen_to=at))
        first_seen = min(
            row.seen_from
            for row in siblings
            if row.sha256 == chosen.version.sha256 and (row.id == version or row.status in READABLE)
        )
        self._update(
            replace(
                chosen.version,
                status=VersionStatus.ACTIVE,
                seen_from=first_seen,
                seen_to=None,
                indexed_at=at,
            )
        )

    async def with_bytes(self, sha256: str, collection: str | None = None) -> list[Edition]:
        collections = None if collection is None else [collection]
        return [
            Edition(document=document, version=version)
            for document in await self.documents(collections)
            for version in await self.versions(document.id)
            if version.sha256 == sha256 and version.status in READABLE
        ]

    async def delete_document(self, document: DocumentId, *, at: datetime) -> list[VersionId]:
        known = self._documents.get(document)
        if known is None:
            return []
        self._documents[document] = replace(known, status=DocumentStatus.DELETED)
        self._withdrawn.pop(document, None)
        gone = [
            version
            for version in await self.versions(document)
            if version.status is not VersionStatus.DELETED
        ]
        for version in gone:
            bare = replace(version, status=VersionStatus.DELETED, seen_to=version.seen_to or at)
            self._contents[version.id] = Content(bare, (), ())
            self._references.pop(version.id, None)
        return [version.id for version in gone]

    async def editions(self, scope: Scope, *, on: date) -> list[Edition]:
        day = scope.as_of if scope.as_of and scope.as_of < on else None
        found = []
        for document in await self.documents(scope.collections):
            if scope.documents and document.id not in scope.documents:
                continue
            if scope.doc_types and document.fields.doc_type not in scope.doc_types:
                continue
            version = self._version_on(document.id, day)
            if version:
                found.append(Edition(document=document, version=version))
        return found

    async def page(self, version: VersionId, number: int) -> Page | None:
        return next((page for page in self._pages(version) if page.number == number), None)

    async def pages_at(self, version: VersionId, numbers: Collection[int]) -> list[Page]:
        return [page for page in self._pages(version) if page.number in numbers]

    async def written_at(self, version: VersionId, numbers: Collection[int]) -> list[WrittenPage]:
        return [WrittenPage.of(page) for page in await self.pages_at(version, numbers)]

    async def pages(self, version: VersionId) -> AsyncIterator[Page]:
        for page in self._pages(version):
            yield page

    async def passages(self, passages: Sequence[PassageId]) -> list[Passage]:
        known = {passage.id: passage for version in self._contents for passage in self._passages(version)}
        return [known[wanted] for wanted in passages if wanted in known]

    async def passages_at(self, version: VersionId, ordinals: Sequence[int]) -> list[Passage]:
        return [passage for passage in self._passages(version) if passage.ordinal in set(ordinals)]

    async def section_family(self, version: VersionId, section: str) -> list[Passage]:
        return [
            passage
            for passage in self._passages(version)
            if passage.section is not None and passage.section.id == section
        ]

    async def save_references(
        self, version: VersionId, references: Sequence[Reference], *, recogniser: int
    ) -> None:
        known = self._contents.get(version)
        if known is not None and known.version.status is not VersionStatus.DELETED:
            self._references[version] = (recogniser, tuple(references))

    async def unrecognised(self, versions: Sequence[VersionId], *, recogniser: int) -> list[VersionId]:
        return [each for each in versions if self._references.get(each, (None, ()))[0] != recogniser]

    async def references_from(
        self, versions: Sequence[VersionId], section: str | None = None
    ) -> list[Reference]:
        return [each for each in self._all_references(versions) if section in (None, each.section)]

    async def references_to(self, versions: Sequence[VersionId], sections: Sequence[str]) -> list[Reference]:
        return [each for each in self._all_references(versions) if each.target in sections]

    def _all_references(self, versions: Sequence[VersionId]) -> list[Reference]:
        return [each for version in versions for each in self._references.get(version, (0, ()))[1]]

    async def close(self) -> None:
        """Nothing to release."""

    def _versions(self) -> list[DocumentVersion]:
        return [content.version for content in self._contents.values()]

    def _update(self, version: DocumentVersion) -> None:
        self._contents[version.id] = replace(self._contents[version.id], version=version)

    def _pages(self, version: VersionId) -> list[Page]:
        content = self._contents.get(version)
        return sorted(content.pages if content else (), key=lambda page: page.number)

    def _passages(self, version: VersionId) -> list[Passage]:
        content = self._contents.get(version)
        return sorted(content.passages if content else (), key=lambda passage: passage.ordinal)

    def _version_on(self, document: DocumentId, day: date | None) -> DocumentVersion | None:
        rows = [
            row
            for row in self._versions()
            if row.document == document and row.status is not VersionStatus.PENDING
        ]
        if day is None:
            return next((row for row in rows if row.status is VersionStatus.ACTIVE), None)
        if not rows:
            return None
        moment = max(datetime.combine(day, time.max, self._zone), min(row.seen_from for row in rows))
        current = [
            row for row in rows if row.seen_from <= moment < (row.seen_to or datetime.max.replace(tzinfo=UTC))
        ]
        current.sort(key=lambda row: (row.seen_from, row.indexed_at or row.seen_from))
        return next((row for row in current[-1:] if row.status in READABLE), None)
