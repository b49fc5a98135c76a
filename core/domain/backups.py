"""What a backup says of itself: its manifest, which lists every file with its checksum."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from core.domain.documents import CHECKSUM

FORMAT = 1
"""Of the archive. A product reads this one and those before."""

DATABASE = "database.sqlite3"
SETTINGS = "fundstelle.toml"
ORIGINALS = "originals"
INDEX = "index"
KEYS, MATRIX, UPLOADS = "keys", "matrix", "uploads"
FOLDERS = (ORIGINALS, INDEX, KEYS, MATRIX, UPLOADS)
"""Folders that a backup has files of; beside them there are the database, the settings and manifests."""

LARGEST_POINTS = 64_000_000
"""Bytes of a file with passages of the index at most; they are unpacked in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupEntry:
    """A file in a backup: its name there, its size in bytes, the hexadecimal SHA-256 of its content."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseCopy:
    """What is in a copied database. `library` is its id, None where it was never opened; `revision` that of
    its schema; `rows` are counted by table; `originals` are the kept files that its documents need."""

    library: str | None
    revision: str
    store: str
    rows: Mapping[str, int]
    originals: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupManifest:
    """All about a backup. `product` is the version that made it; `points` are the passages of the index by
    collection, None where the index was left out; `without_originals`: these were left out by choice;
    `missing`: originals that were lost already. `secrets` are the names of the settings that have to be set
    again, since their values are not in the backup."""

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
        """Bytes of all files."""
        return sum(entry.size for entry in self.entries)

    @property
    def kept_files(self) -> int | None:
        """Originals in it, with the PDFs made of some; None where they were left out."""
        originals = (entry for entry in self.entries if entry.name.startswith(f"{ORIGINALS}/"))
        held = sum(not entry.name.endswith(CHECKSUM) for entry in originals)
        return None if self.without_originals else held

    @property
    def damaged(self) -> tuple[str, ...]:
        """Originals that were damaged already: each is named after the checksum of its bytes."""
        held = ((entry, PurePosixPath(entry.name)) for entry in self.entries)
        needed = {f"{ORIGINALS}/{name}" for name in self.database.originals}
        return tuple(path.name for entry, path in held if entry.name in needed and path.stem != entry.sha256)

    @property
    def passages_of_index(self) -> int | None:
        """Passages of the index in it; None where that was left out."""
        return None if self.points is None else sum(self.points.values())

    @property
    def strangers(self) -> tuple[str, ...]:
        """What is wrong with the names and sizes it lists: files that no backup has, and what they would take
        the place of, points that no memory would hold."""
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
        """Rows of a table."""
        return self.database.rows.get(table, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedBackup:
    """A manifest and what is wrong with the backup, in plain English; nothing where it can be restored."""

    manifest: BackupManifest | None
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredBackup:
    """What was put back. `set_aside` are names of files and folders that stood in the way, in the data
    folder."""

    manifest: BackupManifest
    set_aside: tuple[str, ...]
