"""Room on the disk: asked before something large is written, and told apart from damage where it ran out."""

import errno
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.errors import Broken

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""A full disk, a quota that is spent, a file as large as it may be (`ulimit -f`, LimitFSIZE=, FAT)."""

FULL: Final = "disk.full"
ADVICE = "the disk is full: make room on it, or move the data folder to a larger one (--data), then try again"

Free = Callable[[Path], int]
"""Bytes that may still be written below a folder."""


def free_bytes(folder: Path) -> int:
    """Bytes that may still be written below `folder`, which need not be there yet. Raises OSError."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    return shutil.disk_usage(there).free


def used_bytes(folder: Path) -> int:
    """What the files below `folder` really take, without their holes. Raises OSError."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def is_full(error: BaseException) -> bool:
    """Whether an error says that there is no room."""
    return isinstance(error, OSError) and error.errno in NO_ROOM


def require(folder: Path, size: int, free: Free = free_bytes) -> None:
    """Raises Broken("disk.full") where fewer than `size` bytes may be written below `folder`."""
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
