"""`fundstelle chat`: the console platform on the conversation."""

import asyncio
import sys
from pathlib import Path

from bot.app import App
from bot.cli.output import say
from bot.conversation import Conversation
from bot.settings import Settings
from bot.wiring import console
from core.domain.messages import IncomingMessage


async def chat_loop(app: App, settings: Settings, chat_id: str, folder: Path) -> None:
    """Converse until the input ends."""
    platform = console(app.clock, chat_id, sys.stdin, say)
    conversation = Conversation(app, settings.chat, folder, settings.source_url)
    warming = asyncio.create_task(app.warm_up())

    async def inbox(message: IncomingMessage) -> None:
        async with platform.busy(message.ref):
            reply = await conversation.handle(message)
        await platform.send(reply)

    try:
        await platform.run(inbox)
    finally:
        await asyncio.gather(warming, return_exceptions=True)
