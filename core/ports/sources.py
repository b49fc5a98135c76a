"""Ports for scheduled re-ingestion: where documents come from, and the state of their sources."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from core.domain.ids import DocumentId
from core.domain.ingestion import FetchedContent, Revision, SourceState, WatchedFile


class DocumentSource(Protocol):
    """Fetches documents unattended: politely, and never from internal addresses."""

    async def fetch(self, url: str, *, known: Revision | None = None) -> FetchedContent | None:
        """The bytes at `url`; None if they are still those of `known`, which takes one request and reads no
        body. Transient faults are retried a few times. Raises Refused("url....") for permanent failures (the
        value `status` is the server's response), Unavailable for temporary ones."""


class SourceJournal(Protocol):
    """The state of sources and watched folders, and who is responsible for them. Each method is one
    transaction; times are arguments."""

    async def source(self, document: DocumentId) -> SourceState | None:
        """The state of a document's source; None if it was never checked."""

    async def sources(self) -> list[SourceState]:
        """The states of all sources, by document."""

    async def save_source(self, state: SourceState) -> None:
        """Replace the state of a source."""

    async def drop_source(self, document: DocumentId) -> None:
        """Forget a source; no error if it is unknown."""

    async def run_at(self, document: DocumentId, at: datetime) -> None:
        """Set the next run of a source, known or not, to `at`."""

    async def approve(self, document: DocumentId, *, at: datetime) -> bool:
        """Approve the held change, which the next run, now at `at`, adopts; returns whether there was one."""

    async def watched(self, folder: str) -> list[WatchedFile]:
        """The files of a folder as last seen, by path."""

    async def save_watched(self, files: Sequence[WatchedFile]) -> None:
        """Replace the state of these files."""

    async def drop_watched(self, folder: str, paths: Sequence[str]) -> None:
        """Forget files of a folder."""

    async def server_time(self) -> datetime | None:
        """The current time according to the database server; None if there is no server."""

    async def take_lease(self, name: str, holder: str, *, term: timedelta) -> bool:
        """Acquire or extend the lease `name` for `term` from now; False while another holder has it. The
        database decides what time it is and whether a process is still alive. `holder` is unique to this
        attempt of this process."""

    async def renew_lease(self, name: str, holder: str, *, term: timedelta) -> bool:
        """Extend a lease of `holder` by another `term`; False if it was lost, even if it is free now:
        somebody may have held it in between."""

    async def lease_holder(self, name: str) -> str | None:
        """The holder of the lease."""

    async def release_lease(self, name: str, holder: str) -> None:
        """Release the lease; does nothing if `holder` does not have it."""
