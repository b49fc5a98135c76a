"""A reranker decides the order of the best hits. Passages that references led to keep their places, pinned
sections are added later and unaffected, and every party or place of a comparison keeps its quota. If the
reranker fails, the order is unchanged.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.ids import PassageId
from core.domain.search import Hit, Relevance, Reranking
from core.errors import FundstelleError, Unavailable
from core.ports.models import Reranker
from core.search.expansion import interleaved


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankSettings:
    """`candidates` hits are considered. Hits below `min_score`, and all those after a drop of more than
    `gap`, are removed; relevance is from 0 to 1. After `deadline_s` seconds the order stays unchanged."""

    candidates: int = 20
    min_score: float = 0.1
    gap: float = 0.6
    deadline_s: float = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordered:
    """The hits of every group after reranking, and the record of it."""

    ranked: list[list[Hit]]
    reranking: Reranking


class HitReranker:
    """Asks a reranker about hits and orders them accordingly."""

    def __init__(self, reranker: Reranker, settings: RerankSettings) -> None:
        self.reranker = reranker
        self._settings = settings

    async def reorder(
        self, question: str, ranked: Sequence[Sequence[Hit]], *, quota: int, within_s: float | None
    ) -> Reordered:
        """`ranked` (a list per group, best first) in the reranker's order; `quota` hits of each group stay
        whatever their relevance. `within_s` also limits the time, including loading, which the settings'
        limit does not include."""
        asked = candidates(ranked, self._settings.candidates)
        limit = self._settings.deadline_s if within_s is None else min(self._settings.deadline_s, within_s)
        try:
            await self._loaded(within_s)
            judged = await self.reranker.rank(
                question,
                [hit.passage.text for hit in asked],
                collections=sorted({hit.edition.document.collection for hit in asked}),
                deadline_s=max(limit, 0.1),
            )
        except FundstelleError as error:
            return Reordered(
                ranked=[list(hits) for hits in ranked],
                reranking=Reranking(by=self.reranker.name, failure=error.key),
            )
        scores = scores_of(asked, judged)
        return Reordered(
            ranked=[reordered(hits, scores, self._settings, quota) for hits in ranked],
            reranking=Reranking(by=self.reranker.name),
        )

    async def _loaded(self, within_s: float | None) -> None:
        try:
            async with asyncio.timeout(within_s):
                await self.reranker.warm_up()
        except TimeoutError:
            raise Unavailable("rerank.timeout", f"{self.reranker.name} was not loaded in time") from None


def candidates(ranked: Sequence[Sequence[Hit]], limit: int) -> list[Hit]:
    """The best hits of all groups in turn, without those that references led to."""
    return interleaved([[hit for hit in hits if not hit.trail] for hits in ranked], limit)


def scores_of(asked: Sequence[Hit], judged: Sequence[Relevance]) -> dict[PassageId, float]:
    """The relevance of each passage; those not judged are left out."""
    return {asked[item.index].passage.id: item.score for item in judged if 0 <= item.index < len(asked)}


def reordered(
    hits: Sequence[Hit], scores: Mapping[PassageId, float], settings: RerankSettings, quota: int
) -> list[Hit]:
    """`hits` of one group: those that references led to stay in place, the rest are ordered by relevance,
    then those not judged in the old order; cut at the first hit beyond `quota` that is judged irrelevant or
    far less relevant than the one before. The fused scores are reassigned in the new order, so that values
    computed from them (confidence, the order of quotes) keep their meaning."""
    free = [hit for hit in hits if not hit.trail]
    judged = sorted((hit for hit in free if hit.passage.id in scores), key=lambda h: -scores[h.passage.id])
    order = judged + [hit for hit in free if hit.passage.id not in scores]
    dealt = sorted((hit.score for hit in free), reverse=True)
    fresh = [replace(hit, score=score) for hit, score in zip(order, dealt, strict=True)]
    end = _end([scores[hit.passage.id] for hit in judged], settings, quota)
    rest = iter(fresh if end is None else fresh[:end])
    merged = [hit if hit.trail else next(rest, None) for hit in hits]
    return [hit for hit in merged if hit is not None]


def _end(scores: Sequence[float], settings: RerankSettings, quota: int) -> int | None:
    """Where to cut descending `scores`; None for no cut."""
    for place in range(max(quota, 1), len(scores)):
        if scores[place] < settings.min_score or scores[place - 1] - scores[place] > settings.gap:
            return place
    return None
