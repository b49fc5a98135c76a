"""How long the event loop is blocked: while one piece of work holds it, nobody is answered and nothing
received. A task wakes at a fixed cadence and measures how late it is by the monotonic clock. While it is
late, a thread samples what the loop's thread is doing. Only code locations are kept, no values: people's text
must not get into the log. Also, whether this machine's clock is right, compared with the servers that the bot
talks to and with stored timestamps: retention periods depend on it, so nothing is deleted by a wrong one.
"""

import asyncio
import gc
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from types import FrameType

from bot.presentation.i18n import Texts
from bot.service.checks import Check
from core.errors import Broken
from core.ports.clock import SKEW, Clock

EVERY_S = 0.02
"""Seconds between two samples: a hold is measured at most this much too short."""

SAMPLED_AFTER_S = 0.03
"""Minimum delay in seconds to sample what is holding the loop."""

HELD_S = 0.1
"""Minimum seconds of computing for a hold to be counted and logged. Being late alone is not the loop's fault:
on a busy machine others compute."""

DEPTH = 8
"""Maximum places in the code reported for a hold, innermost first."""

_ROOT = Path(__file__).resolve().parent.parent
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopHold:
    """The loop's task was `late_s` seconds late; in the meantime the loop's thread computed for `cpu_s`. On a
    machine that is busy with other things it may be late without computing."""

    late_s: float
    cpu_s: float
    where: str = ""


def settle() -> None:
    """Everything loaded by now lives as long as the process: exempt it from garbage collection, which would
    otherwise stop every thread for 0.2 s or more (decision 0015)."""
    gc.collect()
    gc.freeze()


class LoopWatch:
    """Watches the event loop that `run` runs in. `longest` is the longest hold so far, `busiest` the one that
    computed longest; `held` counts those of `HELD_S` or more. `lag` receives the loop's delay in seconds at
    every sample."""

    def __init__(self, lag: Callable[[float], None] | None = None) -> None:
        self._lag = lag
        self.longest = LoopHold(late_s=0.0, cpu_s=0.0)
        self.busiest = self.longest
        self.held = 0
        self._beat = 0.0
        self._seen: Counter[str] = Counter()
        self._ended = threading.Event()

    async def run(self) -> None:
        """Watch until cancelled."""
        self._beat = time.monotonic()
        self._ended.clear()
        sampler = threading.Thread(target=self._sample, args=(threading.get_ident(),), daemon=True)
        sampler.start()
        try:
            while True:
                due, cpu = self._beat + EVERY_S, time.thread_time()
                await asyncio.sleep(EVERY_S)
                self._beat = time.monotonic()
                seen, self._seen = self._seen, Counter()
                where = max(seen, key=lambda place: seen[place], default="")
                self._note(LoopHold(late_s=self._beat - due, cpu_s=time.thread_time() - cpu, where=where))
        finally:
            self._ended.set()

    def _note(self, hold: LoopHold) -> None:
        if self._lag is not None:
            self._lag(hold.late_s)
        if hold.cpu_s > self.busiest.cpu_s:
            self.busiest = hold
        if hold.late_s > self.longest.late_s:
            self.longest = hold
        if hold.cpu_s >= HELD_S:
            self.held += 1
            _LOG.warning("the event loop was held for %s", in_words(hold))
        elif hold.late_s >= SAMPLED_AFTER_S:
            _LOG.info("the event loop was held for %s", in_words(hold))

    def _sample(self, thread: int) -> None:
        while not self._ended.wait(EVERY_S):
            if time.monotonic() - self._beat > EVERY_S + SAMPLED_AFTER_S:
                frame = sys._current_frames().get(thread)
                self._seen[places(frame)] += 1


def in_words(hold: LoopHold) -> str:
    """A hold with where the loop was last seen in it."""
    place = f", in {hold.where}" if hold.where else ""
    return f"{hold.late_s * 1000:.0f} ms ({hold.cpu_s * 1000:.0f} ms computing){place}"


def places(frame: FrameType | None) -> str:
    """The places in the code that `frame` and its callers stand at, ours by path, others by file name, the
    loop's own left out."""
    found: list[str] = []
    while frame is not None and len(found) < DEPTH:
        code = frame.f_code
        path = Path(code.co_filename)
        if path.parent.name == "asyncio":
            break
        shown = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(path.parent.name, path.name)
        found.append(f"{shown}:{frame.f_lineno} {code.co_name}")
        frame = frame.f_back
    return " < ".join(found)


TOLERATED = timedelta(minutes=1)
"""How far a clock may be off: Slack rejects requests that are five minutes old."""

LONG = timedelta(days=7)
"""A pause after which to check how much time has really passed."""

Clocks = Callable[[], Awaitable[Mapping[str, timedelta]]]
"""How far this machine is ahead of each server that reports the time, by host."""


@dataclass(frozen=True, slots=True)
class ClockWatch:
    """Prevents deletion by a wrong clock. `database` returns the time of the database's server, if there is
    one. `written` returns a timestamp from the last hours of work, if any; other servers are only asked if it
    does not fit."""

    clock: Clock
    database: Callable[[], Awaitable[datetime | None]]
    written: Callable[[], Awaitable[datetime | None]]
    servers: Clocks

    async def require(self) -> None:
        """Raises Broken("clock.wrong")."""
        theirs, now = await self.database(), self.clock.now()
        if theirs is not None and abs(now - theirs) > SKEW:
            detail = (
                f"by this machine it is {now:%Y-%m-%d %H:%M} UTC, by the database's server"
                f" {theirs:%Y-%m-%d %H:%M}: nothing is deleted until both are set (timedatectl set-ntp true)"
            )
            raise Broken("clock.wrong", detail)
        written = await self.written()
        if written is None or -SKEW <= now - written <= LONG:
            return
        ahead = [by.total_seconds() for by in (await self.servers()).values()]
        if abs(median(ahead)) > SKEW.total_seconds() if ahead else written > now:
            detail = (
                f"by this machine it is {now:%Y-%m-%d %H:%M} UTC, but the last work was done at"
                f" {written:%Y-%m-%d %H:%M}: nothing is deleted until the clock is set (timedatectl"
                " set-ntp true)"
            )
            raise Broken("clock.wrong", detail)

    def careful(self, work: Callable[[], Awaitable[object]]) -> Callable[[], Awaitable[None]]:
        """`work`, which deletes, run only if the clock is right."""

        async def done() -> None:
            await self.require()
            await work()

        return done


def clock_check(ahead: Mapping[str, timedelta], now: datetime, texts: Texts) -> list[Check]:
    """The finding of `doctor` about the servers' clocks; none if none was asked or reports the time."""
    if not ahead:
        return []
    off = {host: by for host, by in ahead.items() if abs(by) > TOLERATED}
    agreeing = ", ".join(host for host in ahead if host not in off)
    if not off:
        return [Check.of("time", True, texts("doctor.clock_agrees", hosts=agreeing))]
    time = f"{now:%Y-%m-%d %H:%M} UTC"
    theirs = ", ".join(f"{host} {now - by:%Y-%m-%d %H:%M}" for host, by in off.items())
    if agreeing:
        message = texts("doctor.clocks_differ", time=time, hosts=agreeing, others=theirs)
        return [Check.of("time", True, message, texts("doctor.look_at_clocks"))]
    message = texts("doctor.clock_off", time=time, others=theirs)
    return [Check.of("time", False, message, texts("doctor.set_clock"))]
