"""Where the people are whose days count: whether a law holds "today" is a question of their clocks."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator


class SystemZone(tzinfo):
    """The zone of the machine, as its C library has it (`TZ`, /etc/localtime). Of days of which that knows
    nothing it is UTC."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """East of Greenwich."""
        try:
            return moment.replace(tzinfo=None).astimezone().utcoffset() if moment else None
        except (OverflowError, ValueError, OSError):
            return timedelta(0)

    def dst(self, _moment: datetime | None) -> timedelta | None:
        """Is not told."""
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        """A short name such as CEST."""
        try:
            return moment.replace(tzinfo=None).astimezone().tzname() if moment else None
        except (OverflowError, ValueError, OSError):
            return "UTC"

    def fromutc(self, moment: datetime) -> datetime:
        """A moment of UTC as the clock shows it, the second time in the hour that comes twice too."""
        there = moment.replace(tzinfo=UTC).astimezone()
        shown = there.replace(tzinfo=self)
        return shown if shown.utcoffset() == there.utcoffset() else shown.replace(fold=1)


def zone_of(name: str) -> tzinfo:
    """The zone of an IANA name, that of the machine for none. Raises ValueError for what is no name."""
    try:
        return ZoneInfo(name) if name else SystemZone()
    except (KeyError, ValueError, OSError):
        detail = f'there is no time zone {name!r}: write a name such as "Europe/Berlin", or nothing'
        raise ValueError(detail) from None


def _known(name: str) -> str:
    zone_of(name)
    return name


TimeZone = Annotated[str, AfterValidator(_known)]
"""An IANA name; empty for the zone of the machine."""
