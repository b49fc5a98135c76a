"""The points of a library taken from one engine to another one, while questions are answered.

The first one answers until everything is in both; what is written meanwhile goes to both. Then the other one
answers. Whatever interrupts it, the first one is whole, and a later run goes on with what differs.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

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
from core.errors import FundstelleError, Refused, Unavailable
from core.library.formats import Report
from core.ports.index import PassageStore

_AT_ONCE = 100
_ROUNDS = 10
"""How often what differs is copied: more than once only where something is written meanwhile."""


class MovableStore:
    """Implements `core.ports.PassageStore` with one engine, and after `move` with another one."""

    def __init__(self, store: PassageStore) -> None:
        self._store = store
        self._other: PassageStore | None = None
        self._writing = asyncio.Lock()
        self._fault: FundstelleError | None = None

    @property
    def engine(self) -> PassageStore:
        """The one that answers."""
        return self._store

    async def move(
        self,
        other: PassageStore,
        collections: Callable[[], Awaitable[Sequence[str]]],
        *,
        settle: Callable[[], Awaitable[None]],
        report: Report | None = None,
    ) -> int:
        """How many points are in both now; `other` answers from now on. `settle` is called when everything
        is there, before it does. Raises Refused where such a move is under way, Unavailable where the two
        could not be made the same, and what the engines raise; then the first one goes on answering."""
        if self._other is not None:
            raise Refused("move.under_way", "the index is being moved already; wait for that to end")
        self._other, self._fault = other, None
        try:
            for _ in range(_ROUNDS):
                for collection in await collections():
                    await self._copy(collection, other, report)
                async with self._writing:
                    if self._fault is not None:
                        raise self._fault
                    names = await collections()
                    if not any([await self._differing(name, other) for name in names]):
                        points = sum([await other.count(name) for name in names])
                        await settle()
                        former, self._store = self._store, other
                        break
            else:
                detail = "so much is written that the two indexes never were the same; run it again later"
                raise Unavailable("move.differs", detail)
        finally:
            self._other = None
        await former.close()
        return points

    async def _differing(self, collection: str, other: PassageStore) -> dict[VersionId, tuple[Held, Held]]:
        """The versions of which the two hold something else, with what each holds."""
        ours, theirs = await self._store.held(collection), await other.held(collection)
        nothing = Held(points=0)
        both = {name: (ours.get(name, nothing), theirs.get(name, nothing)) for name in {*ours, *theirs}}
        return {
            name: (here, there)
            for name, (here, there) in both.items()
            if here.points != there.points or (here.keys is not None and here.keys != there.keys)
        }

    async def _copy(self, collection: str, other: PassageStore, report: Report | None) -> None:
        differing = await self._differing(collection, other)
        lacking: dict[VersionId, Held] = {}
        for version, (here, there) in differing.items():
            if there.points > here.points:  # it was removed, or written anew, while it was copied
                await other.remove_version(collection, version)
            if here.points != there.points:
                lacking[version] = here
            elif here.keys is not None:
                await other.set_keys(collection, {version: here.keys})
        wanted, done = sum(each.points for each in lacking.values()), 0
        start: PassageId | None = None
        while lacking:
            points, start = await self._store.points(collection, start=start, limit=_AT_ONCE)
            some = [
                replace(point, keys=lacking[point.version].keys or {})
                for point in points
                if point.version in lacking
            ]
            if some:
                await other.upsert(collection, some)
            done += len(some)
            if report:
                report(collection, "copy", min(done, wanted), wanted)
            if start is None:
                return

    async def _write(self, write: Callable[[PassageStore], Awaitable[None]]) -> None:
        """To both, while there are two: where the other one fails, it is the move that fails."""
        async with self._writing:
            await write(self._store)
            if self._other is not None and self._fault is None:
                try:
                    await write(self._other)
                except FundstelleError as error:
                    self._fault = error

    async def upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        """See `StoredPoints.upsert`."""
        await self._write(lambda store: store.upsert(collection, points))

    async def set_keys(self, collection: str, keys: Mapping[VersionId, ScopeKeys]) -> None:
        """See `StoredPoints.set_keys`."""
        await self._write(lambda store: store.set_keys(collection, keys))

    async def remove_version(self, collection: str, version: VersionId) -> None:
        """See `StoredPoints.remove_version`."""
        await self._write(lambda store: store.remove_version(collection, version))

    async def candidates(
        self, collection: str, queries: Sequence[QueryVectors], within: Within, *, limit: int
    ) -> list[list[Candidate]]:
        """See `PassageStore.candidates`."""
        return await self._store.candidates(collection, queries, within, limit=limit)

    async def mentioning(self, collection: str, words: SparseVector, within: Within) -> frozenset[VersionId]:
        """See `PassageStore.mentioning`."""
        return await self._store.mentioning(collection, words, within)

    async def held(self, collection: str) -> dict[VersionId, Held]:
        """See `StoredPoints.held`."""
        return await self._store.held(collection)

    async def sample(self, collection: str, *, size: int) -> VectorSample | None:
        """See `StoredPoints.sample`."""
        return await self._store.sample(collection, size=size)

    async def points(
        self, collection: str, *, start: PassageId | None = None, limit: int
    ) -> tuple[list[IndexPoint], PassageId | None]:
        """See `StoredPoints.points`."""
        return await self._store.points(collection, start=start, limit=limit)

    async def count(self, collection: str, version: VersionId | None = None) -> int:
        """See `StoredPoints.count`."""
        return await self._store.count(collection, version)

    async def counts(self, collection: str) -> dict[VersionId, int]:
        """See `StoredPoints.counts`."""
        return await self._store.counts(collection)

    async def optimise(self, collection: str) -> None:
        """See `StoredPoints.optimise`."""
        await self._store.optimise(collection)

    async def close(self) -> None:
        """See `StoredPoints.close`."""
        await self._store.close()
