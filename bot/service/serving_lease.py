"""Only one process serves a database at a time: two would answer everything twice, and take each other's
messages. The serving process holds a lease in the database and renews it. A second one is told who is
serving. The database determines the time and, with a SQLite file, whether the other process is alive. On a
server, a process in this namespace that has certainly died is succeeded at once; any other when its term is
over. `ServingRole` says which part of the work a process does.
"""

import asyncio
import os
import platform
import re
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

import psutil

from core.errors import Broken, FundstelleError, Unavailable
from core.ports.sources import SourceJournal


class ServingRole(StrEnum):
    """`front` has the platforms' sessions and sends, `answers` answers, `library` reads, fetches, corrects
    and clears up; `all` does all of it, which is the only way beside SQLite or the embedded index."""

    ALL = "all"
    FRONT = "front"
    ANSWERS = "answers"
    LIBRARY = "library"

    @property
    def fronts(self) -> bool:
        """Whether it receives and sends."""
        return self in (ServingRole.ALL, ServingRole.FRONT)

    @property
    def answers(self) -> bool:
        """Whether it answers."""
        return self in (ServingRole.ALL, ServingRole.ANSWERS)

    @property
    def keeps_library(self) -> bool:
        """Whether it works on the library."""
        return self in (ServingRole.ALL, ServingRole.LIBRARY)


LEASE = "serve"
TERM = timedelta(seconds=45)
"""How long a lease lasts without renewal."""

RENEWED_S = 10.0
"""Seconds between two renewals: four may fail."""

_PROC = Path("/proc")
_SECONDS = re.compile(r":\d\d\.\d+$")
_MARK = re.compile(r" \[(?P<boot>\S+) (?P<namespaces>\S+) (?P<number>\d+) (?P<began>\d+) \S+\]$")
"""What identifies a process: the boot of the machine, its PID and time namespaces, its PID there, its start
in ticks since boot, and a token for this attempt."""


def this_process() -> str:
    """A unique name, also different from earlier attempts of this process: machine, PID, start (UTC), and its
    mark, with "0" for anything unknown on this machine."""
    shown = _numbers()
    began = datetime.fromtimestamp(psutil.Process(shown[0] if shown else None).create_time(), UTC)
    described = f"{_machine()} process {os.getpid()}, since {began:%Y-%m-%d %H:%M:%S.%f}"
    known = (_boot() or 0, _namespaces() or 0, os.getpid(), _began("self") or 0, uuid.uuid4().hex)
    return f"{described} [{' '.join(map(str, known))}]"


def told(holder: str | None) -> str:
    """A process described for people, to the minute."""
    return _SECONDS.sub(" UTC", _MARK.sub("", holder)) if holder else "another process"


def has_died(holder: str) -> bool:
    """Whether `holder` was a process of this namespace, since boot, that no longer exists. False if that
    cannot be known: in another namespace a PID means a different process, or none. The start of a process is
    in ticks, which setting a clock does not change."""
    mark, here = _MARK.search(holder), (_boot(), _namespaces())
    if mark is None or None in here or (mark["boot"], mark["namespaces"]) != here:
        return False
    try:
        os.kill(int(mark["number"]), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # it belongs to another user
    began = _began(mark["number"]) if len(_numbers()) == 1 else None
    return began is not None and began != int(mark["began"])


def _machine() -> str:
    """The machine's name, and on Linux its id: machines that were cloned often share their name."""
    number = _read(Path("/etc/machine-id"))
    return f"{platform.node()} ({number[:8]})" if number else platform.node()


def _boot() -> str | None:
    """An id of this start of the machine."""
    return _read(_PROC / "sys/kernel/random/boot_id") or None


def _namespaces() -> str | None:
    """The PID and time namespaces; no two that exist at the same time have the same name."""
    try:
        numbers = (_PROC / "self/ns/pid").stat().st_ino
    except OSError:
        return None
    try:
        return f"{numbers}.{(_PROC / 'self/ns/time').stat().st_ino}"
    except OSError:  # kernels before 5.6 have none of time
        return f"{numbers}.0"


def _numbers() -> list[int]:
    """The PIDs of this process, from the namespace that `/proc` shows down to its own; one if they are the
    same. None if nothing can be read."""
    for line in _read(_PROC / "self/status").splitlines():
        if line.startswith("NSpid:"):
            return [int(number) for number in line.split()[1:]]
    return []


def _began(number: str) -> int | None:
    """When a process began, in ticks; 0 for a zombie. None if it cannot be determined (proc(5),
    `/proc/[pid]/stat`)."""
    fields = _read(_PROC / number / "stat").rpartition(")")[2].split()
    if len(fields) < 20:
        return None
    return 0 if fields[0] in "ZXx" else int(fields[19])


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


@dataclass(slots=True)
class ServingLease:
    """The lease of this process. `pause` is for tests."""

    journal: SourceJournal
    holder: str = field(default_factory=this_process)
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def take(self) -> None:
        """Take the lease. Raises Broken("serve.already") while another process that may be alive has it."""
        if await self._taken():
            return
        other = await self.journal.lease_holder(LEASE)
        if other is not None and has_died(other):
            await self.journal.release_lease(LEASE, other)
        if not await self._taken():
            detail = (
                f"{told(other)} serves this database; stop it first. If it was killed on"
                f" another machine, try again in {TERM.seconds} seconds"
            )
            raise Broken("serve.already", detail)

    async def keep(self) -> None:
        """Renew it until cancelled. Raises Broken("serve.taken_over") if another process has or had it: this
        one was unresponsive for too long, and must not go on."""
        while True:
            await self.pause(RENEWED_S)
            with suppress(Unavailable):  # the database is unavailable, also to others
                await self.renew()

    async def renew(self) -> None:
        """Renew it once, now. Raises like `keep`, and Unavailable if the database is not available."""
        try:
            if await self.journal.renew_lease(LEASE, self.holder, term=TERM):
                return
            other = await self.journal.lease_holder(LEASE)
        except FundstelleError as error:
            raise Unavailable("database.unavailable", error.detail) from error
        detail = f"{told(other)} has taken over serving this database; this one ends"
        raise Broken("serve.taken_over", detail)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Hold it while the context lasts, for long work. Raises like `take`; `renew` says whether it was
        held all the time."""
        await self.take()
        keeping = asyncio.create_task(self.keep())
        try:
            yield
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
            await self.release()

    async def release(self) -> None:
        """Let the next one begin at once. If this fails, the term ends it anyway."""
        with suppress(FundstelleError):
            await self.journal.release_lease(LEASE, self.holder)

    async def _taken(self) -> bool:
        return await self.journal.take_lease(LEASE, self.holder, term=TERM)
