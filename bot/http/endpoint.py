"""What `serve` listens with: health, metrics, Slack's signed events, and what is mounted beside them."""

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
"""Maximum bytes of a request, where nothing else is said of it."""

MOST_REQUESTS = 200
"""Requests at the same time; health is answered beside them."""

HEALTH = ("/livez", "/readyz")
KEEP_ALIVE_S = 15
WAIT_S = 10.0
"""Seconds within which a request has to have come, and each of them brings `LEAST_BYTES` of a longer body."""

LEAST_BYTES = 1000

Events = Callable[[Mapping[str, str], bytes], Awaitable[tuple[int, str]]]
"""Takes headers and body of a signed event; what to answer: status and text."""

_LOG = logging.getLogger(__name__)


class Standing(Protocol):
    """How things stand: what keeps the bot from answering, and all of it in lines."""

    @property
    def obstacles(self) -> Sequence[str]:
        """Why it is not ready."""

    @property
    def lines(self) -> Sequence[str]:
        """For people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpEndpoint:
    """Answers HTTP requests. `standing` says how things stand, `exposition` gives what Prometheus reads;
    `events` takes Slack's, None where Slack is not served over HTTP. `mounts` are applications by the path
    that they are reached under; one with a `lifespan` has it run."""

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
        """Those of the mounted applications, which nobody else runs."""
        async with AsyncExitStack() as stack:
            for app in self.mounts.values():
                router = getattr(app, "router", None)
                await stack.enter_async_context(router.lifespan_context(app) if router else nullcontext())
            yield

    async def _live(self, _: Request) -> Response:
        """The process answers."""
        return PlainTextResponse("alive\n")

    async def _is_ready(self, _: Request) -> Response:
        """It can answer questions, somebody can ask them, and none has been waiting for long; what came while
        the bot was stopped waits since the start. What is missing is named in either case."""
        standing = await self.standing()
        text = "".join(f"{line}\n" for line in standing.lines)
        return PlainTextResponse(text, 503 if standing.obstacles else 200)

    async def _metrics(self, _: Request) -> Response:
        """In the text format of Prometheus."""
        return Response(await self.exposition(), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})

    async def _slack(self, request: Request) -> Response:
        """Slack's event, a command or a pressed button; acknowledged once it is written down."""
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
    """A mount that is reached by a path with a line break as well, of which Starlette's own knows nothing."""
    mount = Mount(path, app)
    mount.path_regex = re.compile(rf"^{re.escape(path)}/(?P<path>(?s:.*))\Z")
    return mount


async def body_of(receive: Receive, most: int) -> bytes | None:
    """The body of a request; None for one of more than `most` bytes, or one that broke off."""
    content = bytearray()
    while True:
        message = await receive()
        content += message.get("body", b"")
        if len(content) > most or message["type"] == "http.disconnect":
            return None
        if not message.get("more_body"):
            return bytes(content)


class Bounded:
    """An application whose requests have at most `most` bytes; others get what `refuse` answers. Those to the
    path `beside` read their body themselves."""

    def __init__(self, app: ASGIApp, most: int, refuse: ASGIApp, *, beside: str) -> None:
        self._app = app
        self._most = most
        self._refuse = refuse
        self._beside = beside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The body is read whole before anything is done with it."""
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
    """An application that does `MOST_REQUESTS` at a time; a connection that asks for nothing is none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Further ones are told to come again."""
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
    """Closes a connection whose request, or its body, does not come: uvicorn itself only closes one that
    falls silent after an answer."""

    _look: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It is looked at again and again."""
        super().connection_made(transport)
        self._came = 0
        self._seen: RequestResponseCycle | None = None
        self._look = self.loop.call_later(WAIT_S, self._close_idle)

    def data_received(self, data: bytes) -> None:
        """Count it."""
        self._came += len(data)
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to look at."""
        self._look.cancel()
        super().connection_lost(exc)

    def _close_idle(self) -> None:
        """Close it where the client owed something since the last look."""
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
        """Signals are for the whole bot."""
        yield


@asynccontextmanager
async def listening(
    endpoint: HttpEndpoint, host: str, port: int, *, proxies: Sequence[str] = ()
) -> AsyncIterator[int]:
    """Listen while the context lasts; the port (the one that was free, for port 0). `proxies` are addresses
    and networks whose X-Forwarded-For is believed. Raises OSError where the port cannot be had."""
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
