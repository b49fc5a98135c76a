"""A passage index in plain numpy, in memory: exact, slow, and the reference for the other two."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.domain.ids import PassageId, VersionId
from core.domain.search import (
    Candidate,
    Held,
    IndexPoint,
    QueryVectors,
    ScopeKeys,
    Space,
    SparseVector,
    VectorSample,
)


class FakeIndex:
    """Implements `core.ports.PassageIndex`."""

    def __init__(self) -> None:
        self._collections: dict[str, dict[PassageId, IndexPoint]] = defaultdict(dict)

    async def upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        """Add or replace points."""
        self._collections[collection].update({point.passage: point for point in points})

    async def candidates(
        self, collection: str, queries: Sequence[QueryVectors], versions: Sequence[VersionId], *, limit: int
    ) -> list[list[Candidate]]:
        """Per query, the union of the best `limit` of each space, scored in every space."""
        stored = list(self._collections.get(collection, {}).values())
        allowed = set(versions)
        admitted = [point for point in stored if point.version in allowed]
        idf = inverse_document_frequency([point.lexical for point in stored])
        return [_best(query, admitted, idf, limit) for query in queries]

    async def mentioning(
        self, collection: str, words: SparseVector, versions: Sequence[VersionId]
    ) -> frozenset[VersionId]:
        """The versions whose passages share a term with `words`."""
        stored = self._collections.get(collection, {}).values()
        having = {each.version for each in stored if set(each.lexical.indices) & set(words.indices)}
        return frozenset(having & set(versions))

    async def sample(self, collection: str, *, size: int) -> VectorSample | None:
        """The first `size` passages by id: ids are hashes, so that is a random sample (bottom-k)."""
        stored = self._collections.get(collection)
        if not stored or size <= 0:
            return None
        points = [stored[passage] for passage in sorted(stored)[:size]]
        return VectorSample(
            primary=np.stack([point.primary for point in points]),
            secondary=np.stack([point.secondary for point in points]),
            windows=np.concatenate([point.windows for point in points]),
            owners=np.repeat(np.arange(len(points)), [len(point.windows) for point in points]),
        )

    async def points(
        self, collection: str, *, start: PassageId | None = None, limit: int
    ) -> tuple[list[IndexPoint], PassageId | None]:
        """In the order of ids."""
        stored = self._collections.get(collection, {})
        rest = [passage for passage in sorted(stored) if start is None or passage >= start]
        found = [stored[passage] for passage in rest[:limit]]
        return found, rest[limit] if len(rest) > limit else None

    async def remove_version(self, collection: str, version: VersionId) -> None:
        """Drop all points of a version."""
        stored = self._collections.get(collection, {})
        for passage in [key for key, point in stored.items() if point.version == version]:
            del stored[passage]

    async def count(self, collection: str, version: VersionId | None = None) -> int:
        """Points in the collection, or of one version."""
        stored = self._collections.get(collection, {}).values()
        return sum(1 for point in stored if version is None or point.version == version)

    async def counts(self, collection: str) -> dict[VersionId, int]:
        """Points of each version that has any."""
        return dict(Counter(point.version for point in self._collections.get(collection, {}).values()))

    async def held(self, collection: str) -> dict[VersionId, Held]:
        """Points of each version, and the keys that all of them carry."""
        carried: dict[VersionId, list[ScopeKeys]] = defaultdict(list)
        for point in self._collections.get(collection, {}).values():
            carried[point.version].append(point.keys)
        return {
            version: Held(points=len(own), keys=own[0] if own[0] and own.count(own[0]) == len(own) else None)
            for version, own in carried.items()
        }

    async def set_keys(self, collection: str, keys: Mapping[VersionId, ScopeKeys]) -> None:
        """Points with other keys."""
        stored = self._collections.get(collection, {})
        for passage, point in stored.items():
            if point.version in keys:
                stored[passage] = replace(point, keys=keys[point.version])

    async def optimise(self, collection: str) -> None:
        """Nothing to build."""

    async def close(self) -> None:
        """Nothing to release."""


def inverse_document_frequency(stored: Sequence[SparseVector]) -> dict[int, float]:
    """IDF of each term over the whole collection, ln(1 + (N - n + 0.5) / (n + 0.5)), as Qdrant's
    IDF modifier has it (Robertson & Zaragoza 2009, the Probabilistic Relevance Framework, 3.4)."""
    holders = Counter(term for vector in stored for term in vector.indices)
    return {term: math.log1p((len(stored) - n + 0.5) / (n + 0.5)) for term, n in holders.items()}


def exact_scores(query: QueryVectors, point: IndexPoint, idf: dict[int, float]) -> dict[Space, float]:
    """A passage's score in every space: cosines, and BM25 or 0.0; 0.0 where the query has no vector."""
    lexical = _bm25(query.lexical, point.lexical, idf)
    if not query.primary.size:
        return dict.fromkeys(Space, 0.0) | {Space.LEXICAL: lexical}
    return {
        Space.PRIMARY: float(point.primary @ query.primary),
        Space.SECONDARY: float(point.secondary @ query.secondary),
        Space.WINDOWS: float((point.windows @ query.secondary).max()),
        Space.LEXICAL: lexical,
    }


def _bm25(query: SparseVector | None, point: SparseVector, idf: dict[int, float]) -> float:
    if query is None:
        return 0.0
    weights = dict(zip(point.indices, point.values, strict=True))
    terms = zip(query.indices, query.values, strict=True)
    return sum(weight * weights[term] * idf[term] for term, weight in terms if term in weights)


def _best(
    query: QueryVectors, points: Sequence[IndexPoint], idf: dict[int, float], limit: int
) -> list[Candidate]:
    scored = [(point, exact_scores(query, point, idf)) for point in points]
    found: dict[PassageId, Candidate] = {}
    for space in Space if query.primary.size else (Space.LEXICAL,):
        matching = [item for item in scored if space is not Space.LEXICAL or item[1][space] > 0]
        matching.sort(key=lambda item, space=space: (-item[1][space], item[0].passage))  # type: ignore[misc]
        for point, scores in matching[:limit]:
            found[point.passage] = Candidate(passage=point.passage, version=point.version, scores=scores)
    return list(found.values())
