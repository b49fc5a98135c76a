"""Disk space: checked before something large is written, and distinguished from damage if it ran out."""

import errno
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.errors import Broken

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error numbers for a full disk, an exhausted quota, or a file at its maximum size (`ulimit -f`, LimitFSIZE=,
FAT)."""

FULL: Final = "disk.full"
ADVICE = "the disk is full: make room on it, or move the data folder to a larger one (--data), then try again"

Free = Callable[[Path], int]
"""Bytes that may still be written below a folder."""


def free_bytes(folder: Path) -> int:
    """Bytes that may still be written below `folder`, which need not exist yet. Raises OSError."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    return shutil.disk_usage(there).free


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
