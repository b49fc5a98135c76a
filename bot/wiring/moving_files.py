"""The files of an installation moved from the data folder into object storage."""

import asyncio
from dataclasses import dataclass
from pathlib import PurePosixPath

from adapters.database.jobs import SqlSources
from adapters.database.library import SqlLibrary
from adapters.durable import write
from adapters.files.folder import FolderFiles
from adapters.s3.files import S3Files
from bot.service.serving_lease import ServingLease
from bot.settings.tree import Settings
from bot.wiring.index import alone
from bot.wiring.services import database_of, make_data_folder
from bot.wiring.storage import SHARED_FOLDERS, check_not_moved, left_file, object_storage
from bot.wiring.transfers import refuse_others
from core.errors import Refused, Unavailable
from core.library.formats import Report
from core.ports.storage import FileStore, ListedFile

AT_ONCE = 8
"""Files copied at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedFiles:
    """How many files are in both places now, their size in bytes, and how many of them this run has
    copied."""

    files: int
    size: int
    copied: int


async def move_files(settings: Settings, target: str, report: Report | None = None) -> MovedFiles:
    """Copy the files of the data folder to `target` (s3://…), each compared by its checksum; from then on
    the folder, which is left as it is, refuses whoever opens it. Interrupted, it goes on when done again.
    Nobody works with the library meanwhile: raises Broken("index.in_use") or Broken("serve.already"), and
    what the object storage has to say."""
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
    """Everything that is whole, compared once more at the end."""
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
    """Whether it had to be copied: what an earlier run has brought there whole carries its checksum."""
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
