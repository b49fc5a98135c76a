"""What backups ask of the stores and of the disk."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from core.domain.backups import BackupManifest, DatabaseCopy


class DatabaseSource(Protocol):
    """A database that can be copied while others work with it."""

    async def copy_to(self, file: Path) -> DatabaseCopy:
        """Write all that it holds at one moment to a new SQLite file, whatever store it is."""
        ...


class DatabaseTarget(Protocol):
    """A database that a copy is to become."""

    async def is_empty(self) -> bool:
        """Whether nothing is in it, or there is none yet. A library's id alone counts as nothing."""
        ...

    async def fill(self, file: Path) -> None:
        """Take over the copy in the SQLite file `file`, which may be of an older product. Raises Broken or
        Unavailable; what is half done is then no library, and is done by the next call."""
        ...


class BackupWriter(Protocol):
    """A backup that is being written, at low priority."""

    def has(self, name: str) -> bool:
        """Whether there is a file of that name in it."""
        ...

    async def add(self, name: str, file: Path) -> bool:
        """Put a file into it, a database of SQLite as it is at one moment. False where it is not there.
        Raises Broken("backup.unreadable")."""
        ...

    async def add_bytes(self, name: str, content: bytes) -> None:
        """Put `content` into it."""
        ...

    async def finish(self, manifest: BackupManifest) -> BackupManifest:
        """End it with `manifest`, whose entries are filled in. Without that nothing remains of it."""
        ...


class BackupReader(Protocol):
    """A backup that is there."""

    @property
    def manifest(self) -> BackupManifest:
        """What it says of itself."""
        ...

    async def misfits(self) -> list[str]:
        """In what it holds other files than its manifest lists: more, fewer, one twice, of another size, a
        link. None is read."""
        ...

    async def problems(self) -> list[str]:
        """The same, and what else is wrong with it: each file is read as a whole."""
        ...

    async def extract(self, name: str, target: Path) -> None:
        """Write one of its files to `target`. Raises Refused("backup.damaged") where it is not as the
        manifest says."""
        ...

    async def content(self, name: str) -> bytes:
        """One of its files. Raises Refused("backup.damaged")."""
        ...


class BackupFiles(Protocol):
    """Backups on disk."""

    def work(self) -> AbstractAsyncContextManager[Path]:
        """A folder in the data folder for what lies there for a moment. What one that was killed has left is
        swept up after a day. Raises Broken where there can be none."""
        ...

    def new(self, file: Path) -> AbstractAsyncContextManager[BackupWriter]:
        """A new backup at `file`, there as a whole or not at all. Raises Refused("backup.exists") where
        something is there, Broken where it cannot be written."""
        ...

    def open(self, file: Path) -> AbstractAsyncContextManager[BackupReader]:
        """The backup at `file`. Raises Refused("backup.missing"), Refused("backup.damaged") or
        Refused("backup.newer")."""
        ...
