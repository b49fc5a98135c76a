"""Documents with nearly the same text: a sample of passages is looked for in the others of the collection."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import date

from rapidfuzz import fuzz

from core.domain.documents import Document, Edition
from core.domain.ids import VersionId
from core.domain.passages import Passage
from core.domain.scope import Scope
from core.domain.search import Candidate, IndexPoint, QueryVectors, Space
from core.evidence.skeleton import skeleton
from core.ports.index import PassageIndex
from core.ports.library import Library

SAMPLES = 12
MIN_SAMPLES = 3
"""Fewer passages tell nothing."""
MIN_SHARE = 0.75
"""Share of the sample that stands in another document."""
MIN_SIMILARITY = 90.0
"""Of the shorter text within the longer one (rapidfuzz `partial_ratio`): passages may be cut otherwise."""
_NEAREST = 2
_TELLING = 4000


def sampled(passages: Sequence[Passage]) -> frozenset[int]:
    """Ordinals of the passages to look for, spread over the document."""
    count = min(SAMPLES, len(passages))
    return frozenset(passages[at * len(passages) // count].ordinal for at in range(count))


async def twin_of(
    library: Library,
    index: PassageIndex,
    document: Document,
    sample: Sequence[tuple[Passage, IndexPoint]],
    *,
    on: date,
) -> Document | None:
    """The document of the same collection that holds nearly the same text as `sample`, passages of
    `document`; None if there is none."""
    collection = document.collection
    editions = await library.editions(Scope(collections=(collection,)), on=on)
    others = {edition.version.id: edition for edition in editions if edition.document.id != document.id}
    if len(sample) < MIN_SAMPLES or not others:
        return None
    queries = [
        QueryVectors(primary=point.primary, secondary=point.secondary, lexical=None) for _, point in sample
    ]
    rows = await index.candidates(collection, queries, list(others), limit=_NEAREST)
    near = {item.passage for row in rows for item in _nearest(row)}
    texts = {passage.id: passage for passage in await library.passages(list(near))}
    close = [[texts[item.passage] for item in _nearest(row) if item.passage in texts] for row in rows]
    found = await asyncio.to_thread(_counted, [passage for passage, _ in sample], close)
    return _prevailing(found, others, len(sample))


def _counted(sample: Sequence[Passage], close: Sequence[Sequence[Passage]]) -> Counter[VersionId]:
    """How many passages of the sample each version holds."""
    found: Counter[VersionId] = Counter()
    for passage, near in zip(sample, close, strict=True):
        found.update({other.version for other in near if _same(passage.text, other.text)})
    return found


def _nearest(row: Sequence[Candidate]) -> list[Candidate]:
    return sorted(row, key=lambda item: -item.scores.get(Space.PRIMARY, 0.0))[:_NEAREST]


def _same(one: str, other: str) -> bool:
    """Of a passage that is one endless word, the beginning tells."""
    one, other = skeleton(one[:_TELLING]), skeleton(other[:_TELLING])
    return fuzz.partial_ratio(one, other, score_cutoff=MIN_SIMILARITY) > 0


def _prevailing(found: Counter[VersionId], others: dict[VersionId, Edition], count: int) -> Document | None:
    for version, number in found.most_common(1):
        if number >= MIN_SHARE * count:
            return others[version].document
    return None
