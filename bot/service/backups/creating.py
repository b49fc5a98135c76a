"""Creates backups while the library is being served: on request, on a schedule, and before a migration."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from core.domain.backups import DATABASE, FORMAT, INDEX, ORIGINALS, SETTINGS, BackupManifest
from core.domain.stamps import SKEW
from core.library.formats import Report
from core.library.packed_points import packed
from core.ports.backups import BackupFiles, BackupWriter, DatabaseSource
from core.ports.clock import Clock
from core.ports.index import PassageIndex
from core.ports.storage import FileStore

POINTS = 50
"""Passages of the index read at once: the engine holds the interpreter lock meanwhile."""

LIVE = ("-wal", "-shm", "-journal", ".lock")
"""Suffixes of files belonging to an open database, which the database copy already covers."""
CHECKED_EVERY_S = 600.0
"""How often to check whether a backup is due."""

STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"fundstelle-(\d{8}T\d{6}Z)\.zip")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFiles:
    """What is copied as it is: files and folders by their names in the backup, and folders `in_store`.
    `settings` are those in force as TOML, without the secrets whose names are `secrets`."""

    others: Mapping[str, Path]
    in_store: Sequence[str] = ()
    settings: str
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backups:
    """Makes backups. `store` has the kept files of documents; `index` is None where there is none to copy;
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
    """Makes one every so often in `folder`, and keeps the last `keep`. Its time stands in its name, so that
    a start does not make another. `collections` are those whose index is copied."""

    backups: Backups
    folder: Path
    every: timedelta
    keep: int
    collections: Callable[[], Awaitable[Sequence[str]]]
    clock: Clock
    check_clock: Callable[[], Awaitable[None]]

    async def once(self) -> None:
        """Make one if it is due; then delete those that are too many, unless the clock is wrong: by its
        times the newest would go. Raises FundstelleError."""
        now = self.clock.now()
        if not self.every or any(-SKEW <= now - at < self.every for at in made_at(self.folder).values()):
            return
        file = self.folder / f"fundstelle-{now:{STAMP}}.zip"
        await self.backups.create(file, collections=await self.collections())
        await self.check_clock()
        await asyncio.to_thread(self._prune, now)

    def _prune(self, now: datetime) -> None:
        """Those dated in the future go first: the clock was wrong then."""
        made = made_at(self.folder)
        oldest_first = sorted(made, key=lambda file: (made[file] <= now + SKEW, made[file]))
        for file in oldest_first[: -self.keep]:
            file.unlink(missing_ok=True)


def made_at(folder: Path) -> dict[Path, datetime]:
    """The backups that `serve` made in `folder`, with their times."""
    found = ((path, _NAME.fullmatch(path.name)) for path in folder.glob("fundstelle-*.zip"))
    return {path: datetime.strptime(name[1], STAMP).replace(tzinfo=UTC) for path, name in found if name}


async def before_migration(backups: Backups, folder: Path, revision: str) -> Path:
    """Keep the database as it is, with keys and settings; where. Kept files and index are not touched by a
    migration and stay where they are."""
    file = folder / f"before-migration-{revision}-{backups.clock.now():{STAMP}}.zip"
    await backups.create(file, originals=False)
    return file
