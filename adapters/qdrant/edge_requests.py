"""What the embedded engine is asked, in its own terms."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import qdrant_edge as edge

from adapters.qdrant.codec import VERSION, payload_of, vectors_of
from adapters.qdrant.probes import Probe, candidates_of, probes_of, unions_of
from core.domain.ids import PassageId, VersionId
from core.domain.search import Candidate, IndexPoint, QueryVectors, SparseVector


def answers_to(engine: edge.EdgeShard, requests: list[edge.QueryRequest]) -> list[list[edge.ScoredPoint]]:
    """The points that answer each of `requests`, in one call."""
    return engine.query_batch(edge.QueryBatchRequest(requests))


def engine_point(point: IndexPoint) -> edge.Point:
    """A point as the engine keeps it."""
    return edge.Point(point.passage, vectors_of(point, edge.SparseVector), payload_of(point))


def of_versions(versions: Iterable[VersionId]) -> edge.Filter:
    """Admits the points of these versions."""
    return edge.Filter(
        must=[edge.FieldCondition(key=VERSION, match=edge.MatchAny(any=[*map(str, versions)]))]
    )


def nearest(probe: Probe) -> edge.Query:
    """The points nearest to the probe's vector."""
    vector = probe.vector
    if isinstance(vector, SparseVector):
        sparse = edge.SparseVector(indices=list(vector.indices), values=list(vector.values))
        return edge.Query.Nearest(sparse, using=probe.space.value)
    return edge.Query.Nearest(vector, using=probe.space.value)


def nearest_to(probe: Probe, admitted: edge.Filter, *, limit: int) -> edge.QueryRequest:
    """The best `limit` of the admitted points, with their versions."""
    return edge.QueryRequest(limit=limit, query=nearest(probe), filter=admitted, with_payload=[VERSION])


def of_passages(union: Iterable[PassageId]) -> tuple[edge.Filter, int]:
    """Admits these passages; and how many they are."""
    ids: set[edge.PointId] = set(union)
    return edge.Filter(must=[edge.HasIdCondition(ids)]), len(ids)


def scores_of(probe: Probe, chosen: edge.Filter, count: int) -> edge.QueryRequest:
    """The scores of the chosen points, `count` at most."""
    return edge.QueryRequest(limit=max(1, count), query=nearest(probe), filter=chosen)


def best_candidates(
    engine: edge.EdgeShard, queries: Sequence[QueryVectors], versions: Sequence[VersionId], limit: int
) -> list[list[Candidate]]:
    """The two rounds of a search among `versions`: the best of each space, then their union in every one."""
    probes = probes_of(queries)
    admitted = of_versions(versions)
    by_space = groupby(probes, key=lambda probe: probe.space)  # a batch filters once for all its probes
    batches = [[nearest_to(probe, admitted, limit=limit) for probe in group] for _, group in by_space]
    found = [points for batch in batches for points in answers_to(engine, batch)]
    unions = unions_of(len(queries), probes, found)
    chosen = [of_passages(union) for union in unions]
    rescored = answers_to(engine, [scores_of(probe, *chosen[probe.query]) for probe in probes])
    return candidates_of(unions, probes, rescored)


def counts_of(engine: edge.EdgeShard) -> dict[VersionId, int]:
    """Points of each version that has any."""
    most = max(1, engine.count(edge.CountRequest(exact=True)))
    hits = engine.facet(edge.FacetRequest(key=VERSION, limit=most, exact=True)).hits
    return {VersionId(str(hit.value)): hit.count for hit in hits if hit.count > 0}
