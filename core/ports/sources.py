"""The ports of scheduled re-ingestion: where documents come from, and what is known of their sources."""

from collections.abc import Sequence
from datetime import datetime, timedelta
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

    async def server_time(self) -> datetime | None:
        """What time the database's server says that it is; None where there is no server."""
        ...

    async def take_lease(self, name: str, holder: str, *, term: timedelta) -> bool:
        """Have the lease `name` for `term` from now, for the first time or again; False while another holder
        has it. What time it is, the database says, and whether a process still lives. `holder` is a name that
        nobody else bears, and no other try of the same process."""
        ...

    async def renew_lease(self, name: str, holder: str, *, term: timedelta) -> bool:
        """Have a lease that `holder` has for another `term`; False where it has been lost, even if nobody
        has it now: somebody may have had it in between."""
        ...

    async def lease_holder(self, name: str) -> str | None:
        """Who has the lease."""
        ...

    async def release_lease(self, name: str, holder: str) -> None:
        """Give the lease back; nothing happens if `holder` does not have it."""
        ...
