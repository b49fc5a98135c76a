"""The HTTP endpoint of `serve`: is it alive, is it ready, how does it stand, and Slack's signed events."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from aiohttp import web

from core.errors import FundstelleError
from core.ports.clock import Clock
from core.ports.journal import Journal

MAX_BODY = 1_000_000
"""Bytes of a request at most."""

STUCK = timedelta(minutes=10)
"""A message that waits for longer than this says that nothing moves."""

Events = Callable[[Mapping[str, str], bytes], Awaitable[tuple[int, str]]]
"""Takes headers and body of a signed event; what to answer: status and text."""

Measures = Callable[[], Awaitable[Mapping[str, float]]]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HttpEndpoint:
    """Answers HTTP requests. `ready_since`: since when the models are loaded and messages are answered,
    None while they are not. `served`: by platform, whether it is served. `events` takes Slack's, None
    where Slack is not served over HTTP. `measures` are further values by their names in Prometheus; `index`
    says what the index lacks, "" for nothing."""

    journal: Journal
    clock: Clock
    ready_since: Callable[[], datetime | None]
    served: Callable[[], Mapping[str, bool]]
    events: Events | None = None
    measures: Measures | None = None
    index: Callable[[], Awaitable[str]] | None = None

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
        """It can answer questions, and none has been waiting for long; what came while the bot was stopped
        waits since the start. Platforms that are not served are named, and what the index lacks: answers
        go on, and say so."""
        since = self.ready_since()
        if since is None:
            return _not_ready("starting or stopping")
        try:
            backlog = await self.journal.backlog()
            lacking = await self.index() if self.index else ""
        except FundstelleError as error:
            return _not_ready(error.key)
        oldest = backlog.oldest_waiting
        if oldest is not None and self.clock.now() - max(oldest, since) > STUCK:
            return _not_ready("a message has been waiting for more than 10 minutes")
        lost = [
            f"{name} is not served: see the log\n" for name, served in self.served().items() if not served
        ]
        lost += [f"{lacking}\n"] if lacking else []
        return web.Response(text="".join(["ready\n", *lost]))

    async def _metrics(self, _: web.Request) -> web.Response:
        """Counts in the text format of Prometheus; nothing about who asked what."""
        try:
            backlog = await self.journal.backlog()
            measures = await self.measures() if self.measures else {}
        except FundstelleError as error:
            return _not_ready(error.key)
        now = self.clock.now()
        values: dict[str, float] = {
            f'fundstelle_messages{{state="{name}"}}': getattr(backlog, name)
            for name in ("waiting", "working", "dead")
        }
        values |= {
            f'fundstelle_parts{{state="{name}"}}': getattr(backlog, name)
            for name in ("pending", "sending", "failed", "unknown")
        }
        for name, oldest in (("messages", backlog.oldest_waiting), ("parts", backlog.oldest_pending)):
            age = 0.0 if oldest is None else max(0.0, (now - oldest).total_seconds())
            values[f"fundstelle_oldest_{name}_seconds"] = age
        values["fundstelle_ready"] = float(self.ready_since() is not None)
        for name, served in self.served().items():
            values[f'fundstelle_platform_served{{platform="{name}"}}'] = float(served)
        values |= measures
        return web.Response(text="".join(f"{name} {value:.12g}\n" for name, value in values.items()))

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


def _not_ready(why: str) -> web.Response:
    return web.Response(status=503, text=f"{why}\n")


async def listening(endpoint: HttpEndpoint, host: str, port: int) -> tuple[web.AppRunner, int]:
    """Listen; the runner to clean up, and the port (the one that was free, for port 0)."""
    runner = web.AppRunner(endpoint.application(), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, host, port).start()
    return runner, runner.addresses[0][1]
