"""The schedule of `serve`: sources when they are due, watched folders at intervals.

The database says when something is due; APScheduler only waits for it. So a run that was missed while
nobody was there is made up for once, and `fundstelle jobs --run` reaches a bot that runs. A lease makes
sure that one process does all this.
"""

import os
import platform
import uuid
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from apscheduler.executors.asyncio import AsyncIOExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.library.sources.jobs import LEASE
from bot.library.sources.refreshing import Refresher, Watcher
from bot.periodic import Supervisor
from core.domain.ids import DocumentId
from core.domain.stamps import SKEW
from core.errors import FundstelleError
from core.ports.clock import Clock

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
        """Until cancelled; the lease is given back."""
        self._scheduler.start()
        try:
            await self._supervisor.every("schedule", self._sync_s, self.sync)
        finally:
            self._scheduler.shutdown(wait=False)
            with suppress(FundstelleError):
                await self._refresher.jobs.journal.release_lease(LEASE, self._holder)

    async def sync(self) -> None:
        """Take or renew the lease, and make the jobs those that the database says; none without the lease."""
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
        """How far the clock that APScheduler looks at is ahead of the one that times were written by."""
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
