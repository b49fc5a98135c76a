"""`fundstelle serve`: all configured platforms, the workers, and the HTTP endpoint, until told to stop."""

import asyncio
import logging
import os
import random
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial

from starlette.types import ASGIApp

from bot.chat.uploads import UploadQueue
from bot.delivery.delivery import Delivery
from bot.delivery.several import Several
from bot.http.endpoint import Events, HttpEndpoint, listening
from bot.periodic import Work
from bot.service.schedule import Schedule
from bot.service.serving_lease import ServingLease, ServingRole
from bot.service.standing import Measures
from bot.service.watches import LoopWatch, settle
from bot.settings.platforms import HttpSettings
from core.errors import Broken, FundstelleError
from core.ports.chat import ChatPlatform

# Notifications to systemd while `serve` runs: ready, stopping, and still alive.
#
# The protocol is a datagram to the socket that `NOTIFY_SOCKET` names (sd_notify(3)); without that variable
# nothing is sent. A process that does not write within `WATCHDOG_USEC` microseconds is restarted.


@dataclass(frozen=True, slots=True)
class ServiceManager:
    """The manager that started this process, "" for none. `watchdog_s`: seconds of silence after which it
    assumes that the process is dead, None if it does not watch."""

    address: str = ""
    watchdog_s: float | None = None

    @classmethod
    def of(cls, environment: Mapping[str, str], pid: int) -> "ServiceManager":
        """The manager described by `environment` for the process `pid`."""
        watched = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        microseconds = environment.get("WATCHDOG_USEC", "") if watched else ""
        return cls(
            address=environment.get("NOTIFY_SOCKET", ""),
            watchdog_s=int(microseconds) / 1e6 if microseconds.isdecimal() and int(microseconds) else None,
        )

    @classmethod
    def here(cls) -> "ServiceManager":
        """The one that started this process."""
        return cls.of(os.environ, os.getpid())

    @property
    def alive_every_s(self) -> float | None:
        """Seconds between two signs of life: half of what the manager allows; None if it does not watch."""
        return self.watchdog_s and self.watchdog_s / 2

    def ready(self) -> None:
        """Notify that questions are answered from now on."""
        self._tell("READY=1")

    def stopping(self) -> None:
        """Notify that it is stopping."""
        self._tell("STOPPING=1")

    async def alive(self) -> None:
        """Notify that the event loop is running."""
        self._tell("WATCHDOG=1")

    def _tell(self, state: str) -> None:
        """Send a notification; errors are ignored, since a manager that does not listen is no reason to stop
        answering."""
        if not self.address:
            return
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.connect(address)
                channel.send(state.encode())
        except OSError as error:
            _LOG.warning("the service manager was not told %s: %s", state, error)


UPLOADS_S = 10.0
"""Seconds between checks for files accepted by another process without notification."""

INDEX_S = 15.0
"""Seconds between two checks which index is in use."""

SPREAD_S = 120.0
"""Seconds over which several processes restart with another index, so that some always answer."""

CLOSE_S = 1.5
"""Seconds allowed for a platform's connections to close."""

Listening = Callable[[], AbstractAsyncContextManager[None]]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Recurring:
    """Background work done every `seconds`."""

    name: str
    seconds: float
    work: Work


