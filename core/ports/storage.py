"""Ports to the files that all processes of an installation share: originals, uploads, files of replies."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from core.domain.documents import StoredFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFile:
    """A stored file: its key, its size in bytes, and when it was put there (aware, UTC, by the store's
    clock)."""

    key: str
    size: int
    changed_at: datetime


class FileStore(Protocol):
    """Files by key ("originals/0a1b….pdf"). A file is there completely or not at all, for all processes at
    once. Every method raises Unavailable if the store does not respond, Broken if the operator has to act,
    and Refused("file.missing") for a key that leads out of the store."""

    @property
    def place(self) -> str:
        """Where the files are, in words for people."""

    async def open(self, key: str) -> Path | None:
        """Path of a local file with the bytes of `key`, verified against their checksum if one was stored;
        None if there is no such file. It may be read for an hour, and must never be written to."""

    def borrowed(self, key: str) -> AbstractAsyncContextManager[Path | None]:
        """The same while the context lasts, for a file that is read once: no copy is kept on this machine."""

    async def put(self, key: str, source: Path | bytes, *, sha256: str | None = None) -> None:
        """Store a copy of `source` in place of an earlier one. Raises Refused("file.unreadable") if it cannot
        be read, or is not what `sha256` says: nothing is stored then."""

    async def delete(self, key: str) -> None:
        """Delete a file; no error if it is gone."""

    def listing(self, prefix: str) -> AsyncIterator[ListedFile]:
        """The files whose keys begin with `prefix` (a folder with its slash, or one key), in order of their
        keys. Some may have just been deleted."""

    async def digest(self, key: str) -> str | None:
        """SHA-256 of the stored bytes, all of which are read in place; None if there is no such file, or it
        cannot be read."""

    async def check(self) -> None:
        """Raise if files could not be read now."""


class Originals(Protocol):
    """The stored bytes of ingested files; also determines what a file really is. Paths that it returns may be
    read for an hour, and are never written to. Whatever asks the store raises Unavailable or Broken where
    that cannot be reached."""

    async def keep(self, path: Path) -> StoredFile:
        """Copy `path` into the store (once per content). Raises Refused if it cannot be read."""

    async def inspect(self, path: Path) -> StoredFile:
        """Hash and kind of a file, without storing it. Raises Refused if it cannot be read."""

    async def whole(self, original: str) -> Path | None:
        """A local file with the bytes of a stored one (`StoredFile.original`), unchanged byte for byte; None
        if it is lost or damaged."""

    async def is_whole(self, original: str) -> bool:
        """Only whether that is possible: the bytes are read where they are stored."""

    async def keep_pages(self, original: str, pdf: bytes) -> Path:
        """Store the PDF made from a stored file beside it, replacing an earlier one; a local file with it."""

    async def pages(self, original: str) -> Path | None:
        """The PDF with the pages of a stored file, unchanged byte for byte: the one made from it, else the
        file itself; None if it is lost or damaged."""

    async def drop(self, original: str) -> None:
        """Delete a stored file and the PDF made from it; no error if they are gone."""

    def listing(self, beginning: str = "") -> AsyncIterator[ListedFile]:
        """Everything stored whose name begins with `beginning`: files, PDFs made from them with checksums,
        and leftovers of interrupted writing."""
