"""Background tasks that hold nobody up: typing indicators, thanks, read receipts."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

ENDS_S = 1.0
"""Maximum seconds that such work gets to finish."""


class Asides:
    """Tasks that nobody waits for, kept until they have finished. Their errors are ignored."""

    def __init__(self) -> None:
        self._running = set[asyncio.Task[Any]]()

    def start(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Do `work` meanwhile."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._discard)
        return task

    @asynccontextmanager
    async def beside(self, work: Coroutine[Any, Any, Any], *, ends_s: float = ENDS_S) -> AsyncIterator[None]:
        """Run `work` in the background; it is cancelled on leaving the context, which waits at most `ends_s`
        for it."""
        task = self.start(work)
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task], timeout=ends_s)

    async def end(self, *, within_s: float = ENDS_S) -> None:
        """Cancel what is still running, and wait briefly for it."""
        running = list(self._running)
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=within_s)

    def _discard(self, task: "asyncio.Task[Any]") -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not complain
