"""The embedded index: Qdrant Edge in this process, one folder per library and collection."""

import asyncio
import logging
import shutil
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import qdrant_edge as edge

from adapters.disk import Free, free_bytes, make_folder, require, used_bytes
from adapters.qdrant.codec import (
    CARRIED,
    VERSION,
    BestOfEach,
    Probe,
    admitting,
    check_points,
    held_of,
    index_point,
    keys_payload,
    next_point,
    payload_of,
    probes_of,
    store_name,
    vector_sample,
    vectors_of,
    versions_of,
)
from adapters.qdrant.folders import OwnerLock, move_folder, set_aside
from adapters.qdrant.optimise import Optimisation
from adapters.qdrant.shard import Shard, ShardFolder, edge_errors
from core.domain.ids import LibraryId, PassageId, VersionId
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
from core.errors import Broken

_T = TypeVar("_T")
_READERS = 2
_ROOM = 64_000_000
"""Bytes that must be free on the disk before anything is written: a log segment, preallocated files."""

_POINT_BYTES = 40_000
"""Maximum bytes of a passage: its vectors, those of its windows, its copy in the log."""

_POINTS_PER_WRITE = 100
"""The engine keeps the interpreter lock during a write; 100 points take about 10 ms."""

_LOG = logging.getLogger(__name__)


# Queries to the embedded engine, in its own terms.


def _answers_to(engine: edge.EdgeShard, requests: list[edge.QueryRequest]) -> list[list[edge.ScoredPoint]]:
    """The points that answer each of `requests`, in one call."""
    return engine.query_batch(edge.QueryBatchRequest(requests))


def _engine_point(point: IndexPoint) -> edge.Point:
    """A point in the engine's form."""
    return edge.Point(point.passage, vectors_of(point, edge.SparseVector), payload_of(point))


def _has_one_of(field: str, values: Iterable[str]) -> edge.FieldCondition:
    return edge.FieldCondition(key=field, match=edge.MatchAny(any=[*map(str, values)]))


def _of_versions(versions: Iterable[VersionId]) -> edge.Filter:
    """A filter that admits the points of these versions."""
    return edge.Filter(must=[_has_one_of(VERSION, versions)])


def _admitting(within: Within) -> edge.Filter | None:
    return admitting(within, _has_one_of, edge.Filter)


def nearest(probe: Probe) -> edge.Query:
    """The points nearest to the probe's vector."""
    vector = probe.vector
    if isinstance(vector, SparseVector):
        sparse = edge.SparseVector(indices=list(vector.indices), values=list(vector.values))
        return edge.Query.Nearest(sparse, using=probe.space.value)
    return edge.Query.Nearest(vector, using=probe.space.value)


def _nearest_to(probe: Probe, admitted: edge.Filter | None, *, limit: int) -> edge.QueryRequest:
    """The best `limit` of the admitted points, with their versions."""
    return edge.QueryRequest(limit=limit, query=nearest(probe), filter=admitted, with_payload=[VERSION])


def _scores_of(probe: Probe, passages: Iterable[PassageId]) -> edge.QueryRequest:
    """The scores of these points."""
    ids: set[edge.PointId] = set(passages)
    chosen = edge.Filter(must=[edge.HasIdCondition(ids)])
    return edge.QueryRequest(limit=max(1, len(ids)), query=nearest(probe), filter=chosen)


def _best_candidates(
    engine: edge.EdgeShard, queries: Sequence[QueryVectors], within: Within, limit: int
) -> list[list[Candidate]]:
    """The two rounds of a search `within`: the best of each space, then what only other spaces found."""
    probes = probes_of(queries)
    admitted = _admitting(within)
    by_space = groupby(probes, key=lambda probe: probe.space)  # a batch filters once for all its probes
    batches = [[_nearest_to(probe, admitted, limit=limit) for probe in group] for _, group in by_space]
    found = [points for batch in batches for points in _answers_to(engine, batch)]
    best = BestOfEach(len(queries), probes, found)
    missing = zip(probes, best.unscored(), strict=True)
    return best.candidates(_answers_to(engine, [_scores_of(probe, passages) for probe, passages in missing]))


