"""Files of SQLite, copied as they are at one moment while others write to them (SQLite's online backup)."""

import contextlib
import sqlite3
from pathlib import Path

from adapters.durable import PRIVATE

HEADER = b"SQLite format 3\0"
WAIT_S = 30.0
"""How long a copy waits for somebody who has the file for himself."""


def is_sqlite(file: Path) -> bool:
    """Whether `file` is a database of SQLite. Raises OSError."""
    with file.open("rb") as stream:
        return stream.read(len(HEADER)) == HEADER


def copy_sqlite(source: Path, target: Path) -> None:
    """Make `target`, new or a database already, what `source` is at one moment, with its write-ahead log. All
    in one step: nobody who writes meanwhile makes it begin again, and nobody has to wait. Raises
    sqlite3.Error or OSError; `target` is then as it was."""
    target.touch(mode=PRIVATE)
    with (
        contextlib.closing(sqlite3.connect(source, timeout=WAIT_S)) as reading,
        contextlib.closing(sqlite3.connect(target, timeout=WAIT_S)) as writing,
    ):
        reading.execute(f"PRAGMA busy_timeout = {int(WAIT_S * 1000)}")
        reading.backup(writing)
