"""Removing documents: removed with a retention period, restored, deleted, collected."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath

from bot.library.scoping import find_document
from bot.presentation.attachments import is_page_of
from core.domain.documents import Document, DocumentFields, DocumentStatus
from core.errors import Refused
from core.library.lifecycle import Collected, Lifecycle
from core.ports.clock import Clock
from core.ports.library import LifecycleLibrary
from core.ports.storage import FileStore

OUTGOING = "outgoing"
"""Folder of the files of replies in the store, and in the data folder while they are made."""
UPLOADS = "uploads"
"""Folder of jobs in the store, and in the data folder of the files of the current one."""

EVERY_S = 3600.0
QUIET_HOURS = range(1, 5)
"""Hours when few people ask."""

MUCH = 5_000
"""Number of passages added since an index was built that makes rebuilding worthwhile."""


@dataclass(frozen=True, slots=True)
class DocumentLifecycle:
    """Removes, restores and collects documents. `store` has the files of replies. `check_clock` raises
    Broken("clock.wrong"): terms end by the clock."""

    library: LifecycleLibrary
    lifecycle: Lifecycle
    store: FileStore
    check_clock: Callable[[], Awaitable[None]]

    async def remove(self, name: str, *, now: bool = False) -> tuple[Document, datetime | None]:
        """Take a document out of every answer; returns until when it can be restored. `now` deletes it for
        good. Raises Refused if there is none."""
        known = await self.library.documents()
        if now:
            known += [document for document, _ in await self.library.withdrawn()]
        document = find_document(name, known)
        if not now:
            return document, await self.lifecycle.withdraw(document.id)
        await self.lifecycle.delete(document.id)
        await self._drop_pages(document)
        return document, None

    async def restore(self, name: str, collections: Sequence[str] | None = None) -> Document:
        """Bring a removed document back, with its versions. Raises Refused if none of that name can be."""
        document = find_document(name, await self.restorable(collections))
        if not await self.lifecycle.restore(document.id):
            detail = f"{document.fields.title} cannot be restored: its term has ended"
            raise Refused("restore.over", detail, title=document.fields.title)
        return replace(document, status=DocumentStatus.ACTIVE)

    async def restorable(self, collections: Sequence[str] | None = None) -> list[Document]:
        """The removed documents of `collections` (None: of all) that can still be restored, longest ago
        first."""
        removed = [document for document, _ in await self.library.withdrawn()]
        return [item for item in removed if collections is None or item.collection in collections]

    async def collect(self) -> Collected:
        """Permanently delete what has expired, including its pages kept with replies. Raises
        Broken("clock.wrong")."""
        await self.check_clock()
        found = await self.lifecycle.collect()
        for document in found.documents:
            await self._drop_pages(document)
        return found

    async def added(self, passages: int) -> None:
        """Rebuild the indexes if that many new passages make it worthwhile."""
        if passages >= MUCH:
            await self.lifecycle.optimise()

    async def _drop_pages(self, document: Document) -> None:
        """Pages made for replies are named by title, so those of another document with the same title are
        removed too and have to be made again."""
        await drop_pages(self.store, document.fields)


@dataclass(slots=True)
class Keeper:
    """Collects once an hour, and rebuilds the indexes in the small hours if that is worthwhile."""

    documents: DocumentLifecycle
    clock: Clock
    _went: bool = False
    _built_at: int | None = field(default=None)

    async def once(self) -> tuple[str, ...]:
        """Collect; returns the collections whose index was rebuilt."""
        found = await self.documents.collect()
        self._went = self._went or found.anything
        points = await self.documents.lifecycle.points()
        self._built_at = points if self._built_at is None else self._built_at
        if self.clock.local(self.clock.now()).hour not in QUIET_HOURS:
            return ()
        if not self._went and points - self._built_at < MUCH:
            return ()
        built = await self.documents.lifecycle.optimise()
        self._went, self._built_at = False, points
        return built


async def drop_pages(store: FileStore, fields: DocumentFields) -> int:
    """Remove the files of pages of a document by its title; returns how many went."""
    listing = store.listing(f"{OUTGOING}/")
    found = [file.key async for file in listing if is_page_of(fields, PurePosixPath(file.key).name)]
    for key in found:
        await store.delete(key)
    return len(found)
