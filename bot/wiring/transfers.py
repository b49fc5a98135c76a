"""Operations on a whole installation: moving it or its files to another store, migrating its schema,
restoring a backup."""

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from adapters.database.database import Database, is_made
from adapters.database.jobs import SqlSources
from adapters.database.library import SqlLibrary
from adapters.database.migrate import compatible_after, newest
from adapters.database.processes import SqlProcesses
from adapters.database.snapshots import OnTable, SqlStore, copied, copy_database, settle
from adapters.disk import write
from adapters.files.backup_archive import ZipBackups
from adapters.files.folder import FolderFiles
from adapters.s3 import S3Files
from bot.service.backups import BackupCheck, Restoration
from bot.service.serving_lease import ServingLease
from bot.settings.tree import Settings
from bot.wiring.backups import before_migration
from bot.wiring.index import alone, index_of_copy
from bot.wiring.models import dimensions
from bot.wiring.services import SystemClock, database_of, make_data_folder
from bot.wiring.stores import (
    SHARED_FOLDERS,
    check_not_lost,
    check_not_moved,
    database_url,
    file_store,
    left_file,
    object_storage,
    remember,
)
from core.domain.backups import CheckedBackup, RestoredBackup
from core.domain.ids import LibraryId
from core.errors import Broken, Refused, Unavailable
from core.library.formats import Report
from core.ports.index import PassageIndex
from core.ports.storage import FileStore, ListedFile

SEVERAL = "0020"
"""The revision from which on several processes may serve a database."""


