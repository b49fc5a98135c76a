"""Low-priority threads."""

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
    """Lower this thread's priority: on Linux each thread has its own niceness; elsewhere this would affect
    the whole process."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


async def at_low_priority(call: Callable[..., _T], *arguments: Any) -> _T:
    """The result of `call`, run in a low-priority thread of its own."""
    pool = ThreadPoolExecutor(1, "background", initializer=lower_priority)
    try:
        return await asyncio.get_running_loop().run_in_executor(pool, call, *arguments)
    finally:
        pool.shutdown(wait=False)  # a cancelled caller does not wait
