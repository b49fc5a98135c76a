"""`fundstelle chat`: the console platform on the conversation."""

import asyncio
import sys
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.answers.app import App
from bot.chat.conversation import Conversation
from bot.chat.guard import Guard
from bot.chat.limits import RateLimits
from bot.chat.personal import About
from bot.chat.receipts import Receipts
from bot.chat.staff import Staff
from bot.chat.uploads import UploadQueue
from bot.delivery.outbox import reply_key
from bot.delivery.staging import PlatformStage
from bot.settings.platforms import ChatSettings, RoleSettings
from bot.settings.tree import Settings
from bot.wiring.services import console
from core.domain.messages import IncomingMessage, Outgoing, ReplyFile
from core.ports.chat import ChatPlatform


@dataclass(frozen=True, slots=True)
class _Direct:
    """Answers at once: the person at the keyboard waits, nothing need be kept for later."""

    platform: ChatPlatform
    conversation: Conversation
    uploads: UploadQueue

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:  # noqa: ARG002 - the port's signature
        """Answer each message before the next line is read."""
        for message in messages:
            stage = PlatformStage(
                self.platform, message, self.conversation.app.journal, reply_key(message, every=True)
            )
            async with self.platform.busy(message.ref):
                reply = await self.conversation.handle(message, stage)
            if reply is not None:
                await self.platform.send(_whole(message, reply.blocks, reply.files))
            for job in self.uploads.waiting():
                receipt = await self.uploads.work(job, stage)
                self.uploads.drop(job)
                await self.platform.send(_whole(message, receipt.blocks, receipt.files))

    async def cursor(self) -> str | None:
        """The console starts over each time."""
        return None


def _whole(message: IncomingMessage, blocks: Sequence[str], files: Sequence[ReplyFile]) -> Outgoing:
    return Outgoing(key=uuid.uuid4().hex, to=message.ref, text="\n\n".join(blocks), files=tuple(files))


def upload_queue(app: App, settings: Settings, folder: Path) -> UploadQueue:
    """The files that wait to be read."""
    return UploadQueue(app, folder, Receipts(app, settings.chat))


def conversation_of(app: App, settings: Settings, folder: Path, uploads: UploadQueue) -> Conversation:
    """The conversation that all platforms share."""
    staff = Staff(app, uploads, app.publishing, max_bytes=settings.pdf.max_megabytes * 1_000_000)
    return Conversation(
        app=app,
        guard=Guard(settings.chat, settings.role, open_to_all=settings.open),
        limits=RateLimits(settings.limits),
        about=About(
            source=settings.source_url,
            retention=settings.retention.terms,
            remote_model=bool(settings.llm.models),
        ),
        folder=folder,
        extra=(staff,),
    )


async def chat_loop(
    app: App, settings: Settings, chat_id: str, folder: Path, say: Callable[[str], None]
) -> None:
    """Converse until the input ends. Who sits at the keyboard is the operator: a chat that is not listed
    is a public one here, and every command may be tried."""
    here = next((chat for chat in settings.chat if (chat.platform, chat.id) == ("console", chat_id)), None)
    own = settings.model_copy(
        update={
            "chat": (*settings.chat, *(() if here else (ChatSettings(platform="console", id=chat_id),))),
            "limits": settings.limits.model_copy(update={"user_per_minute": 1000, "chat_per_minute": 1000}),
            "role": (*settings.role, RoleSettings(platform="console", user="console", role="admin")),
        }
    )
    platform = console(app.clock, chat_id, sys.stdin, say)
    warming = asyncio.create_task(app.questions.warm_up())
    try:
        uploads = upload_queue(app, own, folder / "uploads")
        await platform.run(_Direct(platform, conversation_of(app, own, folder, uploads), uploads))
    finally:
        await asyncio.gather(warming, return_exceptions=True)
