"""Threads that step back for others."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

_T = TypeVar("_T")

_NICENESS = 10


def lower_priority() -> None:
    """Let this thread step back: Linux gives each thread a niceness of its own; elsewhere this would touch
    the whole process."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


async def at_low_priority(call: Callable[..., _T], *arguments: Any) -> _T:
    """What `call` gives back, from a thread of its own that steps back."""
    pool = ThreadPoolExecutor(1, "background", initializer=lower_priority)
    try:
        return await asyncio.get_running_loop().run_in_executor(pool, call, *arguments)
    finally:
        pool.shutdown(wait=False)  # who is cancelled waits for nothing
