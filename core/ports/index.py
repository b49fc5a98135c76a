"""The index of passages: a copy of what SQL holds, searched by vectors; and its generations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.domain.ids import PassageId, VersionId
from core.domain.search import (
    Candidate,
    Held,
    IndexPoint,
    QueryVectors,
    ScopeKeys,
    SparseVector,
    VectorSample,
    Within,
)


class StoredPoints(Protocol):
    """Vectors of passages, one separate index per library and collection."""

    async def upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        """Add or replace points; durable on return. Creates the collection's index if necessary."""

    async def held(self, collection: str) -> dict[VersionId, Held]:
        """What the index has of each version with any points."""

    async def set_keys(self, collection: str, keys: Mapping[VersionId, ScopeKeys]) -> None:
        """Set these keys on all points of these versions; durable on return. If interrupted, only some points
        may have them."""

    async def sample(self, collection: str, *, size: int) -> VectorSample | None:
        """A deterministic random sample of at most `size` passages; None for an empty collection."""

    async def points(
        self, collection: str, *, start: PassageId | None = None, limit: int
    ) -> tuple[list[IndexPoint], PassageId | None]:
        """At most `limit` points in order of id, starting at `start` (None: the first), and the start of the
        next batch (None: no more). Values are rounded as stored; keys are left out."""

    async def remove_version(self, collection: str, version: VersionId) -> None:
        """Drop all points of a version; no error if there are none."""

    async def count(self, collection: str, version: VersionId | None = None) -> int:
        """Points in the collection, or of one version."""

    async def counts(self, collection: str) -> dict[VersionId, int]:
        """Number of points of each version that has any: shows what to clean up and whether anything is
        missing."""

    async def optimise(self, collection: str) -> None:
        """Build indexes after a bulk load; may take long while searches continue."""

    async def close(self) -> None:
        """Flush and release the store."""


class PassageIndex(StoredPoints, Protocol):
    """The index that questions are searched in. Searches are told the versions that may be found: the
    database, which remains the source of truth, has already resolved the scope."""

    async def candidates(
        self, collection: str, queries: Sequence[QueryVectors], versions: Sequence[VersionId], *, limit: int
    ) -> list[list[Candidate]]:
        """Per query, the union of the best `limit` passages of each space among `versions`, each with its
        exact score in every space; 0.0 in those that the query has no vector for. Empty if the collection or
        `versions` is empty."""

    async def mentioning(
        self, collection: str, words: SparseVector, versions: Sequence[VersionId]
    ) -> frozenset[VersionId]:
        """Those of `versions` that have a passage containing one of `words`."""


class PassageStore(StoredPoints, Protocol):
    """An engine that holds points; `core.search.scoped_index.ScopedIndex` turns it into a `PassageIndex`.
    Searches are told which keys points must have: there are few of them, however many versions there are."""

    async def candidates(
        self, collection: str, queries: Sequence[QueryVectors], within: Within, *, limit: int
    ) -> list[list[Candidate]]:
        """See `PassageIndex.candidates`, among the points `within`."""

    async def mentioning(self, collection: str, words: SparseVector, within: Within) -> frozenset[VersionId]:
        """The versions of the points `within` that contain one of `words`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexGeneration:
    """An index of the library made by certain `encoders` (their names). `setting` is the value in
    `[encoders]` that identifies the first of them, `place` distinguishes its index from others of the same
    library. `since`: when it was last chosen to answer questions; None if it never was."""

    encoders: str
    setting: str
    place: str
    since: datetime | None = None


class IndexGenerations(Protocol):
    """The generations of a library's index."""

    async def all(self) -> list[IndexGeneration]:
        """The current generation first, then earlier ones, then those being built."""

    async def begin(self, generation: IndexGeneration) -> IndexGeneration:
        """Record a new generation; returns the existing one if there is one of the same encoders."""

    async def answer_from(self, encoders: str, *, at: datetime) -> None:
        """Make this generation the one that questions are answered from, for all that begin after this."""

    async def forget(self, encoders: str) -> None:
        """Delete a generation."""


def answering(generations: Sequence[IndexGeneration]) -> IndexGeneration | None:
    """The generation that questions are answered from."""
    return next((each for each in generations if each.since is not None), None)
