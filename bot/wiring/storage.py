"""From settings to where the files of an installation are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bot.library.lifecycle import OUTGOING, UPLOADS
from bot.settings.tree import Settings
from core.domain.backups import ORIGINALS
from core.errors import Broken

if TYPE_CHECKING:
    from adapters.s3.files import S3Files
    from core.ports.storage import FileStore

CACHE = "cache"
"""Folder of the copies of files in object storage, in the data folder."""

SHARED_FOLDERS = (ORIGINALS, UPLOADS, OUTGOING)
"""What is kept in the store, whichever it is."""


def left_file(settings: Settings) -> Path:
    """The file in the data folder that says where its files were moved to."""
    return settings.data / ".files-moved-to"


def check_not_moved(settings: Settings, target: str = "") -> None:
    """Raises Broken("files.moved") if the files of the data folder were moved elsewhere than to `target`:
    what came into the folder, or left it, the others would not know of."""
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
    """The store of the settings, for as long as the context lasts. `library`: whose files they are; None:
    whoever's. `caching`: what is put is read here soon. Nothing is asked of the store yet. Raises
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
    """The files at `url`, reached as the settings say."""
    from adapters.s3.cache import LocalCache
    from adapters.s3.files import Bucket, S3Files, bucket_and_prefix

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
