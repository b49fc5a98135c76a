"""Threads that step back for others."""

import contextlib
import os
import threading

_NICENESS = 10


def lower_priority() -> None:
    """Of this thread: Linux gives each thread a niceness of its own; elsewhere this would touch the whole
    process."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
