"""The time, as an argument."""

from datetime import UTC, date, datetime, tzinfo
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
        ...

    def local(self, moment: datetime) -> datetime:
        """A moment in local time."""
        return moment.astimezone(self.zone)

    def day_of(self, moment: datetime) -> date:
        """The local date of a moment."""
        return self.local(moment).date()

    def today(self) -> date:
        """The current local date."""
        return self.day_of(self.now())
