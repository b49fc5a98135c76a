"""An index that lacks passages: found by its counts, rebuilt beside the answers, which say so meanwhile."""

import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from bot.presentation import Texts
from core.domain.ids import VersionId
from core.library.completeness import Completeness, IndexCount, Rebuilder, Rebuilt
from core.library.formats import Report

EVERY_S = 60.0
"""How often the counts are compared."""

JOB = "rebuilding"

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexUpkeep:
    """Keeps the index whole. Passages are embedded at low priority, behind every question. What cannot be
    rebuilt is not tried again by `once` before the next start."""

    completeness: Completeness
    rebuilder: Rebuilder
    _failed: set[VersionId] = field(default_factory=set, init=False)

    @property
    def seen(self) -> Sequence[IndexCount]:
        """What was lacking when it was last looked at."""
        return self.completeness.seen

    async def lacking(self) -> Sequence[IndexCount]:
        """What the index lacks now. Raises FundstelleError where a store does not answer."""
        return await self.completeness.lacking()

    def rebuild(self, report: Report | None = None) -> AsyncIterator[tuple[VersionId, Rebuilt]]:
        """Build what is lacking, one document after the other."""
        return self.rebuilder.rebuild(report)

    async def once(self) -> None:
        """Compare and rebuild."""
        lacking = [lack for lack in await self.lacking() if lack.holding.version not in self._failed]
        if not lacking:
            return
        _LOG.warning("the index is being rebuilt: %s", in_words(lacking))
        async for version, made in self.rebuilder.rebuild(apart_from=frozenset(self._failed)):
            if made.error:
                self._failed.add(version)
                _LOG.error("%s could not be rebuilt: %s (%s)", made.document.id, *made.error)
        _LOG.warning("the index was rebuilt: %s", in_words(self.seen))

    async def counted(self) -> Sequence[IndexCount]:
        """Every version that can be read, and what the index has of it. Raises as `lacking`."""
        return await self.completeness.counted()


def in_words(lacking: Sequence[IndexCount], texts: Texts | None = None) -> str:
    """How much is lacking; in English without `texts`."""
    texts = texts or Texts("en")
    if not lacking:
        return texts("index.complete")
    documents = len({lack.holding.document for lack in lacking})
    passages = sum(max(0, lack.holding.passages - lack.points) for lack in lacking)
    return texts("index.lacking", documents=documents, passages=passages)
