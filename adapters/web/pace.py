"""A polite pace: requests to one host follow each other with a pause, whoever asks for them."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

Now = Callable[[], float]
"""Seconds of a clock that never goes back."""

Sleep = Callable[[float], Awaitable[None]]


class Pace:
    """Lets requests to a host through one after the other."""

    def __init__(self, now: Now, sleep: Sleep) -> None:
        self._now = now
        self._sleep = sleep
        self._queues: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._last: dict[str, float] = {}

    async def turn(self, host: str, interval_s: float) -> None:
        """Wait until `interval_s` seconds have passed since the last turn of `host`."""
        async with self._queues[host]:
            if host in self._last:
                wait = self._last[host] + interval_s - self._now()
                if wait > 0:
                    await self._sleep(wait)
            self._last[host] = self._now()
