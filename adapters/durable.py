"""Files that are there as a whole or not at all, whatever ends the process, and for their owner alone."""

import os
import secrets
from pathlib import Path

PRIVATE, PRIVATE_FOLDER = 0o600, 0o700
"""Modes of files and folders: what the bot keeps is for its own user."""


def write(path: Path, content: bytes, *, mode: int = PRIVATE) -> None:
    """Write `content` to `path` in a folder that is there: under another name first, synchronised, then
    renamed, and the folder synchronised too. Raises OSError; the file is then as it was."""
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make a folder of our own, with those above it that are missing. Raises OSError."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is no folder")


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` durable; Windows has no such call."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
