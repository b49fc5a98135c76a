"""From settings to the passage index, which belongs to the library of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.settings.tree import Settings
from core.domain.ids import LibraryId, VersionId
from core.errors import Broken
from core.search.scoped_index import ScopedIndex

if TYPE_CHECKING:
    from adapters.database.library import SqlLibrary
    from adapters.qdrant.edge import EdgeIndex
    from core.ports.index import PassageIndex
    from core.ports.lifecycle import LifecycleLibrary

INDEX = "index"
"""Folder of the embedded index, in the data folder."""


async def index_of(settings: Settings, library: SqlLibrary, primary: int, secondary: int) -> PassageIndex:
    """The library's index; `primary`, `secondary`: dimensions of the encoders. One from before indexes
    belonged to libraries is taken over where it is this library's."""
    from adapters.qdrant.edge import EdgeIndex

    identity = await library.identity()
    if settings.qdrant.url:
        return _served(settings, library, identity, primary, secondary)
    index = EdgeIndex(settings.data / INDEX, library=identity, primary=primary, secondary=secondary)
    for collection in await library.collections():
        if index.has_unowned(collection):
            await _taken_over(index, collection, library)
    return ScopedIndex(index)


@contextmanager
def alone(settings: Settings) -> Iterator[None]:
    """No other process works with the data folder meanwhile. Raises Broken("index.in_use")."""
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
    """The index of a library that has no database yet, for this process alone where it is embedded:
    raises Broken("index.in_use")."""
    from adapters.qdrant.edge import EdgeIndex

    if settings.qdrant.url:
        return _served(settings, None, library, primary, secondary)
    index = EdgeIndex(settings.data / INDEX, library=library, primary=primary, secondary=secondary)
    await index.open()
    return ScopedIndex(index)


async def _taken_over(index: EdgeIndex, collection: str, library: LifecycleLibrary) -> None:
    """Commands that need no index work beside the process that has it."""
    try:
        await index.adopt(collection, await _versions(library, collection))
    except Broken as error:
        if error.key != "index.in_use":
            await index.close()
            raise


def _served(
    settings: Settings, library: LifecycleLibrary | None, identity: LibraryId, primary: int, secondary: int
) -> PassageIndex:
    from adapters.qdrant.server import ServerIndex  # only here: the client takes a second to import
    from adapters.qdrant.tuning import tuning_of

    qdrant = settings.qdrant
    store = ServerIndex.connect(
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
    return ScopedIndex(store)


async def _versions(library: LifecycleLibrary, collection: str) -> set[VersionId]:
    return {holding.version for holding in await library.holdings([collection])}


def damaged_indexes(settings: Settings) -> list[Path]:
    """Folders of embedded indexes that were damaged, and set aside."""
    from adapters.qdrant.folders import were_set_aside

    return were_set_aside(settings.data / INDEX)
