import asyncio
import gzip
import inspect
import ssl
from collections.abc import Iterator
from ipaddress import ip_address

import httpx
import pytest

from adapters.web.addresses import PUBLIC, Address, Rules
from adapters.web.fetching import fetch, fetch_changed, translate
from core.domain.ingestion import Revision
from core.errors import Broken, FundstelleError, Refused, Unavailable
from tests.support.connections import attempted_connections
from tests.support.hostile_urls import HOSTILE, INSIDE
from tests.support.web_server import LOOPBACK, reply, rules, server

PUBLIC_HOST = ip_address("93.184.216.34")

ADDRESSES = [(f"http://[{text}]/" if ":" in text else f"http://{text}/", "url.address") for text in INSIDE]


def test_the_table_of_hostile_urls_is_long() -> None:
    assert len({url for url, _ in HOSTILE}) >= 100
    assert len(set(INSIDE)) >= 55


@pytest.mark.parametrize(("url", "key"), HOSTILE + ADDRESSES)
async def test_hostile_urls(url: str, key: str) -> None:
    with attempted_connections() as attempts, pytest.raises(Refused) as caught:
        await fetch(url, max_bytes=100, timeout_s=5)
    assert attempts == []
    assert caught.value.key in (key, "url.unknown_host", "url.invalid")
    assert key != "url.port" or caught.value.key == key


async def test_a_document() -> None:
    seen: dict[str, str] = {}

    def answer(_path: str, headers: dict[str, str]) -> bytes:
        seen.update(headers)
        return reply(
            b"%PDF-1.7",
            content_type="application/pdf",
            etag='"7"',
            last_modified="Sun, 01 Mar 2026 00:00:00 GMT",
        )

    async with server(answer) as port:
        url = f"http://example.org:{port}/a.pdf"
        found = await fetch(url, max_bytes=100, rules=rules(port))
    assert found.content == b"%PDF-1.7"
    assert (found.content_type, found.etag) == ("application/pdf", '"7"')
    assert found.last_modified == "Sun, 01 Mar 2026 00:00:00 GMT"
    assert found.final_url == url
    assert seen["host"] == f"example.org:{port}"
    assert seen["accept-encoding"] == "identity"


async def test_loopback_is_refused_without_the_test_rules() -> None:
    async with server(lambda *_: reply(b"inside")) as port:
        with pytest.raises(Refused) as caught:
            await fetch(f"http://127.0.0.1:{port}/", max_bytes=100, rules=Rules(ports=frozenset({port})))
    assert caught.value.key == "url.address"


class TestNames:
    async def test_one_bad_address_among_good_ones_is_enough(self) -> None:
        async def mixed(_host: str, _port: int) -> list[Address]:
            return [PUBLIC_HOST, ip_address("10.0.0.1")]

        with pytest.raises(Refused) as caught:
            await fetch("http://example.org/", max_bytes=1, rules=Rules(resolve=mixed))
        assert caught.value.key == "url.address"

    async def test_a_name_without_addresses(self) -> None:
        async def none(_host: str, _port: int) -> list[Address]:
            return []

        with pytest.raises(Refused) as caught:
            await fetch("http://example.org/", max_bytes=1, rules=Rules(resolve=none))
        assert caught.value.key == "url.address"

    async def test_a_name_that_changes_its_address(self) -> None:
        """The checked address is the one connected to: the name is asked once a hop."""
        asked: list[str] = []

        async def rebinding(host: str, _port: int) -> list[Address]:
            asked.append(host)
            return [LOOPBACK if len(asked) == 1 else ip_address("10.0.0.1")]

        async with server(lambda *_: reply(b"good")) as port:
            found = await fetch(f"http://example.org:{port}/", max_bytes=9, rules=rules(port, rebinding))
        assert found.content == b"good"
        assert asked == ["example.org"]

    async def test_no_change_of_address_leads_inside(self) -> None:
        """Whatever the name means when it is asked, nothing inside is connected to."""
        answers = [[LOOPBACK], [ip_address("10.0.0.1")], [LOOPBACK, ip_address("::1")], [LOOPBACK]]

        async def rebinding(_host: str, _port: int) -> list[Address]:
            return answers.pop(0)

        outcomes = []
        async with server(lambda *_: reply(b"good")) as port:
            with attempted_connections() as attempts:
                while answers:
                    try:
                        await fetch(f"http://example.org:{port}/", max_bytes=9, rules=rules(port, rebinding))
                        outcomes.append("")
                    except Refused as error:
                        outcomes.append(error.key)
        assert outcomes == ["", "url.address", "url.address", ""]
        assert attempts == [("127.0.0.1", port)] * 2

    async def test_a_redirect_is_checked_anew(self) -> None:
        async def rebinding(host: str, _port: int) -> list[Address]:
            return [LOOPBACK if host == "example.org" else ip_address("10.0.0.1")]

        def answer(_path: str, headers: dict[str, str]) -> bytes:
            return reply(status="302 Found", location="http://inside.example/")

        async with server(answer) as port:
            with pytest.raises(Refused) as caught:
                await fetch(f"http://example.org:{port}/", max_bytes=9, rules=rules(port, rebinding))
        assert caught.value.key == "url.address"

    async def test_the_next_address_is_tried_where_one_does_not_answer(self) -> None:
        async def two(_host: str, _port: int) -> list[Address]:
            return [ip_address("127.0.0.9"), LOOPBACK]

        async with server(lambda *_: reply(b"good")) as port:
            open_to_both = Rules(allows=lambda _: True, resolve=two, ports=frozenset({port}))
            found = await fetch(f"http://example.org:{port}/", max_bytes=9, rules=open_to_both)
        assert found.content == b"good"


