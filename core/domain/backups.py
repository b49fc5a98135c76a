"""What a backup says about itself: its manifest, which lists every file with its checksum."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from core.domain.documents import CHECKSUM

FORMAT = 1
"""Format of the archive. This version reads it and all earlier ones."""

DATABASE = "database.sqlite3"
SETTINGS = "fundstelle.toml"
ORIGINALS = "originals"
INDEX = "index"
KEYS, MATRIX, UPLOADS = "keys", "matrix", "uploads"
FOLDERS = (ORIGINALS, INDEX, KEYS, MATRIX, UPLOADS)
"""Folders whose files are backed up, in addition to the database, the settings and the manifests."""

LARGEST_POINTS = 64_000_000
"""Maximum size in bytes of a file with index passages, which is unpacked in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupEntry:
    """A file in a backup: its name in the archive, size in bytes and hexadecimal SHA-256."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseCopy:
    """The contents of a copied database. `library` is its id, None if it was never opened; `revision` is that
    of its schema; `rows` are counted per table; `originals` are the stored files that its documents need."""

    library: str | None
    revision: str
    store: str
    rows: Mapping[str, int]
    originals: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupManifest:
    """Everything about a backup. `product` is the version that made it; `points` counts the passages in the
    index by collection, None if the index was left out; `without_originals`: originals were left out by
    choice; `missing`: originals that had already been lost. `secrets` are the names of the settings that have
    to be set again, since their values are not in the backup."""

    format: int
    product: str
    made_at: datetime
    database: DatabaseCopy
    points: Mapping[str, int] | None
    without_originals: bool
    missing: tuple[str, ...]
    secrets: tuple[str, ...]
    entries: tuple[BackupEntry, ...]

    @property
    def size(self) -> int:
        """Total size of all files in bytes."""
        return sum(entry.size for entry in self.entries)

    @property
    def kept_files(self) -> int | None:
        """Number of originals, including PDFs made from them; None if they were left out."""
        originals = (entry for entry in self.entries if entry.name.startswith(f"{ORIGINALS}/"))
        held = sum(not entry.name.endswith(CHECKSUM) for entry in originals)
        return None if self.without_originals else held

    @property
    def damaged(self) -> tuple[str, ...]:
        """Originals that were already damaged: their bytes don't match the checksum in their name."""
        held = ((entry, PurePosixPath(entry.name)) for entry in self.entries)
        needed = {f"{ORIGINALS}/{name}" for name in self.database.originals}
        return tuple(path.name for entry, path in held if entry.name in needed and path.stem != entry.sha256)

    @property
    def passages_of_index(self) -> int | None:
        """Number of passages in the backed-up index; None if the index was left out."""
        return None if self.points is None else sum(self.points.values())

    @property
    def strangers(self) -> tuple[str, ...]:
        """Problems with the listed names and sizes: files that don't belong in a backup or would replace
        others, and index files too large to fit in memory."""
        return tuple(filter(None, map(self._strange, self.entries)))

    def _strange(self, entry: BackupEntry) -> str:
        top, *below = PurePosixPath(entry.name).parts
        if top == INDEX:
            place = below[0] if len(below) == 2 else ""
            listed = place.isascii() and place.isdecimal() and int(place) < len(self.points or ())
            if not listed:
                return f"{entry.name} is of no collection in the manifest"
            return f"{entry.name} is too large" if entry.size > LARGEST_POINTS else ""
        known = top in FOLDERS if below else entry.name in (DATABASE, SETTINGS)
        manifest = entry.name.endswith(".toml") and top not in FOLDERS
        return (
            "" if (known or manifest) and not top.startswith(".") else f"{entry.name} is no file of a backup"
        )

    def count(self, table: str) -> int:
        """Number of rows in a table."""
        return self.database.rows.get(table, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedBackup:
    """A manifest and the backup's problems, in plain English; none if it can be restored."""

    manifest: BackupManifest | None
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredBackup:
    """What was restored. `set_aside` are names of files and folders in the data folder that were in the
    way."""

    manifest: BackupManifest
    set_aside: tuple[str, ...]
