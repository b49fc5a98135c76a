"""The HTTP endpoint of `serve`: health, metrics, Slack's signed events, and mounted applications."""

import asyncio
import logging
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

import uvicorn
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from core.errors import FundstelleError

MAX_BODY = 1_000_000
"""Default maximum bytes of a request."""

MOST_REQUESTS = 200
"""Maximum concurrent requests, not counting health checks."""

HEALTH = ("/livez", "/readyz")
KEEP_ALIVE_S = 15
WAIT_S = 10.0
"""Seconds within which a request has to arrive; a longer body must bring `LEAST_BYTES` in each of them."""

LEAST_BYTES = 1000

Events = Callable[[Mapping[str, str], bytes], Awaitable[tuple[int, str]]]
"""Takes headers and body of a signed event; returns status and text of the response."""

_LOG = logging.getLogger(__name__)


class Standing(Protocol):
    """The bot's status: what keeps it from answering, and all details as lines."""

    @property
    def obstacles(self) -> Sequence[str]:
        """The reasons why it is not ready."""

    @property
    def lines(self) -> Sequence[str]:
        """Lines for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpEndpoint:
    """Answers HTTP requests. `standing` returns the status, `exposition` the text for Prometheus; `events`
    takes Slack's, None if Slack is not served over HTTP. `mounts` are applications by their path; a
    `lifespan` is run if they have one."""

    standing: Callable[[], Awaitable[Standing]]
    exposition: Callable[[], Awaitable[bytes]]
    events: Events | None = None
    mounts: Mapping[str, ASGIApp] = field(default_factory=dict)

    def application(self) -> ASGIApp:
        """The routes."""
        routes: list[BaseRoute] = [
            Route("/livez", self._live),
            Route("/readyz", self._is_ready),
            Route("/metrics", self._metrics),
        ]
        if self.events is not None:
            routes.append(Route("/slack/events", self._slack, methods=["POST"]))
        for path, app in self.mounts.items():
            routes += [
                Route(path, app),
                _mounted(path, app),
            ]  # a bare path is no redirect: not everybody follows
        return Starlette(routes=routes, lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """The lifespans of the mounted applications, which nothing else runs."""
        async with AsyncExitStack() as stack:
            for app in self.mounts.values():
                router = getattr(app, "router", None)
                await stack.enter_async_context(router.lifespan_context(app) if router else nullcontext())
            yield

    async def _live(self, _: Request) -> Response:
        """Liveness: the process responds."""
        return PlainTextResponse("alive\n")

    async def _is_ready(self, _: Request) -> Response:
        """Readiness: it can answer questions, somebody can ask them, and none has been waiting for long;
        messages from before the start count as waiting since the start. Anything missing is named in either
        case."""
        standing = await self.standing()
        text = "".join(f"{line}\n" for line in standing.lines)
        return PlainTextResponse(text, 503 if standing.obstacles else 200)

    async def _metrics(self, _: Request) -> Response:
        """Metrics in the text format of Prometheus."""
        return Response(await self.exposition(), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})

    async def _slack(self, request: Request) -> Response:
        """Slack's event, a command or a pressed button; acknowledged once it is stored."""
        assert self.events is not None  # noqa: S101 - the route exists only then
        content = await body_of(request.receive, MAX_BODY)
        if content is None:
            return PlainTextResponse("too large\n", 413)
        try:
            status, text = await self.events({**request.headers}, content)
        except FundstelleError as error:
            _LOG.warning("an event of Slack was not taken over: %s", error.key)
            return PlainTextResponse("try again\n", 503)
        kind = "application/json" if text.startswith("{") else "text/plain"
        return Response(text, status, media_type=kind)


def _mounted(path: str, app: ASGIApp) -> Mount:
    """A mount that also matches paths with a line break, which Starlette's own does not."""
    mount = Mount(path, app)
    mount.path_regex = re.compile(rf"^{re.escape(path)}/(?P<path>(?s:.*))\Z")
    return mount


async def body_of(receive: Receive, most: int) -> bytes | None:
    """The body of a request; None if it has more than `most` bytes, or broke off."""
    content = bytearray()
    while True:
        message = await receive()
        content += message.get("body", b"")
        if len(content) > most or message["type"] == "http.disconnect":
            return None
        if not message.get("more_body"):
            return bytes(content)


class Bounded:
    """An application whose requests have at most `most` bytes; larger ones get the response of `refuse`.
    Requests to the path `beside` read their body themselves."""

    def __init__(self, app: ASGIApp, most: int, refuse: ASGIApp, *, beside: str) -> None:
        self._app = app
        self._most = most
        self._refuse = refuse
        self._beside = beside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole body before anything else."""
        if scope["type"] != "http" or scope["path"].endswith(self._beside):
            return await self._app(scope, receive, send)
        content = await body_of(receive, self._most)
        if content is None:
            return await self._refuse(scope, receive, send)
        given = False

        async def replayed() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": content, "more_body": False}

        return await self._app(scope, replayed, send)


class _Counted:
    """An application that handles `MOST_REQUESTS` at a time; idle connections do not count."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Further ones are told to try again later."""
        if scope["type"] != "http" or scope["path"] in HEALTH:
            return await self._app(scope, receive, send)
        if self._running >= MOST_REQUESTS:
            busy = PlainTextResponse("too many requests; try again later\n", 503, {"Retry-After": "5"})
            return await busy(scope, receive, send)
        self._running += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._running -= 1


class _Protocol(H11Protocol):
    """Closes a connection whose request, or its body, does not arrive: uvicorn itself only closes one that
    falls silent after a response."""

    _look: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start checking the connection periodically."""
        super().connection_made(transport)
        self._came = 0
        self._seen: RequestResponseCycle | None = None
        self._look = self.loop.call_later(WAIT_S, self._close_idle)

    def data_received(self, data: bytes) -> None:
        """Count the received bytes."""
        self._came += len(data)
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop checking."""
        self._look.cancel()
        super().connection_lost(exc)

    def _close_idle(self) -> None:
        """Close the connection if the client has owed data since the last check."""
        now: RequestResponseCycle | None = self.cycle
        if now is None or now.response_complete:
            owes = True
        else:
            held = self.flow.read_paused or now.waiting_for_100_continue
            owes = now.more_body and not held and self._came < LEAST_BYTES
        if owes and now is self._seen:
            self.transport.close()
            return
        self._came, self._seen = 0, now
        self._look = self.loop.call_later(WAIT_S, self._close_idle)


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the bot as a whole."""
        yield


@asynccontextmanager
async def listening(
    endpoint: HttpEndpoint, host: str, port: int, *, proxies: Sequence[str] = ()
) -> AsyncIterator[int]:
    """Listen while the context lasts; yields the port (a free one for port 0). `proxies` are addresses and
    networks whose X-Forwarded-For is trusted. Raises OSError if the port is not available."""
    config = uvicorn.Config(
        _Counted(endpoint.application()),
        host=host,
        port=port,
        http=_Protocol,
        forwarded_allow_ips=list(proxies),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=1,
    )
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setblocking(False)
    server = _Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await serving
        listener.close()
