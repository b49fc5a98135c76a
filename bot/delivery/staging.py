"""The chat while a message is being answered, on any platform."""

import asyncio
import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from bot.delivery.outbox import reply_key
from core.domain.messages import Attachment, Capabilities, Exposure, IncomingMessage, MessageRef, Outgoing
from core.domain.rich_text import Block, rich
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform
from core.ports.journal import Journal

SETTLED_S = 6.0
"""Seconds that an edited message waits for the previous answer to be sent."""

LOOK_S = 0.1
SAID = ((), ("more",), ("queue",))
"""Namespace of the keys of all replies to a message."""


@dataclass(slots=True)
class PlatformStage:
    """Sends what cannot wait for the reply directly to the platform."""

    platform: ChatPlatform
    message: IncomingMessage
    journal: Journal
    _resumed: bool = False
    _shown: str | None = None
    _said: Block = ""
    _showing: "asyncio.Task[None] | None" = None

    @property
    def capabilities(self) -> Capabilities:
        """The platform's capabilities."""
        return self.platform.capabilities

    @property
    def shown(self) -> str | None:
        """The message that shows progress."""
        return self._shown

    async def show(self, text: Block) -> None:
        """Show progress, in place. It is not essential, so failures are ignored."""
        fits = self.capabilities.max_text is None or self.platform.length(text) <= self.capabilities.max_text
        if not self.capabilities.edits or text == self._said or not fits:
            return
        if self._resumed and self._shown is None:  # its message may be on its way
            await self.resume()
            if self._shown is None:
                return
        await self.settled()
        self._showing = asyncio.create_task(self._show(text))
        await asyncio.shield(self._showing)  # whoever is cancelled meanwhile has to know what is shown

    async def _show(self, text: Block) -> None:
        content, key = rich(text), f"p{uuid.uuid4().hex}"
        part = Outgoing(
            key=key, to=self.message.ref, text=content.text, marks=content.marks, replaces=self._shown
        )
        with suppress(FundstelleError):
            sent = await self.platform.send(part)
            self._said = text
            self._shown = self._shown or (sent[0] if sent else None)

    async def settled(self) -> None:
        """Wait until the id of the message just being shown is known."""
        if self._showing is not None:
            await asyncio.wait([self._showing])

    async def withdrawn(self) -> tuple[MessageRef, ...]:
        """The shown part of an answer that is no longer wanted."""
        await self.settled()
        new = self._shown is not None and not self._resumed and self.capabilities.deletes
        return (replace(self.message.ref, message=str(self._shown)),) if new else ()

    async def resume(self) -> None:
        """Continue in the first message of the answer, which `show` then edits, as soon as it was sent."""
        self._resumed = True
        earlier = await self.journal.last_reply(reply_key(self.message, every=True))
        self._shown = earlier[0].message if earlier and self.capabilities.edits else None

    async def react(self, emoji: str) -> bool:
        """Add a reaction to the message; False if that is impossible."""
        if not self.capabilities.reactions:
            return False
        try:
            await self.platform.react(self.message.ref, emoji)
        except FundstelleError:
            return False
        return True

    async def exposure(self) -> Exposure:
        """Who can read the chat now."""
        return await self.platform.exposure(self.message.ref)

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        """Download a file that came with the message."""
        return await self.platform.fetch(attachment, into, max_bytes=max_bytes)

    async def earlier(self) -> tuple[MessageRef, ...]:
        """The messages that answered this message before it was edited. If the message is gone, everything
        ever sent in reply to it, and waiting parts are cancelled."""
        if not self.message.taken_back:
            return await self._replaced()
        found = [each for kind in SAID for each in await self._taken_back(kind)]
        return tuple(dict.fromkeys([*found, *await self._with_same_answers(found)]))

    async def _replaced(self) -> tuple[MessageRef, ...]:
        key = reply_key(self.message, every=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLED_S):
                while (found := await self.journal.delivered(key)).waiting or found.sending:  # noqa: ASYNC110
                    await asyncio.sleep(LOOK_S)
        return tuple(await self.journal.last_reply(key))

    async def _taken_back(self, kind: tuple[str, ...]) -> tuple[MessageRef, ...]:
        key = reply_key(self.message, *kind, every=True)
        while True:
            await self.journal.unqueue(key)
            found = await self.journal.delivered(key)
            if not found.sending:
                return found.messages
            await asyncio.sleep(LOOK_S)  # as long as the platform takes

    async def _with_same_answers(self, messages: Iterable[MessageRef]) -> list[MessageRef]:
        """The reply's messages belong to an answer: for example pages that somebody asked for."""
        traces = {trace for each in messages if (trace := await self.journal.trace_of(each)) is not None}
        return [posted.ref for trace in sorted(traces) for posted in await self.journal.posted(trace)]
