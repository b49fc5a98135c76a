"""Consistent copies of SQLite files while others write to them (SQLite's online backup)."""

import contextlib
import sqlite3
from pathlib import Path

from adapters.durable import PRIVATE

HEADER = b"SQLite format 3\0"
WAIT_S = 30.0
"""How long a copy waits for a process with an exclusive lock."""


def is_sqlite(file: Path) -> bool:
    """Whether `file` is a database of SQLite. Raises OSError."""
    with file.open("rb") as stream:
        return stream.read(len(HEADER)) == HEADER


def copy_sqlite(source: Path, target: Path) -> None:
    """Make `target`, new or an existing database, a consistent copy of `source` including its write-ahead
    log. Done in one step, so that concurrent writers neither restart it nor have to wait. Raises
    sqlite3.Error or OSError, leaving `target` unchanged."""
    target.touch(mode=PRIVATE)
    with (
        contextlib.closing(sqlite3.connect(source, timeout=WAIT_S)) as reading,
        contextlib.closing(sqlite3.connect(target, timeout=WAIT_S)) as writing,
    ):
        reading.execute(f"PRAGMA busy_timeout = {int(WAIT_S * 1000)}")
        reading.backup(writing)
