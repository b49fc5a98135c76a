"""From settings to the locations of an installation's database and files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.database.database import address_of
from adapters.disk import write
from bot.library.lifecycle import OUTGOING, UPLOADS
from bot.settings.tree import Settings
from core.domain.backups import ORIGINALS
from core.errors import Broken

if TYPE_CHECKING:
    from adapters.s3 import S3Files
    from core.ports.storage import FileStore


MODELS = "models"
"""Folder of the encoders' prepared files, in the data folder."""


DATABASE_FILE = "fundstelle.sqlite3"


LIBRARY_FILE = ".library-id"
"""File in the data folder with the id of the library whose originals and index are there."""


def remembered(settings: Settings) -> str | None:
    """The id of the library that the data folder belongs to; None for a new one."""
    try:
        return (settings.data / LIBRARY_FILE).read_bytes().decode().removesuffix("\n") or None
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        detail = f"{settings.data / LIBRARY_FILE} cannot be read: {error}; mend it, or remove it"
        raise Broken("settings.data", detail) from error


def keeps_nothing(settings: Settings) -> bool:
    """Whether no document's file is in the data folder: no other library could miss any."""
    return not _keeps_files(settings.data / ORIGINALS)


def remember(settings: Settings, library: str | None) -> None:
    """Record in the data folder whose library its files are."""
    file = settings.data / LIBRARY_FILE
    if library is None:
        file.unlink(missing_ok=True)
    else:
        write(file, f"{library}\n".encode())


def other_library(settings: Settings, found: str) -> Broken:
    """The error for a database that contains `found` ("no library's", "another library's" rows) although the
    data folder is a library's."""
    data = settings.data
    detail = (
        f"{data} keeps the original files of one library, and the database at"
        f" {address_of(database_url(settings))} is {found}: what one of them removes the other would miss."
        " Look at --data (FUNDSTELLE_DATA) and database_url (FUNDSTELLE_DATABASE_URL; under systemd from"
        " /etc/fundstelle/secrets.env); to put a backup into an empty database, `fundstelle backup restore`;"
        f" to give the folder to another library, move {LIBRARY_FILE}, {ORIGINALS} and index out of it first"
    )
    return Broken("database.other_library", detail)


def database_url(settings: Settings) -> str:
    """The database URL: as set, or a file in the data folder."""
    stated = settings.database_url.get_secret_value()
    return stated or f"sqlite:///{settings.data / DATABASE_FILE}"


def check_not_lost(settings: Settings) -> None:
    """A missing or empty file is a database still to be created, unless a library's files are already there.
    Raises Broken("database.lost")."""
    file, originals = settings.data / DATABASE_FILE, settings.data / ORIGINALS
    state = _without_content(file)
    if state and _keeps_files(originals) and not settings.database_url.get_secret_value():
        detail = (
            f"{file} is {state}, but {originals} keeps the files of a library: restore a backup (`fundstelle"
            " backup restore FILE`); to begin anew, move both away"
        )
        raise Broken("database.lost", detail)


def _without_content(file: Path) -> str:
    """ "missing" or "empty"; "" if it has content, or cannot be examined."""
    try:
        return "" if file.stat().st_size else "empty"
    except FileNotFoundError:
        return "missing"
    except OSError:
        return ""


def _keeps_files(originals: Path) -> bool:
    """Whether there are complete files, apart from leftovers of an interrupted ingestion."""
    try:
        return any(not path.name.startswith(".") for path in originals.iterdir())
    except OSError:
        return False


CACHE = "cache"
"""Folder of the copies of files in object storage, in the data folder."""

SHARED_FOLDERS = (ORIGINALS, UPLOADS, OUTGOING)
"""The folders kept in the store, whichever it is."""


def left_file(settings: Settings) -> Path:
    """The file in the data folder that says where its files were moved to."""
    return settings.data / ".files-moved-to"


def check_not_moved(settings: Settings, target: str = "") -> None:
    """Raises Broken("files.moved") if the files of the data folder were moved to a place other than `target`,
    which would not know about changes in the folder."""
    file = left_file(settings)
    try:
        place = file.read_text("utf-8").strip()
    except FileNotFoundError:
        return
    if place != target.rstrip("/"):
        detail = f'the files were moved to {place}: set [files] url = "{place}". To go back, bring'
        detail += f" {', '.join(SHARED_FOLDERS)} from there into {settings.data}, then remove {file}"
        raise Broken("files.moved", detail)


@asynccontextmanager
async def file_store(
    settings: Settings, library: str | None, *, caching: bool = True
) -> AsyncIterator[FileStore]:
    """The store from the settings, while the context lasts. `library`: whose files they are; None: anybody's.
    `caching`: files that are put will be read here soon. Sends nothing to the store yet. Raises
    Broken("files.moved")."""
    if not settings.files.url:
        from adapters.files.folder import FolderFiles

        check_not_moved(settings)
        yield FolderFiles(settings.data)
        return
    async with object_storage(settings, settings.files.url, library, caching=caching) as store:
        yield store


@asynccontextmanager
async def object_storage(
    settings: Settings, url: str, library: str | None, *, caching: bool = True
) -> AsyncIterator[S3Files]:
    """The files at `url`, reached according to the settings."""
    from adapters.s3 import Bucket, LocalCache, S3Files, bucket_and_prefix

    stated, (name, prefix) = settings.files, bucket_and_prefix(url)
    bucket = Bucket(
        name=name,
        prefix=prefix,
        endpoint=stated.endpoint,
        region=stated.region,
        access_key=stated.access_key.get_secret_value(),
        secret_key=stated.secret_key.get_secret_value(),
        ca_file=stated.ca_file,
        timeout_s=stated.timeout_s,
    )
    limit = stated.cache_megabytes * 1_000_000
    store = S3Files(bucket, LocalCache(settings.data / CACHE, limit), library, caching=caching)
    try:
        yield store
    finally:
        await store.close()
