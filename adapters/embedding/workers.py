"""Threads for encoding: questions go first, passages run at low priority in small steps."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from adapters.priority import lower_priority
from core.ports.progress import Progress

_T = TypeVar("_T")
_R = TypeVar("_R")


class EncoderWorkers:
    """One thread for questions and `threads` low-priority threads for passages."""

    def __init__(self, name: str, threads: int) -> None:
        self._threads = threads
        self._questions = ThreadPoolExecutor(1, thread_name_prefix=f"{name}-question")
        self._passages = ThreadPoolExecutor(
            threads, thread_name_prefix=f"{name}-passages", initializer=lower_priority
        )

    async def question(self, call: Callable[[], _R]) -> _R:
        """Run `call` on the thread that passages never occupy."""
        return await asyncio.get_running_loop().run_in_executor(self._questions, call)

    async def passages(
        self,
        steps: Sequence[_T],
        call: Callable[[_T], _R],
        *,
        size: Callable[[_T], int] = lambda _: 1,
        progress: Progress | None = None,
    ) -> list[_R]:
        """Run `call` on every step and return the results in order. Several documents at a time share
        the threads fairly, since each has only a few steps waiting."""
        loop = asyncio.get_running_loop()
        results: dict[int, _R] = {}
        pending = iter(enumerate(steps))
        total, done = sum(map(size, steps)), 0

        async def drain() -> None:
            nonlocal done
            for index, step in pending:
                results[index] = await loop.run_in_executor(self._passages, call, step)
                done += size(step)
                if progress:
                    progress(done, total)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._threads + 1):  # one more than threads: the next step is at hand
                    group.create_task(drain())
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return [results[index] for index in range(len(steps))]
