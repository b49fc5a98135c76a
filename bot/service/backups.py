"""Backups: made while the library is being served, on request, on a schedule and before a migration; checked,
and restored into an empty installation."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile

from core.domain.backups import (
    DATABASE,
    FORMAT,
    INDEX,
    ORIGINALS,
    SETTINGS,
    BackupManifest,
    CheckedBackup,
    DatabaseCopy,
    RestoredBackup,
)
from core.domain.documents import CHECKSUM, MADE
from core.domain.ids import LibraryId
from core.domain.search import IndexPoint
from core.errors import Broken, FundstelleError, Refused
from core.library.formats import Report
from core.library.indexing import packed, unpacked
from core.ports.backups import BackupFiles, BackupReader, BackupWriter, DatabaseSource, DatabaseTarget
from core.ports.clock import SKEW, Clock
from core.ports.index import PassageIndex
from core.ports.storage import FileStore

POINTS = 50
"""Number of index passages read at once: the engine holds the interpreter lock meanwhile."""

LIVE = ("-wal", "-shm", "-journal", ".lock")
"""Suffixes of files belonging to an open database, which the database copy already covers."""
CHECKED_EVERY_S = 600.0
"""How often to check whether a backup is due."""

STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"fundstelle-(\d{8}T\d{6}Z)\.zip")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFiles:
    """What is copied unchanged: files and folders by their names in the backup, and folders `in_store`.
    `settings` are those in force as TOML, without the secrets named in `secrets`."""

    others: Mapping[str, Path]
    in_store: Sequence[str] = ()
    settings: str
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backups:
    """Makes backups. `store` has the kept files of documents; `index` is None if there is none to copy;
    `product` is this product's version."""

    files: BackupFiles
    store: FileStore
    database: DatabaseSource
    kept: KeptFiles
    clock: Clock
    product: str
    index: PassageIndex | None = None

    async def create(
        self,
        file: Path,
        *,
        collections: Sequence[str] = (),
        originals: bool = True,
        report: Report | None = None,
    ) -> BackupManifest:
        """Write a backup to `file`, with the kept files unless `originals` is False, and with the points of
        these `collections` of the index. Questions are answered and documents ingested meanwhile: the
        database is that of one moment, every file is complete. Raises Refused, Broken or Unavailable; then
        there is no file.

        Kept files are copied before the database, so that what is deleted meanwhile is in the backup all the
        same, and then those that have come since."""
        if collections and self.index is not None:
            await self.index.count(collections[0])  # another process may have it: better to fail early
        async with self.files.new(file) as writer, self.files.work() as work:
            if originals:
                await self._stored(ORIGINALS, writer, report, file.name)
            database = await self.database.copy_to(work / DATABASE)
            await writer.add(DATABASE, work / DATABASE)
            if originals:
                await self._stored(ORIGINALS, writer, None, file.name)
            for name in self.kept.in_store:
                await self._stored(name, writer, None, file.name)
            for name, path in self.kept.others.items():
                for inner in await asyncio.to_thread(_files_of, path):
                    await writer.add((PurePosixPath(name) / inner.relative_to(path)).as_posix(), inner)
            await writer.add_bytes(SETTINGS, self.kept.settings.encode())
            needed = database.originals if originals else ()
            manifest = BackupManifest(
                format=FORMAT,
                product=self.product,
                made_at=self.clock.now(),
                database=database,
                points=await self._points(writer, collections, report) if collections else None,
                without_originals=not originals,
                missing=tuple(name for name in needed if not writer.has(f"{ORIGINALS}/{name}")),
                secrets=self.kept.secrets,
                entries=(),
            )
            return await writer.finish(manifest)

    async def _stored(self, folder: str, writer: BackupWriter, report: Report | None, file: str) -> None:
        """Copy the files of a folder in the store that are not copied yet, those that are being written
        apart."""
        found = [each.key async for each in self.store.listing(f"{folder}/")]
        for done, key in enumerate(found, start=1):
            if not PurePosixPath(key).name.startswith(".") and not writer.has(key):
                async with self.store.borrowed(key) as path:
                    if path is not None:
                        await writer.add(key, path)
            if report:
                report(file, "copy", done, len(found))

    async def _points(
        self, writer: BackupWriter, collections: Sequence[str], report: Report | None
    ) -> dict[str, int]:
        counts: dict[str, int] = {}
        if self.index is None:
            return counts
        for number, collection in enumerate(sorted(collections)):
            total, copied, start = await self.index.count(collection), 0, None
            while True:
                points, start = await self.index.points(collection, start=start, limit=POINTS)
                if points:
                    name = f"{INDEX}/{number:04}/{copied:09}.npz"
                    await writer.add_bytes(name, await asyncio.to_thread(packed, points))
                copied += len(points)
                if report:
                    report(collection, "copy", copied, max(total, copied))
                if start is None:
                    break
            counts[collection] = copied
        return counts


