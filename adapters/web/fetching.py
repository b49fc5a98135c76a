"""Fetching a document from the web without reaching anything inside.

Each hop's host is resolved once, all its addresses are checked, and the connection goes to a checked address,
so that a name server cannot change its answer in between (DNS rebinding).
"""

import asyncio
import ssl
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from urllib.parse import urlsplit

import httpx

from adapters.headers import mark, retry_after, size
from adapters.web.addresses import PUBLIC, Address, Rules, host_of, parsed
from core.domain.ingestion import Revision
from core.errors import FundstelleError, Refused, Unavailable

REDIRECTS = 3
ADDRESSES_TRIED = 4
LATER_S = 10.0
"""When to retry if a failing server does not say so."""
HEADERS = {"User-Agent": "fundstelle", "Accept-Encoding": "identity", "Accept": "application/pdf, */*;q=0.5"}


# Collects a response's body within a limit that also applies to decompression.

GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
PLAIN = frozenset({"", "identity"})
ZIPPED = frozenset({"gzip", "x-gzip", "deflate"})


class Collector:
    """Takes raw chunks and keeps at most `max_bytes` decoded bytes. We request no compression, but some
    servers compress anyway."""

    def __init__(self, max_bytes: int, headers: Mapping[str, str]) -> None:
        encoding = headers.get("content-encoding", "").strip().lower()
        if encoding not in PLAIN | ZIPPED:
            raise Refused(
                "url.encoding", f"the server compresses with {encoding}; download the file yourself"
            )
        if (size(headers.get("content-length")) or 0) > max_bytes:
            raise too_large(max_bytes)
        self._max_bytes = max_bytes
        self._inflater = zlib.decompressobj(GZIP_OR_ZLIB) if encoding in ZIPPED else None
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, chunk: bytes) -> None:
        """Take a chunk as it came. Raises Refused("url.too_large") or Refused("url.encoding")."""
        if self._inflater is not None:
            try:
                chunk = self._inflater.decompress(chunk, self._max_bytes - self._size + 1)
            except zlib.error as error:
                raise Refused("url.encoding", "the compressed body is damaged; try another source") from error
        self._size += len(chunk)
        if self._size > self._max_bytes:
            raise too_large(self._max_bytes)
        self._parts.append(chunk)

    def content(self) -> bytes:
        """The whole body. Raises Refused("url.encoding") if a compressed one ends too early."""
        if self._inflater is not None and not self._inflater.eof:
            raise Refused("url.encoding", "the compressed body is incomplete; try another source")
        return b"".join(self._parts)


