"""The schedule of `serve`: sources when they are due, watched folders at intervals. The database says when
something is due; APScheduler only waits for it. So runs missed during downtime are made up for once, and
`fundstelle jobs --run` reaches a running bot. A lease makes sure that only one process does all this.
`Tidying` removes files that are no longer needed.
"""

import asyncio
import logging
import os
import platform
import shutil
import uuid
from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path, PurePosixPath

from apscheduler.executors.asyncio import AsyncIOExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.chat.uploads import JOB
from bot.delivery.shared_files import FETCHED
from bot.library.lifecycle import OUTGOING, UPLOADS
from bot.library.sources.jobs import LEASE
from bot.library.sources.refreshing import Refresher, Watcher
from bot.periodic import Supervisor
from core.domain.ids import DocumentId
from core.errors import FundstelleError
from core.ports.clock import SKEW, Clock
from core.ports.journal import Journal
from core.ports.storage import FileStore, ListedFile

SYNC_S = 15.0
"""How often to ask the database what is due."""
LEASE_TERM = timedelta(seconds=60)
CLOSE = timedelta(seconds=2)
WATCH = "watch"


class Schedule:
    """Keeps APScheduler's jobs as the database says, while this process has the lease."""

    def __init__(
        self,
        refresher: Refresher,
        watcher: Watcher,
        *,
        watch_s: float,
        sync_s: float = SYNC_S,
        supervisor: Supervisor | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._refresher = refresher
        self._watcher = watcher
        self._watch_s = watch_s
        self._sync_s = sync_s
        self._supervisor = supervisor or Supervisor()
        self._clock = clock
        self._holder = f"{platform.node()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._scheduler = AsyncIOScheduler(
            timezone=UTC,
            executors={"default": AsyncIOExecutor()},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )

    async def run(self) -> None:
        """Run until cancelled; then release the lease."""
        self._scheduler.start()
        try:
            await self._supervisor.every("schedule", self._sync_s, self.sync)
        finally:
            self._scheduler.shutdown(wait=False)
            with suppress(FundstelleError):
                await self._refresher.jobs.journal.release_lease(LEASE, self._holder)

    async def sync(self) -> None:
        """Take or renew the lease, and synchronise the jobs with the database; none without the lease."""
        jobs = self._refresher.jobs
        if not await jobs.journal.take_lease(LEASE, self._holder, term=LEASE_TERM):
            self._scheduler.remove_all_jobs()
            return
        self._watch()
        wanted = {str(job.source.id): job.next_run for job in await jobs.listed() if job.next_run}
        for known in self.planned().keys() - wanted.keys():
            with suppress(JobLookupError):  # it may have started meanwhile
                self._scheduler.remove_job(known)
        for document, at in wanted.items():
            self._wait_for(document, at)

    def planned(self) -> dict[str, datetime]:
        """When each source is checked."""
        return {job.id: job.trigger.run_date for job in self._scheduler.get_jobs() if job.id != WATCH}

    def _wait_for(self, document: str, at: datetime) -> None:
        at += self._ahead()
        planned = self.planned().get(document)
        if self._refresher.is_busy(DocumentId(document)) or (planned and abs(planned - at) < CLOSE):
            return
        self._scheduler.add_job(
            self._supervisor.once,
            "date",
            run_date=at,
            args=("sources", partial(self._refresher.check, DocumentId(document))),
            id=document,
            replace_existing=True,
        )

    def _ahead(self) -> timedelta:
        """How far APScheduler's clock is ahead of the one that times were written with."""
        ahead = datetime.now(UTC) - self._clock.now() if self._clock else timedelta()
        return timedelta(seconds=round(ahead.total_seconds()))

    def _watch(self) -> None:
        known, now = self._scheduler.get_job(WATCH), datetime.now(UTC)
        latest = now + timedelta(seconds=self._watch_s) + SKEW  # any later means that the clock was wrong
        if known is None or known.next_run_time > latest:
            self._scheduler.add_job(
                self._supervisor.once,
                "interval",
                seconds=self._watch_s,
                args=("watched folders", self._watcher.look),
                id=WATCH,
                next_run_time=now,
                replace_existing=True,
            )


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
    """Remove the folders in `folder` that were last changed before `term`, or in the future, except those
    whose names are `needed`; returns how many were removed."""
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
