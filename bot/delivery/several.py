"""One of several processes on a database: it stays registered, leads what only one may lead, and listens to
others; and platforms whose session another process has. Others continue the work of a process that has ended,
however it ended: at once if it could say so, else after `TERM` by the database's clock. No process's own
clock matters.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.delivery.shared_files import SharedFiles
from core.asides import Asides
from core.domain.messages import (
    Attachment,
    CallArguments,
    CallName,
    CallResult,
    Capabilities,
    Contact,
    Exposure,
    Finding,
    MessageRef,
    Outgoing,
    PlatformCall,
)
from core.domain.rich_text import Block
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.chat import ChatPlatform, Inbox
from core.ports.processes import PlatformCalls, Processes
from core.ports.sources import SourceJournal

TERM = timedelta(seconds=6)
"""How long a process counts as being at work, and leads something, without renewal."""

RENEWED_S = 1.5
"""Seconds between two renewals, and between two attempts to lead what another process leads."""

LOOK_S = 1.0
"""Seconds after which a process checks by itself for missed notifications."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True, eq=False)
class Several:
    """This process among the others. `role` and `name` are shown; `set_clock` is told the database's time;
    `leases` say who leads; `files` are passed between processes."""

    processes: Processes
    calls: PlatformCalls
    leases: SourceJournal
    files: SharedFiles
    role: str
    name: str
    set_clock: Callable[[datetime], None]
    term: timedelta = TERM
    renewed_s: float = RENEWED_S
    _steady_from: float = 0.0
    _leading: dict[str, float] = field(default_factory=dict)
    _wanted: Counter[str] = field(default_factory=Counter)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _hearers: dict[str, list[asyncio.Event]] = field(default_factory=dict)

    async def run(self, works: Callable[[], Awaitable[None]]) -> None:
        """Do `works` while this process is one of several; at the end others are told to take over. Raises
        Broken("database.newer") when the database gets a schema that this process cannot work with."""
        await self.processes.stay(self.role, term=self.term)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._leave)
            await stack.enter_async_context(self.processes.listening(self._wake))
            keeping, working = asyncio.create_task(self._keep()), asyncio.ensure_future(works())
            stack.push_async_callback(_ended, keeping, working)
            await asyncio.wait([keeping, working], return_when=asyncio.FIRST_COMPLETED)
            await (working if working.done() else keeping)

    def on(self, topic: str) -> asyncio.Event:
        """Set whenever there is something of `topic` to look at."""
        event = asyncio.Event()
        self._hearers.setdefault(topic, []).append(event)
        return event

    @property
    def may_take_over(self) -> bool:
        """Whether to take over the work of dead processes: not right after an outage in which none could
        renew."""
        return time.monotonic() >= self._steady_from

    async def while_leading(self, what: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do `work` whenever this process leads `what`; it is cancelled when another one may lead. Returns
        when it ends by itself."""
        self._wanted[what] += 1
        try:
            while True:
                await self._until(what, leading=True)
                _LOG.info("%s is this process's now", what)
                doing = asyncio.ensure_future(work())
                lost = asyncio.create_task(self._until(what, leading=False))
                try:
                    await asyncio.wait([doing, lost], return_when=asyncio.FIRST_COMPLETED)
                    if doing.done():
                        return await doing
                finally:
                    for task in (doing, lost):
                        task.cancel()
                    await asyncio.gather(doing, lost, return_exceptions=True)
                _LOG.warning("%s is another process's now", what)
        finally:
            self._wanted[what] -= 1

    def leads(self, what: str) -> bool:
        """Whether this process leads it now."""
        return what in self._leading

    async def _until(self, what: str, *, leading: bool) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self.leads(what) is leading)

    def _wake(self, topic: str) -> None:
        for known, events in self._hearers.items():
            if topic in ("", known):
                for event in events:
                    event.set()

    async def _keep(self) -> None:
        """Renew everything; anything not renewed in time is lost."""
        led = self.on("leading")
        while True:
            led.clear()
            try:
                await self._renew()
            except FundstelleError as error:
                if error.key == "database.newer":
                    raise
            late = time.monotonic() - self.term.total_seconds() + self.renewed_s / 2
            await self._now_leading({what: at for what, at in self._leading.items() if at > late})
            with suppress(TimeoutError):
                async with asyncio.timeout(self.renewed_s):
                    await led.wait()

    async def _renew(self) -> None:
        asked = time.monotonic()
        if not await self.processes.stay(self.role, term=self.term):
            self._steady_from = asked + self.term.total_seconds()
            _LOG.warning("this process was away for too long; what it had claimed is others' now")
        self.set_clock(await self.processes.server_time())
        leading = dict(self._leading)
        for what in sorted(self._wanted):
            asked = time.monotonic()
            if not self._wanted[what]:
                if leading.pop(what, None) is not None:
                    await self.leases.release_lease(what, self.name)
            elif await self.leases.take_lease(what, self.name, term=self.term):
                leading[what] = asked
            else:
                leading.pop(what, None)
        await self._now_leading(leading)

    async def _now_leading(self, leading: dict[str, float]) -> None:
        async with self._changed:
            changed = leading.keys() != self._leading.keys()
            self._leading = leading
            if changed:
                self._changed.notify_all()

    async def _leave(self) -> None:
        """If this fails, the term ends it anyway."""
        with suppress(FundstelleError):
            for what in self._leading:
                await self.leases.release_lease(what, self.name)
        with suppress(FundstelleError):
            await self.processes.leave()


async def _ended(*tasks: "asyncio.Future[None]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


PATIENCE_S = 20.0
"""Seconds that a call may take, or `FETCH_S` if it brings a file: after that the process with the session may
be gone."""
FETCH_S = 180.0
RESULT_S = 0.25
"""Seconds after which to check for a result without notification."""

_KINDS = {kind.__name__: kind for kind in (Refused, Unavailable, Broken)}


class PlatformElsewhere:
    """A platform as seen by a process without its session. `here` is never connected."""

    def __init__(self, here: ChatPlatform, several: Several) -> None:
        self.name = here.name
        self.contact = Contact(error="")
        self._here = here
        self._several = several
        self._results = several.on("results")

    @property
    def capabilities(self) -> Capabilities:
        """What it supports."""
        return self._here.capabilities

    def length(self, text: Block) -> int:
        """Length as the platform counts it."""
        return self._here.length(text)

    async def run(self, inbox: Inbox) -> None:  # noqa: ARG002 - the port's signature
        """Does nothing: messages are received elsewhere."""
        await asyncio.Event().wait()

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """See the port."""
        return (await self._called(CallName.SEND, CallArguments(part=part))).messages

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:  # noqa: ARG002 - the port's signature
        """Not called: the process that sends has the session."""
        raise Broken("platform.not_configured", "replies are not sent by this process")

    async def delete(self, message: MessageRef) -> None:
        """See the port."""
        await self._called(CallName.DELETE, CallArguments(to=message))

    async def react(self, to: MessageRef, emoji: str) -> None:
        """See the port."""
        await self._called(CallName.REACT, CallArguments(to=to, emoji=emoji))

    @asynccontextmanager
    async def busy(self, to: MessageRef) -> AsyncIterator[None]:
        """Shown until the call is dropped."""
        call: int | None = None
        with suppress(FundstelleError):
            call = await self._several.calls.ask(self.name, CallName.BUSY, CallArguments(to=to))
        try:
            yield
        finally:
            if call is not None:
                with suppress(FundstelleError):
                    await self._several.calls.drop(call)

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        """The file travels through the store that both processes share."""
        arguments = CallArguments(attachment=attachment, max_bytes=max_bytes)
        found = await self._called(CallName.FETCH, arguments, within_s=FETCH_S)
        return await self._several.files.take(found.file, into)

    async def exposure(self, chat: MessageRef) -> Exposure:
        """See the port."""
        found = await self._called(CallName.EXPOSURE, CallArguments(to=chat))
        if found.exposure is None:
            raise Unavailable("platform.unexpected", f"{self.name} did not say who reads the chat; ask again")
        return found.exposure

    async def check(self) -> list[Finding]:
        """Checked over its own connection."""
        return await self._here.check()

    async def close(self) -> None:
        """Close the instance used to query the platform's properties."""
        await self._here.close()

    async def _called(
        self, name: CallName, arguments: CallArguments, within_s: float = PATIENCE_S
    ) -> CallResult:
        calls = self._several.calls
        call = await calls.ask(self.name, name, arguments)
        try:
            async with asyncio.timeout(within_s):
                while (found := await calls.result(call)) is None:
                    await _set_or_late(self._results, RESULT_S)
        except TimeoutError:
            detail = f"no process has the session of {self.name}; is one running with --role front?"
            raise Unavailable("platform.unreachable", detail) from None
        finally:
            with suppress(FundstelleError):
                await calls.drop(call)
        if found.error is not None:
            raise error_of(found.error)
        return found


async def serve_calls(platform: ChatPlatform, several: Several) -> None:
    """Execute other processes' calls of a platform whose session is here, until cancelled."""
    asked, asides = several.on("calls"), Asides()
    try:
        while True:
            asked.clear()
            call = await several.calls.take(platform.name)
            if call is None:
                await _set_or_late(asked, LOOK_S)
            else:
                asides.start(_done(platform, several, call))
    finally:
        await asides.end()


async def _done(platform: ChatPlatform, several: Several, call: PlatformCall) -> None:
    if call.name is CallName.BUSY and call.arguments.to:
        async with platform.busy(call.arguments.to):
            while await several.calls.is_wanted(call.id):  # noqa: ASYNC110 - another process
                await asyncio.sleep(LOOK_S)
        return
    try:
        result = await _result(platform, several, call)
    except FundstelleError as error:
        result = CallResult(error=values_of(error))
    except Exception:
        broken = Broken("platform.unexpected", "see the log of the process with --role front")
        result = CallResult(error=values_of(broken))
        await several.calls.answer(call.id, result)
        raise
    await several.calls.answer(call.id, result)


async def _result(platform: ChatPlatform, several: Several, call: PlatformCall) -> CallResult:
    given = call.arguments
    match call.name:
        case CallName.SEND if given.part:
            return CallResult(messages=await platform.send(given.part))
        case CallName.DELETE if given.to:
            await platform.delete(given.to)
        case CallName.REACT if given.to:
            await platform.react(given.to, given.emoji)
        case CallName.EXPOSURE if given.to:
            return CallResult(exposure=await platform.exposure(given.to))
        case CallName.FETCH if given.attachment:
            with TemporaryDirectory(prefix="fundstelle-") as folder:
                path = await platform.fetch(given.attachment, Path(folder), max_bytes=given.max_bytes)
                return CallResult(file=await several.files.hand_over(path))
    return CallResult()


def values_of(error: FundstelleError) -> dict[str, Any]:
    """One of our errors as plain values."""
    kind = next((name for name, each in _KINDS.items() if isinstance(error, each)), "Broken")
    wait_s = getattr(error, "retry_after_s", 0.0)
    return {"kind": kind, "key": error.key, "detail": error.detail, "wait_s": wait_s, "values": error.values}


def error_of(values: dict[str, Any]) -> FundstelleError:
    """The error that `values_of` describes."""
    if values["kind"] == "Unavailable":
        return Unavailable(values["key"], values["detail"], values["wait_s"], **values["values"])
    return _KINDS[values["kind"]](values["key"], values["detail"], **values["values"])


async def _set_or_late(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    event.clear()


def elsewhere(platforms: dict[str, ChatPlatform], several: Several) -> dict[str, ChatPlatform]:
    """All platforms, called through other processes."""
    return {name: PlatformElsewhere(each, several) for name, each in platforms.items()}
