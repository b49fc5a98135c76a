"""What `serve` listens with: health, metrics, Slack's signed events, and what is mounted beside them."""

import asyncio
import logging
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

from core.errors import FundstelleError

MAX_BODY = 1_000_000
"""Maximum bytes of a request, where nothing else is said of it."""

MOST_CONNECTIONS = 200
KEEP_ALIVE_S = 15

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
                Mount(path, app),
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


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are for the whole bot."""
        yield


@asynccontextmanager
async def listening(endpoint: HttpEndpoint, host: str, port: int) -> AsyncIterator[int]:
    """Listen while the context lasts; the port (the one that was free, for port 0). Raises OSError where
    that cannot be had."""
    config = uvicorn.Config(
        endpoint.application(),
        host=host,
        port=port,
        http="h11",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=1,
    )
    listener = socket.create_server((host, port), family=_family(host))
    listener.setblocking(False)
    server = _Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await serving
        listener.close()


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
