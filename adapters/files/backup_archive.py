"""Backups as one ZIP archive each: the manifest is its last file, every other one is listed there.

ZIP because every machine reads it and its directory stands at the end: what was cut off is no archive. Only
what compresses well is compressed. The file is written under another name beside its place and renamed when
it is whole.
"""

import asyncio
import hashlib
import io
import os
import secrets
import shutil
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from adapters.disk import disk_errors
from adapters.durable import PRIVATE, make_folder, sync_folder
from adapters.files.backup_reading import MANIFEST, MANIFESTS, PIECE, Background, ZipReader, opened
from adapters.priority import lower_priority
from adapters.sqlite_files import copy_sqlite, is_sqlite
from core.domain.backups import BackupEntry, BackupManifest
from core.errors import Broken, Refused

COMPRESSED = (".sqlite3", ".db", ".json", ".toml")
"""Endings of what is worth compressing: PDFs and vectors are not."""

WORK = ".backup-"
"""Beginning of the names of what lasts for a moment."""

REST = 6.0
"""How long writing rests after each piece, in times of what it took, so that answers get on meanwhile."""

LEFT_AFTER_S = 86_400.0


class ZipBackups:
    """Implements `core.ports.backups.BackupFiles`; `data` is the data folder."""

    def __init__(self, data: Path) -> None:
        self._data = data

    @asynccontextmanager
    async def work(self) -> AsyncIterator[Path]:
        """See `BackupFiles.work`."""
        folder = await asyncio.to_thread(_work_folder, self._data)
        try:
            yield folder
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    @asynccontextmanager
    async def new(self, file: Path) -> AsyncIterator["ZipWriter"]:
        """See `BackupFiles.new`."""
        with ThreadPoolExecutor(1, "backup", initializer=lower_priority) as pool:
            run = Background(pool)
            async with run.within(_written(file)) as archive:
                yield ZipWriter(archive, self._data, run)

    @asynccontextmanager
    async def open(self, file: Path) -> AsyncIterator["ZipReader"]:
        """See `BackupFiles.open`."""
        with ThreadPoolExecutor(1, "backup", initializer=lower_priority) as pool:
            run = Background(pool)
            async with run.within(opened(file)) as (archive, manifest):
                yield ZipReader(archive, manifest, run)


class ZipWriter:
    """Implements `core.ports.backups.BackupWriter`. `folder` takes copies of databases for a moment."""

    def __init__(self, archive: zipfile.ZipFile, folder: Path, run: Background) -> None:
        self._archive, self._folder, self._run = archive, folder, run
        self._entries: dict[str, BackupEntry] = {}

    def has(self, name: str) -> bool:
        """See `BackupWriter.has`."""
        return name in self._entries

    async def add(self, name: str, file: Path) -> bool:
        """See `BackupWriter.add`."""
        return await self._run(self._add, name, file)

    async def add_bytes(self, name: str, content: bytes) -> None:
        """See `BackupWriter.add_bytes`."""
        await self._run(self._write, name, io.BytesIO(content))

    async def finish(self, manifest: BackupManifest) -> BackupManifest:
        """See `BackupWriter.finish`."""
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
    """Remove what one that was killed has left."""
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
    """An archive to write; where it got a manifest, it is at `file` in the end."""
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
