"""The time, as an argument."""

from datetime import UTC, date, datetime, tzinfo
from typing import Protocol


class Clock(Protocol):
    """The time, as an argument. Moments are UTC wherever they are compared and kept; days are those of the
    zone: between midnight and two o'clock it is yesterday in UTC and today in Berlin."""

    @property
    def zone(self) -> tzinfo:
        """Where the people are whose days count; UTC where nothing is said of it."""
        return UTC

    def now(self) -> datetime:
        """Aware, UTC."""
        ...

    def local(self, moment: datetime) -> datetime:
        """A moment as the clocks of the zone show it."""
        return moment.astimezone(self.zone)

    def day_of(self, moment: datetime) -> date:
        """The day of a moment in the zone."""
        return self.local(moment).date()

    def today(self) -> date:
        """The day that it is now in the zone."""
        return self.day_of(self.now())
