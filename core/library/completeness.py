"""Whether the index has what the database says it must have, version by version; missing versions are
rebuilt."""

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.domain.answers import Notice
from core.domain.documents import Document, Edition, Holding
from core.domain.ids import VersionId
from core.errors import Broken, Unavailable
from core.library.outcomes import is_failure, outcome_of
from core.ports.index import PassageIndex
from core.ports.library import LifecycleLibrary

if TYPE_CHECKING:
    from core.library.formats import Report
    from core.library.repairs import VersionRepair

REBUILDING: Final = "notice.rebuilding"

COMPARED_EVERY_S = 60.0
"""How often a serving process compares the counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexCount:
    """A readable version, and how many of its passages the index has."""

    holding: Holding
    points: int

    @property
    def is_whole(self) -> bool:
        """Whether all passages of the version are in the database and in the index."""
        return self.points == self.holding.passages == self.holding.kept


class Completeness:
    """Compares the counts: 100 documents of 300 passages take 10 ms."""

    def __init__(self, library: LifecycleLibrary, index: PassageIndex, *, believed_s: float = 0.0) -> None:
        """For `believed_s` seconds after a full comparison that found nothing missing, `notices` relies on
        it; a serving process compares more often than that, in the background."""
        self._library = library
        self._index = index
        self._believed_s = believed_s
        self._whole_at: float | None = None
        self.seen: tuple[IndexCount, ...] = ()
        """The result of the last comparison."""

    async def counted(self) -> tuple[IndexCount, ...]:
        """The readable versions, active ones first."""
        holdings = await self._library.holdings()
        points: dict[VersionId, int] = {}
        for collection in {holding.collection for holding in holdings}:
            points |= await self._index.counts(collection)
        return tuple(
            IndexCount(holding=holding, points=points.get(holding.version, 0)) for holding in holdings
        )

    async def lacking(self) -> tuple[IndexCount, ...]:
        """The versions that are missing from the index, or differ from the database."""
        began = time.monotonic()
        self.seen = tuple(count for count in await self.counted() if not count.is_whole)
        self._whole_at = None if self.seen else began
        return self.seen

    async def notices(self, collections: Sequence[str]) -> tuple[Notice, ...]:
        """The notices to show with any result from `collections`, even an empty one. Ask before searching:
        what is complete then stays so."""
        believed = self._whole_at is not None and time.monotonic() - self._whole_at < self._believed_s
        lacking = () if believed else await self.lacking()
        missed = any(each.holding.collection in collections for each in lacking)
        return (Notice(key=REBUILDING),) if missed else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """The result of rebuilding a missing version. `error` is a key and a plain English detail."""

    document: Document
    passages: int
    seconds: float
    error: tuple[str, str] | None = None


class Rebuilder:
    """Adds missing versions to the index one by one; restarted after any interruption, it continues with
    those still missing."""

    def __init__(
        self, completeness: Completeness, library: LifecycleLibrary, repairs: "VersionRepair"
    ) -> None:
        self._completeness = completeness
        self._library = library
        self._repairs = repairs

    async def rebuild(
        self, report: "Report | None" = None, *, apart_from: frozenset[VersionId] = frozenset()
    ) -> AsyncIterator[tuple[VersionId, Rebuilt]]:
        """Rebuild the missing versions except those in `apart_from`. Failures are reported, and the others
        continue. Raises Unavailable or Broken if a store does not respond."""
        for lack in await self._completeness.lacking():
            holding = lack.holding
            document = await self._library.document(holding.document)
            version = await self._library.version(holding.version)
            if document is not None and version is not None and holding.version not in apart_from:
                edition = Edition(document=document, version=version)
                yield version.id, await self._rebuilt(edition, report)
        await self._completeness.lacking()

    async def _rebuilt(self, edition: Edition, report: "Report | None") -> Rebuilt:
        started = time.perf_counter()
        passages, error = 0, None
        try:
            passages = await self._repairs.repair(edition, report)
        except BaseException as failure:
            if isinstance(failure, Broken | Unavailable) or not is_failure(failure):
                raise
            error = outcome_of(edition.document.file, failure).error
        seconds = time.perf_counter() - started
        return Rebuilt(document=edition.document, passages=passages, seconds=seconds, error=error)
