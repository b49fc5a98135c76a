"""Times that were written down, judged by a clock that may have been wrong when that was done."""

from datetime import datetime, timedelta

SKEW = timedelta(minutes=10)
"""How far the clocks of two machines, or of one before and after it was set, may differ."""


def is_within(stamp: datetime, now: datetime, term: timedelta) -> bool:
    """Whether less than `term` has passed since `stamp`. One of the future counts as over: nobody would
    live to see it end."""
    return -SKEW <= now - stamp < term


def lies_ahead(until: datetime, now: datetime, longest: timedelta) -> bool:
    """Whether `until` is still to come and could have been set by now, since nothing is put off for longer
    than `longest`."""
    return now < until <= now + longest + SKEW
