"""The HTTP endpoint of `serve`: liveness, readiness, metrics, and Slack's signed events."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from aiohttp import web
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from bot.service.standing import Standing
from core.errors import FundstelleError

MAX_BODY = 1_000_000
"""Maximum bytes of a request."""

Events = Callable[[Mapping[str, str], bytes], Awaitable[tuple[int, str]]]
"""Takes headers and body of a signed event; what to answer: status and text."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpEndpoint:
    """Answers HTTP requests. `standing` says how things stand, `exposition` gives what Prometheus reads;
    `events` takes Slack's, None where Slack is not served over HTTP."""

    standing: Callable[[], Awaitable[Standing]]
    exposition: Callable[[], Awaitable[bytes]]
    events: Events | None = None

    def application(self) -> web.Application:
        """The routes."""
        found = web.Application(client_max_size=MAX_BODY)
        found.router.add_get("/livez", self._live)
        found.router.add_get("/readyz", self._is_ready)
        found.router.add_get("/metrics", self._metrics)
        if self.events is not None:
            found.router.add_post("/slack/events", self._slack)
        return found

    async def _live(self, _: web.Request) -> web.Response:
        """The process answers."""
        return web.Response(text="alive\n")

    async def _is_ready(self, _: web.Request) -> web.Response:
        """It can answer questions, somebody can ask them, and none has been waiting for long; what came while
        the bot was stopped waits since the start. What is missing is named in either case."""
        standing = await self.standing()
        text = "".join(f"{line}\n" for line in standing.lines)
        return web.Response(status=503 if standing.obstacles else 200, text=text)

    async def _metrics(self, _: web.Request) -> web.Response:
        """In the text format of Prometheus."""
        return web.Response(body=await self.exposition(), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})

    async def _slack(self, request: web.Request) -> web.Response:
        """Slack's event, a command or a pressed button; acknowledged once it is written down."""
        assert self.events is not None  # noqa: S101 - the route exists only then
        try:
            status, text = await self.events(dict(request.headers), await request.read())
        except FundstelleError as error:
            _LOG.warning("an event of Slack was not taken over: %s", error.key)
            return web.Response(status=503, text="try again\n")
        kind = "application/json" if text.startswith("{") else "text/plain"
        return web.Response(status=status, text=text, content_type=kind)


async def listening(endpoint: HttpEndpoint, host: str, port: int) -> tuple[web.AppRunner, int]:
    """Listen; the runner to clean up, and the port (the one that was free, for port 0)."""
    runner = web.AppRunner(endpoint.application(), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, host, port).start()
    return runner, runner.addresses[0][1]
