"""What backups need from the stores and the disk."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from core.domain.backups import BackupManifest, DatabaseCopy


class DatabaseSource(Protocol):
    """A database that can be copied while others work with it."""

    async def copy_to(self, file: Path) -> DatabaseCopy:
        """Write a consistent snapshot to a new SQLite file, whatever the store."""


class DatabaseTarget(Protocol):
    """A database to restore a copy into."""

    async def is_empty(self) -> bool:
        """Whether it is empty or does not exist yet. A library's id alone counts as empty."""

    async def fill(self, file: Path) -> None:
        """Restore the copy in the SQLite file `file`, which may come from an older version. Raises Broken or
        Unavailable; a half-filled database is not a library, and the next call completes it."""


class BackupWriter(Protocol):
    """A backup being written, at low priority."""

    def has(self, name: str) -> bool:
        """Whether it contains a file of that name."""

    async def add(self, name: str, file: Path) -> bool:
        """Add a file; an SQLite database is added as a consistent snapshot. Returns False if it does not
        exist. Raises Broken("backup.unreadable")."""

    async def add_bytes(self, name: str, content: bytes) -> None:
        """Add `content` as a file."""

    async def finish(self, manifest: BackupManifest) -> BackupManifest:
        """Complete the backup with `manifest`, whose entries are filled in. Without this call nothing of it
        remains."""


class BackupReader(Protocol):
    """An existing backup."""

    @property
    def manifest(self) -> BackupManifest:
        """The backup's manifest."""

    async def misfits(self) -> list[str]:
        """How its files differ from its manifest: extra, missing, duplicate, of another size, a link. No file
        is read."""

    async def problems(self) -> list[str]:
        """The misfits and all other problems: every file is read in full."""

    async def extract(self, name: str, target: Path) -> None:
        """Write one of its files to `target`. Raises Refused("backup.damaged") if it does not match the
        manifest."""

    async def content(self, name: str) -> bytes:
        """The content of one of its files. Raises Refused("backup.damaged")."""


class BackupFiles(Protocol):
    """Backups on disk."""

    def work(self) -> AbstractAsyncContextManager[Path]:
        """A temporary folder inside the data folder. What a killed process left behind is removed after a
        day. Raises Broken if it cannot be created."""

    def new(self, file: Path) -> AbstractAsyncContextManager[BackupWriter]:
        """A new backup at `file`, which appears complete or not at all. Raises Refused("backup.exists") if
        the path is taken, Broken if it cannot be written."""

    def open(self, file: Path) -> AbstractAsyncContextManager[BackupReader]:
        """The backup at `file`. Raises Refused("backup.missing"), Refused("backup.damaged") or
        Refused("backup.newer")."""
