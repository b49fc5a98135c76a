"""Maintenance of documents: a complete index, the newest pipeline, their copies."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from pathlib import Path

from bot.library.intake import IngestOptions, Intake, document_request
from bot.periodic import Supervisor
from bot.presentation.i18n import Texts
from core.domain.documents import Document, DocumentFields, DocumentStatus, Edition, VersionStatus
from core.domain.ids import VersionId, document_id
from core.domain.ingestion import IngestReceipt, IngestRequest, IngestStatus
from core.domain.scope import Scope
from core.domain.search import ScopeKeys
from core.errors import Refused
from core.library.completeness import Completeness, IndexCount, Rebuilder
from core.library.formats import Report
from core.library.indexing import batches, both
from core.library.ingestion import Ingester
from core.library.outcomes import error_of
from core.library.repairs import whole_original
from core.ports.clock import Clock
from core.ports.index import IndexGeneration, IndexGenerations, PassageIndex, answering
from core.ports.library import Library, LifecycleLibrary
from core.ports.storage import Originals
from core.search.scope_keys import wanted_keys
from core.search.scoped_index import BELIEVED_S

OF_SOURCES = frozenset({"mirrors", "schedule"})
"""Fields about a document's origin, which don't apply to its copy."""

ALL_FIELDS = frozenset(each.name for each in fields(DocumentFields)) - OF_SOURCES


def copy_key(document: Document) -> str:
    """The key of a document's copy in another collection. It is distinct even from files of the same name
    there: otherwise they would be taken for versions of each other, and removing one would remove the
    other."""
    return f"copy:{document.id}"


@dataclass(frozen=True, slots=True)
class Publishing:
    """Publishes documents and ingests stored files again. A published document is a copy under the other
    collection's own ids, so that nothing in the first can be reached through the second, and unpublishing
    means removing the copy."""

    library: Library
    ingester: Ingester
    intake: Intake
    originals: Originals

    async def publish(self, document: Document, collection: str) -> Document:
        """Copy a document into `collection`; returns the copy. Raises Refused if it is already there."""
        if document.collection == collection:
            detail = f"{document.fields.title} is in {collection} already"
            raise Refused("publish.already", detail, title=document.fields.title, collection=collection)
        request = document_request(document, await self._kept(document), ALL_FIELDS)
        receipt = await self._ingested(replace(request, key=copy_key(document), collection=collection))
        copy = await self.library.document(receipt.document) if receipt.document else None
        if copy is None:
            raise error_of(receipt, "publish.failed", title=document.fields.title)
        await self.intake.carry(copy.fields, collection)
        return copy

    async def unpublish(self, document: Document, collection: str) -> Document:
        """Remove the copy that `publish` made of a document, given the original or the copy. Raises Refused
        if there is none."""
        own = document.collection == collection
        copy = document if own else await self.copy_of(document, collection)
        if copy is None or not await self.ingester.remove(copy.id):
            detail = f"{document.fields.title} has no copy in {collection}"
            raise Refused("publish.none", detail, title=document.fields.title, collection=collection)
        return copy

    async def copy_of(self, document: Document, collection: str) -> Document | None:
        """The copy of a document that `publish` made in `collection`, if it still exists."""
        copy = await self.library.document(document_id(collection, copy_key(document)))
        return copy if copy is not None and copy.status is DocumentStatus.ACTIVE else None

    async def describe(self, document: Document, options: IngestOptions) -> IngestReceipt:
        """Change the fields of a document; it is only read again if they change how it is cut."""
        fields, stated = await self.intake.fields(options)
        await self.intake.carry(fields, document.collection)
        return await self._again(replace(document, fields=fields), stated)

    async def reingest(self, document: Document) -> IngestReceipt:
        """Read a document again: from its address if it has one, else from the kept file."""
        if document.fields.source_uri and document.key == document.fields.source_uri:
            found = [
                item
                async for item in self.intake.ingest(
                    [document.key], IngestOptions(collection=document.collection), None
                )
            ]
            return found[0]
        return await self._again(document, frozenset())

    async def rebuild(self, document: Document) -> IngestReceipt:
        """Read the kept file of a document again, which matters if the pipeline has changed."""
        return await self._ingested(document_request(document, await self._kept(document)))

    async def _again(self, document: Document, stated: frozenset[str]) -> IngestReceipt:
        receipt = await self._ingested(document_request(document, await self._kept(document), stated))
        if receipt.status is IngestStatus.REFUSED:
            raise error_of(receipt, "upload.refused", file=document.file)
        return receipt

    async def _ingested(self, request: IngestRequest) -> IngestReceipt:
        found: Sequence[IngestReceipt] = [item async for item in self.ingester.ingest([request])]
        return found[0]

    async def _kept(self, document: Document) -> Path:
        for version in await self.library.versions(document.id):
            if version.status is VersionStatus.ACTIVE:
                return await whole_original(self.originals, version.original, document.file)
        raise Refused("document.unknown", f"{document.fields.title} holds nothing", name=document.file)


# An incomplete index: detected by its counts, rebuilt while questions are answered, with a notice.

REBUILDING = "rebuilding"

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexUpkeep:
    """Keeps the index complete. Passages are embedded at low priority, after every question. Anything that
    cannot be rebuilt is not tried again by `once` before the next start."""

    completeness: Completeness
    rebuilder: Rebuilder
    _failed: set[VersionId] = field(default_factory=set, init=False)

    async def once(self) -> None:
        """Compare and rebuild."""
        lacking = [
            lack for lack in await self.completeness.lacking() if lack.holding.version not in self._failed
        ]
        if not lacking:
            return
        _LOG.warning("the index is being rebuilt: %s", in_words(lacking))
        async for version, made in self.rebuilder.rebuild(apart_from=frozenset(self._failed)):
            if made.error:
                self._failed.add(version)
                _LOG.error("%s could not be rebuilt: %s (%s)", made.document.id, *made.error)
        _LOG.warning("the index was rebuilt: %s", in_words(self.completeness.seen))


def in_words(lacking: Sequence[IndexCount], texts: Texts | None = None) -> str:
    """A text saying how much is missing; in English without `texts`."""
    texts = texts or Texts("en")
    if not lacking:
        return texts("index.complete")
    documents = len({lack.holding.document for lack in lacking})
    passages = sum(max(0, lack.holding.passages - lack.points) for lack in lacking)
    return texts("index.lacking", documents=documents, passages=passages)


# Keys by which points are found, set while questions are answered. A version whose points have wrong keys is
# found all the same, but by its id.

KEYS_EVERY_S = 300.0
_VERSIONS_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class KeysUpkeep:
    """Sets the keys of its document on every point, without embedding anything again. Processes rely for a
    while on the keys they have read, so new ones are first added to the old ones, which are removed when
    nobody can rely on them any more. Interrupted work is detected by the remaining difference."""

    library: LifecycleLibrary
    index: PassageIndex
    clock: Clock
    monotonic: Callable[[], float] = time.monotonic
    _since: dict[VersionId, float] = field(default_factory=dict, init=False)

    async def once(self) -> int:
        """Check all collections; returns how many versions were updated."""
        written = 0
        for collection in await self.library.collections():
            changes = await self._changes(collection)
            for some in batches(list(changes.items()), _VERSIONS_AT_ONCE):
                await self.index.set_keys(collection, dict(some))
            written += len(changes)
        return written

    async def _changes(self, collection: str) -> dict[VersionId, ScopeKeys]:
        held, today = await self.index.held(collection), self.clock.today()
        editions = await self.library.editions(Scope(collections=(collection,)), on=today)
        wanted = await asyncio.to_thread(wanted_keys, editions, held, today)
        changes, now = {}, self.monotonic()
        for version, keys in wanted.items():
            carried = held[version].keys
            if carried == keys:
                self._since.pop(version, None)
            elif carried is not None and both(carried, keys) != carried:
                changes[version] = both(carried, keys)
                self._since[version] = now
            elif now - self._since.setdefault(version, now) > BELIEVED_S:
                changes[version] = keys
        return changes


# Other encoders: their index is built alongside the one in use, from the existing passages.

_ANSWERS = "questions are answered from the index of %s from now on"
NEXT_EVERY_S = 60.0
KEPT = timedelta(days=1)
"""How long an index is kept that no longer answers: processes that began before may still use it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextIndex:
    """Builds the index of other encoders and switches to it once it is complete. If interrupted, it continues
    with what is missing. It does not wait for passages that cannot be built if the current index lacks them
    too."""

    generation: IndexGeneration
    generations: IndexGenerations
    current: Completeness
    completeness: Completeness
    rebuilder: Rebuilder
    clock: Clock

    async def build(self, report: Report | None = None) -> bool:
        """Build what is missing; returns whether questions are answered from it from now on."""
        _LOG.warning("the index of %s is made beside the one that answers", self.generation.encoders)
        async for _, made in self.rebuilder.rebuild(report):
            if made.error:
                _LOG.error("%s is not in the new index: %s (%s)", made.document.id, *made.error)
        lacking = {each.holding.version for each in await self.completeness.lacking()}
        if lacking - {each.holding.version for each in await self.current.lacking()}:
            return False
        await self.generations.answer_from(self.generation.encoders, at=self.clock.now())
        _LOG.warning(_ANSWERS, self.generation.encoders)
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexGenerationsUpkeep:
    """Builds the `following` index if it was never in use, and drops those that nobody uses any more.
    `current` is the index of `generation`, which this process answers from."""

    generation: IndexGeneration
    generations: IndexGenerations
    current: Completeness
    following: NextIndex | None
    drop: Callable[[str], Awaitable[None]]
    clock: Clock

    async def build(self) -> None:
        """One round of the process that works on the library."""
        if self.following is not None and self.following.generation.since is None:
            await self.following.build()
        first, *others = found = await self.generations.all()
        own = next((each for each in found if each.encoders == self.generation.encoders), None)
        if own is not None and own.since is None and not await self.current.lacking():
            await self.generations.answer_from(own.encoders, at=self.clock.now())
            _LOG.warning(_ANSWERS, own.encoders)
            return
        for each in others:
            if each.since is not None and first.since is not None and self.clock.now() - first.since > KEPT:
                await self.drop(each.place)
                await self.generations.forget(each.encoders)

    async def is_over(self) -> bool:
        """Whether questions are now answered from the index that this process is waiting for. A process of
        another version or with other settings goes on with its own."""
        found = answering(await self.generations.all())
        waited = self.following and self.following.generation.encoders
        return found is not None and found.encoders == waited


