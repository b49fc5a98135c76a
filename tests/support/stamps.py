"""Timestamps in the stand-ins for stores."""

from datetime import datetime


def is_over(stamp: datetime, *, before: datetime, after: datetime | None = None) -> bool:
    """Whether `stamp` is not later than `before`, or later than `after`, which is in the future."""
    return stamp <= before or (after is not None and stamp > after)
