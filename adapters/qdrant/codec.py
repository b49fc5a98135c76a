"""Domain <-> Qdrant points, as far as the embedded engine and the client agree.

Neither is imported here, so that an embedded index does not pay for importing the client.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from core.domain.ids import PassageId, VersionId
from core.domain.search import (
    SCOPE_FIELDS,
    Candidate,
    Held,
    IndexPoint,
    QueryVectors,
    ScopeKeys,
    Space,
    SparseVector,
    VectorSample,
    Within,
)
from core.errors import Broken

VERSION = "version"
"""The payload field that every point has: the version a passage belongs to."""

CARRIED = "carried"
"""The payload field that combines version and keys, so that counting its values shows which versions have
which keys."""

TENANT = "place"
"""The field by whose values a server keeps points together: most questions are asked of few places."""

INDEXED = (VERSION, CARRIED, *SCOPE_FIELDS)
"""The payload fields, each indexed as a keyword."""


class Sparse(Protocol):
    """A sparse vector's class, the engine's or the client's."""

    def __init__(self, *, indices: list[int], values: list[float]) -> None: ...


def store_name(collection: str) -> str:
    """A name safe for folders and servers; different for every collection, whatever its characters.

    Slug for the eye, 48 bits of SHA-256 over the exact text for uniqueness.
    """
    slug = re.sub(r"[^a-z0-9]+", "-", collection.casefold()).strip("-")[:40]
    digest = hashlib.sha256(collection.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{slug}-{digest}" if slug else digest


def check_points(points: Sequence[IndexPoint], *, primary: int, secondary: int) -> None:
    """Raise Broken("index.dimension") unless every vector is finite and has the store's dimension."""
    for point in points:
        shapes_fit = (
            point.primary.shape == (primary,)
            and point.secondary.shape == (secondary,)
            and point.windows.ndim == 2
            and len(point.windows) >= 1
            and point.windows.shape[1] == secondary
        )
        if not shapes_fit or not _finite(point):
            raise Broken(
                "index.dimension",
                f"passage {point.passage} has vectors of shape {point.primary.shape}, "
                f"{point.secondary.shape} and {point.windows.shape}, or values that are not finite; the "
                f"index keeps ({primary},), ({secondary},) and (n >= 1, {secondary}). "
                "Were the encoders changed without a rebuild?",
            )


def _finite(point: IndexPoint) -> bool:
    parts = (point.primary, point.secondary, point.windows, np.asarray(point.lexical.values))
    return all(bool(np.isfinite(part).all()) for part in parts)


def vectors_of(point: IndexPoint, sparse: type[Sparse]) -> dict[str, Any]:
    """The vectors by name of their space; `sparse` is the engine's class of sparse vectors."""
    indices, values = list(point.lexical.indices), list(point.lexical.values)
    return {
        Space.PRIMARY.value: point.primary.tolist(),
        Space.SECONDARY.value: point.secondary.tolist(),
        Space.WINDOWS.value: point.windows.tolist(),
        Space.LEXICAL.value: sparse(indices=indices, values=values),
    }


def payload_of(point: IndexPoint) -> dict[str, Any]:
    """The stored fields."""
    keys = keys_payload(point.version, point.keys) if point.keys else {}
    return {VERSION: str(point.version), **keys}


def keys_payload(version: VersionId, keys: ScopeKeys) -> dict[str, Any]:
    """The fields that say which keys a version's points carry."""
    fields = {field: list(keys[field]) for field in SCOPE_FIELDS}
    encoded = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return {**fields, CARRIED: f"{version} {encoded}"}


def held_of(counts: Mapping[VersionId, int], carried: Mapping[str, int]) -> dict[VersionId, Held]:
    """The number of points and the keys of each version, from the counts of the values of `VERSION` and of
    `CARRIED`."""
    held = {version: Held(points=points) for version, points in counts.items()}
    for value, points in carried.items():
        name, _, said = value.partition(" ")
        version = VersionId(name)
        if counts.get(version) == points:  # all its points say the same
            keys = {field: tuple(values) for field, values in json.loads(said).items()}
            held[version] = Held(points=points, keys=keys)
    return held


def index_point(record: Any) -> IndexPoint:
    """The point as read from the store; values rounded as stored."""
    vector = record.vector
    lexical = vector[Space.LEXICAL.value]
    return IndexPoint(
        passage=_passage_of(record),
        version=_version_of(record),
        primary=np.asarray(vector[Space.PRIMARY.value], dtype=np.float32),
        secondary=np.asarray(vector[Space.SECONDARY.value], dtype=np.float32),
        windows=np.asarray(vector[Space.WINDOWS.value], dtype=np.float32),
        lexical=SparseVector(indices=tuple(lexical.indices), values=tuple(lexical.values)),
    )


def _passage_of(record: Any) -> PassageId:
    """Id of a stored or scored point."""
    return PassageId(str(record.id))


def next_point(offset: Any) -> PassageId | None:
    """Where a listing continues, if it does."""
    return None if offset is None else PassageId(str(offset))


def _version_of(record: Any) -> VersionId:
    """Version of a stored or scored point."""
    return VersionId(str(record.payload[VERSION]))


def versions_of(points: Iterable[Any]) -> frozenset[VersionId]:
    """The versions of stored or scored points."""
    return frozenset(map(_version_of, points))


def vector_sample(points: Sequence[IndexPoint]) -> VectorSample | None:
    """The vectors of `points` stacked; None for none."""
    if not points:
        return None
    return VectorSample(
        primary=np.stack([point.primary for point in points]),
        secondary=np.stack([point.secondary for point in points]),
        windows=np.concatenate([point.windows for point in points]),
        owners=np.repeat(np.arange(len(points)), [len(point.windows) for point in points]),
    )


# What a search admits, in the terms of the engine or of the client.

FilterT = TypeVar("FilterT")


def admitting(
    within: Within, one_of: Callable[[str, Iterable[str]], Any], filter_of: Callable[..., FilterT]
) -> FilterT | None:
    """A filter that admits the points `within`; None if that is every point. `one_of` makes the condition
    that a field has one of some values, `filter_of` a filter of conditions that `must`, `should` or
    `must_not` hold."""
    ways: list[Any] = []
    if within.keys:
        ways.append(filter_of(must=[one_of(field, values) for field, values in within.keys.items()]))
    if within.versions and within.keys != {}:
        ways.append(filter_of(must=[one_of(VERSION, within.versions)]))
    refused = [one_of(VERSION, within.but_not)] if within.but_not else None
    if not ways and not refused:
        return None
    return filter_of(should=ways or None, must_not=refused)


# A search as a batch of probes, and the two rounds that make candidates of their results.
#
# Round one finds the best passages of each space, round two scores in every space what only others found.
# Both stores run the same two rounds; they differ only in how a probe is put to the engine.

DenseProbe = list[float] | list[list[float]]
Found = Sequence[Any]
"""Scored points that answer one probe."""


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
    if not vector:
        return None
    return [vector] if space is Space.WINDOWS else vector


@dataclass(frozen=True, slots=True)
class BestOfEach:
    """The result of round one: `found` is parallel to `probes`."""

    count: int
    probes: Sequence[Probe]
    found: Sequence[Found]

    def unscored(self) -> list[set[PassageId]]:
        """For each probe the passages that only other spaces of its question found."""
        found = [{_passage_of(point) for point in points} for points in self.found]
        unions: list[set[PassageId]] = [set() for _ in range(self.count)]
        for probe, passages in zip(self.probes, found, strict=True):
            unions[probe.query] |= passages
        return [unions[probe.query] - own for probe, own in zip(self.probes, found, strict=True)]

    def candidates(self, rescored: Sequence[Found]) -> list[list[Candidate]]:
        """Per question its candidates, with the scores of `unscored` (parallel to `probes`).

        A passage that was removed between the two rounds has a score missing and is left out.
        """
        versions: list[dict[PassageId, VersionId]] = [{} for _ in range(self.count)]
        tables: list[dict[Space, dict[PassageId, float]]] = [{} for _ in range(self.count)]
        for probe, points, others in zip(self.probes, self.found, rescored, strict=True):
            versions[probe.query].update((_passage_of(point), _version_of(point)) for point in points)
            both = (*points, *others)
            tables[probe.query][probe.space] = {_passage_of(point): point.score for point in both}
        return [
            [
                _candidate(passage, version, table)
                for passage, version in known.items()
                if all(passage in scores for space, scores in table.items() if space is not Space.LEXICAL)
            ]
            for known, table in zip(versions, tables, strict=True)
        ]


def _candidate(
    passage: PassageId, version: VersionId, table: Mapping[Space, Mapping[PassageId, float]]
) -> Candidate:
    scores = {space: table[space].get(passage, 0.0) if space in table else 0.0 for space in Space}
    return Candidate(passage=passage, version=version, scores=scores)
