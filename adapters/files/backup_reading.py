"""Backups read: what an archive holds, proven against its manifest."""

import asyncio
import hashlib
import json
import os
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from adapters.disk import disk_errors, require
from adapters.durable import PRIVATE, make_folder
from core.domain.backups import FORMAT, BackupManifest
from core.errors import Refused

MANIFEST = "manifest.json"

LARGEST_MANIFEST = 256_000_000

PIECE = 1 << 20

UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error, KeyError, ValueError, RuntimeError)
"""What reading a damaged archive raises."""

_T = TypeVar("_T")

MANIFESTS = TypeAdapter(BackupManifest)


class Background:
    """Calls in the one thread of `pool`, one after the other."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool

    async def __call__(self, call: Callable[..., _T], *arguments: Any) -> _T:
        """What `call` gives back."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, call, *arguments)

    @asynccontextmanager
    async def within(self, context: AbstractContextManager[_T]) -> AsyncIterator[_T]:
        """Enter and leave `context` there."""
        entered = await self(context.__enter__)
        try:
            yield entered
        except BaseException as error:
            await asyncio.shield(self(context.__exit__, type(error), error, error.__traceback__))
            raise
        await self(context.__exit__, None, None, None)


class ZipReader:
    """Implements `core.ports.backups.BackupReader`."""

    def __init__(self, archive: zipfile.ZipFile, manifest: BackupManifest, run: Background) -> None:
        self._archive, self._run = archive, run
        self.manifest = manifest
        """See `BackupReader.manifest`."""
        self._entries = {entry.name: entry for entry in manifest.entries}

    async def misfits(self) -> list[str]:
        """See `BackupReader.misfits`."""
        return await self._run(lambda: list(self._misfits()))

    async def problems(self) -> list[str]:
        """See `BackupReader.problems`."""
        return await self._run(lambda: list(self._problems()))

    async def extract(self, name: str, target: Path) -> None:
        """See `BackupReader.extract`."""
        await self._run(self._extract, name, target)

    async def content(self, name: str) -> bytes:
        """See `BackupReader.content`."""
        return await self._run(lambda: b"".join(self._pieces(name)))

    def _problems(self) -> Iterator[str]:
        yield from self._misfits()
        for name in sorted(self._entries.keys() & set(self._archive.namelist())):
            try:
                for _ in self._pieces(name):
                    pass
            except Refused as error:
                yield error.detail

    def _misfits(self) -> Iterator[str]:
        members = self._archive.infolist()
        counts = Counter(member.filename for member in members)
        held = counts.keys() - {MANIFEST}
        yield from (f"{name} is in it {count} times" for name, count in sorted(counts.items()) if count > 1)
        stated = Counter(entry.name for entry in self.manifest.entries)
        yield from (f"{name} is listed {count} times" for name, count in sorted(stated.items()) if count > 1)
        yield from (f"{name} is missing" for name in sorted(self._entries.keys() - held))
        yield from (f"{name} is not in the manifest" for name in sorted(held - self._entries.keys()))
        folders = {str(folder) for name in self._entries for folder in PurePosixPath(name).parents}
        yield from (f"{name} is a file and a folder" for name in sorted(self._entries.keys() & folders))
        for member in members:
            entry, kind = self._entries.get(member.filename), stat.S_IFMT(member.external_attr >> 16)
            if kind not in (0, stat.S_IFREG):
                yield f"{member.filename} is a link, or no file at all"
            elif entry is not None and member.file_size != entry.size:
                yield f"{entry.name} has {member.file_size} bytes, the manifest says {entry.size}"

    def _extract(self, name: str, target: Path) -> None:
        if name in self._entries:
            require(target.parent, self._entries[name].size)
        with disk_errors(target.parent):
            make_folder(target.parent)
            with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
                for piece in self._pieces(name):
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())

    def _pieces(self, name: str) -> Iterator[bytes]:
        """What is in a file, which is held against the manifest at its end."""
        digest, size, entry = hashlib.sha256(), 0, self._entries.get(name)
        if entry is None:
            raise _damaged(f"{name} is missing")
        try:
            with self._archive.open(name) as source:
                while size <= entry.size and (piece := source.read(PIECE)):
                    digest.update(piece)
                    size += len(piece)
                    yield piece
        except UNREADABLE as error:
            raise _damaged(f"{name} cannot be read: {error}") from error
        if (size, digest.hexdigest()) != (entry.size, entry.sha256):
            raise _damaged(f"{name} is not what the manifest says")


@contextmanager
def opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, BackupManifest]]:
    """The archive at `file` and its manifest. Raises Refused for what is none, or is not whole."""
    if not file.is_file():
        raise Refused("backup.missing", f"there is no file {file}; check the path")
    with ExitStack() as stack:
        try:
            archive = stack.enter_context(zipfile.ZipFile(file))
            manifest = _manifest(archive)
        except UNREADABLE as error:
            raise _damaged(f"{file} is no backup, or not all of one: {error}") from error
        yield archive, manifest


def _manifest(archive: zipfile.ZipFile) -> BackupManifest:
    if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
        raise ValueError("its manifest is too large")
    text = archive.read(MANIFEST)
    found = json.loads(text)
    stated = found.get("format") if isinstance(found, dict) else None
    if stated is None:
        raise ValueError("its manifest has no format")
    if not isinstance(stated, int) or stated > FORMAT:
        detail = f"the backup has the format {stated}, this product reads {FORMAT}; update the product first"
        raise Refused("backup.newer", detail)
    try:
        manifest = MANIFESTS.validate_json(text)
    except ValidationError as error:
        raise ValueError(f"its manifest cannot be read ({error.error_count()} mistakes)") from error
    for entry in manifest.entries:
        if not _is_plain(entry.name) or entry.name == MANIFEST or entry.size < 0:
            raise ValueError(f"{entry.name!r} is no name in a backup")
    return manifest


def _is_plain(name: str) -> bool:
    """Whether a name leads nowhere but below the folder that it is put in."""
    path = PurePosixPath(name)
    safe = bool(path.parts) and not path.is_absolute() and ".." not in path.parts
    return safe and str(path) == name and "\\" not in name and min(name) >= " "


def _damaged(detail: str) -> Refused:
    return Refused("backup.damaged", detail)
