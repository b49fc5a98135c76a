"""The time, as an argument."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Protocol


class Clock(Protocol):
    """The time, as an argument. Moments are compared and stored in UTC; days are those of the zone: between
    midnight and two o'clock in Berlin it is still yesterday in UTC."""

    @property
    def zone(self) -> tzinfo:
        """The time zone in which days are counted; UTC by default."""
        return UTC

    def now(self) -> datetime:
        """Aware, UTC."""

    def local(self, moment: datetime) -> datetime:
        """A moment in local time."""
        return moment.astimezone(self.zone)

    def day_of(self, moment: datetime) -> date:
        """The local date of a moment."""
        return self.local(moment).date()

    def today(self) -> date:
        """The current local date."""
        return self.day_of(self.now())


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
