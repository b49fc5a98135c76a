"""Recurring work of `serve`: errors are logged and counted, and it continues."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from core.errors import FundstelleError

FIRST_PAUSE_S = 60.0
"""Seconds after a first failure, or the usual interval where that is shorter."""

LONGEST_PAUSE_S = 900.0
"""Maximum seconds between two attempts, or the usual interval if longer."""

RESTART_S = 1.0
"""Seconds until work that should never end is first restarted."""

HEALTHY_S = 60.0
"""Seconds of work without an error after which earlier failures are forgotten; at least as long as the
preceding pause, since work that runs for less time than it rests has not recovered."""

Work = Callable[[], Awaitable[object]]
Sleep = Callable[[float], Awaitable[None]]

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Supervisor:
    """Runs recurring work for as long as the process lives: an error in one round does not end it. `failures`
    counts errors by the name of the work."""

    failures: Counter[str] = field(default_factory=Counter)
    sleep: Sleep = asyncio.sleep
    passed: Callable[[], float] = time.monotonic

    async def every(self, name: str, seconds: float, work: Work) -> None:
        """Call `work` every `seconds`, until cancelled; after failures at other intervals."""
        failed = 0
        self.failures[name] += 0
        while True:
            failed = 0 if await self.once(name, work) else failed + 1
            await self.sleep(pause_s(failed, seconds) if failed else seconds)

    async def lasting(self, name: str, work: Work) -> None:
        """Call `work`, which runs until it is told to end, again and again until it ends without an error.
        The pauses after failures grow, until it has run well for a while."""
        failed, pause = 0, 0.0
        self.failures[name] += 0
        began = self.passed()
        while not await self.once(name, work):
            failed = 1 if self.passed() - began >= max(HEALTHY_S, pause) else failed + 1
            pause = pause_s(failed, RESTART_S)
            await self.sleep(pause)
            began = self.passed()

    async def once(self, name: str, work: Work) -> bool:
        """Call `work`; returns whether it ended without an error."""
        try:
            await work()
        except Exception as error:  # whatever it is, the others continue
            self.failed(name, error)
            return False
        return True

    def failed(self, name: str, error: Exception) -> None:
        """Log and count an error. The detail of our own errors may name files and counts, never questions."""
        self.failures[name] += 1
        if isinstance(error, FundstelleError):
            _LOG.error("%s failed: %s (%s)", name, error.key, error.detail)
        else:
            _LOG.error("%s failed", name, exc_info=error)


def pause_s(failed: int, seconds: float) -> float:
    """Seconds to wait after the `failed`-th consecutive failure of work that is usually done every
    `seconds`."""
    growing: float = min(seconds, FIRST_PAUSE_S) * 2.0 ** min(failed - 1, 16)
    return min(growing, max(seconds, LONGEST_PAUSE_S))
