"""Writes our own files: atomically, durably, for the bot's own user, and with errors that say what to do."""

from pathlib import Path

from adapters import disk
from adapters.disk import disk_errors

writing_to = disk_errors
"""While the context lasts, an OSError becomes Broken("disk.full") or Broken("disk.unwritable")."""


def write_file(path: Path, content: bytes) -> None:
    """Write one of our files atomically, creating its folder. Raises Broken("disk.full") or
    Broken("disk.unwritable")."""
    with disk_errors(path.parent):
        disk.make_folder(path.parent)
        disk.write(path, content)
