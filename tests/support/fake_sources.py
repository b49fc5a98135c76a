"""An in-memory `SourceJournal`, held to the same contract suite as the SQL one."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from core.domain.ids import DocumentId
from core.domain.ingestion import LONGEST_LEASE, FetchedContent, Revision, SourceState, WatchedFile
from core.errors import Refused
from tests.support.stamps import is_over


class FakeSources:
    """Keeps everything in dictionaries."""

    def __init__(self) -> None:
        self._sources: dict[DocumentId, SourceState] = {}
        self._watched: dict[tuple[str, str], WatchedFile] = {}
        self._leases: dict[str, tuple[str, datetime]] = {}
        self.time = datetime.now(UTC)
        """The clock by which terms end; tests move it."""

    async def source(self, document: DocumentId) -> SourceState | None:
        return self._sources.get(document)

    async def sources(self) -> list[SourceState]:
        return [self._sources[document] for document in sorted(self._sources)]

    async def save_source(self, state: SourceState) -> None:
        self._sources[state.document] = state

    async def drop_source(self, document: DocumentId) -> None:
        self._sources.pop(document, None)

    async def run_at(self, document: DocumentId, at: datetime) -> None:
        known = self._sources.get(document, SourceState(document=document))
        self._sources[document] = replace(known, next_run=at)

    async def approve(self, document: DocumentId, *, at: datetime) -> bool:
        known = self._sources.get(document)
        if known is None or known.hold is None:
            return False
        self._sources[document] = replace(known, approved=True, next_run=at)
        return True

    async def watched(self, folder: str) -> list[WatchedFile]:
        return [file for key, file in sorted(self._watched.items()) if key[0] == folder]

    async def save_watched(self, files: Sequence[WatchedFile]) -> None:
        self._watched |= {(file.folder, file.path): file for file in files}

    async def drop_watched(self, folder: str, paths: Sequence[str]) -> None:
        for path in paths:
            self._watched.pop((folder, path), None)

    async def server_time(self) -> datetime | None:
        return None

    async def take_lease(self, name: str, holder: str, *, term: timedelta) -> bool:
        if await self.lease_holder(name) not in (None, holder):
            return False
        self._leases[name] = (holder, self.time + term)
        return True

    async def renew_lease(self, name: str, holder: str, *, term: timedelta) -> bool:
        if self._leases.get(name, ("",))[0] != holder:
            return False
        self._leases[name] = (holder, self.time + term)
        return True

    async def lease_holder(self, name: str) -> str | None:
        holder, until = self._leases.get(name, (None, self.time))
        return None if is_over(until, before=self.time, after=self.time + LONGEST_LEASE) else holder

    async def release_lease(self, name: str, holder: str) -> None:
        if self._leases.get(name, ("",))[0] == holder:
            del self._leases[name]


class FakeSource:
    """A web in memory: contents or errors by URL. A content's revision is its hash."""

    def __init__(self) -> None:
        self.web: dict[str, bytes | Exception] = {}
        self.requests: list[tuple[str, bool]] = []
        """Every URL asked for, and whether under a condition."""

    async def fetch(self, url: str, *, known: Revision | None = None) -> FetchedContent | None:
        condition = known.etag if known and known.url == url else None
        self.requests.append((url, condition is not None))
        found = self.web.get(url, Refused("url.status", f"{url} answers with status 404", status=404))
        if isinstance(found, Exception):
            raise found
        etag = hashlib.sha256(found).hexdigest()
        if etag == condition:
            return None
        return FetchedContent(content=found, revision=Revision(url=url, etag=etag))
