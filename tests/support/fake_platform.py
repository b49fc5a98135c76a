"""A chat platform controlled by a test: what it receives, what it shows, when it fails."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from adapters.files.folder import FolderFiles
from bot.delivery.shared_files import SharedFiles
from core.domain.messages import (
    Attachment,
    Capabilities,
    Contact,
    Exposure,
    Finding,
    IncomingMessage,
    MessageKind,
    MessageRef,
    Outgoing,
    Recovery,
)
from core.domain.rich_text import Block
from core.errors import FundstelleError, Refused, Unavailable
from core.ports.chat import Inbox
from core.ports.clock import Clock
from tests.support.world import NOW

CAN = Capabilities(
    max_text=4000,
    max_caption=1000,
    max_file_bytes=1_000_000,
    threads=True,
    edits=True,
    buttons=True,
    typing=True,
    private=True,
    deletes=True,
)
NO_FILES = SharedFiles(FolderFiles(Path("/dev/null/no folder")))
"""A file store for senders of plain text: nothing can be stored in it."""

BROKE_OFF = Unavailable("platform.uncertain", "the connection broke off", retry_after_s=0.0)


@dataclass
class ManualClock(Clock):
    """A clock that a test moves."""

    time: datetime = NOW

    def now(self) -> datetime:
        return self.time

    def advance(self, **span: float) -> None:
        self.time += timedelta(**span)


@dataclass
class FakePlatform:
    """`fault` is called before every sending and deletion: the error that it returns is raised. With
    `arrives` a part is shown although its sending fails. `shown` are texts by message id, `posts` are all
    postings by key."""

    name: str = "telegram"
    recovery: Recovery = Recovery.FLAG
    can: Capabilities = CAN
    fault: Callable[[Outgoing], FundstelleError | None] = lambda part: None
    arrives: bool = False
    shown: dict[str, Outgoing] = field(default_factory=dict)
    posts: list[Outgoing] = field(default_factory=list)
    deleted: list[MessageRef] = field(default_factory=list)
    reacted: list[tuple[str, str]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    inbox: "asyncio.Future[Inbox] | None" = None
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    asked: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    failing: list[Exception] = field(default_factory=list)
    closed: bool = False
    contact: Contact = field(default_factory=Contact)
    exposure_now: Exposure = field(default_factory=lambda: Exposure(closed=True, direct=False))
    _dropped: "asyncio.Future[None] | None" = None
    _ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _events: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    @property
    def capabilities(self) -> Capabilities:
        return replace(self.can, recovery=self.recovery)

    def length(self, text: Block) -> int:
        return len(text)

    async def run(self, inbox: Inbox) -> None:
        if self.failing:
            raise self.failing.pop(0)
        self.contact.made(NOW)
        self._receiver().set_result(inbox)
        self._dropped = asyncio.get_running_loop().create_future()
        ended = asyncio.create_task(self.ended.wait())
        try:
            await asyncio.wait([ended, self._dropped], return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
        if self._dropped.done():
            self._dropped.result()

    def drop(self, error: Exception) -> None:
        """Make receiving fail now."""
        assert self._dropped is not None
        self._dropped.set_exception(error)

    def _receiver(self) -> "asyncio.Future[Inbox]":
        if self.inbox is None:
            self.inbox = asyncio.get_running_loop().create_future()
        return self.inbox

    async def deliver(self, *messages: IncomingMessage, cursor: str | None = None) -> None:
        """Deliver messages; returns when they are acknowledged."""
        await (await self._receiver()).accept(messages, cursor=cursor)

    async def say(self, text: str, chat: str = "c1", **fields: object) -> IncomingMessage:
        message = self.message(text, chat, **fields)
        await self.deliver(message)
        return message

    def message(self, text: str, chat: str = "c1", **fields: object) -> IncomingMessage:
        number = str(next(self._events))
        ref = MessageRef(platform=self.name, workspace="", chat=chat, thread=None, message=f"q{number}")
        base = IncomingMessage(
            ref=ref, sender="anna", text=text, addressed=True, received_at=NOW, event=number
        )
        return replace(base, **fields)  # type: ignore[arg-type]

    async def edit(self, earlier: IncomingMessage, text: str) -> IncomingMessage:
        message = replace(earlier, text=text, event=str(next(self._events)), kind=MessageKind.EDIT)
        await self.deliver(message)
        return message

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        if part.to.chat in self.held:
            await self.held[part.to.chat].wait()
        error = self.fault(part)
        if error is not None and not self.arrives:
            raise error
        ids = self._post(part)
        if error is not None:
            raise error
        return ids

    def _post(self, part: Outgoing) -> tuple[str, ...]:
        known = [name for name, item in self.shown.items() if item.key == part.key]
        if self.recovery is Recovery.RESEND and known:
            return tuple(known)
        if part.amends and part.replaces not in self.shown:
            return ()
        self.posts.append(part)
        name = part.replaces or f"a{next(self._ids)}"
        self.shown[name] = part
        return (name,)

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:
        self.asked += 1
        return tuple(name for name, item in self.shown.items() if item.key == part.key) or None

    async def delete(self, message: MessageRef) -> None:
        error = self.fault(Outgoing(key="delete", to=message, text="", deletes=True))
        if error is not None:
            raise error
        self.deleted.append(message)
        self.shown.pop(message.message, None)

    async def react(self, to: MessageRef, emoji: str) -> None:
        self.reacted.append((to.message, emoji))

    @asynccontextmanager
    async def busy(self, to: MessageRef) -> AsyncIterator[None]:
        yield

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        if attachment.id in self.held:
            await self.held[attachment.id].wait()
        if attachment.id not in self.files:
            raise Refused("upload.gone", "the file is gone")
        path = into / attachment.name
        path.write_bytes(self.files[attachment.id])
        return path

    async def exposure(self, chat: MessageRef) -> Exposure:
        return self.exposure_now

    async def check(self) -> list[Finding]:
        return [Finding(ok=True, what="fake: token")]

    async def close(self) -> None:
        self.closed = True

    def texts(self, chat: str = "c1") -> list[str]:
        """The texts shown in a chat."""
        return [part.text for part in self.shown.values() if part.to.chat == chat]
