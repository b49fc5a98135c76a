"""Files on this machine: room for them, written whole and durably, read and copied; and names and sizes of
files that people send.

Room is checked before something large is written, and distinguished from damage if it ran out."""

import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from core.domain.messages import Attachment
from core.errors import Broken, Refused

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error numbers for a full disk, an exhausted quota, or a file at its maximum size (`ulimit -f`, LimitFSIZE=,
FAT)."""

FULL: Final = "disk.full"
ADVICE = "the disk is full: make room on it, or move the data folder to a larger one (--data), then try again"

Free = Callable[[Path], int]
"""Bytes that may still be written below a folder."""


def free_bytes(folder: Path) -> int:
    """Bytes that may still be written below `folder`, which need not exist yet. Raises OSError."""
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    return shutil.disk_usage(existing).free


def used_bytes(folder: Path) -> int:
    """Actual disk usage of the files below `folder`, without holes. Raises OSError."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def is_full(error: BaseException) -> bool:
    """Whether an error means that there is no space."""
    return isinstance(error, OSError) and error.errno in NO_ROOM


def require(folder: Path, size: int, free: Free = free_bytes) -> None:
    """Raises Broken("disk.full") if fewer than `size` bytes may be written below `folder`."""
    with disk_errors(folder):
        left = free(folder)
    if left < size:
        detail = f"{folder} has {left / 1e6:.0f} MB left, {size / 1e6:.0f} MB are needed: {ADVICE}"
        raise Broken(FULL, detail, megabytes=round(size / 1e6))


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Raise Broken("disk.full") or Broken("disk.unwritable") instead of an OSError."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise Broken(FULL, f"{folder} cannot be written: {ADVICE} ({error.strerror})") from error
        detail = f"{folder} cannot be written: {error.strerror}; check disk and permissions"
        raise Broken("disk.unwritable", detail) from error


# Atomic, durable file writes, whatever ends the process, readable by the owner only.


PRIVATE, PRIVATE_FOLDER = 0o600, 0o700
"""Modes of files and folders: the bot's data is for its own user only."""


def write(path: Path, content: bytes) -> None:
    """Write `content` to `path` in an existing folder: first under another name, synchronised, then renamed,
    with the folder synchronised too. Raises OSError, leaving the file unchanged."""
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
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


# Reading files named by others, and copying them while computing their checksum.


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


# Consistent copies of SQLite files while others write to them (SQLite's online backup).


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


_MAX_NAME = 120
"""Maximum bytes of UTF-8: file systems allow 255, and naming a copy adds to it."""


def check_size(size: int | None, limit: int, attachment: Attachment) -> None:
    """Raises Refused("upload.too_large") for more than `limit` bytes; None is not known yet."""
    if size is not None and size > limit:
        raise Refused(
            "upload.too_large", f"the file is larger than {limit} bytes", name=attachment.name, limit=limit
        )


def safe_name(name: str) -> str:
    """`name` without folders, leading dots, and characters special to shells and file systems; never longer
    than file systems allow."""
    plain = re.sub(r"[^\w. ()+-]", "_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip(". ")
    stem, dot, suffix = plain.rpartition(".")
    if not dot:
        return _cut(plain) or "upload"
    return f"{_cut(stem)}.{suffix[:10]}"


def _cut(name: str) -> str:
    """`name` truncated to whole characters within `_MAX_NAME` bytes."""
    return name.encode()[:_MAX_NAME].decode(errors="ignore")
