"""The locks of the leases in a SQLite file: the kernel frees one as soon as its process has ended, however it
ended and in whatever namespace it ran. Which is why no clock and no process's number is asked.
"""

from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from adapters.database.errors import translated
from adapters.durable import make_folder

PATIENCE_S = 0.5
"""For how long a lock is tried: somebody who only looks whether it is taken has it for a moment."""


@dataclass(slots=True)
class LeaseLocks:
    """The locks of the leases in a SQLite file; `folder` lies beside it. Those that this process holds are
    kept by the name of the lease, with their holders. They end with `close`, or with the process."""

    folder: Path
    _held: dict[str, tuple[str, FileLock]] = field(default_factory=dict)

    def acquire(self, name: str, holder: str) -> bool:
        """Have the lock of a lease, for the first time or still. False while another holder has it."""
        if name in self._held:
            return self.has(name, holder)
        with translated(self.folder):
            make_folder(self.folder)
            lock = self._tried(name)
        if lock is None:
            return False
        self._held[name] = (holder, lock)
        return True

    def has(self, name: str, holder: str) -> bool:
        """Whether `holder`, in this process, has the lock."""
        return self._held.get(name, ("",))[0] == holder

    def release(self, name: str, holder: str) -> None:
        """Give it back; nothing happens if `holder` does not have it."""
        if self.has(name, holder):
            self._held.pop(name)[1].release()

    def is_taken(self, name: str) -> bool:
        """Whether any process has the lock at this moment."""
        if name in self._held:
            return True
        if not (self.folder / f"{name}.lock").exists():
            return False
        with translated(self.folder):
            lock = self._tried(name)
            if lock is not None:
                lock.release()
        return lock is None

    def noted(self, name: str) -> str | None:
        """Who had the lock last; None where nobody ever did."""
        try:
            return (self.folder / f"{name}.holder").read_text(encoding="utf-8")
        except OSError:
            return None

    def note(self, name: str, holder: str) -> None:
        """Write down who has the lock now."""
        with translated(self.folder):
            (self.folder / f"{name}.holder").write_text(holder, encoding="utf-8")

    def close(self) -> None:
        """Give all of them back."""
        for name, (holder, _) in [*self._held.items()]:
            self.release(name, holder)

    def _tried(self, name: str) -> FileLock | None:
        """The lock, taken; None while somebody else has it."""
        lock = FileLock(self.folder / f"{name}.lock", thread_local=False)  # taken and freed by threads
        try:
            lock.acquire(timeout=PATIENCE_S, poll_interval=0.02)
        except Timeout:
            return None
        return lock
