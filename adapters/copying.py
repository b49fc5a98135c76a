"""Reading files that others have named, and copying them while their checksum is taken."""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from adapters.disk import disk_errors
from core.errors import Refused

CHUNK = 1 << 20

ROOM = 16_000_000
"""Bytes that must remain free on the disk in addition to a file."""


@contextmanager
def readable(path: Path) -> Iterator[BinaryIO]:
    """A regular file, opened; anything else (folder, pipe, device) is refused without blocking. Raises
    Refused."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Refused("file.unreadable", f"{path} is no ordinary file; give a PDF file")
            yield file
    except FileNotFoundError as error:
        raise Refused("file.missing", f"there is no file {path}; check the path", path=str(path)) from error
    except OSError as error:
        detail = f"{path} cannot be read: {error.strerror}; check its permissions"
        raise Refused("file.unreadable", detail, path=str(path)) from error


def _without_waiting(path: str, flags: int) -> int:
    """Open without blocking, so that a pipe does not wait for its other end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def size_of(source: Path | bytes) -> int:
    """Size in bytes, 0 if unknown: reading will report why."""
    try:
        return len(source) if isinstance(source, bytes) else source.stat().st_size
    except OSError:
        return 0


def copy(source: Path | bytes, target: BinaryIO, folder: Path, *, sha256: str | None) -> str:
    """Write `source` to `target`, a file in `folder`; returns the SHA-256 of what was written. Raises Refused
    if it cannot be read, or is not what `sha256` says; Broken if it cannot be written."""
    digest = hashlib.sha256()
    for chunk in _pieces(source):
        digest.update(chunk)
        with disk_errors(folder):
            target.write(chunk)
    if sha256 not in (None, digest.hexdigest()):
        raise Refused("file.unreadable", f"{source!s} was changed while it was read; try again")
    return digest.hexdigest()


def _pieces(source: Path | bytes) -> Iterator[bytes]:
    if isinstance(source, bytes):
        yield source
        return
    with readable(source) as file:
        while chunk := file.read(CHUNK):
            yield chunk


def digest_of(path: Path) -> str | None:
    """SHA-256 of a file; None if it cannot be read."""
    digest = hashlib.sha256()
    try:
        for chunk in _pieces(path):
            digest.update(chunk)
    except (Refused, OSError):
        return None
    return digest.hexdigest()