def too_large(max_bytes: int) -> Refused:
    """The body is over the limit."""
    limit = f"{max_bytes / 1_000_000:g} MB"
    return Refused("url.too_large", f"the file is larger than {limit}; take a smaller one", limit=limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The decoded response. Headers are None if the server did not send them."""

    content: bytes
    content_type: str | None
    etag: str | None
    last_modified: str | None
    final_url: str


async def fetch(
    url: str,
    *,
    max_bytes: int,
    timeout_s: float = 60.0,
    rules: Rules = PUBLIC,
    headers: Mapping[str, str] = MappingProxyType({}),
) -> Fetched:
    """GET `url`, following at most three redirects.

    `max_bytes` limits the decoded body, `timeout_s` everything together. Raises Refused("url....")
    for what will not work again either (an address inside, another scheme or port, too large, not
    there; an answer's number is the value `status`), Unavailable("url....") for what may.
    """
    try:
        async with asyncio.timeout(timeout_s):
            return await _get(url, max_bytes, rules, headers)
    except TimeoutError as error:
        raise Unavailable("url.timeout", f"{url} took longer than {timeout_s:g} s") from error
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, httpx.CookieConflict, ValueError) as error:
        raise translate(error, url) from error  # a ValueError: an unreadable address or header


async def fetch_changed(
    url: str, known: Revision, *, max_bytes: int, timeout_s: float = 60.0, rules: Rules = PUBLIC
) -> Fetched | None:
    """Like `fetch`, but None where the server says that `known` is still what it has (RFC 9110, section
    13.1): one request, and no body is read."""
    headers = {"If-None-Match": known.etag or "", "If-Modified-Since": known.last_modified or ""}
    stated = {name: value for name in headers if (value := mark(headers, name))}
    try:
        return await fetch(url, max_bytes=max_bytes, timeout_s=timeout_s, rules=rules, headers=stated)
    except Refused as error:
        if stated and error.values.get("status") == httpx.codes.NOT_MODIFIED:
            return None
        raise


async def _get(url: str, max_bytes: int, rules: Rules, headers: Mapping[str, str]) -> Fetched:
    """GET, following redirects here: httpx would read their bodies, however large."""
    async with httpx.AsyncClient(
        transport=GuardedTransport(rules),
        trust_env=False,
        timeout=None,  # noqa: S113 - the caller's limit covers everything
        headers=HEADERS,
    ) as client:
        request: httpx.Request = client.build_request("GET", parsed(url), headers=dict(headers))
        for _ in range(REDIRECTS + 1):
            response = await client.send(request, stream=True)
            try:
                if response.next_request is None:
                    return await _read(response, max_bytes)
                request = response.next_request
            finally:
                await response.aclose()
    raise Refused("url.redirects", f"{url} redirects more than {REDIRECTS} times; use the final address")


async def _read(response: httpx.Response, max_bytes: int) -> Fetched:
    _check_status(response)
    collector = Collector(max_bytes, response.headers)
    async for chunk in response.aiter_raw():
        collector.add(chunk)
    return Fetched(
        content=collector.content(),
        content_type=response.headers.get("content-type"),
        etag=mark(response.headers, "etag"),
        last_modified=mark(response.headers, "last-modified"),
        final_url=str(response.url),
    )


class GuardedTransport(httpx.AsyncBaseTransport):
    """Connects to checked addresses only; asked again for every hop of a redirect. One for each fetch: it
    knows whether a hop came from outside."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._was_outside = False
        self._inner = httpx.AsyncHTTPTransport(trust_env=False)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send `request` to the first of its host's addresses that answers. Raises Refused if the
        URL or any of the addresses is not allowed."""
        addresses = await self._checked(request.url)
        for address in addresses[:-1]:
            try:
                return await self._inner.handle_async_request(_pinned(request, address))
            except httpx.ConnectError:
                continue
        return await self._inner.handle_async_request(_pinned(request, addresses[-1]))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()

    async def _checked(self, url: httpx.URL) -> list[Address]:
        if url.scheme not in ("http", "https") or not host_of(url):
            detail = f"only http and https are fetched, not {url}; use https:// or http://"
            raise Refused("url.scheme", detail, url=str(url))
        if url.userinfo:
            raise Refused("url.credentials", "an address with a user name in it is not fetched; leave it out")
        port = (443 if url.scheme == "https" else 80) if url.port is None else url.port
        rules, host = self._rules, host_of(url)
        if port not in rules.ports and not rules.intranet.has_port(host, port):
            raise Refused("url.port", f"port {port} is not fetched; only 80 and 443 are", port=port)
        addresses = await rules.resolve(host, port)
        if addresses and port in rules.ports and all(rules.allows(address) for address in addresses):
            self._was_outside = True
            return addresses[:ADDRESSES_TRIED]
        inside = addresses and all(rules.intranet.admits(host, port, address) for address in addresses)
        if not inside or self._was_outside:
            detail = (
                f"{url.host} does not lie on the public internet; download the file yourself, or name the"
                " host in [library] intranet"
            )
            raise Refused("url.address", detail, host=url.host)
        return addresses[:ADDRESSES_TRIED]


def _pinned(request: httpx.Request, address: Address) -> httpx.Request:
    """The request directed to an address; the certificate must still be the host's."""
    return httpx.Request(
        request.method,
        request.url.copy_with(host=str(address)),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": host_of(request.url)},
    )


def _check_status(response: httpx.Response) -> None:
    status, url = response.status_code, str(response.url)
    if response.is_success:
        return
    if status == httpx.codes.TOO_MANY_REQUESTS or response.is_server_error:
        later = retry_after(response.headers.get("retry-after"), LATER_S)
        detail = f"{url} answers with status {status}"
        raise Unavailable("url.server", detail, retry_after_s=later, status=status)
    raise Refused("url.status", f"{url} answers with status {status}; check the address", status=status)


def translate(error: Exception, url: str) -> FundstelleError:
    """Our error for one of httpx's."""
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol | ValueError):
        return Refused("url.invalid", f"{url!r} is no web address: {error}")
    if isinstance(error, httpx.ConnectError) and _is_certificate(error):
        return Refused("url.certificate", f"the certificate of {url} is not valid; use another source")
    return Unavailable("url.unreachable", f"{url} cannot be fetched: {error or type(error).__name__}")


def _is_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


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
