"""The folder of an embedded index: which process owns it, and where it is moved if damaged or taken over by
its library."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from core.errors import Broken

DAMAGED = ".damaged-"
"""Suffix of the folder name for damaged indexes: `index.damaged-<time>`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The process that holds an index. `started` is ISO 8601, UTC."""

    pid: int
    command: str
    started: str

    @classmethod
    def this_process(cls) -> "Owner":
        """Who we are."""
        process = psutil.Process()
        started = datetime.fromtimestamp(process.create_time(), tz=UTC).isoformat(timespec="seconds")
        return cls(pid=process.pid, command=" ".join(process.cmdline()), started=started)


class OwnerLock:
    """An exclusive lock on a folder. The system frees it when its process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = FileLock(folder / "lock", timeout=0, thread_local=False)  # taken and freed by threads
        self._owner = folder / "owner.json"

    def acquire(self) -> None:
        """Take the lock or raise Broken("index.in_use") that names its owner."""
        try:
            self._lock.acquire()
        except Timeout:
            raise self._in_use() from None
        with suppress(OSError):  # only a note: the lock works without it if the disk is full
            self._owner.write_text(json.dumps(asdict(Owner.this_process())), encoding="utf-8")

    @property
    def is_there(self) -> bool:
        """Whether the lock file exists; without it another process would not see that it is taken."""
        return (self._folder / "lock").exists()

    def release(self) -> None:
        """Give the lock back; no error if it was not held."""
        if self._lock.is_locked:
            self._owner.unlink(missing_ok=True)
            self._lock.release()

    def owner(self) -> Owner | None:
        """Who wrote the note beside the lock; None if it cannot be read."""
        try:
            return Owner(**json.loads(self._owner.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def _in_use(self) -> Broken:
        owner = self.owner()
        who = (
            f"process {owner.pid} ({owner.command}), started {owner.started}" if owner else "another process"
        )
        if owner and owner.pid == os.getpid():
            who = "this very process, which opened it twice"
        return Broken(
            "index.in_use",
            f"the index {self._folder} is in use by {who}. The embedded index has one owner: stop that "
            "process, send the request to it, or configure a Qdrant server for several processes.",
            pid=owner.pid if owner else 0,
            command=owner.command if owner else "",
            started=owner.started if owner else "",
        )


def set_aside(root: Path, shard_folder: Path) -> Path:
    """Move a damaged collection out of the index `root` to a place beside it; returns its new path. It is
    never deleted here, so that it can still be examined."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    place = root.with_name(f"{root.name}{DAMAGED}{stamp}") / shard_folder.relative_to(root)
    move_folder(shard_folder, place)
    return place


def were_set_aside(root: Path) -> list[Path]:
    """Folders of damaged indexes beside `root`, oldest first."""
    return sorted(path for path in root.parent.glob(f"{root.name}{DAMAGED}*") if path.is_dir())


def move_folder(folder: Path, place: Path) -> None:
    """Move a folder on the same disk."""
    place.parent.mkdir(parents=True, exist_ok=True)
    folder.rename(place)
