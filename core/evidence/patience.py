"""How long a text from outside may keep a processor busy."""

import time
from collections.abc import Callable


class OutOfPatienceError(Exception):
    """The time allowed is used up; what was found so far still holds."""


class Patience:
    """Allows `seconds` by `clock`, counted from now: by default the processor time of the thread that
    works, so that a busy machine takes nothing away."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def spend(self) -> None:
        """One more step. Raises OutOfPatienceError once the time is over."""
        if self._clock() > self._end:
            raise OutOfPatienceError
