"""How long the stages of a search take."""

import time


class Stopwatch:
    """Seconds per stage."""

    def __init__(self) -> None:
        self._started = self._last = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """End `stage` now."""
        now = time.perf_counter()
        self.seconds[stage] = now - self._last
        self.seconds["total"] = now - self._started
        self._last = now
