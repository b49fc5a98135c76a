"""From settings to the passage index, which belongs to the library of the database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from bot.settings.tree import Settings
from core.domain.ids import LibraryId, VersionId
from core.errors import Broken, Refused
from core.library.indexing import MovableStore
from core.search.scoped_index import ScopedIndex

if TYPE_CHECKING:
    from adapters.database.library import SqlLibrary
    from adapters.qdrant.edge import EdgeIndex
    from adapters.qdrant.server import ServerIndex
    from bot.wiring.models import Encoders
    from core.library.formats import Report
    from core.ports.index import PassageIndex
    from core.ports.library import LifecycleLibrary

INDEX = "index"
"""Folder of the embedded index, in the data folder."""


async def index_of(
    settings: Settings, library: SqlLibrary, primary: int, secondary: int, place: str = ""
) -> ScopedIndex:
    """The library's index; `primary`, `secondary`: dimensions of the encoders; `place` distinguishes it from
    those of other encoders. An index from before indexes belonged to libraries is adopted if it is this
    library's."""
    from adapters.qdrant.edge import EdgeIndex

    identity = LibraryId(await library.identity() + place)
    if settings.qdrant.url:
        known = None if place else library
        return ScopedIndex(served(settings, known, identity, primary, secondary))
    _check_not_moved(settings)
    index = EdgeIndex(settings.data / INDEX, library=identity, primary=primary, secondary=secondary)
    for collection in () if place else await library.collections():
        if index.has_unowned(collection):
            await _taken_over(index, collection, library)
    return ScopedIndex(MovableStore(index))


async def index_beside(
    settings: Settings, library: SqlLibrary, index: ScopedIndex, encoders: Encoders
) -> ScopedIndex:
    """The index of other encoders, besides the one in use."""
    identity = LibraryId(await library.identity() + encoders.generation.place)
    sizes = {"primary": encoders.primary.dimension, "secondary": encoders.secondary.dimension}
    if settings.qdrant.url:
        return ScopedIndex(served(settings, None, identity, *sizes.values()))
    return ScopedIndex(embedded(index).beside(identity, **sizes))


async def drop_index(settings: Settings, library: SqlLibrary, index: ScopedIndex, place: str) -> None:
    """Permanently delete the index of a `place` that nobody uses any more."""
    identity = LibraryId(await library.identity() + place)
    # what is never read has no dimensions to fit
    former = (
        served(settings, None, identity, 1, 1)
        if settings.qdrant.url
        else embedded(index).beside(identity, primary=1, secondary=1)
    )
    try:
        for collection in await library.collections():
            await former.drop(collection)
    finally:
        await former.close()


def embedded(index: ScopedIndex) -> EdgeIndex:
    """The engine of an embedded index. Raises Refused("move.same") if it is already on a server."""
    from adapters.qdrant.edge import EdgeIndex

    store = index.store.engine if isinstance(index.store, MovableStore) else index.store
    if not isinstance(store, EdgeIndex):
        raise Refused("move.same", "the index is on a server: set [qdrant] url and start again")
    return store


def left_file(settings: Settings) -> Path:
    """The file that says where the embedded index was moved to."""
    return settings.data / INDEX / ".moved-to"


def moved_to(settings: Settings) -> str:
    """The address of the server that the embedded index was moved to, in the form of `address_of`; "" if it
    was not moved."""
    try:
        return address_of(left_file(settings).read_text("utf-8").strip())
    except FileNotFoundError:
        return ""


def address_of(url: str) -> str:
    """`url` without user name and password, for display and storage."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def without_password(url: str) -> str:
    """`url` for display, with a mark in place of a password."""
    return address_of(url).replace("://", "://…@", 1) if "@" in urlsplit(url).netloc else url


def _check_not_moved(settings: Settings) -> None:
    """Raises Broken("index.moved") if questions were last answered by a server."""
    place, file = moved_to(settings), left_file(settings)
    if not place:
        return
    detail = (
        f'the index was moved to {place}: set [qdrant] url = "{place}", with its password if it had one. To'
        f" go back, remove {file}; what it lacks by now is embedded again"
    )
    raise Broken("index.moved", detail)


async def move_index(
    settings: Settings,
    library: LifecycleLibrary,
    index: PassageIndex,
    dimensions: tuple[int, int],
    place: str = "",
    report: Report | None = None,
) -> int:
    """Move the points of the embedded `index` to the server in the settings, which `index` uses from then on;
    returns how many. Raises like `MovableStore.move`, and Refused("move.same") if it is not an embedded
    index."""
    from adapters.database.library import SqlLibrary
    from adapters.disk import write

    store = index.store if isinstance(index, ScopedIndex) else None
    if moved_to(settings) or not (isinstance(store, MovableStore) and isinstance(library, SqlLibrary)):
        raise Refused("move.same", "the index is on a server already: copy it on with Qdrant's tools")
    identity = LibraryId(await library.identity() + place)
    target = served(settings, library, identity, *dimensions)

    async def settle() -> None:
        await asyncio.to_thread(write, left_file(settings), f"{address_of(settings.qdrant.url)}\n".encode())

    try:
        return await store.move(target, library.collections, settle=settle, report=report)
    except BaseException:
        if not moved_to(settings):
            await target.close()
        raise


@contextmanager
def alone(settings: Settings) -> Iterator[None]:
    """Keep other processes out of the data folder meanwhile. Raises Broken("index.in_use")."""
    from adapters.qdrant.folders import OwnerLock

    folder = settings.data / INDEX
    lock = OwnerLock(folder)
    if folder.exists():
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


async def index_of_copy(settings: Settings, library: LibraryId, primary: int, secondary: int) -> PassageIndex:
    """The index of a library that has no database yet, exclusively if it is embedded. Raises
    Broken("index.in_use")."""
    from adapters.qdrant.edge import EdgeIndex

    if settings.qdrant.url:
        return ScopedIndex(served(settings, None, library, primary, secondary))
    index = EdgeIndex(settings.data / INDEX, library=library, primary=primary, secondary=secondary)
    await index.open()
    return ScopedIndex(index)


async def _taken_over(index: EdgeIndex, collection: str, library: LifecycleLibrary) -> None:
    """A stand-in for commands that need no index, which run alongside the process that has it."""
    try:
        await index.adopt(collection, await _versions(library, collection))
    except Broken as error:
        if error.key != "index.in_use":
            await index.close()
            raise


def served(
    settings: Settings, library: LifecycleLibrary | None, identity: LibraryId, primary: int, secondary: int
) -> ServerIndex:
    """The library's index on the server in the settings; sends nothing yet."""
    from adapters.qdrant.server import ServerIndex  # only here: the client takes a second to import
    from adapters.qdrant.tuning import tuning_of

    qdrant = settings.qdrant
    return ServerIndex.connect(
        qdrant.url,
        api_key=qdrant.api_key.get_secret_value(),
        prefix=qdrant.prefix,
        library=identity,
        primary=primary,
        secondary=secondary,
        known_versions=partial(_versions, library) if library else None,
        tuning=tuning_of(qdrant.preset, shards=qdrant.shards, replicas=qdrant.replicas),
        timeout_s=qdrant.timeout_s,
        ca_file=settings.data / qdrant.ca_file if qdrant.ca_file else None,
    )


async def _versions(library: LifecycleLibrary, collection: str) -> set[VersionId]:
    return {holding.version for holding in await library.holdings([collection])}


def damaged_indexes(settings: Settings) -> list[Path]:
    """Folders of embedded indexes that were damaged, and set aside."""
    from adapters.qdrant.folders import were_set_aside

    return were_set_aside(settings.data / INDEX)
