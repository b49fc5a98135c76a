"""What is done beside the work and holds nobody up: signs of being busy, thanks, marks of having read."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

ENDS_S = 1.0
"""Seconds that such work gets to end at most."""


class Asides:
    """Tasks that nobody waits for, kept until they have ended. Their errors are nobody's concern."""

    def __init__(self) -> None:
        self._running = set[asyncio.Task[Any]]()

    def start(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Do `work` meanwhile."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._over)
        return task

    @asynccontextmanager
    async def beside(self, work: Coroutine[Any, Any, Any], *, ends_s: float = ENDS_S) -> AsyncIterator[None]:
        """Do `work`, which is cancelled with the context. That waits `ends_s` for it at most."""
        task = self.start(work)
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task], timeout=ends_s)

    async def end(self, *, within_s: float = ENDS_S) -> None:
        """Cancel what still goes on, and wait a little for it."""
        running = list(self._running)
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=within_s)

    def _over(self, task: "asyncio.Task[Any]") -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, so that nobody complains