class TestRedirects:
    @staticmethod
    def counting(path: str, _headers: dict[str, str]) -> bytes:
        left = int(path.strip("/"))
        return reply(b"end") if left == 0 else reply(status="302 Found", location=f"/{left - 1}")

    async def test_three_are_followed(self) -> None:
        async with server(self.counting) as port:
            found = await fetch(f"http://example.org:{port}/3", max_bytes=9, rules=rules(port))
        assert found.content == b"end"
        assert found.final_url == f"http://example.org:{port}/0"

    async def test_four_are_not(self) -> None:
        async with server(self.counting) as port:
            with pytest.raises(Refused) as caught:
                await fetch(f"http://example.org:{port}/4", max_bytes=9, rules=rules(port))
        assert caught.value.key == "url.redirects"

    @pytest.mark.parametrize(
        ("location", "key"),
        [
            ("file:///etc/passwd", "url.scheme"),
            ("ftp://example.org/", "url.scheme"),
            ("http://example.org:22/", "url.port"),
            ("http://user@example.org/", "url.credentials"),
        ],
    )
    async def test_to_somewhere_else(self, location: str, key: str) -> None:
        async with server(lambda *_: reply(status="302 Found", location=location)) as port:
            with pytest.raises(Refused) as caught:
                await fetch(f"http://example.org:{port}/", max_bytes=9, rules=rules(port))
        assert caught.value.key == key

    async def test_the_body_of_a_redirect_is_not_read(self) -> None:
        def answer(path: str, _headers: dict[str, str]) -> bytes:
            if path == "/end":
                return reply(b"end")
            return reply(gzip.compress(bytes(10**6)), "302 Found", location="/end", content_encoding="br")

        async with server(answer) as port:
            found = await fetch(f"http://example.org:{port}/", max_bytes=9, rules=rules(port))
        assert found.content == b"end"


class TestLimits:
    async def fetched(self, answer: bytes, max_bytes: int = 1000, timeout_s: float = 20) -> bytes:
        async with server(lambda *_: answer) as port:
            url = f"http://example.org:{port}/"
            found = await fetch(url, max_bytes=max_bytes, timeout_s=timeout_s, rules=rules(port))
        return found.content

    async def refusal(self, answer: bytes, max_bytes: int = 1000) -> str:
        with pytest.raises(Refused) as caught:
            await self.fetched(answer, max_bytes)
        return caught.value.key

    async def test_as_large_as_allowed(self) -> None:
        assert len(await self.fetched(reply(bytes(1000)))) == 1000

    async def test_too_large_by_its_own_word(self) -> None:
        assert await self.refusal(reply(b"", content_length="1001")) == "url.too_large"

    async def test_too_large_without_a_word(self) -> None:
        chunked = b"3e9\r\n" + bytes(1001) + b"\r\n0\r\n\r\n"
        head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
        assert await self.refusal(head + chunked) == "url.too_large"

    @pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZIP"])
    async def test_compressed(self, encoding: str) -> None:
        answer = reply(gzip.compress(bytes(1000)), content_encoding=encoding)
        assert await self.fetched(answer) == bytes(1000)

    async def test_bomb(self) -> None:
        answer = reply(gzip.compress(bytes(10**7)), content_encoding="gzip")
        assert await self.refusal(answer, max_bytes=100_000) == "url.too_large"

    async def test_other_compression(self) -> None:
        assert await self.refusal(reply(b"x", content_encoding="br")) == "url.encoding"

    async def test_damaged_compression(self) -> None:
        assert await self.refusal(reply(b"no gzip", content_encoding="gzip")) == "url.encoding"
        whole = gzip.compress(b"some text")
        assert await self.refusal(reply(whole[:-9], content_encoding="gzip")) == "url.encoding"

    async def test_a_server_that_dawdles(self) -> None:
        async with server(lambda *_: b"") as port:
            busy = asyncio.Event()

            async def never(_host: str, _port: int) -> list[Address]:
                await busy.wait()
                return []

            with pytest.raises(Unavailable) as caught:
                await fetch("http://example.org/", max_bytes=9, timeout_s=0.05, rules=rules(port, never))
        assert caught.value.key == "url.timeout"

    async def test_a_body_that_ends_too_early(self) -> None:
        with pytest.raises(Unavailable) as caught:
            await self.fetched(reply(b"half", content_length="8"))
        assert caught.value.key == "url.unreachable"


