"""Looking at a backup, and putting it back into an empty installation."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile

from core.domain.backups import (
    DATABASE,
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
from core.library.packed_points import unpacked
from core.ports.backups import BackupFiles, BackupReader, DatabaseTarget
from core.ports.clock import Clock
from core.ports.index import PassageIndex
from core.ports.storage import FileStore

SAID = 20
"""Maximum faults of a backup that are reported."""

_NO_POINTS = (ValueError, LookupError, OSError, EOFError, TypeError, AttributeError, MemoryError, BadZipFile)
"""Exceptions raised by unpacking bytes that aren't points."""

Copied = Callable[[Path], DatabaseCopy]
"""What is in a copied database. Raises Refused("backup.damaged") or Broken("database.newer")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupCheck:
    """Says whether a backup can be restored."""

    files: BackupFiles
    copied: Copied

    async def check(self, file: Path) -> CheckedBackup:
        """Read all of the backup at `file`, its database too. Raises Refused where there is no file, Broken
        where the disk has no room for the database."""
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
        """In what the extracted `database` is not what `manifest` says, and which kept files are not in the
        backup though they should."""
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
    """Puts a backup into the data folder `data`, the store of a library's files (`store_of`) and the database
    `target`. `index_of` opens the index that
    a library's points go to, and raises Broken("index.in_use") where another process has it; `settled` makes
    a copied database one that may be served again; `remember` has the data folder know whose library its
    files are."""

    check: BackupCheck
    target: DatabaseTarget
    data: Path
    store_of: Callable[[str | None], AbstractAsyncContextManager[FileStore]]
    index_of: Callable[[LibraryId], Awaitable[PassageIndex]]
    settled: Callable[[Path], None]
    clock: Clock
    remember: Callable[[str | None], None] = lambda _: None

    async def restore(self, file: Path, report: Report | None = None) -> RestoredBackup:
        """Restore `file`. Files are put in their places when all of it was read and is as the manifest says.
        The database comes last: until then there is no library, and the command can be run again. Raises
        Refused("backup.not_empty") where there is one, Refused("backup.damaged"), Broken or Unavailable."""
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
        """The index, which nobody else can open meanwhile."""
        if manifest.database.library is None:
            yield None
            return
        index = await self.index_of(LibraryId(manifest.database.library))
        try:
            yield index
        finally:
            await index.close()

    async def _originals(self, source: Path, library: str | None) -> None:
        """Put the kept files into their store. They are named by their content: one that is there already is
        the same."""
        async with self.store_of(library) as store:
            for file in await asyncio.to_thread(lambda: sorted(source.glob("*"))):
                await store.put(f"{ORIGINALS}/{file.name}", file)
                await asyncio.to_thread(file.unlink)

    def _place(self, work: Path) -> tuple[str, ...]:
        """Move everything but the database and the kept files to where it belongs; what stood in the way, and
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
        """Put points back, which spares embedding. Those of encoders of other dimensions are left to be
        rebuilt."""
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
