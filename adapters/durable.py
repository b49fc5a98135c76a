"""Atomic, durable file writes, whatever ends the process, readable by the owner only."""

import os
import secrets
from pathlib import Path

PRIVATE, PRIVATE_FOLDER = 0o600, 0o700
"""Modes of files and folders: the bot's data is for its own user only."""


def write(path: Path, content: bytes, *, mode: int = PRIVATE) -> None:
    """Write `content` to `path` in an existing folder: first under another name, synchronised, then renamed,
    with the folder synchronised too. Raises OSError, leaving the file unchanged."""
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
    """Create a private folder and its missing parents. Raises OSError."""
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
