"""The end of documents and versions: withdrawn at once, deleted after their retention period, then collected.

A single statement takes a withdrawn document out of every search, since SQL is the source of truth, while
everything is kept for restoring. Deletion proceeds in the order points, stored files, rows; if interrupted,
it starts over.
"""

import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.domain.documents import Document, DocumentVersion, VersionStatus
from core.domain.ids import DocumentId
from core.library.outcomes import is_failure
from core.ports.clock import SKEW, Clock
from core.ports.index import PassageIndex
from core.ports.library import LifecycleLibrary
from core.ports.storage import ListedFile, Originals

_READABLE = frozenset({VersionStatus.ACTIVE, VersionStatus.SUPERSEDED})
_LOG = logging.getLogger(__name__)

UNFINISHED = timedelta(days=1)
"""After this time nobody is still working on a pending version."""

UNDER_WAY = timedelta(minutes=10)
"""How long a question may still be using a reading of a document that was replaced by another reading of the
same bytes."""


async def _nothing_held() -> set[str]:
    return set()


_STORED = re.compile(r"[0-9a-f]{64}\.(pdf|bin|pages\.pdf|pages\.sha256)|\.new-.*")
"""Matches the names of stored files, and of those being written."""


def _is_left(file: ListedFile, before: datetime) -> bool:
    return file.changed_at < before and _STORED.fullmatch(file.key) is not None


