"""The `DocumentSource` port for the web: conditional, polite, and tolerant of temporary failures."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from adapters.web.addresses import PUBLIC, Rules, host_of, parsed
from core.domain.ingestion import FetchedContent, Revision
from core.errors import Refused, Unavailable
from core.retrying import until_available

if TYPE_CHECKING:
    from protego import Protego

    from adapters.web.fetching import Fetched

ATTEMPTS = 3
PATIENCE_S = 30.0
"""Longer waits requested by a server are not done here; the schedule retries."""


# A polite pace: requests to one host are separated by a pause, whoever makes them.

Now = Callable[[], float]
"""Seconds of a monotonic clock."""

Sleep = Callable[[float], Awaitable[None]]


# What a host allows programs to fetch (RFC 9309, read by protego).

AGENT = "fundstelle"
"""The name by which a `robots.txt` addresses us; it begins the User-Agent that we send."""
ROBOTS_KEPT_S = 86_400.0
"""How long a `robots.txt` is cached (section 2.4)."""
ROBOTS_BYTES = 512_000
"""More than what has to be read (section 2.5)."""
LONGEST_DELAY_S = 30.0

Read = Callable[[str], Awaitable[bytes]]
"""Returns the body at a URL; raises like `adapters.web.fetching.fetch`."""


class Robots:
    """Asks each host once a day."""

    def __init__(self, read: Read, now: Now) -> None:
        self._read = read
        self._now = now
        self._known: dict[str, tuple[float, Protego]] = {}

    async def delay(self, url: str) -> float:
        """Seconds that the host wants between two requests. Raises Refused("url.robots") where `url`
        is not to be fetched, Unavailable("url.robots_unknown") where the host cannot say so now."""
        rules = await self._rules(url)
        if not rules.can_fetch(url, AGENT):
            detail = f"robots.txt of the server does not let programs fetch {url}; ask there, or download it"
            raise Refused("url.robots", detail, url=url)
        return min(float(rules.crawl_delay(AGENT) or 0.0), LONGEST_DELAY_S)

    async def _rules(self, url: str) -> "Protego":
        from protego import Protego

        stated = str(parsed(url).copy_with(path="/robots.txt", query=None, fragment=None))
        since, rules = self._known.get(stated, (None, None))
        if since is None or rules is None or self._now() - since >= ROBOTS_KEPT_S:
            rules = Protego.parse(await self._text(stated))
            self._known[stated] = (self._now(), rules)
        return rules

    async def _text(self, url: str) -> str:
        """A host that has no rules allows everything (section 2.3.1.3); one that fails allows nothing
        until it answers (section 2.3.1.4)."""
        try:
            return (await self._read(url)).decode("utf-8", errors="replace")
        except Refused:
            return ""
        except Unavailable as error:
            raise Unavailable("url.robots_unknown", f"{url}: {error.detail}", error.retry_after_s) from error


class Pace:
    """Lets requests to a host through one at a time."""

    def __init__(self, now: Now, sleep: Sleep) -> None:
        self._now = now
        self._sleep = sleep
        self._queues: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._last: dict[str, float] = {}

    async def turn(self, host: str, interval_s: float) -> None:
        """Wait until `interval_s` seconds have passed since the last turn of `host`."""
        async with self._queues[host]:
            if host in self._last:
                wait = self._last[host] + interval_s - self._now()
                if wait > 0:
                    await self._sleep(wait)
            self._last[host] = self._now()


class WebSource:
    """Fetches documents by URL. `rules` says which addresses may be reached; only tests have a reason to
    allow more than the public internet."""

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
        return await until_available(
            "fetching a document",
            partial(self._fetch_once, url, known if known and known.url == url else None),
            attempts=ATTEMPTS,
            patience_s=PATIENCE_S,
            sleep=self._sleep,
        )

    async def _fetch_once(self, url: str, known: Revision | None) -> FetchedContent | None:
        from adapters.web.fetching import fetch_changed

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
        from adapters.web.fetching import fetch

        await self._pace.turn(host_of(parsed(url)), self._interval_s)
        return (
            await fetch(url, max_bytes=ROBOTS_BYTES, timeout_s=self._timeout_s, rules=self._rules)
        ).content


def _content(url: str, found: "Fetched") -> FetchedContent:
    """The content with its revision, which belongs to the requested URL: a redirect may lead elsewhere next
    time."""
    revision = Revision(url=url, etag=found.etag, last_modified=found.last_modified)
    return FetchedContent(content=found.content, revision=revision)
