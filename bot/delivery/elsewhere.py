"""Platforms whose session another process has: what they are asked, and the process that asks them.

What a platform carries, and how it counts, is known here as well; everything else is done by the process that
has its session.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.delivery.several import LOOK_S, Several
from core.asides import Asides
from core.domain.calls import CallArguments, CallName, CallResult, PlatformCall
from core.domain.contact import Contact
from core.domain.messages import Attachment, Capabilities, Exposure, Finding, MessageRef, Outgoing
from core.domain.rich_text import Block
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.chat import ChatPlatform, Inbox

PATIENCE_S = 20.0
"""Seconds that a call may take, and `FETCH_S` one that brings a file: then whoever has the session may be
gone."""
FETCH_S = 180.0
RESULT_S = 0.25
"""Seconds after which a result is looked for that one was not told of."""

_KINDS = {kind.__name__: kind for kind in (Refused, Unavailable, Broken)}


class PlatformElsewhere:
    """A platform, as a process sees it that has not its session. `here` is never connected."""

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
        """As it counts."""
        return self._here.length(text)

    async def run(self, inbox: Inbox) -> None:  # noqa: ARG002 - the port's signature
        """Nothing is received here."""
        await asyncio.Event().wait()

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """See the port."""
        return (await self._called(CallName.SEND, CallArguments(part=part))).messages

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:  # noqa: ARG002 - the port's signature
        """Whoever sends has the session."""
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
        """By way of the store that both processes have."""
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
        """By its own connection."""
        return await self._here.check()

    async def close(self) -> None:
        """What was made for asking what it carries."""
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
    """Do what others ask of a platform whose session is here, until cancelled."""
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
    """An error of ours as plain values."""
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
    """All of them, asked through others."""
    return {name: PlatformElsewhere(each, several) for name, each in platforms.items()}
