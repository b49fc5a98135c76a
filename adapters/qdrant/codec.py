"""Domain <-> Qdrant points, as far as the embedded engine and the client agree.

Neither is imported here: an embedded index need not pay for the import of the client.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from core.domain.ids import PassageId, VersionId
from core.domain.search import IndexPoint, Space, SparseVector, VectorSample
from core.errors import Broken

VERSION = "version"
"""The one payload field: the version a passage belongs to, indexed as a keyword."""


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


def payload_of(point: IndexPoint) -> dict[str, str]:
    """The stored fields."""
    return {VERSION: str(point.version)}


def index_point(record: Any) -> IndexPoint:
    """The point back from the store; values rounded as the store keeps them."""
    vector = record.vector
    lexical = vector[Space.LEXICAL.value]
    return IndexPoint(
        passage=passage_of(record),
        version=version_of(record),
        primary=np.asarray(vector[Space.PRIMARY.value], dtype=np.float32),
        secondary=np.asarray(vector[Space.SECONDARY.value], dtype=np.float32),
        windows=np.asarray(vector[Space.WINDOWS.value], dtype=np.float32),
        lexical=SparseVector(indices=tuple(lexical.indices), values=tuple(lexical.values)),
    )


def passage_of(record: Any) -> PassageId:
    """Id of a stored or scored point."""
    return PassageId(str(record.id))


def next_point(offset: Any) -> PassageId | None:
    """Where a listing goes on, if it does."""
    return None if offset is None else PassageId(str(offset))


def version_of(record: Any) -> VersionId:
    """Version of a stored or scored point."""
    return VersionId(str(record.payload[VERSION]))


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
