"""Limits how long untrusted text may keep a processor busy."""

import time
from collections.abc import Callable


class OutOfPatienceError(Exception):
    """The time allowed is used up; results found so far remain valid."""


class Patience:
    """Allows `seconds` by `clock`, from now on: by default the thread's processor time, so that a busy
    machine does not use it up."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def spend(self) -> None:
        """Check the clock before another step. Raises OutOfPatienceError once the time is up."""
        if self._clock() > self._end:
            raise OutOfPatienceError
