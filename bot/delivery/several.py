"""One of several processes on a database: it stays at work, leads what one of them leads, and hears others.

What one leaves that has ended, however it ended, others go on with: at once where it could say so, after
`TERM` by the database's clock where not. No process's own clock matters.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.delivery.shared_files import SharedFiles
from core.errors import FundstelleError
from core.ports.processes import PlatformCalls, Processes
from core.ports.sources import SourceJournal

TERM = timedelta(seconds=6)
"""How long a process counts as being at work, and leads something, without a word of it."""

RENEWED_S = 1.5
"""Seconds between two renewals, and between two tries to lead what another one leads."""

LOOK_S = 1.0
"""Seconds after which one looks by itself for what it should have been told."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True, eq=False)
class Several:
    """This process among the others. `role` and `name` are shown; `set_clock` is told the database's time;
    `leases` say who leads; `files` are handed from one to another."""

    processes: Processes
    calls: PlatformCalls
    leases: SourceJournal
    files: SharedFiles
    role: str
    name: str
    set_clock: Callable[[datetime], None]
    term: timedelta = TERM
    renewed_s: float = RENEWED_S
    _steady_from: float = 0.0
    _leading: dict[str, float] = field(default_factory=dict)
    _wanted: Counter[str] = field(default_factory=Counter)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _hearers: dict[str, list[asyncio.Event]] = field(default_factory=dict)

    async def run(self, works: Callable[[], Awaitable[None]]) -> None:
        """Do `works` while this process is one of several; at the end others are told to go on. Raises
        Broken("database.newer") when the database gets a schema that this process cannot work with."""
        await self.processes.stay(self.role, term=self.term)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._leave)
            await stack.enter_async_context(self.processes.listening(self._heard))
            keeping, working = asyncio.create_task(self._keep()), asyncio.ensure_future(works())
            stack.push_async_callback(_ended, keeping, working)
            await asyncio.wait([keeping, working], return_when=asyncio.FIRST_COMPLETED)
            await (working if working.done() else keeping)

    def on(self, topic: str) -> asyncio.Event:
        """Set whenever there is something of `topic` to look at."""
        event = asyncio.Event()
        self._hearers.setdefault(topic, []).append(event)
        return event

    @property
    def may_take_over(self) -> bool:
        """Whether what the dead have left is to be taken: not just after nobody could say that they live."""
        return time.monotonic() >= self._steady_from

    async def while_leading(self, what: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do `work` as long as this process leads `what`, again and again; it is cancelled when another one
        may lead. Returns when it ends by itself."""
        self._wanted[what] += 1
        try:
            while True:
                await self._until(what, leading=True)
                _LOG.info("%s is this process's now", what)
                doing = asyncio.ensure_future(work())
                lost = asyncio.create_task(self._until(what, leading=False))
                try:
                    await asyncio.wait([doing, lost], return_when=asyncio.FIRST_COMPLETED)
                    if doing.done():
                        return await doing
                finally:
                    for task in (doing, lost):
                        task.cancel()
                    await asyncio.gather(doing, lost, return_exceptions=True)
                _LOG.warning("%s is another process's now", what)
        finally:
            self._wanted[what] -= 1

    def leads(self, what: str) -> bool:
        """Whether this process leads it now."""
        return what in self._leading

    async def _until(self, what: str, *, leading: bool) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self.leads(what) is leading)

    def _heard(self, topic: str) -> None:
        for known, events in self._hearers.items():
            if topic in ("", known):
                for event in events:
                    event.set()

    async def _keep(self) -> None:
        """Renew everything; what could not be renewed in time is lost."""
        led = self.on("leading")
        while True:
            led.clear()
            try:
                await self._renew()
            except FundstelleError as error:
                if error.key == "database.newer":
                    raise
            late = time.monotonic() - self.term.total_seconds() + self.renewed_s / 2
            await self._now_leading({what: at for what, at in self._leading.items() if at > late})
            with suppress(TimeoutError):
                async with asyncio.timeout(self.renewed_s):
                    await led.wait()

    async def _renew(self) -> None:
        asked = time.monotonic()
        if not await self.processes.stay(self.role, term=self.term):
            self._steady_from = asked + self.term.total_seconds()
            _LOG.warning("this process was away for too long; what it had claimed is others' now")
        self.set_clock(await self.processes.server_time())
        leading = dict(self._leading)
        for what in sorted(self._wanted):
            asked = time.monotonic()
            if not self._wanted[what]:
                if leading.pop(what, None) is not None:
                    await self.leases.release_lease(what, self.name)
            elif await self.leases.take_lease(what, self.name, term=self.term):
                leading[what] = asked
            else:
                leading.pop(what, None)
        await self._now_leading(leading)

    async def _now_leading(self, leading: dict[str, float]) -> None:
        async with self._changed:
            changed = leading.keys() != self._leading.keys()
            self._leading = leading
            if changed:
                self._changed.notify_all()

    async def _leave(self) -> None:
        """What fails is made good by the term."""
        with suppress(FundstelleError):
            for what in self._leading:
                await self.leases.release_lease(what, self.name)
        with suppress(FundstelleError):
            await self.processes.leave()


async def _ended(*tasks: "asyncio.Future[None]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
