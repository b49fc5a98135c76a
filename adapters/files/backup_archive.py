"""Backups as one ZIP archive each: the manifest is its last file, every other one is listed there.

ZIP is used because every machine reads it and its directory is at the end: a truncated file is not an
archive. Only what compresses well is compressed. The file is written under another name in the same folder
and renamed when complete.
"""

import asyncio
import hashlib
import io
import json
import os
import secrets
import shutil
import sqlite3
import stat
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TypeVar

from pydantic import TypeAdapter, ValidationError

from adapters.disk import PRIVATE, copy_sqlite, disk_errors, is_sqlite, make_folder, require, sync_folder
from adapters.priority import lower_priority
from core.domain.backups import FORMAT, BackupEntry, BackupManifest
from core.errors import Broken, Refused

COMPRESSED = (".sqlite3", ".db", ".json", ".toml")
"""Extensions worth compressing: PDFs and vectors are not."""

WORK = ".backup-"
"""Prefix of temporary names."""

REST = 6.0
"""How long writing pauses after each piece, as a multiple of the time it took, so that answers can
proceed."""

LEFT_AFTER_S = 86_400.0


# Reading backups: an archive's contents, verified against its manifest.

MANIFEST = "manifest.json"

LARGEST_MANIFEST = 256_000_000

PIECE = 1 << 20

UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error, KeyError, ValueError, RuntimeError)
"""Exceptions raised by reading a damaged archive."""

_T = TypeVar("_T")

MANIFESTS = TypeAdapter(BackupManifest)


class Background:
    """Runs calls one after the other in the only thread of `pool`."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool

    async def __call__(self, call: Callable[..., _T], *arguments: Any) -> _T:
        """The result of `call`."""
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
        self._entries = {entry.name: entry for entry in manifest.entries}

    async def misfits(self) -> list[str]:
        return await self._run(lambda: list(self._mismatches()))

    async def problems(self) -> list[str]:
        return await self._run(lambda: list(self._problems()))

    async def extract(self, name: str, target: Path) -> None:
        await self._run(self._extract, name, target)

    async def content(self, name: str) -> bytes:
        return await self._run(lambda: b"".join(self._pieces(name)))

    def _problems(self) -> Iterator[str]:
        yield from self._mismatches()
        for name in sorted(self._entries.keys() & set(self._archive.namelist())):
            try:
                for _ in self._pieces(name):
                    pass
            except Refused as error:
                yield error.detail

    def _mismatches(self) -> Iterator[str]:
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
        """The content of a file, which is checked against the manifest at its end."""
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
    """The archive at `file` and its manifest. Raises Refused if it is not an archive, or incomplete."""
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
    """Whether a name stays inside the folder it is extracted to."""
    path = PurePosixPath(name)
    safe = bool(path.parts) and not path.is_absolute() and ".." not in path.parts
    return safe and str(path) == name and "\\" not in name and min(name) >= " "


def _damaged(detail: str) -> Refused:
    return Refused("backup.damaged", detail)


class ZipBackups:
    """Implements `core.ports.backups.BackupFiles`; `data` is the data folder."""

    def __init__(self, data: Path) -> None:
        self._data = data

    @asynccontextmanager
    async def work(self) -> AsyncIterator[Path]:
        folder = await asyncio.to_thread(_work_folder, self._data)
        try:
            yield folder
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    @asynccontextmanager
    async def new(self, file: Path) -> AsyncIterator["ZipWriter"]:
        with ThreadPoolExecutor(1, "backup", initializer=lower_priority) as pool:
            run = Background(pool)
            async with run.within(_written(file)) as archive:
                yield ZipWriter(archive, self._data, run)

    @asynccontextmanager
    async def open(self, file: Path) -> AsyncIterator["ZipReader"]:
        with ThreadPoolExecutor(1, "backup", initializer=lower_priority) as pool:
            run = Background(pool)
            async with run.within(opened(file)) as (archive, manifest):
                yield ZipReader(archive, manifest, run)


class ZipWriter:
    """Implements `core.ports.backups.BackupWriter`. `folder` holds temporary copies of databases."""

    def __init__(self, archive: zipfile.ZipFile, folder: Path, run: Background) -> None:
        self._archive, self._folder, self._run = archive, folder, run
        self._entries: dict[str, BackupEntry] = {}

    def has(self, name: str) -> bool:
        return name in self._entries

    async def add(self, name: str, file: Path) -> bool:
        return await self._run(self._add, name, file)

    async def add_bytes(self, name: str, content: bytes) -> None:
        await self._run(self._write, name, io.BytesIO(content))

    async def finish(self, manifest: BackupManifest) -> BackupManifest:
        whole = replace(manifest, entries=tuple(self._entries.values()))
        await self._run(self._write, MANIFEST, io.BytesIO(MANIFESTS.dump_json(whole, indent=1)))
        return whole

    def _add(self, name: str, file: Path) -> bool:
        try:
            with self._readable(file) as source:
                self._write(name, source)
        except FileNotFoundError:
            return False
        return True

    @contextmanager
    def _readable(self, file: Path) -> Iterator[BinaryIO]:
        with tempfile.TemporaryDirectory(dir=self._folder, prefix=WORK) as folder:
            copy = Path(folder) / "copy"
            try:
                if is_sqlite(file):
                    copy_sqlite(file, copy)
                source = (copy if copy.exists() else file).open("rb")
            except FileNotFoundError:
                raise
            except (OSError, sqlite3.Error) as error:
                raise Broken("backup.unreadable", f"{file} cannot be read: {error}") from error
            with source:
                yield source

    def _write(self, name: str, source: BinaryIO) -> None:
        digest, size, started = hashlib.sha256(), 0, time.perf_counter()
        packs = name.endswith(COMPRESSED)
        self._archive.compression = zipfile.ZIP_DEFLATED if packs else zipfile.ZIP_STORED
        with self._archive.open(name, "w", force_zip64=True) as target:
            while piece := source.read(PIECE):
                digest.update(piece)
                size += len(piece)
                target.write(piece)
                time.sleep(REST * (time.perf_counter() - started))
                started = time.perf_counter()
        self._entries[name] = BackupEntry(name=name, size=size, sha256=digest.hexdigest())


def _work_folder(data: Path) -> Path:
    with disk_errors(data):
        make_folder(data)
        _sweep(data)
        return Path(tempfile.mkdtemp(dir=data, prefix=WORK))


def _sweep(folder: Path) -> None:
    """Remove what a killed process left behind."""
    for left in folder.glob(f"{WORK}*"):
        with suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime <= LEFT_AFTER_S:
                continue
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink()


@contextmanager
def _written(file: Path) -> Iterator[zipfile.ZipFile]:
    """An archive to write; if it received a manifest, it ends up at `file`."""
    if file.exists():
        raise Refused("backup.exists", f"there is a file {file} already; choose another name")
    part = file.with_name(f"{WORK}{secrets.token_hex(8)}.part")
    try:
        with disk_errors(file.parent):
            make_folder(file.parent)
            _sweep(file.parent)
            stream = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE), "w+b")
            with stream, zipfile.ZipFile(stream, "w", compresslevel=1) as archive:
                yield archive
                if MANIFEST not in archive.namelist():
                    raise Broken("backup.unfinished", "a backup was not brought to its end; try again")
            _settle(part, file)
    finally:
        part.unlink(missing_ok=True)


def _settle(part: Path, file: Path) -> None:
    with part.open("rb") as written:
        os.fsync(written.fileno())
    part.replace(file)
    sync_folder(file.parent)
