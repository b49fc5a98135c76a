"""Files that nobody needs any more: of replies that arrived long ago, of uploads that never became a job."""

import asyncio
import logging
import shutil
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path

from bot.uploads import JOB
from core.errors import FundstelleError
from core.journal_ports import Journal
from core.ports import Clock

EVERY_S = 3600.0
YOUNGEST = timedelta(hours=1)
"""What is younger may belong to an answer that is being made."""

_LOG = logging.getLogger(__name__)


async def tidy(journal: Journal, clock: Clock, outgoing: Path, uploads: Path, term: timedelta) -> None:
    """Remove files once an hour, until cancelled: those of replies after `term`."""
    while True:
        try:
            unsent = await journal.unsent_files()
            needed = {parent for path in unsent for parent in path.resolve().parents}
            before = clock.now() - max(term, YOUNGEST)
            await asyncio.to_thread(drop_folders, outgoing, before=before, needed=needed)
            await asyncio.to_thread(drop_uploads, uploads, before=before)
        except FundstelleError as error:
            _LOG.warning("old files could not be removed: %s", error.key)
        await asyncio.sleep(EVERY_S)


def drop_uploads(folder: Path, *, before: datetime) -> int:
    """Remove what is left of uploads that are no job; returns how many folders went."""
    jobs = {path.parent.resolve() for path in folder.glob(f"*/{JOB}")}
    return drop_folders(folder, before=before, needed=jobs)


def drop_folders(folder: Path, *, before: datetime, needed: Collection[Path]) -> int:
    """Remove the folders in `folder` that were last changed before that time, except those (resolved) that
    are `needed`; returns how many went."""
    if not folder.is_dir():
        return 0
    limit = before.timestamp()
    old = [
        item
        for item in folder.iterdir()
        if item.is_dir() and item.stat().st_mtime < limit and item.resolve() not in needed
    ]
    for item in old:
        shutil.rmtree(item, ignore_errors=True)
    return len(old)
