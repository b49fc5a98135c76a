"""A conversation over a world's App, and people who say things in it."""

from dataclasses import replace
from pathlib import Path

from bot.answers.app import App
from bot.chat.conversation import Conversation
from bot.chat.guard import Guard
from bot.chat.limits import RateLimits
from bot.chat.personal import About
from bot.settings.platforms import ChatSettings, LimitSettings, RoleSettings
from core.domain.journal import Retention
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


def conversation_over(app: App, folder: Path, **limits: int) -> Conversation:
    settings = LimitSettings(**{"user_per_minute": 100, "chat_per_minute": 100, **limits})
    about = About(source="https://example.org/source", retention=Retention(), remote_model=False)
    return Conversation(
        app=app, guard=Guard(CHATS, ROLES), limits=RateLimits(settings), about=about, folder=folder
    )


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
