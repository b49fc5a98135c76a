"""What time it is elsewhere: the Date that web servers put on their answers (RFC 9110, section 6.6.1)."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx

from adapters.headers import size

WITHIN_S = 5.0
"""Seconds that a server gets to answer."""


async def ahead_of(url: str, now: Callable[[], datetime], *, within_s: float = WITHIN_S) -> timedelta | None:
    """How far this machine's clock is ahead of that of the server at `url`, None where nobody says. Only the
    root of the server is asked, without a key, and nothing of its answer is used but the time: so its
    certificate need not hold, which it does not where the clock is wrong."""
    try:
        parts = urlsplit(url)
        async with (
            asyncio.timeout(within_s),
            httpx.AsyncClient(verify=False, timeout=within_s) as client,  # noqa: S501 - see above
        ):
            before = now()
            answer = await client.head(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/")
            here = before + (now() - before) / 2
        there = parsedate_to_datetime(answer.headers["date"])
        kept = timedelta(seconds=min(size(answer.headers.get("age")) or 0, 86_400))  # in a cache on the way
        return here - (there + kept)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, KeyError, ValueError, TypeError, OverflowError):
        return None
