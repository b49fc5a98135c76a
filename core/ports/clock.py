"""The time, as an argument."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The time, as an argument."""

    def now(self) -> datetime:
        """Aware, UTC."""
        ...