# A new pipeline (reading, cutting, encoders): documents are rebuilt while the old ones answer questions.
#
# The pipeline's version is part of a version's id, so that the new points coexist with the old ones, and one
# transaction switches; until then, and if it fails, questions are answered from the old ones.

REINDEXED_EVERY_S = 3600.0


@dataclass(frozen=True, slots=True)
class Reindexing:
    """Finds documents made by a different version of the pipeline and rebuilds them. Those that cannot be
    rebuilt stay as they are, and are not tried again by `once` before the next start."""

    library: Library
    ingester: Ingester
    publishing: Publishing
    supervisor: Supervisor
    _failed: set[VersionId] = field(default_factory=set, init=False)

    async def outdated(self) -> list[Edition]:
        """Documents whose active version was made by another pipeline."""
        found = []
        for document in await self.library.documents():
            for version in await self.library.versions(document.id):
                edition = Edition(document=document, version=version)
                if version.status is VersionStatus.ACTIVE and not self.ingester.is_current(edition):
                    found.append(edition)
        return found

    async def rebuilt(self) -> AsyncIterator[tuple[Document, IngestReceipt]]:
        """Rebuild outdated documents from the kept files, one after the other; each is switched at
        once."""
        for edition in await self.outdated():
            yield edition.document, await self.publishing.rebuild(edition.document)

    async def once(self) -> None:
        """Rebuild outdated documents; a failure of one does not affect the others."""
        for edition in await self.outdated():
            if edition.version.id not in self._failed and not await self._rebuild(edition.document):
                self._failed.add(edition.version.id)

    async def _rebuild(self, document: Document) -> bool:
        try:
            receipt = await self.publishing.rebuild(document)
        except Exception as error:  # a failure of one document must not stop the others
            _LOG.error("%s could not be rebuilt", document.id)
            self.supervisor.failed("reindexing", error)
            return False
        if receipt.error:
            _LOG.error("%s could not be rebuilt: %s", document.id, receipt.error[0])
        return receipt.error is None
