"""`fundstelle serve`: all configured platforms, the workers, and the HTTP endpoint, until told to stop."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from bot.answers.app import App
from bot.answers.records import PURGE_EVERY
from bot.chat.guard import Guard
from bot.chat.uploads import UPLOADS, UploadQueue
from bot.delivery.delivery import Delivery
from bot.library import index_upkeep, lifecycle, reindexing
from bot.library.lifecycle import OUTGOING, Keeper
from bot.service import corrections, schedule
from bot.service import tidying as tidying_files
from bot.service.announcements import Announcer
from bot.service.console import conversation_of, upload_queue
from bot.service.corrections import Correcting
from bot.service.http import HttpEndpoint, listening
from bot.service.loop_watch import LoopWatch, settle
from bot.service.measures import library_measures
from bot.service.service_manager import ServiceManager
from bot.service.serving_lease import ServingLease
from bot.service.tidying import Tidying
from bot.settings.tree import Settings
from bot.wiring.platforms import platforms, signed_events
from core.errors import Broken
from core.ports.chat import ChatPlatform

CLOSE_S = 1.5
"""Seconds that a platform's connections get to end."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _State:
    """Since when questions can be answered; None before and after. `watch` looks at the event
    loop meanwhile, `manager` is told."""

    since: datetime | None = None
    watch: LoopWatch = field(default_factory=LoopWatch)
    manager: ServiceManager = field(default_factory=ServiceManager.here)


async def serve(app: App, settings: Settings, say: Callable[[str], None]) -> None:
    """Run until SIGTERM or SIGINT. Raises Broken where no platform is configured or none can be served."""
    served = platforms(settings, app.clock)
    if not served:
        detail = (
            "no platform is configured: set [telegram] token, [slack] bot_token or [matrix] homeserver in"
            " fundstelle.toml (docs/platforms tells how); `fundstelle chat` talks here"
        )
        raise Broken("serve.no_platform", detail)
    state = _State()
    async with AsyncExitStack() as stack:
        for each in served.values():
            stack.push_async_callback(_close, each)
        lease = ServingLease(app.sources.jobs.journal, app.clock)
        await lease.take()
        stack.push_async_callback(lease.release)
        uploads = upload_queue(app, settings, settings.data / UPLOADS)
        delivery = _delivery(app, settings, served, uploads)
        app.sources.tell = Announcer(app, settings.chat, served).tell
        port = await stack.enter_async_context(_endpoint(app, settings, state, delivery))
        await app.questions.warm_up()
        await asyncio.to_thread(settle)
        state.since = app.clock.now()
        state.manager.ready()
        say(f"serving {', '.join(served)}; http://{settings.http.host}:{port}/readyz")
        await _until_stopped(
            state,
            lease.keep(),
            app.supervisor.lasting("loop watch", state.watch.run),
            delivery.run(),
            app.supervisor.lasting("uploads", partial(uploads.run, delivery.stage, delivery.post)),
            *_recurring(app, settings, served),
            *_signs_of_life(app, state.manager),
        )
    say("stopped")


def _delivery(
    app: App, settings: Settings, served: dict[str, ChatPlatform], uploads: UploadQueue
) -> Delivery:
    return Delivery(
        journal=app.journal,
        conversation=conversation_of(app, settings, settings.data / OUTGOING, uploads),
        platforms=served,
        clock=app.clock,
        workers=settings.limits.workers,
        max_waiting=settings.limits.queue,
        supervisor=app.supervisor,
    )


def correcting(app: App, settings: Settings, served: Mapping[str, ChatPlatform]) -> Correcting:
    """What tells the chats of quotes that have changed."""
    return Correcting(
        app=app,
        guard=Guard(settings.chat, settings.role, open_to_all=settings.open),
        platforms=served,
        folder=settings.data / OUTGOING,
        per_hour=settings.limits.corrections_per_hour,
    )


async def _close(platform: ChatPlatform) -> None:
    try:
        async with asyncio.timeout(CLOSE_S):
            await platform.close()
    except TimeoutError:
        _LOG.warning("the connections of %s did not end in time", platform.name)


@asynccontextmanager
async def _endpoint(app: App, settings: Settings, state: _State, delivery: Delivery) -> AsyncIterator[int]:
    """The HTTP endpoint while the context lasts; its port."""
    endpoint = HttpEndpoint(
        app.journal,
        app.clock,
        ready_since=lambda: state.since,
        served=lambda: {name: name not in delivery.broken for name in delivery.platforms},
        events=signed_events(settings, delivery.platforms),
        measures=partial(_measures, app, state.watch),
        index=app.upkeep.shortfall,
    )
    try:
        runner, port = await listening(endpoint, settings.http.host, settings.http.port)
    except OSError as error:
        where = f"{settings.http.host}:{settings.http.port}"
        raise Broken("serve.port", f"cannot listen on {where}: {error}; set [http] host and port") from error
    try:
        yield port
    finally:
        await runner.cleanup()


async def _measures(app: App, watch: LoopWatch) -> Mapping[str, float]:
    return {**await library_measures(app), **watch.measures()}


def _recurring(
    app: App, settings: Settings, served: Mapping[str, ChatPlatform]
) -> list[Coroutine[None, None, None]]:
    """What is done again and again beside the chats."""
    every = app.supervisor.every
    tidying = Tidying(
        journal=app.journal,
        clock=app.clock,
        outgoing=settings.data / OUTGOING,
        uploads=settings.data / UPLOADS,
        term=settings.retention.terms.delivery,
    )
    return [
        every("retention", PURGE_EVERY.total_seconds(), app.recorder.purge_if_due),
        every("corrections", corrections.EVERY_S, correcting(app, settings, served).round),
        every("collection", lifecycle.EVERY_S, Keeper(app.document_lifecycle, app.clock).once),
        every("tidying", tidying_files.EVERY_S, tidying.once),
        every(index_upkeep.JOB, index_upkeep.EVERY_S, app.upkeep.once),
        every("reindexing", reindexing.EVERY_S, app.reindexing.once),
        schedule.run(app, settings),
    ]


def _signs_of_life(app: App, manager: ServiceManager) -> list[Coroutine[None, None, None]]:
    seconds = manager.alive_every_s
    return [] if seconds is None else [app.supervisor.every("signs of life", seconds, manager.alive)]


async def _until_stopped(state: _State, *works: Coroutine[None, None, None]) -> None:
    """Run `works` until one of them ends or a signal asks to stop; the first one's fault is ours."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, stop.set)
    tasks = [asyncio.create_task(work) for work in works]
    waiting = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait([*tasks, waiting], return_when=asyncio.FIRST_COMPLETED)
    finally:
        state.since = None
        state.manager.stopping()
        for task in (waiting, *tasks):
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(sign)
    for found in ended:
        if isinstance(found, Exception):
            raise found
