"""A search as a batch of probes, and the two rounds that make candidates of their results.

Round one finds the best passages of each space, round two scores their union in every space. Both
stores run the same two rounds; they differ only in how a probe is put to the engine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.qdrant.codec import passage_of, version_of
from core.domain.ids import PassageId, VersionId
from core.domain.search import Candidate, QueryVectors, Space, SparseVector

DenseProbe = list[float] | list[list[float]]
Union = Mapping[PassageId, VersionId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One vector of one question: `query` is the question's place in the list."""

    query: int
    space: Space
    vector: DenseProbe | SparseVector


def probes_of(queries: Sequence[QueryVectors]) -> list[Probe]:
    """All probes, those of one space side by side."""
    return [
        Probe(query=number, space=space, vector=vector)
        for space in Space
        for number, query in enumerate(queries)
        if (vector := _vector(query, space)) is not None
    ]


def _vector(query: QueryVectors, space: Space) -> DenseProbe | SparseVector | None:
    if space is Space.LEXICAL:
        return query.lexical if query.lexical is not None and query.lexical.indices else None
    vector: list[float] = (query.primary if space is Space.PRIMARY else query.secondary).tolist()
    return [vector] if space is Space.WINDOWS else vector


def unions_of(count: int, probes: Sequence[Probe], found: Sequence[Sequence[Any]]) -> list[Union]:
    """Per question the passages any space found, with their versions. `found` is parallel to `probes`."""
    unions: list[dict[PassageId, VersionId]] = [{} for _ in range(count)]
    for probe, points in zip(probes, found, strict=True):
        unions[probe.query].update((passage_of(point), version_of(point)) for point in points)
    return list(unions)


def candidates_of(
    unions: Sequence[Union], probes: Sequence[Probe], scored: Sequence[Sequence[Any]]
) -> list[list[Candidate]]:
    """Per question its candidates, from every probe's scores of the whole union (parallel to `probes`).

    A passage that was removed between the two rounds has no dense score any more and is left out.
    """
    tables: list[dict[Space, dict[PassageId, float]]] = [{} for _ in unions]
    for probe, points in zip(probes, scored, strict=True):
        tables[probe.query][probe.space] = {passage_of(point): point.score for point in points}
    return [
        [
            _candidate(passage, version, table)
            for passage, version in union.items()
            if passage in table[Space.PRIMARY]
        ]
        for union, table in zip(unions, tables, strict=True)
    ]


def _candidate(
    passage: PassageId, version: VersionId, table: Mapping[Space, Mapping[PassageId, float]]
) -> Candidate:
    scores = {space: table[space].get(passage, 0.0) if space in table else 0.0 for space in Space}
    return Candidate(passage=passage, version=version, scores=scores)
