"""The clocks of the servers that the settings name."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from bot.settings.tree import Settings


async def clocks(settings: Settings) -> Mapping[str, timedelta]:
    """How far this machine's clock is ahead of each remote server that reports its time, by host."""
    from adapters.web.server_clock import ahead_of
    from bot.service.diagnosis import server_addresses

    addresses = server_addresses(settings)
    found = await asyncio.gather(*(ahead_of(url, lambda: datetime.now(UTC)) for url in addresses))
    return {
        urlsplit(url).hostname or url: ahead
        for url, ahead in zip(addresses, found, strict=True)
        if ahead is not None
    }
