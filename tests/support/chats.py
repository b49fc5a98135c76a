"""A conversation over a world's services, and people who say things in it."""

from dataclasses import replace
from pathlib import Path

from adapters.files.folder import FolderFiles
from bot.chat.conversation import Conversation
from bot.chat.uploads import UploadQueue
from bot.settings.platforms import ChatSettings, LimitSettings, RoleSettings
from bot.wiring.composition import Composition
from core.domain.messages import IncomingMessage, MessageRef, Reply
from tests.support.fake_stage import FakeStage
from tests.support.world import NOW

CHATS = (
    ChatSettings(id="public-room"),
    ChatSettings(id="staff-room", audience="staff", collections=("public", "internal"), upload_to="internal"),
)
ROLES = (
    RoleSettings(platform="console", user="sam", role="staff"),
    RoleSettings(platform="console", user="pia", role="publisher"),
)


def chatting(app: Composition, **limits: int) -> Composition:
    """The same services, serving these chats and people."""
    app.settings = app.settings.model_copy(
        update={
            "chat": CHATS,
            "role": ROLES,
            "limits": LimitSettings(**{"user_per_minute": 100, "chat_per_minute": 100, **limits}),
            "source_url": "https://example.org/source",
        }
    )
    return app


def uploads_over(app: Composition, folder: Path) -> UploadQueue:
    return chatting(app).uploads(FolderFiles(folder), folder / "uploads")


def conversation_over(
    app: Composition, folder: Path, uploads: UploadQueue | None = None, **limits: int
) -> Conversation:
    uploads = uploads or uploads_over(app, folder)
    return chatting(app, **limits).conversation(folder, uploads)


def message(
    text: str, chat: str = "public-room", *, number: str = "m1", thread: str | None = None, **fields: object
) -> IncomingMessage:
    ref = MessageRef(platform="console", workspace="", chat=chat, thread=thread, message=number)
    base = IncomingMessage(ref=ref, sender="anna", text=text, addressed=True, received_at=NOW, event=number)
    return replace(base, **fields)  # type: ignore[arg-type]


async def say(
    conversation: Conversation,
    text: str,
    chat: str = "public-room",
    stage: FakeStage | None = None,
    **fields: object,
) -> Reply:
    reply = await conversation.handle(message(text, chat, **fields), stage or FakeStage())  # type: ignore[arg-type]
    assert reply is not None
    return reply
