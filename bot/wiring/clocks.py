"""The clock that several processes share, and those of the servers that the settings name."""

import asyncio
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from urllib.parse import urlsplit

from bot.settings.tree import Settings
from core.ports.clock import Clock


class SharedClock(Clock):
    """The time of the database's server as last reported, plus the time elapsed since. This machine's clock
    does not matter, since processes judge each other's timestamps."""

    def __init__(self, zone: tzinfo, at: datetime) -> None:
        self._zone = zone
        self.set(at)

    @property
    def zone(self) -> tzinfo:
        """See the port."""
        return self._zone

    def set(self, at: datetime) -> None:
        """Set the server's current time to `at`."""
        self._at, self._since = at, time.monotonic()

    def now(self) -> datetime:
        """Aware, UTC."""
        return (self._at + timedelta(seconds=time.monotonic() - self._since)).astimezone(UTC)


async def clocks(settings: Settings) -> Mapping[str, timedelta]:
    """How far this machine's clock is ahead of each remote server that reports its time, by host."""
    from adapters.web.fetching import ahead_of
    from bot.service.diagnosis import server_addresses

    addresses = server_addresses(settings)
    found = await asyncio.gather(*(ahead_of(url, lambda: datetime.now(UTC)) for url in addresses))
    return {
        urlsplit(url).hostname or url: ahead
        for url, ahead in zip(addresses, found, strict=True)
        if ahead is not None
    }