async def move_database(settings: Settings, target_url: str, report: OnTable) -> dict[str, int]:
    """Rows by table now at `target_url`; the old database can no longer be opened from then on. Raises
    Broken("index.in_use") while another process uses the data folder, and like `copy_database`."""
    with alone(settings):
        return await copy_database(database_url(settings), target_url, report, leaving=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated:
    """The revision of a database before and now; `kept` is the backup of its previous state, if it was
    migrated."""

    before: str
    now: str
    kept: Path | None = None


async def migrated(settings: Settings, *, beside: bool = False) -> Migrated:
    """Upgrade the database to this version's schema, and back up its previous state. This requires exclusive
    access, like serving: raises Broken("serve.already") while another process is serving, even an earlier
    version. `beside` processes on a server it is done if all of them can work with the new schema. Does
    nothing if there is no database, or it is up to date."""
    check_not_lost(settings)
    if not await is_made(database_url(settings)):
        return Migrated(before=newest(), now=newest())
    make_data_folder(settings.data)
    database = await database_of(settings, outdated=True)
    try:
        revision, kept = await database.revision(), None
        if revision >= newest():
            return Migrated(before=revision, now=revision)
        if database.is_shared and revision >= SEVERAL and await _others(database, revision, beside=beside):
            kept = await before_migration(settings, SystemClock(), revision)
            await _others(database, revision, beside=beside)
            await database.migrate()
            return Migrated(before=revision, now=newest(), kept=kept)
        lease = ServingLease(SqlSources(database))
        async with lease.held():
            kept = await before_migration(settings, SystemClock(), revision)
            await lease.renew()
            await database.migrate()
        return Migrated(before=revision, now=newest(), kept=kept)
    finally:
        await database.close()


async def _others(database: Database, revision: str, *, beside: bool) -> bool:
    """Whether processes work on a database that several may share, all of which can go on with the new
    schema. Raises Broken("serve.already") naming those that cannot, or all, unless `beside` them. A process
    that starts later finds the new schema, and ends if it cannot work with it."""
    others = await SqlProcesses(database, "").at_work()
    oldest = compatible_after(revision)
    hindering = [each for each in others if not beside or each.schema < oldest]
    if hindering:
        named = ", ".join(f"{each.name} ({each.role}, schema {each.schema})" for each in hindering)
        what = "update them one after the other" if oldest <= revision else "stop them"
        advice = f"the new schema is for processes that know {oldest} or a later one: {what} first"
        if not beside:
            advice = "stop them first, or run `fundstelle migrate`, which says whether they may go on"
        raise Broken("serve.already", f"{named} work on this database; {advice}")
    return bool(others)


async def refuse_others(database: Database) -> None:
    """Raises Broken("serve.already") while a process works on a database that several may share."""
    if others := await SqlProcesses(database, "").at_work():
        named = ", ".join(f"{each.name} ({each.role})" for each in others)
        raise Broken("serve.already", f"{named} work on this database; stop them first")


async def check_backup(settings: Settings, file: Path) -> CheckedBackup:
    """See `BackupCheck.check`."""
    return await _check(settings).check(file)


async def restore_backup(settings: Settings, file: Path, report: Report | None = None) -> RestoredBackup:
    """See `Restoration.restore`."""
    primary, secondary = dimensions(settings)

    async def index_of(library: LibraryId) -> PassageIndex:
        return await index_of_copy(settings, library, primary, secondary)

    restoration = Restoration(
        check=_check(settings),
        target=SqlStore(database_url(settings)),
        data=settings.data,
        store_of=partial(file_store, settings, caching=False),
        index_of=index_of,
        settled=settle,
        remember=partial(remember, settings),
        clock=SystemClock(),
    )
    return await restoration.restore(file, report)


def _check(settings: Settings) -> BackupCheck:
    return BackupCheck(files=ZipBackups(settings.data), copied=copied)


AT_ONCE = 8
"""Number of files copied concurrently."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedFiles:
    """How many files are now in both places, their size in bytes, and how many of them this run copied."""

    files: int
    size: int
    copied: int


async def move_files(settings: Settings, target: str, report: Report | None = None) -> MovedFiles:
    """Copy the files of the data folder to `target` (s3://…), each compared by its checksum; from then on the
    folder, which is left unchanged, can no longer be opened. If interrupted, it continues when run again.
    Nobody may use the library meanwhile: raises Broken("index.in_use") or Broken("serve.already"), and errors
    of the object storage."""
    if settings.files.url:
        detail = f"the files are at {settings.files.url} already: copy them on with tools of that storage"
        raise Refused("move.same", detail)
    check_not_moved(settings, target)
    make_data_folder(settings.data)
    with alone(settings):
        database = await database_of(settings)
        try:
            if database.is_shared:
                await refuse_others(database)
            lease = ServingLease(SqlSources(database))
            async with lease.held():
                library = await SqlLibrary(database).identity()
                source = FolderFiles(settings.data)
                async with object_storage(settings, target, library, caching=False) as there:
                    moved = await _copied(source, there, report)
                    await lease.renew()
                    await asyncio.to_thread(write, left_file(settings), f"{there.place}\n".encode())
                    return moved
        finally:
            await database.close()


async def _copied(source: FileStore, there: S3Files, report: Report | None) -> MovedFiles:
    """All complete files, compared once more at the end."""
    files = [
        file
        for folder in SHARED_FOLDERS
        async for file in source.listing(f"{folder}/")
        if not PurePosixPath(file.key).name.startswith(".")
    ]
    await there.claim()
    copied = 0
    for start in range(0, len(files), AT_ONCE):
        some = files[start : start + AT_ONCE]
        copied += sum(await asyncio.gather(*(_put(source, there, file) for file in some)))
        if report:
            report(there.place, "copy", start + len(some), len(files))
    held = {(file.key, file.size) for folder in SHARED_FOLDERS async for file in there.listing(f"{folder}/")}
    if lacking := [file.key for file in files if (file.key, file.size) not in held]:
        detail = f"{len(lacking)} files are not at {there.place}, {lacking[0]} is one: do it again"
        raise Unavailable("files.transfer", detail)
    return MovedFiles(files=len(files), size=sum(file.size for file in files), copied=copied)


async def _put(source: FileStore, there: S3Files, file: ListedFile) -> bool:
    """Whether it had to be copied: a file that an earlier run copied completely carries its checksum."""
    digest = await source.digest(file.key)
    if digest is None:
        raise Refused(
            "file.unreadable", f"{source.place}/{file.key} cannot be read; check disk and permissions"
        )
    if await there.stated(file.key) == digest:
        return False
    path = await source.open(file.key)
    if path is None:
        raise Refused("file.missing", f"{source.place}/{file.key} went while it was copied; try again")
    await there.put(file.key, path, sha256=digest)
    return True