@dataclass(slots=True, kw_only=True)
class Server:
    """What `serve` runs, depending on its `role`. The `lease` lets a single process do everything; `several`
    is None if there can be no others. `warm_up` loads the models; the `lookout` of `measures` knows since
    when questions can be answered. `library` is the `recurring` work on the library, which only one process
    does. `mounts` are applications besides health, by path; if they have callers, no platform is needed. When
    the index in use `is_over`, the process ends, and is restarted by its manager with the new one. `watch`
    monitors the event loop meanwhile; `manager` is notified."""

    role: ServingRole
    lease: ServingLease
    several: Several | None
    delivery: Delivery
    uploads: UploadQueue
    recurring: Sequence[Recurring]
    library: Sequence[Recurring]
    schedule: Schedule
    measures: Measures
    watch: LoopWatch
    warm_up: Callable[[], Awaitable[None]]
    events: Events | None
    http: HttpSettings
    mounts: Mapping[str, ASGIApp] = field(default_factory=dict)
    has_callers: Callable[[], Awaitable[bool]]
    is_over: Callable[[], Awaitable[bool]] | None = None
    begins_again: bool = field(default=False, init=False)
    manager: ServiceManager = field(default_factory=ServiceManager.here, init=False)

    async def run(self, say: Callable[[str], None], calls: Listening = nullcontext) -> None:
        """Run until SIGTERM or SIGINT; `calls` accepts commands meanwhile. Raises Broken if no platform is
        configured or none can be served."""
        served, delivery = self.delivery.platforms, self.delivery
        if not (served or await self.has_callers()):
            detail = (
                "no platform is configured: set [telegram] token, [slack] bot_token or [matrix] homeserver in"
                " fundstelle.toml (docs/platforms tells how), or make a token for the HTTP interface with"
                " `fundstelle token new`; `fundstelle chat` talks here"
            )
            raise Broken("serve.no_platform", detail)
        async with AsyncExitStack() as stack:
            for each in served.values():
                stack.push_async_callback(_close, each)
            if self.role is ServingRole.ALL:
                await self.lease.take()
                stack.push_async_callback(self.lease.release)
                await stack.enter_async_context(calls())
            port = await stack.enter_async_context(self._endpoint())
            await self.warm_up()
            await asyncio.to_thread(settle)
            self.measures.lookout.since = delivery.clock.now()
            self.manager.ready()
            part = "" if self.role is ServingRole.ALL else f" ({self.role})"
            say(f"serving {', '.join(served) or 'http'}{part}; http://{self.http.host}:{port}/readyz")
            if self.several is None:
                await self._served()
            else:
                await self.several.run(self._served)
        say("the index is another one: beginning again" if self.begins_again else "stopped")

    async def _served(self) -> None:
        every, lasting = self.delivery.supervisor.every, self.delivery.supervisor.lasting
        works = [lasting("loop watch", self.watch.run)]
        works += [every(each.name, each.seconds, each.work) for each in self.recurring]
        if self.manager.alive_every_s is not None:
            works.append(every("signs of life", self.manager.alive_every_s, self.manager.alive))
        if self.role is ServingRole.ALL:
            works.append(self.lease.keep())
        if self.delivery.platforms and (self.role.fronts or self.role.answers):
            works.append(self.delivery.run())
        if self.is_over is not None:
            works.append(self._ends_with_its_index(self.is_over))
        if self.role.keeps_library:
            together = self._kept_library
            works.append(
                together() if self.several is None else self.several.while_leading("library", together)
            )
        await self._until_stopped(*works)

    async def _ends_with_its_index(self, is_over: Callable[[], Awaitable[bool]]) -> None:
        found = False
        while not found:
            await asyncio.sleep(INDEX_S)
            with suppress(FundstelleError):
                found = await is_over()
        if self.several is not None:
            await asyncio.sleep(random.uniform(0, SPREAD_S))  # noqa: S311 - no secret
        self.begins_again = True

    async def _kept_library(self) -> None:
        """Work on the library until cancelled, or until part of it ends."""
        every, delivery = self.delivery.supervisor.every, self.delivery
        look_s = None if self.several is None else UPLOADS_S
        uploads = partial(self.uploads.run, delivery.stage, delivery.post, look_s)
        works = [
            delivery.supervisor.lasting("uploads", uploads),
            self.schedule.run(),
            *(every(each.name, each.seconds, each.work) for each in self.library),
        ]
        await asyncio.gather(*works)

    @asynccontextmanager
    async def _endpoint(self) -> AsyncIterator[int]:
        """The HTTP endpoint while the context lasts; its port."""
        measures, host = self.measures, self.http.host
        endpoint = HttpEndpoint(
            standing=measures.lookout.look,
            exposition=measures.exposition,
            events=self.events,
            mounts=self.mounts,
        )
        async with AsyncExitStack() as stack:
            try:
                serving = listening(endpoint, host, self.http.port, proxies=self.http.proxies)
                port = await stack.enter_async_context(serving)
            except OSError as error:
                where = f"{host}:{self.http.port}"
                detail = f"cannot listen on {where}: {error}; set [http] host and port"
                raise Broken("serve.port", detail) from error
            yield port

    async def _until_stopped(self, *works: Coroutine[None, None, None]) -> None:
        """Run `works` until one of them ends or a signal asks to stop; the first one's fault is ours."""
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, stop.set)
        tasks = [asyncio.create_task(work) for work in works]
        waiting = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait([*tasks, waiting], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.measures.lookout.since = None
            if not self.begins_again:  # the manager would end what does not stop in time
                self.manager.stopping()
            for task in (waiting, *tasks):
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            for sign in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(sign)
        for found in ended:
            if isinstance(found, Exception):
                raise found


async def _close(platform: ChatPlatform) -> None:
    try:
        async with asyncio.timeout(CLOSE_S):
            await platform.close()
    except TimeoutError:
        _LOG.warning("the connections of %s did not end in time", platform.name)