def _content_of(original: str) -> str:
    return original.partition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How long a withdrawn document can be restored, and how long a superseded version is kept for questions
    about an earlier day; None: forever."""

    withdrawn: timedelta = timedelta(days=30)
    superseded: timedelta | None = timedelta(days=365)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What a collection removed: documents, old versions, unfinished versions, versions in the index that
    the library does not know or need, and stored files that nothing needs."""

    documents: tuple[Document, ...] = ()
    superseded: int = 0
    unfinished: int = 0
    orphans: int = 0
    files: int = 0

    @property
    def anything(self) -> bool:
        """Whether anything was removed."""
        return bool(self.documents or self.superseded or self.unfinished or self.orphans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remover:
    """Permanently removes something from the database, the index and the stored files."""

    library: LifecycleLibrary
    index: PassageIndex
    originals: Originals
    clock: Clock

    async def drop_version(self, version: DocumentVersion) -> None:
        """Delete points, stored file and rows of a version that is not active."""
        document = await self.library.document(version.document)
        if document is not None:
            await self.index.remove_version(document.collection, version.id)
        if not await self.library.keeps(version.sha256, apart_from=[version.id]):
            await self.originals.drop(version.original)
        await self.library.delete_version(version.id, at=self.clock.now())

    async def drop_document(self, document: DocumentId) -> bool:
        """Delete points, stored files and rows of a document, withdrawn or not; returns whether there was
        anything."""
        current = await self.library.document(document)
        if current is None:
            return False
        now = self.clock.now()
        await self.library.withdraw(document, at=now)
        known = await self.library.versions(document)
        versions = [version for version in known if version.status is not VersionStatus.DELETED]
        mine = [version.id for version in versions]
        for version in mine:
            await self.index.remove_version(current.collection, version)
        for original, sha256 in {(version.original, version.sha256) for version in versions}:
            if not await self.library.keeps(sha256, apart_from=mine):
                await self.originals.drop(original)
        return bool(await self.library.delete_document(document, at=now))

    async def take_back(self, version: DocumentVersion) -> None:
        """Remove all traces of a version that failed. Anything that cannot be removed now because a store
        fails is collected later, like the remains of a killed process."""
        try:
            versions = await self.library.versions(version.document)
            if any(item.status in _READABLE for item in versions):
                for item in versions:
                    if item.status is VersionStatus.PENDING:
                        await self.drop_version(item)
            else:
                await self.drop_document(version.document)
            await self.forget(version.sha256, version.original)
        except BaseException as error:
            if not is_failure(error):
                raise
            _LOG.error("what was begun of a document could not be taken back", exc_info=error)

    async def forget(self, sha256: str, original: str) -> None:
        """Delete a stored file that no version needs."""
        if not await self.library.keeps(sha256, apart_from=()):
            await self.originals.drop(original)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifecycle(Remover):
    """Withdraws, restores, deletes and collects. `held`: names of the stored files of changes that wait for
    approval."""

    terms: Terms = Terms()
    held: Callable[[], Awaitable[set[str]]] = _nothing_held

    async def withdraw(self, document: DocumentId) -> datetime | None:
        """Take a document out of every search; returns until when it can be restored, None if there is no
        such document."""
        now = self.clock.now()
        return now + self.terms.withdrawn if await self.library.withdraw(document, at=now) else None

    async def restore(self, document: DocumentId) -> bool:
        """Undo `withdraw` within the retention period."""
        return await self.library.restore(document)

    async def withdrawn(self) -> list[tuple[Document, datetime]]:
        """Documents that can be restored, each with its deadline."""
        return [(document, at + self.terms.withdrawn) for document, at in await self.library.withdrawn()]

    async def delete(self, document: DocumentId) -> bool:
        """Delete a document permanently now; returns whether there was one, withdrawn or not. If interrupted,
        the next collection continues."""
        await self.library.withdraw(document, at=self.clock.now() - self.terms.withdrawn)
        return await self.drop_document(document)

    async def collect(self) -> Collected:
        """Delete what has expired, and the remains of interrupted work."""
        now = self.clock.now()
        late = now + SKEW  # a later time was written by a wrong clock
        expired = await self.library.withdrawn(before=now - self.terms.withdrawn, after=late)
        for document, _ in expired:
            await self.drop_document(document.id)
        kept = self.terms.superseded
        old = await self.library.superseded(before=now - kept, after=late) if kept is not None else []
        unfinished = await self.library.unfinished(before=now - UNFINISHED, after=late)
        for version in (*old, *unfinished):
            await self.drop_version(version)
        orphans = await self._orphans(now - UNDER_WAY)
        return Collected(
            documents=tuple(document for document, _ in expired),
            superseded=len(old),
            unfinished=len(unfinished),
            orphans=orphans,
            files=await self._unneeded(now - UNFINISHED),
        )

    async def _unneeded(self, before: datetime) -> int:
        """Delete stored files that nothing needs, such as those left by a killed process. One that is being
        ingested again meanwhile is rewritten, so it is too young."""
        old = [file async for file in self.originals.listing() if _is_left(file, before)]
        needed = await self.library.needed_files() if old else set()
        needed |= {_content_of(name) for name in await self.held()}
        count = 0
        for file in old:
            if _content_of(file.key) not in needed:
                again = [each async for each in self.originals.listing(file.key)]
                if again and all(_is_left(each, before) for each in again):
                    await self.originals.drop(file.key)
                    count += 1
        if count:
            _LOG.warning("%s stored files that nothing needs were deleted", count)
        return count

    async def _orphans(self, before: datetime) -> int:
        """Delete points of versions that SQL does not know or need. The index is asked first: versions
        ingested meanwhile are in SQL before they have points."""
        count = 0
        for collection in await self.library.collections():
            indexed = set(await self.index.counts(collection))
            unknown = indexed - await self.library.kept(collection, before=before)
            for version in unknown:
                await self.index.remove_version(collection, version)
            count += len(unknown)
        return count

    async def points(self) -> int:
        """Number of passages in the index."""
        return sum([await self.index.count(name) for name in await self.library.collections()])

    async def optimise(self) -> tuple[str, ...]:
        """Rebuild the indexes of all collections, which frees the space of deleted points. For quiet
        hours."""
        names = [name for name in await self.library.collections() if await self.index.count(name)]
        for name in names:
            await self.index.optimise(name)
        return tuple(names)
