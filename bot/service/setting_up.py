"""Sets up a platform: tests its tokens, and listens for who writes to it before the bot serves."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar

from bot.presentation.i18n import Texts
from bot.service.checks import Check, platform_findings
from core.domain.journal import Cursor
from core.domain.messages import IncomingMessage, MessageKind, MessageRef, Outgoing
from core.errors import Broken
from core.ports.chat import ChatPlatform
from core.ports.journal import Journal

Waited = TypeVar("Waited")

CONNECT_S = 60.0
"""How long a platform may take to start receiving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardChat:
    """A chat that somebody wrote in, or that the bot was taken into: its id as the settings write it, and the
    person's."""

    id: str
    person: str
    direct: bool
    ref: MessageRef


async def tried(platform: ChatPlatform, texts: Texts) -> list[Check]:
    """What the platform says to its tokens; its connections are closed. Raises Broken("platform.token") where
    it does not take them, or does not answer."""
    found = await platform_findings(platform, texts)
    if not found[0].ok:
        raise Broken("platform.token", f"{found[0].what}: {found[0].advice}")
    return [Check.of(platform.name, each.ok, each.what, each.advice) for each in found]


class Listener:
    """Receives as `serve` does, while the context lasts: what comes is written down, and answered by the next
    `serve` where its chat is listed by then."""

    def __init__(self, platform: ChatPlatform, journal: Journal, now: Callable[[], datetime]) -> None:
        self._platform = platform
        self._journal = journal
        self._now = now
        self._news: asyncio.Queue[HeardChat] = asyncio.Queue()
        self._seen: set[str] = set()
        self._taken_up = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._platform.run(self))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        await self._platform.close()

    async def cursor(self) -> str | None:
        """Where the platform goes on."""
        return await self._journal.cursor(self._platform.name, "")

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:
        """Store messages, and report chats heard for the first time."""
        stated = None if cursor is None else Cursor(platform=self._platform.name, workspace="", value=cursor)
        await self._journal.accept(messages, at=self._now(), cursor=stated)
        self._taken_up.set()
        for message in messages:
            chat = message.ref.listed_chat
            if message.kind is not MessageKind.LEFT and chat not in self._seen:
                self._seen.add(chat)
                heard = HeardChat(id=chat, person=message.sender, direct=message.direct, ref=message.ref)
                self._news.put_nowait(heard)

    async def heard(self, within_s: float) -> HeardChat | None:
        """The next chat that was not heard before; None where nobody writes in time. Raises what ended the
        platform's receiving."""
        return await self._while_running(self._news.get(), within_s)

    async def taken_up(self) -> None:
        """Once the platform has said where it stands: then its login is complete."""
        await self._while_running(self._taken_up.wait(), CONNECT_S)

    async def greet(self, chat: HeardChat, text: str) -> None:
        """Send a message to a chat. Raises like sending."""
        await self._platform.send(Outgoing(key=f"init-{secrets.token_hex(8)}", to=chat.ref, text=text))

    async def _while_running(self, work: Coroutine[Any, Any, Waited], within_s: float) -> Waited | None:
        waiting = asyncio.create_task(work)
        try:
            await asyncio.wait(
                {waiting, self._running}, timeout=within_s, return_when=asyncio.FIRST_COMPLETED
            )
            if self._running.done():
                self._running.result()
            return waiting.result() if waiting.done() else None
        finally:
            waiting.cancel()
