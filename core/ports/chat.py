"""The ports to chat platforms. Every platform runs the same contract suite."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from core.domain.contact import Contact
from core.domain.messages import (
    Attachment,
    Capabilities,
    Exposure,
    Finding,
    IncomingMessage,
    MessageRef,
    Outgoing,
)
from core.domain.rich_text import Block


class Inbox(Protocol):
    """Where a platform puts what arrived, before it acknowledges anything."""

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:
        """Take `messages` over in one transaction with the platform's `cursor` (where it goes on after a
        restart). When it returns they are in good hands; the same event twice is taken once. Raises
        Unavailable where nothing could be written: then nothing may be acknowledged."""
        ...

    async def cursor(self) -> str | None:
        """The cursor last accepted, None at the first start."""
        ...


class ChatPlatform(Protocol):
    """A chat service: translates its messages to ours and back, nothing else.

    Errors: Unavailable(retry_after_s) when trying again may help (the platform's own retry_after where
    it gives one), Refused("chat....") when this chat or message cannot be served (removed from the chat,
    message gone, file too large), Broken("platform....") when the operator must act (token, permission).
    """

    @property
    def name(self) -> str:
        """telegram, slack, matrix or console; as in MessageRef.platform."""
        ...

    @property
    def contact(self) -> Contact:
        """Whether the platform answers, as `run` has last seen it: at every exchange, at least once in
        two minutes."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What the platform can carry."""
        ...

    def length(self, text: Block) -> int:
        """Length of `text` as the platform counts it, drawn and after escaping."""
        ...

    async def run(self, inbox: Inbox) -> None:
        """Receive until the platform ends or the task is cancelled; reconnects by itself. On
        cancellation it stops receiving at once; sending goes on until `close`."""
        ...

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """Deliver a part to the chat and thread it names, or edit `part.replaces`; returns the ids of
        the messages that show it, none where it `amends` what is gone. Raises
        Unavailable("platform.uncertain") where the connection broke after the part may have arrived: then
        `capabilities.recovery` says what to do."""
        ...

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:
        """The ids of the messages that show `part` where an earlier attempt arrived, None where it did
        not. Only called where `capabilities.recovery` is LOOK_UP."""
        ...

    async def delete(self, message: MessageRef) -> None:
        """Take a message of the bot back; no error if it is gone."""
        ...

    async def react(self, to: MessageRef, emoji: str) -> None:
        """Put the bot's reaction to a person's message, NOTED or SEEN; it may stand there already. Only
        called where `capabilities.reactions`."""
        ...

    def busy(self, to: MessageRef) -> AbstractAsyncContextManager[None]:
        """Show that an answer is being made, until the context ends; never fails."""
        ...

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        """Download an attachment into the folder `into`, decrypted; the file has a safe name. Raises
        Refused("upload.too_large"), Refused("upload.gone") or Unavailable."""
        ...

    async def exposure(self, chat: MessageRef) -> Exposure:
        """Who can read the chat now, asked from the platform. Raises Unavailable or Refused where that
        cannot be confirmed."""
        ...

    async def check(self) -> list[Finding]:
        """Self-check for `doctor`: token, permissions, commands, privacy mode."""
        ...

    async def close(self) -> None:
        """End all connections."""
        ...
