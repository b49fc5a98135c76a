"""Whether the index has what the database says it must have, version by version; what it lacks is rebuilt."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.domain.answers import Notice
from core.domain.documents import Document, Edition, Holding
from core.domain.ids import VersionId
from core.errors import Broken, Unavailable
from core.library.outcomes import is_failure, outcome_of
from core.ports.index import PassageIndex
from core.ports.lifecycle import LifecycleLibrary

if TYPE_CHECKING:
    from core.library.formats import Report
    from core.library.repairs import VersionRepair

REBUILDING: Final = "notice.rebuilding"

COMPARED_EVERY_S = 60.0
"""How often the counts are compared by whoever serves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexCount:
    """A version that can be read, and how many of its passages the index has."""

    holding: Holding
    points: int

    @property
    def is_whole(self) -> bool:
        """All that the version was cut into, in the database and in the index."""
        return self.points == self.holding.passages == self.holding.kept


class Completeness:
    """Compares the counts: 100 documents of 300 passages take 10 ms."""

    def __init__(
        self,
        library: LifecycleLibrary,
        index: PassageIndex,
        *,
        believed_s: float = 0.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """For `believed_s` seconds after a comparison of everything that found nothing amiss `notices` takes
        its word; whoever serves compares more often than that, beside the questions."""
        self._library = library
        self._index = index
        self._believed_s, self._monotonic = believed_s, monotonic
        self._whole_at: float | None = None
        self.seen: tuple[IndexCount, ...] = ()
        """What the last comparison has found."""

    async def counted(self) -> tuple[IndexCount, ...]:
        """Versions that can be read, active ones first."""
        holdings = await self._library.holdings()
        points: dict[VersionId, int] = {}
        for collection in {holding.collection for holding in holdings}:
            points |= await self._index.counts(collection)
        return tuple(
            IndexCount(holding=holding, points=points.get(holding.version, 0)) for holding in holdings
        )

    async def lacking(self) -> tuple[IndexCount, ...]:
        """The versions that are not in the index, or not as they are in the database."""
        began = self._monotonic()
        self.seen = tuple(count for count in await self.counted() if not count.is_whole)
        self._whole_at = None if self.seen else began
        return self.seen

    async def notices(self, collections: Sequence[str]) -> tuple[Notice, ...]:
        """What has to be said with whatever is found in `collections`, or not found. Ask before searching:
        what is complete then stays so."""
        believed = self._whole_at is not None and self._monotonic() - self._whole_at < self._believed_s
        lacking = () if believed else await self.lacking()
        return (Notice(key=REBUILDING),) if any(_is_in(collections, each) for each in lacking) else ()


def _is_in(collections: Sequence[str], count: IndexCount) -> bool:
    return count.holding.collection in collections


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What became of a version that was lacking. `error` is a key and a plain English detail."""

    document: Document
    passages: int
    seconds: float
    error: tuple[str, str] | None = None


class Rebuilder:
    """Puts into the index what it lacks, version by version; begun again after an end of any kind, it goes on
    with those that are still lacking."""

    def __init__(
        self, completeness: Completeness, library: LifecycleLibrary, repairs: "VersionRepair"
    ) -> None:
        self._completeness = completeness
        self._library = library
        self._repairs = repairs

    async def rebuild(
        self, report: "Report | None" = None, *, apart_from: frozenset[VersionId] = frozenset()
    ) -> AsyncIterator[tuple[VersionId, Rebuilt]]:
        """Rebuild what is lacking, `apart_from` some. What cannot be rebuilt is told, and the others go on.
        Raises Unavailable or Broken where a store does not answer."""
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
