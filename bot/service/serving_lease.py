"""One process serves a database at a time: two would answer everything twice, and take each other's messages.

The one that serves holds a lease in the database and renews it. Whoever comes second is told who serves; one
whose holder has died on this machine takes over at once, of another machine's when the lease is over.
"""

import asyncio
import os
import platform
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil

from core.errors import Broken, FundstelleError
from core.ports.clock import Clock
from core.ports.sources import SourceJournal

LEASE = "serve"
TERM = timedelta(seconds=45)
"""For how long a lease holds when it is not renewed."""

RENEWED_S = 10.0
"""Seconds between two renewals: four may fail."""

_SEPARATOR = " process "
_SECONDS = re.compile(r":\d\d\.\d+$")


def this_process() -> str:
    """A name for this process that nobody else has: machine, number, and when it began (UTC)."""
    process = psutil.Process()
    began = datetime.fromtimestamp(process.create_time(), UTC)
    return f"{_machine()}{_SEPARATOR}{process.pid}, since {began:%Y-%m-%d %H:%M:%S.%f}"


def _machine() -> str:
    """The machine's name, and on Linux its id: machines that were cloned often share their name."""
    try:
        number = Path("/etc/machine-id").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        number = ""
    return f"{platform.node()} ({number[:8]})" if number else platform.node()


def _told(holder: str | None) -> str:
    """A process as people are told of it, by the minute."""
    return _SECONDS.sub(" UTC", holder) if holder else "another process"


def has_died(holder: str) -> bool:
    """Whether `holder` was a process of this machine that is no more. False where nobody here can know, and
    where another process has its number now; when that began is no proof, as it moves with the clock."""
    machine, _, process = holder.partition(_SEPARATOR)
    number, _, _ = process.partition(", since ")
    if machine != _machine() or not number.isdecimal():
        return False
    own = int(number) == os.getpid() and holder != this_process()
    return own or not psutil.pid_exists(int(number))


@dataclass(slots=True)
class ServingLease:
    """The lease of this process. `pause` is for tests."""

    journal: SourceJournal
    clock: Clock
    holder: str = field(default_factory=this_process)
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def take(self) -> None:
        """Have it from now on. Raises Broken("serve.already") while another process that may live has it."""
        if await self._renewed():
            return
        other = await self.journal.lease_holder(LEASE, at=self.clock.now())
        if other is not None and has_died(other):
            await self.journal.release_lease(LEASE, other)
        if not await self._renewed():
            detail = (
                f"{_told(other)} serves this database; stop it first. If it was killed on"
                f" another machine, try again in {TERM.seconds} seconds"
            )
            raise Broken("serve.already", detail)

    async def keep(self) -> None:
        """Renew it until cancelled. Raises Broken("serve.taken_over") when another process has it: this one
        was away for too long, and must not go on."""
        while True:
            await self.pause(RENEWED_S)
            try:
                kept = await self._renewed()
            except FundstelleError:
                continue  # the database is away: for others as well
            if not kept:
                other = await self.journal.lease_holder(LEASE, at=self.clock.now())
                detail = f"{_told(other)} has taken over serving this database; this one ends"
                raise Broken("serve.taken_over", detail)

    async def release(self) -> None:
        """Let the next one begin at once. What fails is made good by the term."""
        try:
            await self.journal.release_lease(LEASE, self.holder)
        except FundstelleError:
            return

    async def _renewed(self) -> bool:
        now = self.clock.now()
        return await self.journal.take_lease(LEASE, self.holder, at=now, until=now + TERM)
