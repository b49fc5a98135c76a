"""Fetching unattended, on a clock of its own."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.web.addresses import Rules
from adapters.web.source import WebSource
from core.domain.ingestion import Revision
from core.errors import Refused, Unavailable
from tests.support.web_server import Site, reply, rules, server

BUSY = reply(status="503 Service Unavailable")


class VirtualTime:
    """Seconds that pass by sleeping only."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


class Web:
    """A site, and a source that may reach it."""

    def __init__(self, site: Site, port: int) -> None:
        self.site = site
        self.time = VirtualTime()
        self.base = f"http://example.org:{port}"
        self._rules = rules(port)

    def source(self, *, robots: bool = True, allowed: Rules | None = None) -> WebSource:
        return WebSource(
            max_bytes=1000,
            timeout_s=20,
            robots=robots,
            rules=allowed or self._rules,
            now=self.time.now,
            sleep=self.time.sleep,
        )


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    site = Site()
    site.put("/a.pdf", b"%PDF-1.7 first")
    async with server(site.answer) as port:
        yield Web(site, port)


class TestRevisions:
    async def test_what_did_not_change_costs_one_request(self, web: Web) -> None:
        source, url = web.source(), f"{web.base}/a.pdf"
        first = await source.fetch(url)
        assert first is not None
        assert first.content == b"%PDF-1.7 first"
        assert first.revision.url == url
        web.site.requests.clear()
        assert await source.fetch(url, known=first.revision) is None
        assert web.site.requests == ["/a.pdf"]

    async def test_what_did_change(self, web: Web) -> None:
        source, url = web.source(), f"{web.base}/a.pdf"
        first = await source.fetch(url)
        assert first is not None
        web.site.put("/a.pdf", b"%PDF-1.7 second")
        found = await source.fetch(url, known=first.revision)
        assert found is not None
        assert found.content == b"%PDF-1.7 second"
        assert found.revision != first.revision

    async def test_a_revision_of_another_url_says_nothing(self, web: Web) -> None:
        source = web.source()
        web.site.put("/mirror.pdf", b"%PDF-1.7 first")
        first = await source.fetch(f"{web.base}/a.pdf")
        assert first is not None
        assert await source.fetch(f"{web.base}/mirror.pdf", known=first.revision) is not None


class TestRobots:
    async def test_are_asked_once_a_day(self, web: Web) -> None:
        source, url = web.source(), f"{web.base}/a.pdf"
        for _ in range(3):
            await source.fetch(url)
        assert web.site.requests == ["/robots.txt", "/a.pdf", "/a.pdf", "/a.pdf"]
        web.time.seconds += 86_400
        await source.fetch(url)
        assert web.site.requests.count("/robots.txt") == 2

    async def test_are_obeyed(self, web: Web) -> None:
        web.site.put("/robots.txt", b"User-agent: *\nAllow: /\n\nUser-agent: fundstelle\nDisallow: /a*.pdf$")
        web.site.put("/b.pdf", b"b")
        with pytest.raises(Refused) as caught:
            await web.source().fetch(f"{web.base}/a.pdf")
        assert caught.value.key == "url.robots"
        assert "/a.pdf" not in web.site.requests
        assert await web.source().fetch(f"{web.base}/b.pdf")

    async def test_are_not_asked_where_the_operator_says_so(self, web: Web) -> None:
        web.site.put("/robots.txt", b"User-agent: *\nDisallow: /")
        assert await web.source(robots=False).fetch(f"{web.base}/a.pdf")
        assert web.site.requests == ["/a.pdf"]

    async def test_that_cannot_be_read_forbid(self, web: Web) -> None:
        web.site.faults["/robots.txt"] = [BUSY] * 9
        with pytest.raises(Unavailable) as caught:
            await web.source().fetch(f"{web.base}/a.pdf")
        assert caught.value.key == "url.robots_unknown"
        assert set(web.site.requests) == {"/robots.txt"}

    async def test_set_the_pace_within_reason(self, web: Web) -> None:
        web.site.put("/robots.txt", b"User-agent: *\nCrawl-delay: 5000")
        await web.source().fetch(f"{web.base}/a.pdf")
        assert web.time.slept == [30.0]


class TestPace:
    async def test_a_pause_between_requests_to_a_host(self, web: Web) -> None:
        source, url = web.source(robots=False), f"{web.base}/a.pdf"
        await asyncio.gather(*(source.fetch(url) for _ in range(4)))
        assert web.time.slept == pytest.approx([2.0] * 3)

    async def test_other_hosts_do_not_wait(self, web: Web) -> None:
        source = web.source(robots=False)
        port = web.base.rpartition(":")[2]
        await asyncio.gather(*(source.fetch(f"http://{name}.org:{port}/a.pdf") for name in "abc"))
        assert web.time.slept == []


class TestFaults:
    async def test_a_passing_one_is_tried_again(self, web: Web) -> None:
        web.site.faults["/a.pdf"] = [BUSY, reply(status="429 Too Many Requests", retry_after="20")]
        assert await web.source(robots=False).fetch(f"{web.base}/a.pdf")
        assert web.site.requests == ["/a.pdf"] * 3
        assert [seconds for seconds in web.time.slept if seconds >= 10] == [10.0, 20.0]

    async def test_not_for_ever(self, web: Web) -> None:
        web.site.faults["/a.pdf"] = [BUSY] * 9
        with pytest.raises(Unavailable) as caught:
            await web.source(robots=False).fetch(f"{web.base}/a.pdf")
        assert caught.value.key == "url.server"
        assert web.site.requests == ["/a.pdf"] * 3

    async def test_a_server_that_wants_to_be_left_alone_is(self, web: Web) -> None:
        web.site.faults["/a.pdf"] = [reply(status="503 Service Unavailable", retry_after="3600")]
        with pytest.raises(Unavailable) as caught:
            await web.source(robots=False).fetch(f"{web.base}/a.pdf")
        assert caught.value.retry_after_s == 3600
        assert web.site.requests == ["/a.pdf"]

    async def test_what_is_gone_is_not_asked_for_again(self, web: Web) -> None:
        with pytest.raises(Refused) as caught:
            await web.source(robots=False).fetch(f"{web.base}/gone.pdf")
        assert caught.value.values["status"] == 404
        assert web.site.requests == ["/gone.pdf"]

    async def test_nothing_inside_is_fetched_without_the_rules_of_a_test(self, web: Web) -> None:
        port = int(web.base.rpartition(":")[2])
        strict = web.source(robots=False, allowed=Rules(ports=frozenset({port})))
        for known in (None, Revision(url=f"http://127.0.0.1:{port}/a.pdf", etag='"1"')):
            with pytest.raises(Refused) as caught:
                await strict.fetch(f"http://127.0.0.1:{port}/a.pdf", known=known)
            assert caught.value.key == "url.address"
        assert web.site.requests == []