class TestStatus:
    @pytest.mark.parametrize(
        ("status", "kind", "key"),
        [
            ("404 Not Found", Refused, "url.status"),
            ("403 Forbidden", Refused, "url.status"),
            ("304 Not Modified", Refused, "url.status"),
            ("302 Found", Refused, "url.status"),
            ("429 Too Many Requests", Unavailable, "url.server"),
            ("500 Internal Server Error", Unavailable, "url.server"),
            ("503 Service Unavailable", Unavailable, "url.server"),
        ],
    )
    async def test_failures(self, status: str, kind: type[FundstelleError], key: str) -> None:
        async with server(lambda *_: reply(status=status)) as port:
            with pytest.raises(kind) as caught:
                await fetch(f"http://example.org:{port}/", max_bytes=9, rules=rules(port))
        assert caught.value.key == key


class TestConditions:
    KNOWN = Revision(url="", etag='"7"', last_modified="Sun, 01 Mar 2026 00:00:00 GMT")

    async def test_unchanged(self) -> None:
        seen: list[dict[str, str]] = []

        def answer(_path: str, headers: dict[str, str]) -> bytes:
            seen.append(headers)
            return reply(status="304 Not Modified")

        async with server(answer) as port:
            url = f"http://example.org:{port}/"
            assert await fetch_changed(url, self.KNOWN, max_bytes=9, rules=rules(port)) is None
        assert [(each["if-none-match"], each["if-modified-since"]) for each in seen] == [
            ('"7"', "Sun, 01 Mar 2026 00:00:00 GMT")
        ]

    async def test_changed(self) -> None:
        async with server(lambda *_: reply(b"new", etag='"8"')) as port:
            url = f"http://example.org:{port}/"
            found = await fetch_changed(url, self.KNOWN, max_bytes=9, rules=rules(port))
        assert found is not None
        assert (found.content, found.etag) == (b"new", '"8"')

    async def test_nothing_known_and_yet_unchanged(self) -> None:
        async with server(lambda *_: reply(status="304 Not Modified")) as port:
            url = f"http://example.org:{port}/"
            with pytest.raises(Refused) as caught:
                await fetch_changed(url, Revision(url=url), max_bytes=9, rules=rules(port))
        assert caught.value.key == "url.status"


@pytest.mark.parametrize(
    ("stated", "seconds"),
    [("7", 7), ("0", 1), ("999999", 86_400), ("", 10), ("soon", 10), ("Sun, 01 Mar 2020 00:00:00 GMT", 1)],
)
async def test_when_a_server_wants_to_be_asked_again(stated: str, seconds: float) -> None:
    async with server(lambda *_: reply(status="503 Service Unavailable", retry_after=stated)) as port:
        with pytest.raises(Unavailable) as caught:
            await fetch(f"http://example.org:{port}/", max_bytes=9, rules=rules(port))
    assert caught.value.retry_after_s == seconds


async def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    async with server(lambda *_: reply(b"direct")) as port:
        found = await fetch(f"http://example.org:{port}/", max_bytes=9, rules=rules(port))
    assert found.content == b"direct"


async def test_nobody_listens() -> None:
    async with server(lambda *_: reply()) as port:
        closed = port
    with pytest.raises(Unavailable) as caught:
        await fetch(f"http://example.org:{closed}/", max_bytes=9, rules=rules(closed))
    assert caught.value.key == "url.unreachable"


def errors_of_httpx() -> Iterator[type[Exception]]:
    for kind in vars(httpx).values():
        if inspect.isclass(kind) and issubclass(kind, httpx.HTTPError | httpx.InvalidURL | httpx.StreamError):
            yield kind


@pytest.mark.parametrize("kind", list(errors_of_httpx()))
def test_every_error_of_httpx_is_translated(kind: type[Exception]) -> None:
    error = kind.__new__(kind)
    Exception.__init__(error, "said")
    ours = translate(error, "http://example.org/")
    assert isinstance(ours, FundstelleError)
    assert not isinstance(ours, Broken)


def test_a_bad_certificate_is_no_passing_fault() -> None:
    error = httpx.ConnectError("verify failed")
    error.__cause__ = ssl.SSLCertVerificationError()
    assert translate(error, "https://example.org/").key == "url.certificate"


def test_the_default_rules_are_the_strict_ones() -> None:
    assert PUBLIC.ports == {80, 443}
    assert not PUBLIC.allows(LOOPBACK)


async def test_the_certificate_asked_for_is_the_hosts() -> None:
    """The connection goes to an address, but the greeting names the host (server name indication)."""
    greetings: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        greetings.append(await reader.read(4096))
        writer.close()
        await writer.wait_closed()

    running = await asyncio.start_server(listen, "127.0.0.1", 0)
    async with running:
        port = running.sockets[0].getsockname()[1]
        with pytest.raises(Unavailable):
            await fetch(f"https://programme.example.org:{port}/", max_bytes=9, rules=rules(port))
    assert b"programme.example.org" in greetings[0]
