"""The schedule of `serve`: sources when their time comes, watched folders now and then.

The database says when something is due; APScheduler only waits for it. So a run that was missed while
nobody was there is made up for once, and `fundstelle jobs --run` reaches a bot that runs. A lease makes
sure that one process does all this.
"""

import asyncio
import logging
import os
import platform
import uuid
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from apscheduler.executors.asyncio import AsyncIOExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.app import App
from bot.jobs import LEASE
from bot.refreshing import Refresher
from bot.settings import Settings
from bot.watching import Watcher
from bot.wiring_sources import watcher_of
from core.domain.ids import DocumentId
from core.errors import FundstelleError

SYNC_S = 15.0
"""How often the database is asked what is due."""
LEASE_TERM = timedelta(seconds=60)
WATCH = "watch"

_LOG = logging.getLogger(__name__)


async def run(app: App, settings: Settings) -> None:
    """Look at sources and folders when their time comes, until cancelled."""
    await Schedule(app.sources, watcher_of(app, settings), watch_s=settings.library.watch_s).run()


async def check_source(refresher: Refresher, document: str) -> None:
    """The job of a source. Its own failures are in the database; any other is logged here."""
    try:
        await refresher.check(DocumentId(document))
    except FundstelleError as error:
        _LOG.warning("a source could not be looked at: %s", error.key)
    except Exception:
        _LOG.exception("a source could not be looked at")


async def look_around(watcher: Watcher) -> None:
    """The job of watched folders and manifests."""
    try:
        await watcher.look()
    except FundstelleError as error:
        _LOG.warning("a watched folder or manifest could not be looked at: %s", error.key)
    except Exception:
        _LOG.exception("watched folders could not be looked at")


class Schedule:
    """Keeps APScheduler's jobs as the database says, while this process has the lease."""

    def __init__(
        self, refresher: Refresher, watcher: Watcher, *, watch_s: float, sync_s: float = SYNC_S
    ) -> None:
        self._refresher = refresher
        self._watcher = watcher
        self._watch_s = watch_s
        self._sync_s = sync_s
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
            while True:
                try:
                    await self.sync()
                except FundstelleError as error:
                    _LOG.warning("the schedule could not be read: %s", error.key)
                except Exception:
                    _LOG.exception("the schedule could not be read")
                await asyncio.sleep(self._sync_s)
        finally:
            self._scheduler.shutdown(wait=False)
            with suppress(FundstelleError):
                await self._refresher.jobs.journal.release_lease(LEASE, self._holder)

    async def sync(self) -> None:
        """Take or renew the lease, and make the jobs those that the database says; none without the lease."""
        jobs = self._refresher.jobs
        now = jobs.clock.now()
        if not await jobs.journal.take_lease(LEASE, self._holder, at=now, until=now + LEASE_TERM):
            self._scheduler.remove_all_jobs()
            return
        self._watch()
        wanted = {str(job.source.id): job.next_run for job in await jobs.listed() if job.next_run}
        for known in self.planned().keys() - wanted.keys():
            with suppress(JobLookupError):  # it may have begun meanwhile
                self._scheduler.remove_job(known)
        for document, at in wanted.items():
            self._wait_for(document, at)

    def planned(self) -> dict[str, datetime]:
        """When each source is looked at."""
        return {job.id: job.trigger.run_date for job in self._scheduler.get_jobs() if job.id != WATCH}

    def _wait_for(self, document: str, at: datetime) -> None:
        if self._refresher.is_busy(DocumentId(document)) or self.planned().get(document) == at:
            return
        self._scheduler.add_job(
            check_source,
            "date",
            run_date=at,
            args=(self._refresher, document),
            id=document,
            replace_existing=True,
        )

    def _watch(self) -> None:
        if self._scheduler.get_job(WATCH) is None:
            self._scheduler.add_job(
                look_around,
                "interval",
                seconds=self._watch_s,
                args=(self._watcher,),
                id=WATCH,
                next_run_time=datetime.now(UTC),
            )
