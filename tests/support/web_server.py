"""A web server on loopback with given answers, and the rules under which it may be reached."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address

from adapters.web.addresses import Address, Rules

LOOPBACK = ip_address("127.0.0.1")
Answer = Callable[[str, dict[str, str]], bytes]
"""The raw bytes of a reply, from path and headers (names in lower case)."""


@asynccontextmanager
async def server(answer: Answer, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A web server on loopback, with `tls` where it is given; its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        named = [line.split(": ", 1) for line in lines[1:] if ": " in line]
        writer.write(answer(lines[0].split(" ")[1], {name.lower(): value for name, value in named}))
        writer.close()
        await writer.wait_closed()

    running = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    async with running:
        yield running.sockets[0].getsockname()[1]


def reply(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """A whole answer; `_` in a header's name stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    named.setdefault("content-length", str(len(body)))
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status}\r\n{head}connection: close\r\n\r\n".encode() + body


def rules(port: int, resolve: Callable[[str, int], Awaitable[list[Address]]] | None = None) -> Rules:
    """Loopback counts as public, and nothing else does."""

    async def always_loopback(_host: str, _port: int) -> list[Address]:
        return [LOOPBACK]

    return Rules(
        allows=lambda address: address == LOOPBACK,
        resolve=resolve or always_loopback,
        ports=frozenset({port, 80, 443}),
    )


@dataclass
class Site:
    """Files by path, served with revisions; `requests` are the requested paths, `sent` counts the bytes of
    files served. `faults` are responses given once each before the file is. `robots.txt` only exists if
    set."""

    files: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    faults: dict[str, list[bytes]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    sent: int = 0

    def put(self, path: str, body: bytes, content_type: str = "application/pdf") -> None:
        """Serve `body` at `path`."""
        self.files[path] = (body, content_type)

    def answer(self, path: str, headers: dict[str, str]) -> bytes:
        """The response of a server with validators."""
        self.requests.append(path)
        if self.faults.get(path):
            return self.faults[path].pop(0)
        if path not in self.files:
            return reply(b"not here", "404 Not Found")
        body, content_type = self.files[path]
        etag = f'"{hash(body)}"'
        if headers.get("if-none-match") == etag:
            return reply(b"", "304 Not Modified", etag=etag)
        self.sent += len(body)
        return reply(body, content_type=content_type, etag=etag)
