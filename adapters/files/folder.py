"""The files of an installation in a folder of this machine: the path is the file."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from adapters.disk import (
    ROOM,
    Free,
    copy,
    digest_of,
    disk_errors,
    free_bytes,
    make_folder,
    require,
    size_of,
    sync_folder,
)
from core.errors import Refused
from core.ports.storage import ListedFile

NEW = ".new-"
"""Prefix of the temporary names of files being written."""


class FolderFiles:
    """Implements `core.ports.storage.FileStore`: a key is a path below `root`."""

    def __init__(self, root: Path, *, free: Free = free_bytes) -> None:
        self._root = root
        self._free = free

    @property
    def place(self) -> str:
        return str(self._root)

    async def open(self, key: str) -> Path | None:
        path = self._path(key)
        return path if await asyncio.to_thread(path.is_file) else None

    @asynccontextmanager
    async def borrowed(self, key: str) -> AsyncIterator[Path | None]:
        yield await self.open(key)

    async def put(self, key: str, source: Path | bytes, *, sha256: str | None = None) -> None:
        """See `FileStore.put`. What is in its place already is not copied."""
        await asyncio.to_thread(self._put, self._path(key), source, sha256)

    async def delete(self, key: str) -> None:
        """See `FileStore.delete`. Folders that become empty go as well, but for the top ones."""
        await asyncio.to_thread(self._delete, self._path(key))

    async def listing(self, prefix: str) -> AsyncIterator[ListedFile]:
        for found in await asyncio.to_thread(lambda: sorted(self._listed(prefix), key=lambda file: file.key)):
            yield found

    async def digest(self, key: str) -> str | None:
        return await asyncio.to_thread(digest_of, self._path(key))

    async def check(self) -> None:
        """See `FileStore.check`. Before the first file there may be no folder."""
        await asyncio.to_thread(self._look)

    def _look(self) -> None:
        with disk_errors(self._root), suppress(FileNotFoundError), os.scandir(self._root) as entries:
            next(entries, None)

    def _path(self, key: str) -> Path:
        if not is_key(key):
            raise Refused("file.missing", f"{key!r} is no name of a kept file")
        return self._root / key

    def _put(self, place: Path, source: Path | bytes, sha256: str | None) -> None:
        if isinstance(source, Path) and _is_same(source, place):
            return
        folder = place.parent
        require(folder, ROOM + size_of(source), self._free)
        with _new_file(folder) as (file, temporary):
            copy(source, file, folder, sha256=sha256)
            with disk_errors(folder):
                file.flush()
                os.fsync(file.fileno())
                temporary.replace(place)
                sync_folder(folder)

    def _delete(self, path: Path) -> None:
        with disk_errors(path.parent):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # one that is not empty stays
            for _ in path.relative_to(self._root).parts[2:]:
                path = path.parent
                path.rmdir()

    def _listed(self, prefix: str) -> Iterator[ListedFile]:
        start = self._root / prefix
        inside = [start] if start.is_file() else start.rglob("*") if start.is_dir() else []
        for path in inside:
            with suppress(FileNotFoundError):  # just gone
                found = path.stat()
                if path.is_file():
                    key = path.relative_to(self._root).as_posix()
                    at = datetime.fromtimestamp(found.st_mtime, UTC)
                    yield ListedFile(key=key, size=found.st_size, changed_at=at)


def is_key(key: str) -> bool:
    """Whether a key stays within its store."""
    path = PurePosixPath(key)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and str(path) == key


def _is_same(source: Path, place: Path) -> bool:
    try:
        return source.samefile(place)
    except OSError:
        return False


@contextmanager
def _new_file(folder: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A file under a temporary name; it is deleted unless renamed."""
    with disk_errors(folder):
        make_folder(folder)
        handle, name = tempfile.mkstemp(dir=folder, prefix=NEW)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file, Path(name)
    finally:
        Path(name).unlink(missing_ok=True)
