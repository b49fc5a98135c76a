"""The index of passages: a copy of what SQL holds, searched by vectors."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.ids import PassageId, VersionId
from core.domain.search import Candidate, IndexPoint, QueryVectors, SparseVector, VectorSample


class PassageIndex(Protocol):
    """Vectors of passages, one separate index per library and collection. Filters by version only: the scope
    has been resolved to versions in the database, which stays the truth."""

    async def upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        """Add or replace points; durable when it returns. Creates the collection's index if need be."""
        ...

    async def candidates(
        self, collection: str, queries: Sequence[QueryVectors], versions: Sequence[VersionId], *, limit: int
    ) -> list[list[Candidate]]:
        """Per query, the union of the best `limit` passages of each space among `versions`, every one
        with its exact score in every space. Empty where the collection or `versions` is empty."""
        ...

    async def mentioning(
        self, collection: str, words: SparseVector, versions: Sequence[VersionId]
    ) -> frozenset[VersionId]:
        """Those of `versions` of which a passage has one of `words`."""
        ...

    async def sample(self, collection: str, *, size: int) -> VectorSample | None:
        """A deterministic random sample of at most `size` passages; None for an empty collection."""
        ...

    async def points(
        self, collection: str, *, start: PassageId | None = None, limit: int
    ) -> tuple[list[IndexPoint], PassageId | None]:
        """At most `limit` points by id, from `start` (None: the first) on, and where the next ones begin
        (None: nowhere). Values are rounded as the store keeps them."""
        ...

    async def remove_version(self, collection: str, version: VersionId) -> None:
        """Drop all points of a version; no error if there are none."""
        ...

    async def count(self, collection: str, version: VersionId | None = None) -> int:
        """Points in the collection, or of one version."""
        ...

    async def counts(self, collection: str) -> dict[VersionId, int]:
        """Points of each version that has any: what to clean up, and whether anything is missing."""
        ...

    async def optimise(self, collection: str) -> None:
        """Build indexes after a bulk load; may take long, searches go on."""
        ...

    async def close(self) -> None:
        """Flush and release the store."""
        ...
