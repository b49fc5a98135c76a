"""The `DocumentSource` port on the web: conditional, polite, and patient with passing faults."""

import asyncio
import time
from functools import partial

from adapters.web.addresses import host_of, parsed
from adapters.web.fetching import PUBLIC, Fetched, Rules, fetch, fetch_changed
from adapters.web.pace import Now, Pace, Sleep
from adapters.web.robots import MAX_BYTES, Robots
from core.domain.sources import FetchedContent, Revision
from core.retrying import until_available

ATTEMPTS = 3
PATIENCE_S = 30.0
"""A server that wants to be left alone for longer is not waited for here; the schedule comes back."""


class WebSource:
    """Fetches documents by URL. `rules` says which addresses may be reached; nothing but a test has a
    reason to pass other ones than those of the public internet."""

    def __init__(
        self,
        *,
        max_bytes: int,
        timeout_s: float = 60.0,
        interval_s: float = 2.0,
        robots: bool = True,
        rules: Rules = PUBLIC,
        now: Now = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._max_bytes = max_bytes
        self._timeout_s = timeout_s
        self._interval_s = interval_s
        self._rules = rules
        self._sleep = sleep
        self._pace = Pace(now, sleep)
        self._robots = Robots(self._read, now) if robots else None

    async def fetch(self, url: str, *, known: Revision | None = None) -> FetchedContent | None:
        """The bytes at `url`, or None where `known` is a revision of that URL and still holds."""
        return await until_available(
            "fetching a document",
            partial(self._fetch_once, url, known if known and known.url == url else None),
            attempts=ATTEMPTS,
            patience_s=PATIENCE_S,
            sleep=self._sleep,
        )

    async def _fetch_once(self, url: str, known: Revision | None) -> FetchedContent | None:
        delay = await self._robots.delay(url) if self._robots else 0.0
        await self._pace.turn(host_of(parsed(url)), max(delay, self._interval_s))
        found = await fetch_changed(
            url,
            known or Revision(url=url),
            max_bytes=self._max_bytes,
            timeout_s=self._timeout_s,
            rules=self._rules,
        )
        return _content(url, found) if found else None

    async def _read(self, url: str) -> bytes:
        await self._pace.turn(host_of(parsed(url)), self._interval_s)
        return (await fetch(url, max_bytes=MAX_BYTES, timeout_s=self._timeout_s, rules=self._rules)).content


def _content(url: str, found: Fetched) -> FetchedContent:
    """The revision belongs to the URL that was asked for: a redirect may lead elsewhere the next time."""
    revision = Revision(url=url, etag=found.etag, last_modified=found.last_modified)
    return FetchedContent(content=found.content, revision=revision)
