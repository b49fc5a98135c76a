"""`fundstelle chat`: the console platform on the conversation."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bot.chat.conversation import Conversation
from bot.chat.uploads import UploadQueue
from bot.delivery.outbox import fit
from bot.delivery.staging import PlatformStage
from bot.settings.platforms import ChatSettings, RoleSettings
from bot.settings.tree import Settings
from core.domain.messages import IncomingMessage, MessageRef, Reply
from core.ports.chat import ChatPlatform
from core.ports.journal import Journal


@dataclass(slots=True)
class ConsoleChat:
    """Answers immediately: the person at the keyboard is waiting, so nothing needs to be stored for later."""

    platform: ChatPlatform
    conversation: Conversation
    uploads: UploadQueue
    journal: Journal
    warm_up: Callable[[], Awaitable[None]]
    news: Callable[[], Awaitable[Sequence[Reply]]]
    chat: str
    _warming: "asyncio.Future[None] | None" = field(default=None, init=False)

    async def run(self) -> None:
        """Converse until the input ends, after reporting changes to subscriptions. An error in loading the
        models is raised at the first message."""
        self._warming = asyncio.ensure_future(self._begin())
        try:
            await self.platform.run(self)
        finally:
            await asyncio.gather(self._warming, return_exceptions=True)

    async def _begin(self) -> None:
        await self.warm_up()
        to = MessageRef(platform="console", workspace="", chat=self.chat, thread=None, message="")
        for number, reply in enumerate(await self.news()):
            await self._send(reply, to, f"news{number}")

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:  # noqa: ARG002 - the port's signature
        """Answer each message before the next line is read."""
        if self._warming is not None:
            await self._warming
        for message in messages:
            stage = PlatformStage(self.platform, message, self.journal)
            async with self.platform.busy(message.ref):
                reply = await self.conversation.handle(message, stage)
            if reply is not None:
                await self._show(message, reply)
            for job in await self.uploads.waiting():
                receipt = await self.uploads.work(job, stage)
                await self.uploads.drop(job)
                await self._show(message, receipt)

    async def cursor(self) -> str | None:
        """The console starts over each time."""
        return None

    async def _show(self, message: IncomingMessage, reply: Reply) -> None:
        """Write a reply."""
        await self._send(reply, message.ref, message.event)

    async def _send(self, reply: Reply, to: MessageRef, key: str) -> None:
        platform = self.platform
        for part in fit(reply, to, platform.capabilities, platform.length, key=key):
            await platform.send(part)


def at_keyboard(settings: Settings, chat: str) -> Settings:
    """Settings for the operator at the keyboard: a chat that is not listed is a public one here, and every
    command may be tried."""
    listed = any((each.platform, each.id) == ("console", chat) for each in settings.chat)
    chats = () if listed else (ChatSettings(platform="console", id=chat),)
    return settings.model_copy(
        update={
            "chat": (*settings.chat, *chats),
            "limits": settings.limits.model_copy(update={"user_per_minute": 1000, "chat_per_minute": 1000}),
            "role": (*settings.role, RoleSettings(platform="console", user="console", role="admin")),
        }
    )
