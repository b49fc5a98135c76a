"""Random points and questions for tests of passage indexes, small and reproducible."""

import numpy as np

from core.domain.ids import DocumentId, LibraryId, VersionId, passage_id, version_id
from core.domain.search import IndexPoint, QueryVectors, SparseVector, Vector

PRIMARY = 16
SECONDARY = 24
_TERMS = 60
LIBRARY = LibraryId("a" * 32)
"""The owner of the index where that does not matter."""


def version(name: str) -> VersionId:
    """A version id."""
    return version_id(DocumentId(name), "0" * 64)


def unit_vectors(rng: np.random.Generator, *shape: int) -> Vector:
    """Random vectors of unit length along the last axis."""
    drawn = rng.standard_normal(shape).astype(np.float32)
    return (drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)).astype(np.float32)


def terms(rng: np.random.Generator, count: int = 8) -> SparseVector:
    """Random weighted terms, at least one, low ids more often."""
    drawn = np.unique((rng.beta(1, 3, size=count) * _TERMS).astype(int))
    values = (rng.random(len(drawn)) + 0.1).astype(np.float32)
    return SparseVector(indices=tuple(drawn.tolist()), values=tuple(values.tolist()))


def points(count: int, *, of: VersionId, seed: int = 0) -> list[IndexPoint]:
    """`count` passages of one version with one to three windows each."""
    rng = np.random.default_rng([seed, count])
    return [
        IndexPoint(
            passage=passage_id(of, "pipeline", ordinal),
            version=of,
            primary=unit_vectors(rng, PRIMARY),
            secondary=unit_vectors(rng, SECONDARY),
            windows=unit_vectors(rng, 1 + ordinal % 3, SECONDARY),
            lexical=terms(rng),
        )
        for ordinal in range(count)
    ]


def question(seed: int, *, lexical: bool = True) -> QueryVectors:
    """A random question."""
    rng = np.random.default_rng([seed, 1])
    return QueryVectors(
        primary=unit_vectors(rng, PRIMARY),
        secondary=unit_vectors(rng, SECONDARY),
        lexical=terms(rng, 4) if lexical else None,
    )
