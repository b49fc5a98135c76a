"""A conversation that says what a test wants, for tests of the parts around it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from bot.chat.guard import Guard
from bot.delivery.staging import PlatformStage
from bot.presentation.i18n import Texts
from bot.settings.platforms import ChatSettings
from core.domain.messages import IncomingMessage, Reply

STAFF = tuple(
    ChatSettings(platform=name, id="staff", audience="staff", collections=("public", "internal"))
    for name in ("telegram", "slack", "matrix")
)
Answers = Callable[[IncomingMessage], Awaitable[Reply | None]]


async def echo(message: IncomingMessage) -> Reply:
    return Reply(blocks=(f"re {message.text}",))


@dataclass
class ScriptedConversation:
    """Answers with `answers`. A chat in `held` waits until the test releases it."""

    answers: Answers = echo
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    handled: list[str] = field(default_factory=list)
    others_answer: bool = False
    stopped: list[tuple[str, str]] = field(default_factory=list)
    presenter: Any = field(default_factory=lambda: SimpleNamespace(texts=Texts))
    guard: Guard = field(default_factory=lambda: Guard(STAFF, (), open_to_all=True))

    async def handle(self, message: IncomingMessage, stage: PlatformStage) -> Reply | None:
        if message.taken_back:
            earlier = await stage.earlier()
            return Reply(blocks=(), deletes=earlier) if earlier else None
        self.handled.append(message.text)
        if message.ref.chat in self.held:
            await self.held[message.ref.chat].wait()
        return await self.answers(message)

    def is_urgent(self, message: IncomingMessage) -> bool:
        return message.text == "/cancel"

    async def keeps_nothing_of(self, message: IncomingMessage) -> bool:
        return False

    def stop(self, message: IncomingMessage, why: str) -> None:
        self.stopped.append((message.text, why))

    def take_back(self, message: IncomingMessage) -> None:
        pass

    def concerns(self, message: IncomingMessage) -> bool:
        return message.addressed

    def words(self, message: IncomingMessage) -> Texts:
        return Texts("en")

    async def cancel(self, message: IncomingMessage, stage: object) -> Reply:
        return Reply(blocks=("cancelling",))
