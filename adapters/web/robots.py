"""What a host allows programs to fetch (RFC 9309, read by protego)."""

from collections.abc import Awaitable, Callable

from protego import Protego

from adapters.web.addresses import parsed
from adapters.web.pace import Now
from core.errors import Refused, Unavailable

AGENT = "fundstelle"
"""The name by which a `robots.txt` addresses us; it begins the User-Agent that we send."""
KEPT_S = 86_400.0
"""How long a `robots.txt` is believed (section 2.4)."""
MAX_BYTES = 512_000
"""More than what has to be read (section 2.5)."""
LONGEST_DELAY_S = 30.0

Read = Callable[[str], Awaitable[bytes]]
"""The body at a URL; raises what `adapters.web.fetching.fetch` raises."""


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

    async def _rules(self, url: str) -> Protego:
        stated = str(parsed(url).copy_with(path="/robots.txt", query=None, fragment=None))
        since, rules = self._known.get(stated, (None, None))
        if since is None or rules is None or self._now() - since >= KEPT_S:
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
