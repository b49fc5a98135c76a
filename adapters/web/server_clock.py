"""The time elsewhere: the Date header of web servers' responses (RFC 9110, section 6.6.1)."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx

from adapters.headers import size

WITHIN_S = 5.0
"""Timeout for a server's response in seconds."""


async def ahead_of(url: str, now: Callable[[], datetime], *, within_s: float = WITHIN_S) -> timedelta | None:
    """How far this machine's clock is ahead of the server's at `url`, None if unknown. Only the server's root
    is requested, without a key, and only the time is used: so its certificate need not be valid, which it
    isn't if our clock is wrong."""
    try:
        parts = urlsplit(url)
        async with (
            asyncio.timeout(within_s),
            httpx.AsyncClient(verify=False, timeout=within_s) as client,  # noqa: S501 - see above
        ):
            before = now()
            answer = await client.head(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/")
            local_time = before + (now() - before) / 2
        server_time = parsedate_to_datetime(answer.headers["date"])
        # in an intermediate cache
        kept = timedelta(seconds=min(size(answer.headers.get("age")) or 0, 86_400))
        return local_time - (server_time + kept)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, KeyError, ValueError, TypeError, OverflowError):
        return None
