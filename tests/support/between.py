"""A proxy between the bot and a server, which passes everything on unless a test says otherwise."""

import asyncio
from typing import Self

import aiohttp
from aiohttp import web

PAGE = "<!DOCTYPE html><html><body>Please sign in to the network</body></html>"
PAGES = [
    (200, "text/html", PAGE),
    (200, "text/plain", PAGE),
    (200, "application/json", PAGE),
    (200, "application/json", "[]"),
    (200, "application/json", ""),
    (400, "text/html", PAGE),
    (401, "text/html", PAGE),
    (401, "application/json", '{"message": "Unauthorized"}'),
    (403, "text/html", PAGE),
    (404, "text/plain", "not found"),
    (407, "text/html", PAGE),
    (502, "text/html", PAGE),
    (503, "application/json", '{"error": {"code": 503}}'),
    (504, "text/html", PAGE),
]
"""Status, content type and text of responses by proxies and gateways."""

_HOPS = {"host", "content-length", "transfer-encoding", "connection", "content-encoding"}


class Between:
    """Runs in front of the server at `target` while the context lasts. `page`, if set, answers every request;
    a request whose path contains a word in `silent` gets no response until the word is removed."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.page: tuple[int, str, str] | None = None
        self.only = ""
        self.silent = set[str]()
        self.asked = list[str]()
        self.url = ""

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession()
        app = web.Application(client_max_size=1 << 26)
        app.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.silent.clear()
        await self._runner.cleanup()
        await self._session.close()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        while any(word in request.path for word in self.silent):  # noqa: ASYNC110 - until the test says so
            await asyncio.sleep(0.02)
        if self.page is not None and self.only in request.path:
            status, kind, text = self.page
            return web.Response(status=status, content_type=kind, text=text)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _HOPS}
        async with self._session.request(
            request.method,
            self.target + request.path_qs,
            data=await request.read(),
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=90),
        ) as response:
            body = await response.read()
            kept = {name: value for name, value in response.headers.items() if name.lower() not in _HOPS}
            return web.Response(status=response.status, body=body, headers=kept)
