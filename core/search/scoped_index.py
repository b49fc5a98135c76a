"""The index as questions use it: told the versions that may be found, it asks an engine for keys.

The versions come from the database, which alone decides. Anything else that an engine finds is dropped, and
the engine is asked again without it, so that results equal those of a filter by every single version.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

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
    Within,
)
from core.library.indexing import batches
from core.ports.index import PassageStore
from core.recent import LastMade
from core.search.scope_keys import FEW, within_of

BELIEVED_S = 300.0
"""How long knowledge about an index is relied on."""

_PIECE = 300
"""Maximum version ids in one request, if no small set of keys admits a scope."""

_TRIES = 4
_PLANS = 16
"""Number of scopes whose filters are cached."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """The keys that the points of a collection had at a time, by version; versions whose keys are unknown, or
    that have been written since, are missing. `points`: how many there were, None if any has been written
    since."""

    at: float
    carried: dict[VersionId, ScopeKeys]
    points: int | None


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """One scope: `versions` may be found; `within` is the filter that admits them, None if that takes too
    many ids."""

    versions: frozenset[VersionId]
    within: Within | None


class ScopedIndex:
    """Implements `core.ports.PassageIndex` with a `PassageStore`. `counts` also reads the keys of points;
    until it has been called recently, versions are searched by id."""

    def __init__(self, store: PassageStore, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store, self._monotonic = store, monotonic
        self._seen: dict[str, _Seen] = {}
        self._written: dict[str, set[VersionId]] = {}
        self._plans = LastMade[tuple[_Seen | None, tuple[VersionId, ...]], _Asked](self._planned, most=_PLANS)

    @property
    def store(self) -> PassageStore:
        """The engine."""
        return self._store

    async def upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        """Add or replace points; until `counts` has seen their keys, they are searched by id."""
        async with self._writing(collection, {point.version for point in points}):
            await self._store.upsert(collection, points)

    async def candidates(
        self, collection: str, queries: Sequence[QueryVectors], versions: Sequence[VersionId], *, limit: int
    ) -> list[list[Candidate]]:
        """See `PassageIndex.candidates`."""
        if not versions or limit <= 0:
            return [[] for _ in queries]
        asked = await self._asked(collection, versions)
        within = asked.within
        for _ in range(_TRIES):
            if within is None or len(within.but_not) > _PIECE:
                break
            found = await self._store.candidates(collection, queries, within, limit=limit)
            others = {each.version for row in found for each in row} - asked.versions
            if not others:
                return found
            within = replace(within, but_not=(*within.but_not, *sorted(others)))
        rows: list[list[Candidate]] = [[] for _ in queries]
        for part in batches(versions, _PIECE):
            found = await self._store.candidates(
                collection, queries, Within(versions=tuple(part)), limit=limit
            )
            rows = [[*row, *more] for row, more in zip(rows, found, strict=True)]
        return [_best(row, limit) for row in rows]

    async def mentioning(
        self, collection: str, words: SparseVector, versions: Sequence[VersionId]
    ) -> frozenset[VersionId]:
        """See `PassageIndex.mentioning`."""
        asked = await self._asked(collection, versions)
        if asked.within:
            return asked.versions & await self._store.mentioning(collection, words, asked.within)
        found = [
            await self._store.mentioning(collection, words, Within(versions=tuple(part)))
            for part in batches(versions, _PIECE)
        ]
        return frozenset().union(*found)

    async def sample(self, collection: str, *, size: int) -> VectorSample | None:
        """See `StoredPoints.sample`."""
        return await self._store.sample(collection, size=size)

    async def points(
        self, collection: str, *, start: PassageId | None = None, limit: int
    ) -> tuple[list[IndexPoint], PassageId | None]:
        """See `StoredPoints.points`."""
        return await self._store.points(collection, start=start, limit=limit)

    async def remove_version(self, collection: str, version: VersionId) -> None:
        """See `StoredPoints.remove_version`."""
        async with self._writing(collection, {version}):
            await self._store.remove_version(collection, version)

    async def count(self, collection: str, version: VersionId | None = None) -> int:
        """See `StoredPoints.count`; of a collection as last seen, so that a question need not count."""
        seen = self._fresh(collection)
        if version is None and seen is not None and seen.points is not None:
            return seen.points
        return await self._store.count(collection, version)

    async def counts(self, collection: str) -> dict[VersionId, int]:
        """See `StoredPoints.counts`."""
        return {version: each.points for version, each in (await self.held(collection)).items()}

    async def held(self, collection: str) -> dict[VersionId, Held]:
        """What there is of each version that has any point."""
        began = self._monotonic()
        written = self._written[collection] = set()
        held = await self._store.held(collection)
        carried = {
            version: each.keys
            for version, each in held.items()
            if each.keys is not None and version not in written
        }
        points = None if written else sum(each.points for each in held.values())
        self._seen[collection] = _Seen(began, carried, points)
        return held

    async def set_keys(self, collection: str, keys: Mapping[VersionId, ScopeKeys]) -> None:
        """See `StoredPoints.set_keys`. Searches that rely on other keys than these would miss points."""
        async with self._writing(collection, set(keys)):
            await self._store.set_keys(collection, keys)

    async def optimise(self, collection: str) -> None:
        """See `StoredPoints.optimise`."""
        await self._store.optimise(collection)

    async def close(self) -> None:
        """See `StoredPoints.close`."""
        await self._store.close()

    async def _asked(self, collection: str, versions: Sequence[VersionId]) -> _Asked:
        if len(versions) <= FEW:
            return self._planned((None, tuple(versions)))
        return await asyncio.to_thread(self._plans.of, (self._fresh(collection), tuple(versions)))

    def _fresh(self, collection: str) -> _Seen | None:
        seen = self._seen.get(collection)
        return seen if seen is not None and self._monotonic() - seen.at <= BELIEVED_S else None

    def _planned(self, key: tuple[_Seen | None, tuple[VersionId, ...]]) -> _Asked:
        seen, versions = key
        return _Asked(frozenset(versions), within_of(versions, seen.carried if seen else {}))

    @asynccontextmanager
    async def _writing(self, collection: str, versions: set[VersionId]) -> AsyncIterator[None]:
        """Do not rely on the keys of `versions`, which are about to be written, until they have been read
        again."""
        self._forget(collection, versions)
        try:
            yield
        finally:
            self._forget(collection, versions)

    def _forget(self, collection: str, versions: set[VersionId]) -> None:
        self._written.setdefault(collection, set()).update(versions)
        seen = self._seen.get(collection)
        if seen is not None and (seen.points is not None or not versions.isdisjoint(seen.carried)):
            left = {version: keys for version, keys in seen.carried.items() if version not in versions}
            self._seen[collection] = _Seen(seen.at, left, None)


def _best(candidates: Sequence[Candidate], limit: int) -> list[Candidate]:
    """Those of `candidates` that are among the best `limit` of a space."""
    kept: dict[PassageId, Candidate] = {}
    for space in Space:
        matching = [each for each in candidates if space is not Space.LEXICAL or each.scores[space] > 0]
        matching.sort(key=lambda each, space=space: -each.scores[space])  # type: ignore[misc]
        kept.update((each.passage, each) for each in matching[:limit])
    return list(kept.values())
