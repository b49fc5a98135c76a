"""Nothing is lost and nothing is said twice: the durable inbox, the turns of the chats, the durable outbox.

A message is taken over before its platform hears that it arrived. It is worked on when its chat's turn
comes, and finished in one transaction with the reply that is due. Parts of a reply are sent in order;
what was being sent when the process ended is treated as its platform allows (`Recovery`).
"""

import asyncio
import hashlib
import logging
import shutil
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from bot.conversation import Conversation
from bot.fitting import fit
from bot.sending import Sender
from bot.staging import PlatformStage
from bot.talk.turn import Said, reply_of
from core.chat_ports import ChatPlatform
from core.domain.ids import TraceId
from core.domain.journal import Box, Cursor, InboxItem, OutgoingReply, chat_key
from core.domain.messages import IncomingMessage, MessageKind, Outgoing, Reply
from core.errors import Broken, FundstelleError, Unavailable
from core.journal_ports import Journal
from core.ports import Clock

MAX_ATTEMPTS = 5
"""How often a message is worked on before it becomes a dead letter."""

IDLE_S = 5.0
"""Seconds after which an idle worker looks again, should a wake-up have been missed."""

DRAIN_S = 8.0
"""Seconds that a shutdown leaves to what is being worked on and sent."""

_NOTICEABLE = 4
"""Messages ahead from which on a person is told their place in the queue."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Desk:
    """One platform's way in: takes messages over before they are acknowledged."""

    platform: ChatPlatform
    delivery: "Delivery"

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:
        """Write down what is new, with the cursor. Raises Unavailable where nothing could be written."""
        await self.delivery.accept(self.platform, messages, cursor)

    async def cursor(self) -> str | None:
        """Where the platform goes on after a restart."""
        return await self.delivery.journal.cursor(self.platform.name, "")


