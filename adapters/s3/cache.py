"""Copies of stored files on this machine, which readers open: what was used longest ago goes first."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from adapters.copying import ROOM, digest_of
from adapters.disk import disk_errors, require
from adapters.durable import make_folder

HELD_S = 3600.0
"""Seconds in which a file stays after its path was handed out, whatever the limit: somebody may read it."""

_NEW = ".new-"


class LocalCache:
    """Keeps at most `max_bytes` in `folder`, which several processes of a machine may share, and what was
    handed out in the last hour. `now`: seconds since the epoch."""

    def __init__(self, folder: Path, max_bytes: int, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._now = now

    def found(self, content: str, name: str, sha256: str | None) -> Path | None:
        """The copy of the file `name` whose bytes `content` identifies, compared with `sha256`; None if it is
        not here, or damaged."""
        path = self._place(content, name)
        if not path.is_file():
            return None
        if sha256 is not None and digest_of(path) != sha256:
            path.unlink(missing_ok=True)
            return None
        self._use(path)
        return path

    @contextmanager
    def new(self, size: int) -> Iterator[tuple[BinaryIO, Path]]:
        """A file of `size` bytes to write, deleted unless it is kept. Raises Broken if there is no room."""
        require(self._folder, ROOM + size)
        with disk_errors(self._folder):
            make_folder(self._folder)
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=_NEW)
        try:
            with os.fdopen(handle, "w+b") as file:
                yield file, Path(name)
        finally:
            Path(name).unlink(missing_ok=True)

    def keep(self, name: str, file: BinaryIO, temporary: Path, content: str) -> Path:
        """Take a written file over; its path from now on."""
        place = self._place(content, name)
        with disk_errors(self._folder):
            file.flush()
            make_folder(place.parent)
            try:
                temporary.replace(place)
            except FileNotFoundError:  # another process has just made room
                make_folder(place.parent)
                temporary.replace(place)
        self._use(place)
        self._make_room()
        return place

    def _place(self, content: str, name: str) -> Path:
        return self._folder / content[:2] / content / name

    def _use(self, path: Path) -> None:
        with suppress(FileNotFoundError):
            os.utime(path, (self._now(), self._now()))

    def _make_room(self) -> None:
        """What interrupted writing has left goes like everything else that was not used for long."""
        files = []
        for path in self._folder.rglob("*"):
            with suppress(FileNotFoundError):
                if path.is_file():
                    files.append((path.stat().st_mtime, path.stat().st_size, path))
        total = sum(size for _, size, _ in files)
        for used, size, path in sorted(files):
            if total <= self._max_bytes or self._now() - used < HELD_S:
                break
            if path.parent == self._folder:
                path.unlink(missing_ok=True)
            else:
                shutil.rmtree(path.parent, ignore_errors=True)
            total -= size