def _facet(engine: edge.EdgeShard, field: str) -> dict[str, int]:
    """Points of each value of a field that has any."""
    most = max(1, engine.count(edge.CountRequest(exact=True)))
    hits = engine.facet(edge.FacetRequest(key=field, limit=most, exact=True)).hits
    return {str(hit.value): hit.count for hit in hits if hit.count > 0}


def _counts_of(engine: edge.EdgeShard) -> dict[VersionId, int]:
    """Points of each version that has any."""
    return {VersionId(version): points for version, points in _facet(engine, VERSION).items()}


class EdgeIndex:
    """Implements `core.ports.PassageStore` below `root`, which belongs to one process at a time. Each library
    has a folder of its own there, so that it can neither see nor touch the points of another one. Damaged
    data is set aside beside `root`, and the collection starts over empty.

    The lock is taken by the first call (or by `open`), given back by `close` or the end of the process. The
    engine is synchronous: reads run in two threads, writes sequentially in a third.
    """

    def __init__(
        self, root: Path, *, library: LibraryId, primary: int, secondary: int, free: Free = free_bytes
    ) -> None:
        """`primary`, `secondary`: dimensions of the encoders. `free` says how much may be written below a
        folder. Does not touch the disk."""
        self._free = free
        self._root, self._library, self._primary, self._secondary = root, library, primary, secondary
        self._lock = OwnerLock(root)
        self._owner: EdgeIndex | None = None
        self._opening = threading.Lock()
        self._shards: dict[str, Shard] = {}
        self._optimisation: Optimisation | None = None
        self._owned = self._closed = False
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="index-reader")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="index-writer")

    def beside(self, library: LibraryId, *, primary: int, secondary: int) -> "EdgeIndex":
        """The index of `library` in the same folder, which is this one's as long as this one is open."""
        made = EdgeIndex(self._root, library=library, primary=primary, secondary=secondary, free=self._free)
        made._owner, made._lock = self, self._lock
        return made

    async def drop(self, collection: str) -> None:
        await self._run(self._writer, lambda: self._drop(collection))

    async def open(self) -> None:
        """Take the lock now. Raises Broken("index.in_use") if another process has it."""
        await self._run(self._readers, self._own)

    async def upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        """Add or replace points; they survive a kill and a power cut when this returns."""
        await self._run(self._writer, lambda: self._upsert(collection, points))

    async def candidates(
        self, collection: str, queries: Sequence[QueryVectors], within: Within, *, limit: int
    ) -> list[list[Candidate]]:
        """One batch per space finds the best, one more adds the scores missing; between batches the
        interpreter lock, which the engine holds, is free for others."""
        if within.nothing or limit <= 0:
            return [[] for _ in queries]
        return await self._run(self._readers, lambda: self._candidates(collection, queries, within, limit))

    async def mentioning(self, collection: str, words: SparseVector, within: Within) -> frozenset[VersionId]:
        """See `PassageStore.mentioning`: only points that have a word answer a sparse query."""
        return await self._run(self._readers, lambda: self._mentioning(collection, words, within))

    async def sample(self, collection: str, *, size: int) -> VectorSample | None:
        """The first `size` passages by id. Ids are uniform hashes, so that is a random sample that hardly
        changes as the collection grows (bottom-k sampling, Cohen & Kaplan, PODC 2007)."""
        return await self._run(self._readers, lambda: self._sample(collection, size))

    async def points(
        self, collection: str, *, start: PassageId | None = None, limit: int
    ) -> tuple[list[IndexPoint], PassageId | None]:
        """See `StoredPoints.points`; reading 100 of them takes about 20 ms."""
        return await self._run(self._readers, lambda: self._points(collection, start, limit))

    async def remove_version(self, collection: str, version: VersionId) -> None:
        """Drop all points of a version. Their space and their part in IDF go with `optimise`."""
        await self._run(self._writer, lambda: self._remove(collection, version))

    async def count(self, collection: str, version: VersionId | None = None) -> int:
        return await self._run(self._readers, lambda: self._count(collection, version))

    async def counts(self, collection: str) -> dict[VersionId, int]:
        """Points of each version that has any; 4 ms for 100 versions of 300 points."""
        return await self._run(self._readers, lambda: self._counts(collection))

    async def held(self, collection: str) -> dict[VersionId, Held]:
        return await self._run(self._readers, lambda: self._held(collection))

    async def set_keys(self, collection: str, keys: Mapping[VersionId, ScopeKeys]) -> None:
        """See `StoredPoints.set_keys`; vectors are not touched."""
        await self._run(self._writer, lambda: self._set_keys(collection, keys))

    def has_unowned(self, collection: str) -> bool:
        """Whether there is an index of `collection` from before indexes belonged to libraries, and none for
        this library."""
        return self._unowned(collection).exists() and not self._folder(collection).exists()

    async def adopt(self, collection: str, versions: Collection[VersionId]) -> bool:
        """Take over such an index unchanged if it contains points of `versions`; returns whether it did."""
        return await self._run(self._writer, lambda: self._adopt(collection, versions))

    async def optimise(self, collection: str) -> None:
        """Merge and vacuum, in a child process on a copy. Searches go on; writes wait. Needs twice the
        collection's disk space meanwhile."""
        await self._run(self._writer, lambda: self._optimise(collection))

    async def close(self) -> None:
        """End an optimisation, flush, release the lock. Waits for calls in progress."""
        if self._closed:
            return
        self._closed = True
        if self._optimisation:
            self._optimisation.stop()
        await asyncio.to_thread(self._shut_down)

    async def _run(self, pool: ThreadPoolExecutor, call: Callable[[], _T]) -> _T:
        self._check_open()
        return await asyncio.get_running_loop().run_in_executor(pool, lambda: self._translated(call))

    def _translated(self, call: Callable[[], _T]) -> _T:
        with edge_errors(self._root):
            return call()

    def _check_open(self) -> None:
        if self._closed:
            raise Broken("index.closed", "the index was closed; build a new one to go on")

    def _own(self) -> None:
        with self._opening:
            if self._owned:
                return
            self._check_open()
            if self._owner is not None:
                self._owner._own()
                self._owned = True
                return
            make_folder(self._root)
            self._lock.acquire()
            self._owned = True

    def _shut_down(self) -> None:
        for pool in (self._writer, self._readers):
            pool.shutdown(wait=True)
        with edge_errors(self._root):
            for shard in self._shards.values():
                if not shard.is_gone:
                    shard.close()
            self._shards.clear()
            if self._owner is None:
                self._lock.release()

    def _drop(self, collection: str) -> None:
        self._own()
        with self._opening:
            shard = self._shards.pop(collection, None)
            if shard is not None and not shard.is_gone:
                shard.close()
            shutil.rmtree(self._folder(collection).path, ignore_errors=True)

    def _folder(self, collection: str) -> ShardFolder:
        return self._at(self._root / self._library / store_name(collection))

    def _unowned(self, collection: str) -> ShardFolder:
        return self._at(self._root / store_name(collection))

    def _at(self, path: Path) -> ShardFolder:
        return ShardFolder(path=path, primary=self._primary, secondary=self._secondary)

    def _shard(self, collection: str) -> Shard | None:
        """The collection's shard, opened at first use; None if it was never created, or was damaged."""
        self._own()
        with self._opening:
            self._let_go_of(collection)
            folder = self._folder(collection)
            if collection not in self._shards and (shard := self._opened(folder)):
                self._shards[collection] = shard
            return self._shards.get(collection)

    def _let_go_of(self, collection: str) -> None:
        """Forget a shard whose folder somebody has deleted, perhaps with our lock: the collection is empty
        now. Who still reads it may finish."""
        shard = self._shards.get(collection)
        if shard is None or not shard.is_gone:
            return
        _LOG.error("%s was deleted while it was in use; it is rebuilt.", shard.path)
        del self._shards[collection]
        if not self._lock.is_there:
            self._lock.release()
            self._root.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()

    def _opened(self, folder: ShardFolder) -> Shard | None:
        try:
            return folder.open() if folder.exists() else None
        except Broken as error:
            if error.key != "index.damaged":
                raise
            aside = set_aside(self._root, folder.path)
            _LOG.error("%s It was set aside as %s and is rebuilt.", error.detail, aside)
            return None

    def _created(self, collection: str) -> Shard:
        shard = self._shard(collection)
        if shard is None:
            with self._opening:
                folder = self._folder(collection)
                if folder.has_leftovers():
                    _LOG.error(
                        "%s names no shard; set aside as %s", folder.path, set_aside(self._root, folder.path)
                    )
                shard = self._shards[collection] = folder.create()
        return shard

    def _adopt(self, collection: str, versions: Collection[VersionId]) -> bool:
        self._own()
        if not self.has_unowned(collection):
            return False
        unowned = self._unowned(collection)
        shard = self._opened(unowned)
        if shard is None:
            return False
        known = set(_counts_of(shard.engine))
        shard.close()
        if not known & set(versions):
            return False
        move_folder(unowned.path, self._folder(collection).path)
        return True

    def _engine(self, collection: str) -> edge.EdgeShard | None:
        shard = self._shard(collection)
        return None if shard is None else shard.engine

    def _upsert(self, collection: str, points: Sequence[IndexPoint]) -> None:
        check_points(points, primary=self._primary, secondary=self._secondary)
        self._check_room(len(points) * _POINT_BYTES)
        starts = range(0, len(points), _POINTS_PER_WRITE)
        pieces = (points[start : start + _POINTS_PER_WRITE] for start in starts)
        self._created(collection).write(
            edge.UpdateOperation.upsert_points([_engine_point(point) for point in piece]) for piece in pieces
        )

    def _candidates(
        self, collection: str, queries: Sequence[QueryVectors], within: Within, limit: int
    ) -> list[list[Candidate]]:
        engine = self._engine(collection)
        if engine is None:
            return [[] for _ in queries]
        return _best_candidates(engine, queries, within, limit)

    def _mentioning(self, collection: str, words: SparseVector, within: Within) -> frozenset[VersionId]:
        engine = self._engine(collection)
        if engine is None or not words.indices or within.nothing:
            return frozenset()
        most = max(1, engine.count(edge.CountRequest(exact=False)))
        probe = Probe(query=0, space=Space.LEXICAL, vector=words)
        [found] = _answers_to(engine, [_nearest_to(probe, _admitting(within), limit=most)])
        return versions_of(found)

    def _sample(self, collection: str, size: int) -> VectorSample | None:
        engine = self._engine(collection)
        if engine is None or size <= 0:
            return None
        records, _ = engine.scroll(edge.ScrollRequest(limit=size, with_payload=[VERSION], with_vector=True))
        return vector_sample([index_point(record) for record in records])

    def _points(
        self, collection: str, start: PassageId | None, limit: int
    ) -> tuple[list[IndexPoint], PassageId | None]:
        engine = self._engine(collection)
        if engine is None:
            return [], None
        records, further = engine.scroll(
            edge.ScrollRequest(offset=start, limit=limit, with_payload=[VERSION], with_vector=True)
        )
        return [index_point(record) for record in records], next_point(further)

    def _check_room(self, size: int) -> None:
        """Check the free space: the engine writes to memory-mapped files, and without disk space the system
        kills the process (SIGBUS)."""
        require(self._root, _ROOM + size, self._free)

    def _remove(self, collection: str, version: VersionId) -> None:
        shard = self._shard(collection)
        if shard is not None:
            shard.write([edge.UpdateOperation.delete_points_by_filter(_of_versions([version]))])

    def _count(self, collection: str, version: VersionId | None) -> int:
        engine = self._engine(collection)
        if engine is None:
            return 0
        chosen = None if version is None else _of_versions([version])
        return engine.count(edge.CountRequest(filter=chosen, exact=True))

    def _counts(self, collection: str) -> dict[VersionId, int]:
        engine = self._engine(collection)
        return {} if engine is None else _counts_of(engine)

    def _held(self, collection: str) -> dict[VersionId, Held]:
        engine = self._engine(collection)
        return {} if engine is None else held_of(_counts_of(engine), _facet(engine, CARRIED))

    def _set_keys(self, collection: str, keys: Mapping[VersionId, ScopeKeys]) -> None:
        shard = self._shard(collection)
        if shard is None:
            return
        self._check_room(len(keys) * _POINT_BYTES)
        shard.write(
            edge.UpdateOperation.set_payload_by_filter(_of_versions([version]), keys_payload(version, own))
            for version, own in keys.items()
        )

    def _optimise(self, collection: str) -> None:
        shard = self._shard(collection)
        if shard is None:
            return
        self._check_room(used_bytes(shard.path))
        self._optimisation = Optimisation.start(self._folder(collection), shard)
        try:
            self._shards[collection] = self._optimisation.finish()
        finally:
            self._optimisation = None
