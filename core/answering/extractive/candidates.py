"""Which sentences of what was found may answer, and what speaks for them."""

from collections.abc import Sequence

from core.answering.extractive.confidence import Evidence
from core.answering.extractive.extracts import Extract
from core.answering.extractive.sentences import Extractor
from core.domain.search import QuestionKind, SearchResult
from core.search.listing import stands_for

SPARE = 2
"""Sentences more than are shown, in case one cannot be proven on its page: of those near the best one, and
of those that are not."""

PASSAGES = 6
"""Best passages whose sentences are candidates for an answer, or for a party or place of it."""


async def chosen(extractor: Extractor, result: SearchResult, limit: int) -> list[Extract]:
    """The sentences chosen from what a search found, a few more than `limit`; every party or place has its
    own share of them."""
    plan = result.plan
    best = sorted(result.hits, key=lambda hit: -hit.score)
    if plan.kind is QuestionKind.CROSS_REFERENCE and (led := [hit for hit in best if hit.trail]):
        picked = await extractor.pick(result.content, plan.language, led, limit)
        return sorted(picked, key=lambda extract: -extract.hit.score)
    if len(plan.groups) < 2:
        hits = best[:PASSAGES]
        return await extractor.pick(result.content, plan.language, hits, limit + SPARE, spare=SPARE)
    found: list[Extract] = []
    each = max(1, limit // len(plan.groups))
    for group in plan.groups:
        hits = [hit for hit in best if stands_for(group, hit.edition)][:PASSAGES]
        found += await extractor.pick(result.content, plan.language, hits, each)
    return found


def evidence_of(result: SearchResult, extracts: Sequence[Extract]) -> Evidence:
    """The features of what was found."""
    scores = sorted(result.fused or (hit.score for hit in result.hits), reverse=True)
    language = result.plan.language
    return Evidence(
        margin=scores[0] - scores[min(9, len(scores) - 1)] if scores else 0.0,
        dense=max((extract.closeness.dense for extract in extracts), default=0.0),
        second=max((extract.closeness.second for extract in extracts), default=0.0),
        same_language=bool(extracts) and extracts[0].hit.edition.document.fields.language == language,
    )
