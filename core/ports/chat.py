"""The ports to chat platforms. Every platform runs the same contract suite."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from core.domain.messages import (
    Attachment,
    Capabilities,
    ComparisonForm,
    Contact,
    Exposure,
    Finding,
    HomePage,
    IncomingMessage,
    InlineAnswer,
    InlineQuery,
    LinkPreview,
    MessageRef,
    Outgoing,
)
from core.domain.rich_text import Block


class Inbox(Protocol):
    """Where a platform stores incoming messages before it acknowledges them."""

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:
        """Store `messages` in one transaction with the platform's `cursor` (where it resumes after a
        restart). Once this returns they are safe; a repeated event is stored once. Raises Unavailable if
        nothing could be written: then nothing may be acknowledged."""

    async def cursor(self) -> str | None:
        """The cursor last accepted, None at the first start."""


class InlineLane(Protocol):
    """Where a platform delivers inline queries. They are not stored, and nothing waits for them."""

    def take(self, query: InlineQuery, answer: Callable[[InlineAnswer], Awaitable[None]]) -> None:
        """Call `answer` with the result, at most once; older queries of the same person get none."""

    async def end(self) -> None:
        """Drop all unanswered queries."""


class ChatPlatform(Protocol):
    """A chat service: only translates its messages to ours and back.

    Errors: Unavailable(retry_after_s) when retrying may help (with the platform's own retry_after if it sends
    one), Refused("chat....") when this chat or message cannot be served (removed from the chat, message
    deleted, file too large), Broken("platform....") when the operator must act (token, permission).
    """

    @property
    def name(self) -> str:
        """telegram, slack, matrix or console; as in MessageRef.platform."""

    @property
    def contact(self) -> Contact:
        """Whether the platform is responding, as last observed by `run`: at every exchange, at least every
        two minutes."""

    @property
    def capabilities(self) -> Capabilities:
        """What the platform supports."""

    def length(self, text: Block) -> int:
        """Length of `text` as the platform counts it, after formatting and escaping."""

    async def run(self, inbox: Inbox) -> None:
        """Receive until the platform ends or the task is cancelled, reconnecting automatically. Cancellation
        stops receiving at once; sending continues until `close`."""

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """Deliver a part to the chat and thread it names, or edit `part.replaces`; returns the ids of the
        messages that show it, none if it `amends` a deleted message. Raises Unavailable("platform.uncertain")
        if the connection broke when the part may already have arrived: then `capabilities.recovery` says what
        to do."""

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:
        """The ids of the messages that show `part` if an earlier attempt arrived, else None. Only called if
        `capabilities.recovery` is LOOK_UP."""

    async def delete(self, message: MessageRef) -> None:
        """Delete one of the bot's messages; no error if it is already gone."""

    async def react(self, to: MessageRef, emoji: str) -> None:
        """Add the bot's reaction, NOTED or SEEN, to a person's message; it may already be there. Only called
        if `capabilities.reactions`."""

    def busy(self, to: MessageRef) -> AbstractAsyncContextManager[None]:
        """Show that an answer is being prepared until the context ends; never fails."""

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        """Download an attachment into the folder `into`, decrypted; the file has a safe name. Raises
        Refused("upload.too_large"), Refused("upload.gone") or Unavailable."""

    async def exposure(self, chat: MessageRef) -> Exposure:
        """Who can read the chat now, according to the platform. Raises Unavailable or Refused if that cannot
        be confirmed."""

    async def check(self) -> list[Finding]:
        """Self-check for `doctor`: token, permissions, commands, privacy mode."""

    async def close(self) -> None:
        """End all connections."""


WhoReads = Callable[[], Awaitable[Exposure]]
"""Asks the platform who can read a chat now. Raises Unavailable or Refused if that cannot be confirmed."""


class Surfaces(Protocol):
    """What an app shows besides messages, on platforms with places for that. A chat's settings decide what
    may be seen, as far as `exposure` allows."""

    async def home(self, chat: MessageRef, exposure: WhoReads) -> HomePage:
        """The app's own page for the person of the direct `chat`."""

    def asks_for_form(self, text: str) -> bool:
        """Whether a command is the one for comparisons, without arguments."""

    async def form(self, chat: MessageRef, exposure: WhoReads) -> ComparisonForm:
        """The form for a comparison that will be posted in `chat`. Raises Refused where questions are not
        answered."""

    def comparison(self, topic: str, names: Sequence[str]) -> str:
        """What somebody would type to have `names` compared, or all parties if there are none."""

    async def preview(self, address: str) -> LinkPreview | None:
        """The preview of a link; None if it is not ours, has expired, or its document is not public."""
