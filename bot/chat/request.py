"""A message with everything needed to answer it."""

import hashlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from bot.chat.command_table import Command, Role
from bot.chat.memory import ChatMemory, Remembered
from bot.library.scoping import ScopeOptions
from bot.presentation.i18n import Texts
from bot.settings.platforms import ChatSettings
from core.domain.ids import TraceId
from core.domain.journal import ChatKey, ChatState, Pseudonym, chat_key
from core.domain.messages import (
    Attachment,
    Capabilities,
    Exposure,
    IncomingMessage,
    MessageRef,
    Reply,
)
from core.domain.rich_text import Block


class Stage(Protocol):
    """The chat while a message is being answered: interactions that cannot wait for the reply."""

    @property
    def capabilities(self) -> Capabilities:
        """What the platform supports."""
        ...

    async def show(self, text: Block) -> None:
        """Show progress, in one message that is edited in place; does nothing if that is impossible."""
        ...

    @property
    def shown(self) -> str | None:
        """The message that `show` writes to, which a reply may replace."""
        ...

    async def react(self, emoji: str) -> bool:
        """Add a reaction, NOTED or SEEN, to the message; False if that is impossible."""
        ...

    async def exposure(self) -> Exposure:
        """Who can read the chat now. Raises Unavailable or Refused where that cannot be confirmed."""
        ...

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        """Download a file that came with the message. Raises Refused or Unavailable."""
        ...

    async def earlier(self) -> tuple[MessageRef, ...]:
        """The bot's messages that answered this message before it was edited, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A message, its chat's settings, what the chat has set, who asks, and when; `spoken` is the language
    that people last wrote in there since the start, empty if unknown."""

    message: IncomingMessage
    chat: ChatSettings
    state: ChatState
    texts: Texts
    role: Role
    person: Pseudonym
    stage: Stage
    folder: Path
    now: datetime
    spoken: str = ""
    listed: bool = True

    @property
    def key(self) -> ChatKey:
        """The key of the chat, the same in all its threads."""
        return chat_key(self.message.ref)

    def hint(self, key: str, **values: str) -> str:
        """A text that contains commands, as they are typed here."""
        return self.texts(key, prefix=self.stage.capabilities.command_prefix, **values)

    @property
    def options(self) -> ScopeOptions:
        """The scope that may be searched: the collections of the chat, narrowed by its own settings."""
        return ScopeOptions(
            collections=self.chat.collections,
            chat_jurisdiction=self.state.jurisdiction,
            chat_parties=self.state.parties,
            configured=True,
        )

    @property
    def thread(self) -> str | None:
        """The thread that a follow-up belongs to; None for a message by itself. In a group a reply belongs
        only to the message it answers: others have replied to other things."""
        ref = self.message.ref
        if ref.thread is not None:
            return ref.thread
        return "" if self.message.direct else None

    @property
    def monologue(self) -> str | None:
        """The thread of one person's questions anywhere in a group; None in a private chat, or if the
        platform hides who they are."""
        return None if self.message.direct or not self.message.sender else f"by:{self.person}"

    @property
    def opens(self) -> bool:
        """Whether the message is in no thread yet, so that it may open one."""
        ref = self.message.ref
        return self.message.reply_to is None and ref.thread in (None, ref.message)


class RecentAnswers:
    """The last answer of each thread, for words about "that answer"; of the last threads only."""

    def __init__(self, memory: ChatMemory) -> None:
        self._traces = Remembered[str](memory, "last answer", str)

    def keep(self, request: Request, trace: TraceId) -> None:
        """Remember `trace` as the last answer."""
        for thread in (request.thread, request.monologue):
            if thread is not None:
                self._traces.put(request.key, thread, value=trace, person=request.person)

    def last(self, request: Request) -> TraceId | None:
        """The last answer in the thread of `request`; if there is no thread yet, the last to its sender."""
        threads = (request.thread, request.monologue if request.opens else None)
        found = (self._traces.get(request.key, thread) for thread in threads if thread is not None)
        return next((TraceId(trace) for trace in found if trace is not None), None)


TOLD_AGAIN = timedelta(days=1)
"""Time after which a thread is shown the disclaimer again."""


class SmallPrint:
    """Knows which threads have been shown the disclaimer; only for the latest threads."""

    def __init__(self, memory: ChatMemory) -> None:
        self._told = Remembered[datetime](memory, "small print", datetime)

    def is_due(self, request: Request, what: str = "") -> bool:
        """Whether the disclaimer, or `what` else, has yet to be shown in the thread of `request`; marks it as
        shown."""
        key = request.message.ref.thread or "", what
        told = self._told.get(request.key, *key)
        if told is not None and told <= request.now < told + TOLD_AGAIN:
            return False
        self._told.put(request.key, *key, value=request.now)
        return True


Handler = Callable[[Request, Command], Coroutine[Any, Any, Reply]]


def said(*blocks: Block, private: bool = False) -> Reply:
    """A reply of plain text."""
    return Reply(blocks=blocks, private=private)


def folder_name(message: IncomingMessage) -> str:
    """A separate folder for the files of a reply, whatever the platform's ids look like."""
    ref = message.ref
    named = "\n".join((ref.platform, ref.workspace, ref.chat, ref.message, message.event))
    return hashlib.sha256(named.encode()).hexdigest()[:24]
