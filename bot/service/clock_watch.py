"""Whether this machine's clock is right: compared with the servers that the bot talks to, and with stored
timestamps. Retention periods depend on the clock, so nothing is deleted by a wrong one."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from bot.presentation.i18n import Texts
from bot.service.checks import Check
from core.domain.stamps import SKEW
from core.errors import Broken
from core.ports.clock import Clock

TOLERATED = timedelta(minutes=1)
"""How far a clock may be off: Slack rejects requests that are five minutes old."""

LONG = timedelta(days=7)
"""A pause after which to verify that so much time has really passed."""

Clocks = Callable[[], Awaitable[Mapping[str, timedelta]]]
"""How far this machine is ahead of each server that says what time it is, by its host."""


@dataclass(frozen=True, slots=True)
class ClockWatch:
    """Lets nothing be deleted by a clock that is wrong. `database` tells the time of the database's server,
    where there is one. `written` tells a time of the last hours of work, if there were any; other servers are
    only asked where it does not fit."""

    clock: Clock
    database: Callable[[], Awaitable[datetime | None]]
    written: Callable[[], Awaitable[datetime | None]]
    servers: Clocks

    async def require(self) -> None:
        """Raises Broken("clock.wrong")."""
        there, now = await self.database(), self.clock.now()
        if there is not None and abs(now - there) > SKEW:
            detail = (
                f"by this machine it is {now:%Y-%m-%d %H:%M} UTC, by the database's server"
                f" {there:%Y-%m-%d %H:%M}: nothing is deleted until both are set (timedatectl set-ntp true)"
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
        """`work`, which deletes, only where the clock is right."""

        async def done() -> None:
            await self.require()
            await work()

        return done


def clock_check(ahead: Mapping[str, timedelta], now: datetime, texts: Texts) -> list[Check]:
    """What `doctor` says of the servers' clocks; nothing where none was asked or says what time it is."""
    if not ahead:
        return []
    off = {host: by for host, by in ahead.items() if abs(by) > TOLERATED}
    agreeing = ", ".join(host for host in ahead if host not in off)
    if not off:
        return [Check.of("time", True, texts("doctor.clock_agrees", hosts=agreeing))]
    time = f"{now:%Y-%m-%d %H:%M} UTC"
    theirs = ", ".join(f"{host} {now - by:%Y-%m-%d %H:%M}" for host, by in off.items())
    if agreeing:
        said = texts("doctor.clocks_differ", time=time, hosts=agreeing, others=theirs)
        return [Check.of("time", True, said, texts("doctor.look_at_clocks"))]
    said = texts("doctor.clock_off", time=time, others=theirs)
    return [Check.of("time", False, said, texts("doctor.set_clock"))]
