"""Whether what a summary quotes is still what its scope would quote today."""

from collections.abc import Mapping
from dataclasses import replace

from core.domain.answers import Citation
from core.domain.documents import Edition
from core.domain.ids import DocumentId, VersionId
from core.domain.scope import Scope
from core.domain.summaries import SourceChange, SourceChangeKind, Summary, SummaryEntry
from core.ports.clock import Clock
from core.ports.library import Library
from core.search.editions import current


class Freshness:
    """Tells from the library as it is now; nothing is marked, so what comes back is fresh again. One
    reading serves many summaries: keep an object for one listing, no longer."""

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._today = clock.today()
        self._editions: dict[Scope, list[Edition]] = {}

    async def is_stale(self, entry: SummaryEntry) -> bool:
        """Whether any source of a listed summary has changed."""
        valid = await self._valid(entry.topic.scope, entry.scope)
        return not set(entry.versions) <= valid

    async def changes(self, summary: Summary) -> tuple[SourceChange, ...]:
        """What has happened to the sources, by first label."""
        valid = await self._valid(summary.topic.scope, summary.scope)
        changed: dict[DocumentId, list[Citation]] = {}
        for item in summary.citations:
            if item.edition.version.id not in valid:
                changed.setdefault(item.edition.document.id, []).append(item)
        editions = await self._read(summary.topic.scope)
        read = {edition.document.id: edition.version.id for edition in editions}
        return tuple(
            SourceChange(
                kind=_kind(items[0].edition, read),
                document=items[0].edition.document,
                labels=tuple(item.label for item in items),
            )
            for items in changed.values()
        )

    async def _valid(self, given: Scope, searched: Scope) -> set[VersionId]:
        """The versions that may still be quoted. Whoever names documents or editions wants these."""
        editions = await self._read(given)
        if not searched.documents and not searched.editions:
            editions = current(editions, given.as_of or self._today)
        return {edition.version.id for edition in editions}

    async def _read(self, given: Scope) -> list[Edition]:
        """The editions that a search of the topic's scope reads; places and parties do not change which."""
        scope = replace(given, jurisdictions=(), parties=(), editions=())
        if scope not in self._editions:
            self._editions[scope] = await self._library.editions(scope, on=self._today)
        return self._editions[scope]


def _kind(cited: Edition, read: Mapping[DocumentId, VersionId]) -> SourceChangeKind:
    now = read.get(cited.document.id)
    if now is None:
        return SourceChangeKind.REMOVED
    return SourceChangeKind.NEW_EDITION if now == cited.version.id else SourceChangeKind.NEW_VERSION
