"""Passages in the index: written in batches, with the keys of their scope, packed for backups, and moved
to another index."""

import asyncio
import io
import re
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from core.domain.backups import LARGEST_POINTS
from core.domain.documents import DocumentFields
from core.domain.ids import PassageId, VersionId
from core.domain.passages import Passage
from core.domain.search import (
    SCOPE_FIELDS,
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
from core.ports.index import PassageIndex, PassageStore
from core.ports.models import Embedder, LexicalEncoder

# The keys that a passage's point carries of its document, so that a search can be told what it may find.


YES, NO, UNSTATED = ("yes",), ("no",), ("-",)

RETIRED: ScopeKeys = {field: NO if field == "current" else UNSTATED for field in SCOPE_FIELDS}
"""The keys of a version that no question reads today."""

_TITLE_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def years_named(fields: DocumentFields) -> frozenset[int]:
    """The year of a document's validity and those in its title (a programme for an election in 2025 may hold
    from 2024)."""
    stated = {fields.valid_from.year} if fields.valid_from else set()
    return frozenset(stated | {int(year) for year in _TITLE_YEAR.findall(fields.title)})


def keys_of(fields: DocumentFields, *, is_current: bool = True) -> ScopeKeys:
    """The keys of a document's points; `is_current`: whether it is what a question about today reads."""
    return {
        "place": (fields.jurisdiction,) if fields.jurisdiction else UNSTATED,
        "language": (fields.language,),
        "type": (str(fields.doc_type),),
        "party": fields.parties or UNSTATED,
        "year": tuple(sorted(map(str, years_named(fields)))) or UNSTATED,
        "current": YES if is_current else NO,
    }


def both(one: ScopeKeys, other: ScopeKeys) -> ScopeKeys:
    """Keys with the values of two, so that whoever believes in either finds the points that carry them."""
    return {field: tuple(dict.fromkeys((*one[field], *other[field]))) for field in SCOPE_FIELDS}


T = TypeVar("T")

BATCH = 256
"""Passages embedded and upserted at a time: enough to sort by length, few enough to stay quick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageWriter:
    """Embeds passages and puts them into the index."""

    index: PassageIndex
    primary: Embedder
    secondary: Embedder
    lexical: LexicalEncoder

    async def write(
        self, collection: str, fields: DocumentFields, passages: Sequence[Passage]
    ) -> AsyncIterator[tuple[Sequence[Passage], list[IndexPoint]]]:
        """Write `passages` of a document; yields each batch with its points once it is durably in the
        index."""
        for batch in batches(passages, BATCH):
            points = await self._points(batch, fields)
            await self.index.upsert(collection, points)
            yield batch, points

    async def _points(self, batch: Sequence[Passage], fields: DocumentFields) -> list[IndexPoint]:
        texts = [passage.embedded_text for passage in batch]
        windows = [passage.text[start:end] for passage in batch for start, end in passage.windows]
        primary, secondary, small, lexical = await asyncio.gather(
            self.primary.passages(texts),
            self.secondary.passages(texts),
            self.secondary.passages(windows),
            self.lexical.passages(texts, fields.language),
        )
        points, at, keys = [], 0, keys_of(fields)
        for row, passage in enumerate(batch):
            size = len(passage.windows)
            points.append(
                IndexPoint(
                    passage=passage.id,
                    version=passage.version,
                    primary=primary[row],
                    secondary=secondary[row],
                    windows=small[at : at + size],
                    lexical=lexical[row],
                    keys=keys,
                )
            )
            at += size
        return points


def batches(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """`items` in pieces of at most `size`."""
    return [items[start : start + size] for start in range(0, len(items), size)]


# Points of an index as bytes, so that it can be restored without its encoders, and into another store.
#
# Numpy's `.npz` (nothing in it is executed when read). Values are kept as stored: dense vectors as float16,
# terms as they are.


def packed(points: Sequence[IndexPoint]) -> bytes:
    """One or more points of the same dimensions."""
    kept = io.BytesIO()
    # The array names are those used since 2026-11 and must not change.
    np.savez(
        kept,
        passages=np.array([str(point.passage) for point in points]),
        versions=np.array([str(point.version) for point in points]),
        dense=np.stack([point.primary for point in points]).astype(np.float16),
        second=np.stack([point.secondary for point in points]).astype(np.float16),
        windows=np.concatenate([point.windows for point in points]).astype(np.float16),
        windows_of=np.array([len(point.windows) for point in points], dtype=np.int64),
        terms=np.concatenate([np.asarray(point.lexical.indices, dtype=np.uint32) for point in points]),
        weights=np.concatenate([np.asarray(point.lexical.values, dtype=np.float32) for point in points]),
        terms_of=np.array([len(point.lexical.indices) for point in points], dtype=np.int64),
    )
    return kept.getvalue()


def unpacked(content: bytes) -> list[IndexPoint]:
    """The unpacked points. Raises ValueError, KeyError, OSError or BadZipFile for anything not made by
    `packed`."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(member.file_size for member in archive.infolist()) > LARGEST_POINTS:
            raise ValueError("they are too large")
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        found = {name: kept[name] for name in kept.files}
    windows = np.split(found["windows"].astype(np.float32), np.cumsum(found["windows_of"])[:-1])
    terms = np.split(found["terms"], np.cumsum(found["terms_of"])[:-1])
    weights = np.split(found["weights"], np.cumsum(found["terms_of"])[:-1])
    return [
        IndexPoint(
            passage=PassageId(str(found["passages"][place])),
            version=VersionId(str(found["versions"][place])),
            primary=found["dense"][place].astype(np.float32),
            secondary=found["second"][place].astype(np.float32),
            windows=windows[place],
            lexical=SparseVector(indices=tuple(terms[place].tolist()), values=tuple(weights[place].tolist())),
        )
        for place in range(len(windows))
    ]


# The points of a library taken from one engine to another one, while questions are answered.
#
# The first one answers until everything is in both; what is written meanwhile goes to both. Then the other
# one answers. Whatever interrupts it, the first one is whole, and a later run goes on with what differs.


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