@dataclass(slots=True)
class Delivery:
    """The workers between the platforms and the conversation."""

    journal: Journal
    conversation: Conversation
    platforms: dict[str, ChatPlatform]
    clock: Clock
    workers: int
    max_waiting: int
    _inbox: asyncio.Event = field(default_factory=asyncio.Event)
    _senders: dict[str, Sender] = field(default_factory=dict)
    _urgent: set["asyncio.Task[None]"] = field(default_factory=set)
    _broken: list[Broken] = field(default_factory=list)
    _stopping: bool = False

    def __post_init__(self) -> None:
        self._senders = {
            name: Sender(platform, self.journal, self.clock) for name, platform in self.platforms.items()
        }

    async def run(self) -> None:
        """Serve until cancelled, or until every platform has ended; then receiving ends at once, and what
        is in work gets `DRAIN_S` to end. Raises Broken if no platform can be served."""
        await self._recover()
        receivers = [asyncio.create_task(self._receive(each)) for each in self.platforms.values()]
        workers = [asyncio.create_task(self._work()) for _ in range(self.workers)]
        senders = [asyncio.create_task(sender.run()) for sender in self._senders.values()]
        everything = asyncio.gather(*workers, *senders)
        ended = asyncio.gather(*receivers)
        try:
            await asyncio.wait([ended, everything], return_when=asyncio.FIRST_COMPLETED)
            if everything.done():
                everything.result()
            if self._broken and len(self._broken) == len(self.platforms):
                raise self._broken[0]
        finally:
            await _cancelled(receivers)
            await self._drain(workers, senders)

    async def _drain(
        self, workers: Sequence["asyncio.Task[None]"], senders: Sequence["asyncio.Task[None]"]
    ) -> None:
        """Let what is in work end and be sent, within `DRAIN_S`; the rest goes on after the next start."""
        self._stopping = True
        self._inbox.set()
        try:
            async with asyncio.timeout(DRAIN_S):
                await asyncio.gather(*workers, *self._urgent, return_exceptions=True)
                for sender in self._senders.values():
                    sender.stop()
                await asyncio.gather(*senders, return_exceptions=True)
        except TimeoutError:
            _LOG.warning("not everything was done in %.0f s; it goes on after the next start", DRAIN_S)
        await _cancelled([*workers, *senders, *self._urgent])

    async def _receive(self, platform: ChatPlatform) -> None:
        """Receive for as long as we serve; a platform that fails is tried again, less and less often, one
        that only the operator can mend is left out."""
        wait = 1.0
        while True:
            try:
                await platform.run(Desk(platform, self))
                _LOG.info("%s has ended", platform.name)
                return
            except Broken as error:
                _LOG.error("%s is not served: %s", platform.name, error.detail)
                self._broken.append(error)
                return
            except FundstelleError as error:
                wait = max(wait, getattr(error, "retry_after_s", wait))
                _LOG.warning("%s: %s; again in %.0f s", platform.name, error.key, wait)
            except Exception:
                _LOG.exception("%s failed; again in %.0f s", platform.name, wait)
            await asyncio.sleep(wait)
            wait = min(2 * wait, 60.0)

    async def accept(
        self, platform: ChatPlatform, messages: Sequence[IncomingMessage], cursor: str | None
    ) -> None:
        """Take messages over; what cannot wait is handled beside the queue."""
        stated = None if cursor is None else Cursor(platform=platform.name, workspace="", value=cursor)
        accepted = await self.journal.accept(messages, at=self.clock.now(), cursor=stated)
        for message in messages:
            if message.event not in accepted:
                continue
            if self.conversation.is_urgent(message):
                self._beside(self._cancel(platform, message))
            elif message.addressed and message.kind is MessageKind.MESSAGE:
                await self._queued(platform, message)
        self._inbox.set()

    def _beside(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._urgent.add(task)
        task.add_done_callback(self._urgent.discard)

    async def _queued(self, platform: ChatPlatform, message: IncomingMessage) -> None:
        """Say the place in the queue to who will have to wait, and decline what nobody would wait for."""
        before = await self.journal.waiting_before(chat_key(message.ref))
        if before < max(_NOTICEABLE, 2 * self.workers):
            return
        words = self.conversation.words(message)
        if before < self.max_waiting:
            text = words("queue.place", place=before + 1)
        else:
            await self.journal.decline([message], at=self.clock.now())
            text = words("limit.queue")
        await self._enqueue(platform, Reply(to=message.ref, blocks=(text,)), reply_key(message, "queue"))

    async def _cancel(self, platform: ChatPlatform, message: IncomingMessage) -> None:
        """A word that stops others cannot stand in line behind them."""
        await self.journal.decline([message], at=self.clock.now())
        try:
            reply = await self.conversation.cancel(message, self._stage(platform, message))
        except FundstelleError as error:
            _LOG.warning("a message could not be handled at once: %s", error.key)
            return
        await self._enqueue(platform, reply, reply_key(message))

    async def _enqueue(self, platform: ChatPlatform, reply: Reply, key: str) -> None:
        parts = self._parts(platform, reply, key, None)
        await self.journal.enqueue([OutgoingReply(parts=parts)], at=self.clock.now())
        self._senders[platform.name].wake()

    async def _work(self) -> None:
        """Handle messages by turns of the chats."""
        while not self._stopping:
            item = await self._claimed()
            if item is not None:
                await self._handle(item)

    async def _claimed(self) -> InboxItem | None:
        self._inbox.clear()
        try:
            item = await self.journal.claim(at=self.clock.now())
        except Unavailable as error:
            _LOG.warning("the journal cannot be read: %s", error.key)
            await asyncio.sleep(error.retry_after_s)
            return None
        if item is None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._inbox.wait(), IDLE_S)
        return item

    async def _handle(self, item: InboxItem) -> None:
        """Answer a message; it is done in the transaction that queues its reply."""
        message = item.message
        platform = self.platforms.get(message.ref.platform)
        if platform is None:
            await self.journal.finish(item.id, at=self.clock.now())
            return
        try:
            reply = await self._reply(platform, message)
            replies = [] if reply is None else [self._outgoing(platform, message, reply)]
            await self.journal.finish(item.id, at=self.clock.now(), replies=replies)
        except asyncio.CancelledError:
            await asyncio.shield(self.journal.give_back(item.id, at=self.clock.now()))
            raise
        except Exception as error:
            await self._failed(item, error)
        self._senders[platform.name].wake()
        self._inbox.set()

    async def _failed(self, item: InboxItem, error: Exception) -> None:
        key = error.key if isinstance(error, FundstelleError) else "error.unexpected"
        if item.attempts >= MAX_ATTEMPTS or not isinstance(error, Unavailable):
            _LOG.error("a message became a dead letter: %s", key)
            with suppress(FundstelleError):
                await self.journal.give_up(item.id, key, at=self.clock.now())
            return
        await asyncio.sleep(min(error.retry_after_s, 10.0))
        with suppress(FundstelleError):
            await self.journal.give_back(item.id, at=self.clock.now())

    async def _reply(self, platform: ChatPlatform, message: IncomingMessage) -> Reply | None:
        async with AsyncExitStack() as busy:
            if message.kind in (MessageKind.MESSAGE, MessageKind.EDIT) and message.addressed:
                await busy.enter_async_context(platform.busy(message.ref))
            return await self.conversation.handle(message, self._stage(platform, message))

    def _stage(self, platform: ChatPlatform, message: IncomingMessage) -> PlatformStage:
        return PlatformStage(platform, message, self.journal, reply_key(message, every=True))

    def _outgoing(self, platform: ChatPlatform, message: IncomingMessage, reply: Reply) -> OutgoingReply:
        ref = message.ref
        person = self.journal.pseudonyms.person(ref.platform, ref.workspace, message.sender)
        return OutgoingReply(
            parts=self._parts(platform, reply, reply_key(message), message.sender),
            trace=TraceId(reply.trace) if reply.trace else None,
            person=person,
        )

    def _parts(
        self, platform: ChatPlatform, reply: Reply, key: str, recipient: str | None
    ) -> tuple[Outgoing, ...]:
        words = self.conversation.app.presenter.texts("")
        parts = fit(
            reply,
            platform.capabilities,
            platform.length,
            key=key,
            recipient=recipient,
            too_large=lambda file: words("command.file_too_large", name=file.name),
        )
        return tuple(parts)

    async def stage(self, message: IncomingMessage) -> PlatformStage:
        """The chat of a message that was answered before: what it shows then goes into that answer."""
        found = self._stage(self.platforms[message.ref.platform], message)
        await found.resume()
        return found

    async def post(self, message: IncomingMessage, answer: Said) -> None:
        """Say more to a message that was answered before; the same thing is only said once."""
        platform = self.platforms[message.ref.platform]
        await self._enqueue(platform, reply_of(message.ref, answer), reply_key(message, "more"))

    async def revive(self, box: Box, item: int) -> bool:
        """Try a dead letter again."""
        found = await self.journal.revive(box, item, at=self.clock.now())
        self._inbox.set()
        for sender in self._senders.values():
            sender.wake()
        return found

    async def _recover(self) -> None:
        """After a stop: messages that were in work wait again, and what was being sent is cleared up."""
        found = await self.journal.requeue_interrupted(at=self.clock.now(), max_attempts=MAX_ATTEMPTS)
        if found.waiting or found.dead:
            _LOG.info("taken up again: %d messages, given up: %d", found.waiting, found.dead)
        for sender in self._senders.values():
            await sender.recover()


def reply_key(message: IncomingMessage, *kind: str, every: bool = False) -> str:
    """What the keys of the parts that answer a message begin with; with `every`, of all its edits too."""
    ref = message.ref
    first = _digest(ref.platform, ref.workspace, ref.chat, ref.message, *kind)[:20]
    return first if every else f"{first}-{_digest(message.event)[:8]}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


async def _cancelled(tasks: Sequence["asyncio.Task[None]"]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def drop_old_files(folder: Path, *, older_than: timedelta, clock: Clock) -> int:
    """Remove the files of replies that have been delivered long ago; returns how many folders went."""
    if not folder.is_dir():
        return 0
    limit = (clock.now() - older_than).timestamp()
    old = [item for item in folder.iterdir() if item.is_dir() and item.stat().st_mtime < limit]
    for item in old:
        shutil.rmtree(item, ignore_errors=True)
    return len(old)
