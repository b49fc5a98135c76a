"""Removes files no longer needed: of replies that arrived long ago, of uploads that never became a job."""

import asyncio
import logging
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from bot.chat.uploads import JOB
from core.domain.stamps import SKEW
from core.ports.clock import Clock
from core.ports.journal import Journal

EVERY_S = 3600.0
YOUNGEST = timedelta(hours=1)
"""Younger files may belong to an answer in progress."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidying:
    """Removes the files of replies after `term`."""

    journal: Journal
    clock: Clock
    outgoing: Path
    uploads: Path
    term: timedelta

    async def once(self) -> None:
        """Remove what has expired."""
        unsent = await self.journal.unsent_files()
        needed = {parent for path in unsent for parent in path.resolve().parents}
        now, term = self.clock.now(), max(self.term, YOUNGEST)
        await asyncio.to_thread(drop_folders, self.outgoing, now=now, term=term, needed=needed)
        await asyncio.to_thread(drop_uploads, self.uploads, now=now, term=term)


def drop_uploads(folder: Path, *, now: datetime, term: timedelta) -> int:
    """Remove leftovers of uploads that are not jobs; returns the number of folders removed."""
    jobs = {path.parent.resolve() for path in folder.glob(f"*/{JOB}")}
    return drop_folders(folder, now=now, term=term, needed=jobs)


def drop_folders(folder: Path, *, now: datetime, term: timedelta, needed: Collection[Path]) -> int:
    """Remove the folders in `folder` that were last changed before `term`, or in a time that is still to
    come, except those (resolved) that are `needed`; returns how many went."""
    if not folder.is_dir():
        return 0
    old = [item for item in folder.iterdir() if _is_over(item, now, term) and item.resolve() not in needed]
    for item in old:
        shutil.rmtree(item, ignore_errors=True)
    return len(old)


def _is_over(item: Path, now: datetime, term: timedelta) -> bool:
    """Whether it has expired; another process may be removing it at the same time."""
    try:
        changed = item.stat().st_mtime
    except OSError as error:
        _LOG.warning("a folder cannot be looked at: %s", error.strerror)
        return False
    late = (now + max(SKEW, YOUNGEST)).timestamp()
    return item.is_dir() and not (now - term).timestamp() <= changed <= late