def _files_of(path: Path) -> list[Path]:
    """The file itself, or all files of a folder."""
    if path.is_file():
        return [path]
    inside = sorted(path.rglob("*")) if path.is_dir() else []
    return [file for file in inside if file.is_file() and not file.name.endswith(LIVE)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledBackups:
    """Makes backups periodically in `folder`, and keeps the last `keep`. The time is part of the name, so
    that a restart does not make another. `collections` are those whose index is copied."""

    backups: Backups
    folder: Path
    every: timedelta
    keep: int
    collections: Callable[[], Awaitable[Sequence[str]]]
    clock: Clock
    check_clock: Callable[[], Awaitable[None]]

    async def once(self) -> None:
        """Make one if it is due; then delete surplus ones, unless the clock is wrong, which might delete the
        newest. Raises FundstelleError."""
        now = self.clock.now()
        if not self.every or any(-SKEW <= now - at < self.every for at in made_at(self.folder).values()):
            return
        file = self.folder / f"fundstelle-{now:{STAMP}}.zip"
        await self.backups.create(file, collections=await self.collections())
        await self.check_clock()
        await asyncio.to_thread(self._prune, now)

    def _prune(self, now: datetime) -> None:
        """The surplus ones: those dated in the future first, since the clock was wrong then."""
        made = made_at(self.folder)
        oldest_first = sorted(made, key=lambda file: (made[file] <= now + SKEW, made[file]))
        for file in oldest_first[: -self.keep]:
            file.unlink(missing_ok=True)


def made_at(folder: Path) -> dict[Path, datetime]:
    """The backups that `serve` made in `folder`, with their times."""
    found = ((path, _NAME.fullmatch(path.name)) for path in folder.glob("fundstelle-*.zip"))
    return {path: datetime.strptime(name[1], STAMP).replace(tzinfo=UTC) for path, name in found if name}


async def before_migration(backups: Backups, folder: Path, revision: str) -> Path:
    """Back up the database, with keys and settings; returns where. A migration does not touch kept files and
    index, so they are left out."""
    file = folder / f"before-migration-{revision}-{backups.clock.now():{STAMP}}.zip"
    await backups.create(file, originals=False)
    return file


SAID = 20
"""Maximum faults of a backup that are reported."""

_NO_POINTS = (ValueError, LookupError, OSError, EOFError, TypeError, AttributeError, MemoryError, BadZipFile)
"""Exceptions raised by unpacking bytes that aren't points."""

Copied = Callable[[Path], DatabaseCopy]
"""The contents of a copied database. Raises Refused("backup.damaged") or Broken("database.newer")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupCheck:
    """Says whether a backup can be restored."""

    files: BackupFiles
    copied: Copied

    async def check(self, file: Path) -> CheckedBackup:
        """Read all of the backup at `file`, including its database. Raises Refused if there is no file,
        Broken if the disk has no room for the database."""
        try:
            async with self.files.open(file) as reader:
                problems = [*reader.manifest.strangers, *await reader.problems()]
                if not problems:
                    problems += await self._database(reader)
                return CheckedBackup(manifest=reader.manifest, problems=tuple(problems))
        except Refused as error:
            if error.key == "backup.missing":
                raise
            return CheckedBackup(manifest=None, problems=(error.detail,))

    async def _database(self, reader: BackupReader) -> list[str]:
        async with self.files.work() as work:
            await reader.extract(DATABASE, work / DATABASE)
            return await self.faults(reader.manifest, work / DATABASE)

    async def faults(self, manifest: BackupManifest, database: Path) -> list[str]:
        """Where the extracted `database` differs from `manifest`, and which kept files are missing from the
        backup."""
        try:
            found = await asyncio.to_thread(self.copied, database)
        except FundstelleError as error:
            return [error.detail]
        stated = manifest.database
        faults = []
        if (found.library, found.revision, found.rows) != (stated.library, stated.revision, stated.rows):
            faults.append("the database in the backup is not the one that the manifest describes")
        held = {entry.name for entry in manifest.entries} | {
            f"{ORIGINALS}/{name}" for name in manifest.missing
        }
        if not manifest.without_originals:
            needed = (name for name in found.originals if f"{ORIGINALS}/{name}" not in held)
            faults += [f"{ORIGINALS}/{name} is missing" for name in needed]
        originals = (entry for entry in manifest.entries if PurePosixPath(entry.name).parts[0] == ORIGINALS)
        for entry in originals:
            stem = PurePosixPath(entry.name).name.partition(".")[0]
            if not entry.name.endswith((MADE, CHECKSUM)) and stem != entry.sha256:
                faults.append(f"{entry.name} is another file than its name says")
        return faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoration:
    """Restores a backup into the data folder `data`, the store of a library's files (`store_of`) and the
    database `target`. `index_of` opens the index for a library's points, and raises Broken("index.in_use") if
    another process has it; `settled` prepares a copied database for serving; `remember` records in the data
    folder whose library its files are."""

    check: BackupCheck
    target: DatabaseTarget
    data: Path
    store_of: Callable[[str | None], AbstractAsyncContextManager[FileStore]]
    index_of: Callable[[LibraryId], Awaitable[PassageIndex]]
    settled: Callable[[Path], None]
    clock: Clock
    remember: Callable[[str | None], None] = lambda _: None

    async def restore(self, file: Path, report: Report | None = None) -> RestoredBackup:
        """Restore `file`. Files are put in place once everything has been read and verified against the
        manifest. The database comes last: until then there is no library, and the command can be run again.
        Raises Refused("backup.not_empty") if there is one, Refused("backup.damaged"), Broken or
        Unavailable."""
        async with self.check.files.open(file) as reader:
            manifest = reader.manifest
            if wrong := (*manifest.strangers, *await reader.misfits()):
                raise Refused("backup.damaged", "; ".join(wrong[:SAID]))
            await self._refuse_another()
            async with self.check.files.work() as work:
                await self._extract(reader, work, report)
                for name in _points_of(manifest):  # before anything is moved
                    await asyncio.to_thread(_unpacked, name, await reader.content(name))
                if faults := await self.check.faults(manifest, work / DATABASE):
                    raise Refused("backup.damaged", "; ".join(faults))
                await asyncio.to_thread(self.settled, work / DATABASE)
                async with self._index(manifest) as index:
                    await self._points(reader, index, report)
                    await self._originals(work / ORIGINALS, manifest.database.library)
                    set_aside = await asyncio.to_thread(self._place, work)
                    await self._refuse_another()
                    await asyncio.to_thread(self.remember, manifest.database.library)
                    await self.target.fill(work / DATABASE)
            return RestoredBackup(manifest=manifest, set_aside=set_aside)

    async def _refuse_another(self) -> None:
        if not await self.target.is_empty():
            detail = (
                f"there is a library in {self.data} or in the database configured; a backup is only restored"
                " into an empty installation: choose another --data, or another database_url"
            )
            raise Refused("backup.not_empty", detail)

    async def _extract(self, reader: BackupReader, work: Path, report: Report | None) -> None:
        entries = [entry for entry in reader.manifest.entries if not _is_point(entry.name)]
        for done, entry in enumerate(entries, start=1):
            await reader.extract(entry.name, work / entry.name)
            if report:
                report(entry.name, "restore", done, len(entries))

    @asynccontextmanager
    async def _index(self, manifest: BackupManifest) -> AsyncIterator[PassageIndex | None]:
        """The index, locked meanwhile."""
        if manifest.database.library is None:
            yield None
            return
        index = await self.index_of(LibraryId(manifest.database.library))
        try:
            yield index
        finally:
            await index.close()

    async def _originals(self, source: Path, library: str | None) -> None:
        """Put the kept files into their store. They are named by their content, so an existing one is the
        same."""
        async with self.store_of(library) as store:
            for file in await asyncio.to_thread(lambda: sorted(source.glob("*"))):
                await store.put(f"{ORIGINALS}/{file.name}", file)
                await asyncio.to_thread(file.unlink)

    def _place(self, work: Path) -> tuple[str, ...]:
        """Move everything except the database and the kept files into place; returns what was in the way, and
        where it is now."""
        aside = []
        for source in sorted(work.iterdir()):
            if source.name in (DATABASE, ORIGINALS):
                continue
            if source.name == SETTINGS and (self.data / SETTINGS).exists():
                continue  # the operator's own file, with secrets in it
            aside += self._put(source, self.data / source.name)
        return tuple(aside)

    def _put(self, source: Path, place: Path) -> list[str]:
        aside = []
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()
        if place.exists():
            stamp = f"{self.clock.now():%Y%m%d-%H%M%S}"
            other = place.with_name(f"{place.name}.before-restore-{stamp}")
            place.rename(other)
            aside.append(other.name)
        source.rename(place)
        return aside

    async def _points(self, reader: BackupReader, index: PassageIndex | None, report: Report | None) -> None:
        """Restore points, which saves embedding. Points with other dimensions are left to be rebuilt."""
        names = _points_of(reader.manifest)
        collections = sorted(reader.manifest.points or ())
        for done, name in enumerate(names, start=1):
            collection = collections[int(PurePosixPath(name).parts[1])]
            points = _unpacked(name, await reader.content(name))
            if index is None or not await _taken(index, collection, points):
                return
            if report:
                report(collection, "restore", done, len(names))


async def _taken(index: PassageIndex, collection: str, points: list[IndexPoint]) -> bool:
    try:
        await index.upsert(collection, points)
    except Broken as error:
        if error.key != "index.dimension":
            raise
        return False
    return True


def _unpacked(name: str, content: bytes) -> list[IndexPoint]:
    try:
        return unpacked(content)
    except _NO_POINTS as error:
        raise Refused("backup.damaged", f"{name} holds no passages of an index: {error}") from error


def _points_of(manifest: BackupManifest) -> list[str]:
    return sorted(entry.name for entry in manifest.entries if _is_point(entry.name))


def _is_point(name: str) -> bool:
    return name.startswith(f"{INDEX}/")
