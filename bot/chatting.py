"""`fundstelle chat`: the console platform on the conversation."""

import asyncio
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.app import App
from bot.cli.output import say
from bot.conversation import Conversation
from bot.settings import Settings
from bot.wiring import console
from core.chat_ports import ChatPlatform
from core.domain.messages import IncomingMessage, Outgoing, Reply


@dataclass(frozen=True, slots=True)
class _Direct:
    """Answers at once: the person at the keyboard waits, nothing need be kept for later."""

    platform: ChatPlatform
    conversation: Conversation

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:  # noqa: ARG002 - the port's signature
        """Answer each message before the next line is read."""
        for message in messages:
            async with self.platform.busy(message.ref):
                reply = await self.conversation.handle(message)
            await self.platform.send(_whole(reply))

    async def cursor(self) -> str | None:
        """The console begins anew each time."""
        return None


def _whole(reply: Reply) -> Outgoing:
    return Outgoing(key=uuid.uuid4().hex, to=reply.to, text="\n\n".join(reply.blocks), files=reply.files)


async def chat_loop(app: App, settings: Settings, chat_id: str, folder: Path) -> None:
    """Converse until the input ends."""
    platform = console(app.clock, chat_id, sys.stdin, say)
    conversation = Conversation(app, settings.chat, folder, settings.source_url)
    warming = asyncio.create_task(app.warm_up())
    try:
        await platform.run(_Direct(platform, conversation))
    finally:
        await asyncio.gather(warming, return_exceptions=True)
