"""Stored timestamps, judged by a clock that may have been wrong when they were written."""

from datetime import datetime, timedelta

SKEW = timedelta(minutes=10)
"""How far the clocks of two machines may differ, or one clock before and after an adjustment."""


def is_within(stamp: datetime, now: datetime, term: timedelta) -> bool:
    """Whether less than `term` has passed since `stamp`. A stamp in the future counts as expired: otherwise
    it might never end."""
    return -SKEW <= now - stamp < term


def lies_ahead(until: datetime, now: datetime, longest: timedelta) -> bool:
    """Whether `until` is in the future and plausible, since nothing is postponed for longer than
    `longest`."""
    return now < until <= now + longest + SKEW
