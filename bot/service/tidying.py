"""Removes files no longer needed: of replies that arrived long ago, of uploads that never became a job, and
what one process has downloaded for another one that never took it."""

import asyncio
import logging
import shutil
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from bot.chat.uploads import JOB
from bot.delivery.shared_files import FETCHED
from bot.library.lifecycle import OUTGOING, UPLOADS
from core.domain.stamps import SKEW
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.storage import FileStore, ListedFile

EVERY_S = 3600.0
YOUNGEST = timedelta(hours=1)
"""Younger files may belong to an answer in progress."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidying:
    """Removes the files of replies after `term`: from the `store` of all processes, and from `data`, the data
    folder of this one, which may be the same place."""

    journal: Journal
    clock: Clock
    store: FileStore
    data: Path
    term: timedelta

    async def once(self) -> None:
        """Remove from the store what has expired."""
        needed, term = await self._needed(), max(self.term, YOUNGEST)
        await self._sweep(OUTGOING, term, needed)
        await self._sweep(UPLOADS, term, ())
        await self._sweep(FETCHED, YOUNGEST, ())

    async def here(self) -> None:
        """Remove from this machine what has expired."""
        needed = await self._needed()
        now, term = self.clock.now(), max(self.term, YOUNGEST)
        await asyncio.to_thread(drop_folders, self.data / OUTGOING, now=now, term=term, needed=needed)
        await asyncio.to_thread(drop_uploads, self.data / UPLOADS, now=now, term=term)

    async def _needed(self) -> set[str]:
        """The names of folders with files that are still to be sent."""
        return {part for path in await self.journal.unsent_files() for part in path.parts}

    async def _sweep(self, place: str, term: timedelta, needed: Collection[str]) -> None:
        folders: dict[str, list[ListedFile]] = defaultdict(list)
        async for file in self.store.listing(f"{place}/"):
            folders[PurePosixPath(file.key).parts[1]].append(file)
        now = self.clock.now()
        for name, files in folders.items():
            newest = max(file.changed_at for file in files).timestamp()
            is_job = place == UPLOADS and any(PurePosixPath(file.key).name == JOB for file in files)
            if name not in needed and not is_job and _is_over(newest, now, term):
                for file in files:
                    await self.store.delete(file.key)


def drop_uploads(folder: Path, *, now: datetime, term: timedelta) -> int:
    """Remove leftovers of uploads that are not jobs; returns the number of folders removed."""
    jobs = {path.parent.name for path in folder.glob(f"*/{JOB}")}
    return drop_folders(folder, now=now, term=term, needed=jobs)


def drop_folders(folder: Path, *, now: datetime, term: timedelta, needed: Collection[str]) -> int:
    """Remove the folders in `folder` that were last changed before `term`, or in a time that is still to
    come, except those whose names are `needed`; returns how many went."""
    if not folder.is_dir():
        return 0
    old = [each for each in folder.iterdir() if each.name not in needed and _is_old(each, now, term)]
    for item in old:
        shutil.rmtree(item, ignore_errors=True)
    return len(old)


def _is_old(item: Path, now: datetime, term: timedelta) -> bool:
    """Whether a folder has expired; another process may be removing it at the same time."""
    try:
        changed = item.stat().st_mtime
    except OSError as error:
        _LOG.warning("a folder cannot be looked at: %s", error.strerror)
        return False
    return item.is_dir() and _is_over(changed, now, term)


def _is_over(changed: float, now: datetime, term: timedelta) -> bool:
    late = (now + max(SKEW, YOUNGEST)).timestamp()
    return not (now - term).timestamp() <= changed <= late
