"""What the shared suite of chat platforms needs from each platform: people who say things, and a view of the
chat.

A harness starts the platform's server (or keyboard), lets people act there as their clients would, and runs
the adapter with a `RecordingInbox`. `shown` is what people see of the bot, read from the server and not from
the adapter.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.messages import IncomingMessage, MessageKind
from core.errors import Unavailable
from core.ports.chat import ChatPlatform
from tests.support.drawn_words import Drawn

PATIENCE_S = 60.0
"""Timeout for something that happens at once; only reached if it does not happen at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFile:
    """A file that the bot posted, as people download it."""

    name: str
    content: bytes
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message of the bot. An album of files is one. `buttons` are the commands they send, in rows.
    `mentions` names whom it alerts, `previews` whether links may unfold, `drawn` which words are a "quote",
    "bold", "struck" or a "cell" of a table."""

    ids: tuple[str, ...]
    text: str
    files: tuple[ShownFile, ...] = ()
    buttons: tuple[tuple[str, ...], ...] = ()
    thread: str | None = None
    reply_to: str | None = None
    mentions: tuple[str, ...] = ()
    previews: bool = False
    drawn: frozenset[Drawn] = frozenset()


class RecordingInbox:
    """An inbox in memory that keeps its promise: a repeated event is accepted once."""

    def __init__(self) -> None:
        self.messages: list[IncomingMessage] = []
        self.saved: str | None = None
        self.broken = False
        self._events: set[str] = set()
        self._changed = asyncio.Condition()

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:
        if self.broken:
            raise Unavailable("journal.unavailable", "the test says so", retry_after_s=0.05)
        for message in messages:
            assert message.event, "an event without an id cannot be taken once"
            if message.event not in self._events:
                self._events.add(message.event)
                self.messages.append(message)
        self.saved = cursor if cursor is not None else self.saved
        async with self._changed:
            self._changed.notify_all()

    async def cursor(self) -> str | None:
        return self.saved

    async def next(self, kind: MessageKind = MessageKind.MESSAGE, *, after: int = 0) -> IncomingMessage:
        """The first message of `kind` after the first `after` messages, as soon as there is one."""
        found: list[IncomingMessage] = []

        def there() -> bool:
            found[:] = [message for message in self.messages[after:] if message.kind is kind]
            return bool(found)

        async with asyncio.timeout(PATIENCE_S), self._changed:
            await self._changed.wait_for(there)
        return found[0]


class ChatHarness(Protocol):
    """One platform as driven by the shared suite. `groups`: a chat can have more members than the bot and one
    person; `editable`: people can edit what they said; `reactions`: they can react to a message; `draws`: how
    words can be drawn there."""

    groups: bool
    editable: bool
    reactions: bool
    draws: frozenset[str]
    inbox: RecordingInbox

    @property
    def platform(self) -> ChatPlatform:
        """The running adapter; a new one after `restart`."""

    async def direct(self) -> str:
        """A new chat of one person with the bot, by the platform's id."""

    async def group(self) -> str:
        """A new closed chat with several people and the bot; only where `groups`."""

    def asking(self, question: str) -> str:
        """The text that people type in a group so that `question` reaches the bot."""

    async def say(
        self,
        chat: str,
        text: str,
        *,
        by: str = "ann",
        reply_to: str | None = None,
        thread: str | None = None,
        files: Sequence[tuple[str, bytes]] = (),
    ) -> str:
        """A person says something, with files by name and content; returns the message's id."""

    async def edit(self, chat: str, message: str, text: str) -> None:
        """The person changes what they said."""

    async def press(self, chat: str, message: str, command: str, *, by: str = "ann") -> None:
        """Somebody presses the button with `command` under the bot's message."""

    async def react(self, chat: str, message: str, emoji: str, *, by: str = "ann") -> None:
        """Somebody reacts to the bot's message."""

    async def reacted(self, chat: str, message: str) -> list[str]:
        """The bot's reactions to a person's message."""

    async def shown(self, chat: str) -> list[Shown]:
        """The bot's messages in the chat, in order."""

    async def busy_signs(self, chat: str) -> int:
        """The number of typing indicators the bot has shown in `chat`."""

    async def make_public(self, chat: str) -> None:
        """The group becomes readable for people who were not invited."""

    async def remove_bot(self, chat: str) -> None:
        """Somebody removes the bot from the group."""

    async def redeliver(self) -> None:
        """The platform redelivers everything that it has delivered so far."""

    async def stop(self) -> None:
        """The bot's process ends: the adapter stops receiving and closes. The server goes on."""

    async def start(self) -> None:
        """A new adapter of the same account runs, with the same inbox."""

    async def close(self) -> None:
        """Stop everything."""


async def eventually(true: Callable[[], Awaitable[bool]]) -> None:
    """Poll until `true` returns True."""
    async with asyncio.timeout(PATIENCE_S):
        while not await true():  # noqa: ASYNC110 - what is waited for happens in another process
            await asyncio.sleep(0.01)


def texts(inbox: RecordingInbox) -> list[str]:
    """What the messages say, in the order in which they were taken."""
    return [message.text for message in inbox.messages if message.kind is MessageKind.MESSAGE]


async def heard(chats: ChatHarness, count: int) -> None:
    """Wait until `count` messages were taken."""

    async def all_there() -> bool:
        return len(texts(chats.inbox)) >= count

    await eventually(all_there)
