"""The ports of scheduled re-ingestion: where documents come from, and what is known of their sources."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from core.domain.ids import DocumentId
from core.domain.sources import FetchedContent, Revision, SourceState, WatchedFile


class DocumentSource(Protocol):
    """Fetches documents unattended: politely, and never from inside."""

    async def fetch(self, url: str, *, known: Revision | None = None) -> FetchedContent | None:
        """The bytes at `url`; None where they are still those of `known`, in one request and without
        reading a body. Passing faults are tried again a few times. Raises Refused("url....") for what
        will not work again either (the value `status` says what the server answered), Unavailable
        for what may."""
        ...


class SourceJournal(Protocol):
    """What is known of sources and watched folders, and who looks after them. One method, one
    transaction; times are arguments."""

    async def source(self, document: DocumentId) -> SourceState | None:
        """What is known of a document's source; None if it was never looked at."""
        ...

    async def sources(self) -> list[SourceState]:
        """All that is known, by document."""
        ...

    async def save_source(self, state: SourceState) -> None:
        """Replace what is known of a source."""
        ...

    async def drop_source(self, document: DocumentId) -> None:
        """Forget a source; no error if it is not known."""
        ...

    async def run_at(self, document: DocumentId, at: datetime) -> None:
        """The next run of a source, known or not, is at `at`."""
        ...

    async def approve(self, document: DocumentId, *, at: datetime) -> bool:
        """The held change is to be taken over with the next run, which is at `at`; whether one is held."""
        ...

    async def watched(self, folder: str) -> list[WatchedFile]:
        """The files of a folder as they were seen last, by path."""
        ...

    async def save_watched(self, files: Sequence[WatchedFile]) -> None:
        """Replace what is known of these files."""
        ...

    async def drop_watched(self, folder: str, paths: Sequence[str]) -> None:
        """Forget files of a folder."""
        ...

    async def take_lease(self, name: str, holder: str, *, at: datetime, until: datetime) -> bool:
        """Have the lease `name` until `until`, for the first time or again; False while somebody else
        has it at `at`."""
        ...

    async def lease_holder(self, name: str, *, at: datetime) -> str | None:
        """Who has the lease at `at`."""
        ...

    async def release_lease(self, name: str, holder: str) -> None:
        """Give the lease back; nothing happens if `holder` does not have it."""
        ...
