"""Port to the files that all processes of an installation share: originals, uploads, files of replies."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFile:
    """A stored file: its key, its size in bytes, and when it was put there (aware, UTC, by the store's
    clock)."""

    key: str
    size: int
    changed_at: datetime


class FileStore(Protocol):
    """Files by key ("originals/0a1b….pdf"). A file is there whole or not at all, for every process at once.
    Every method raises Unavailable where the store does not answer, Broken where the operator has to act, and
    Refused("file.missing") for a key that leads out of the store."""

    @property
    def place(self) -> str:
        """Where the files are, for people."""
        ...

    async def open(self, key: str) -> Path | None:
        """Path of a local file with the bytes of `key`, compared with the checksum that they were put with,
        where there is one; None if there is no such file. It may be read for an hour, and is never written
        to."""
        ...

    def borrowed(self, key: str) -> AbstractAsyncContextManager[Path | None]:
        """The same while the context lasts, for what is read once: nothing of it is kept on this machine."""
        ...

    async def put(self, key: str, source: Path | bytes, *, sha256: str | None = None) -> None:
        """Store a copy of `source` in place of an earlier one. Raises Refused("file.unreadable") if it cannot
        be read, or is not what `sha256` says: nothing is stored then."""
        ...

    async def delete(self, key: str) -> None:
        """Delete a file; no error if it is gone."""
        ...

    def listing(self, prefix: str) -> AsyncIterator[ListedFile]:
        """The files whose keys begin with `prefix` (a folder with its slash, or one key), in order of their
        keys. Some may just be gone."""
        ...

    async def digest(self, key: str) -> str | None:
        """SHA-256 of the stored bytes, all of which are read where they are; None if there is no such file,
        or it cannot be read."""
        ...

    async def check(self) -> None:
        """Raise if files could not be read now."""
        ...
