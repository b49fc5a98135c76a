"""`serve` over a small world, in a process of its own that a test kills.

`python -m tests.support.serving_child FOLDER [POINT:N]`: platforms, journal, delivery and conversation are
the real ones; stores and encoders are quick. With POINT:N the process ends by SIGKILL when it passes that
point for the N-th time. With a database on a server it is one of several processes, in the role
FUNDSTELLE_TEST_ROLE; its own clock is FUNDSTELLE_TEST_AHEAD_S seconds ahead. FUNDSTELLE_TEST_MIGRATIONS names
the folder of the migrations of the version that it acts as. It writes to standard output: "ready", and "sent
KEY TIME" for each part, by the machine's monotonic clock.
"""

import asyncio
import importlib
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from adapters.database import jobs, migrate
from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from adapters.database.journal import SqlJournal
from adapters.database.processes import SqlProcesses
from adapters.files.folder import FolderFiles
from bot.service import schedule
from bot.service.serving_lease import ServingRole
from bot.settings.tree import Settings, load
from bot.wiring import clocks, logs, services
from bot.wiring.clocks import SharedClock
from bot.wiring.services import process_name
from bot.wiring.stores import database_url
from core.domain.ids import TraceId
from core.domain.journal import OutboxItem, Pseudonyms
from core.ports.clock import Clock
from tests.support.fake_journal import KEY
from tests.support.world import populated

POINTS = ("accepted", "claimed", "answered", "finished", "sending", "arrived", "sent")
"""Stored but not acknowledged; in progress; before and after the answer is queued; before the platform has a
part; before and after that is recorded."""


class RealClock(Clock):
    """The machine's; the product's own would bring every store and model along."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Killer:
    """Counts passes of a point, and ends the process there."""

    def __init__(self, order: str) -> None:
        self._point, _, number = order.partition(":")
        self._left = int(number or 1)

    def passing(self, point: str) -> None:
        if not point or point != self._point:
            return
        self._left -= 1
        if self._left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, owner: type, name: str, *, before: str = "", after: str = "") -> None:
        """Make calls of a method pass points."""
        method: Callable[..., Awaitable[Any]] = getattr(owner, name)

        async def passing(*arguments: Any, **named: Any) -> Any:
            self.passing(before)
            result = await method(*arguments, **named)
            if result is not None or name not in ("claim", "claim_part"):
                self.passing(after)
            return result

        setattr(owner, name, passing)


class SpeakingJournal(SqlJournal):
    """Reports what was sent."""

    async def sent(self, item: OutboxItem, *arguments: Any, **named: Any) -> None:
        await super().sent(item, *arguments, **named)
        print("sent", item.part.key, time.monotonic(), flush=True)  # noqa: T201


def configured(settings: Settings) -> Iterator[tuple[str, str]]:
    """The classes of the platforms that are served: importing the others takes as long again."""
    if settings.telegram.token.get_secret_value():
        yield "adapters.telegram.platform", "TelegramPlatform"
    if settings.slack.bot_token.get_secret_value():
        yield "adapters.slack.platform", "SlackPlatform"
    if settings.matrix.homeserver:
        yield "adapters.matrix.platform", "MatrixPlatform"


async def main(folder: Path, kill_at: str) -> None:
    if steps := os.environ.get("FUNDSTELLE_TEST_MIGRATIONS"):
        migrate.scripts = lambda: Path(steps)
    killer = Killer(kill_at)
    killer.around(SpeakingJournal, "accept", after="accepted")
    killer.around(SpeakingJournal, "claim", after="claimed")
    killer.around(SpeakingJournal, "finish", before="answered", after="finished")
    killer.around(SpeakingJournal, "claim_part", after="sending")
    killer.around(SpeakingJournal, "sent", after="sent")
    settings = load(data=folder).settings
    certain = settings.answer.model_copy(update={"threshold": 0.0})  # the world's encoders are not calibrated
    settings = settings.model_copy(update={"answer": certain})
    for module, name in configured(settings):
        killer.around(getattr(importlib.import_module(module), name), "send", after="arrived")
    database = await Database.open(database_url(settings))
    name = process_name()
    clock: Clock = RealClock()
    more: dict[str, Any] = {}
    if database.is_shared:
        processes = SqlProcesses(database, name)
        set_ahead(timedelta(seconds=float(os.environ.get("FUNDSTELLE_TEST_AHEAD_S", "0"))))
        clock = SharedClock(UTC, await processes.server_time())
        more = {"processes": processes, "source_journal": SqlSources(database)}
    world = await populated()
    traces = iter(range(10**9))
    app = replace(
        world.app,
        settings=settings,
        transit=FolderFiles(folder),
        journal=SpeakingJournal(database, Pseudonyms(KEY), name),
        clock=clock,
        new_trace=lambda: TraceId(f"{time.time_ns()}-{name}-{next(traces)}"),
        **more,
    )
    role = ServingRole(os.environ.get("FUNDSTELLE_TEST_ROLE", "all"))
    await app.serving(role).run(lambda text: print("ready", text, flush=True))  # noqa: T201
    await database.close()


def set_ahead(ahead: timedelta) -> None:
    """Make this process's own clock wrong, wherever the product reads it."""

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime.now(tz) + ahead

    for module in (schedule, services, clocks, jobs):
        vars(module)["datetime"] = Wrong


if __name__ == "__main__":
    logs.install(sys.stderr)
    asyncio.run(main(Path(sys.argv[1]), "".join(sys.argv[2:])))
