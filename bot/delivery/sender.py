"""Sending: parts of replies are sent in order and kept until they have arrived or are given up."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, TypeVar

from bot.chat.guard import Guard
from bot.delivery.shared_files import SharedFiles
from bot.periodic import Supervisor
from bot.presentation.presenter import Presenter
from bot.telemetry import traced
from core.domain.journal import REST, SUSPICIOUS, ChatKey, OutboxItem, OutgoingReply, chat_key
from core.domain.messages import IncomingMessage, MessageKind, MessageRef, Outgoing, Recovery
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.recent import Recent
from core.retrying import until_available

MAX_ATTEMPTS = 30
"""How often a part is sent before it becomes a dead letter: for five hours if the platform fails, for nearly
half an hour if the process ends."""

LONGEST_PAUSE_S = 900.0
"""Maximum seconds between two attempts, unless the platform asks for more."""

AT_ONCE = 4
"""Parts sent concurrently, each of a different chat: a large file or a flood only holds up its own chat."""

LOOK_UPS = 3
SETTLED_S = 6.0
"""Seconds to wait, when somebody reacts to a message, until its id is known."""
IDLE_S = 1.0
"""Seconds after which an idle sender checks again: for postponed parts, or a missed wake-up."""

UNCERTAIN = "platform.uncertain"
CONFLICT: Final = "database.conflict"
BROKEN_S = 15.0
"""Seconds between two attempts if only the operator can fix the database."""
INTERRUPTED: Final = "delivery.interrupted"
T = TypeVar("T")
_LOG = logging.getLogger(__name__)
MOST_TAKEN_BACK = 20_000


class TakenBack:
    """Messages that no longer need an answer. In memory: rebuilt from the journal's edits after a start."""

    def __init__(self) -> None:
        self._last = Recent[tuple[ChatKey, str], tuple[datetime, bool]](MOST_TAKEN_BACK)

    def hear(self, messages: Sequence[IncomingMessage]) -> None:
        """Edits: a later one may ask something again."""
        for message in messages:
            if message.kind is MessageKind.EDIT and not self.is_stale(message):
                self._last[_place(message.ref)] = message.received_at, message.taken_back

    def is_stale(self, message: IncomingMessage) -> bool:
        """Whether an edit arrived late, after one that was made after it."""
        last = self._last.get(_place(message.ref))
        return last is not None and message.received_at < last[0]

    def __contains__(self, message: MessageRef) -> bool:
        last = self._last.get(_place(message))
        return last is not None and last[1]


def _place(message: MessageRef) -> tuple[ChatKey, str]:
    """Not every platform says which thread a deleted message was in."""
    return chat_key(message), message.message


@dataclass(slots=True)
class OutboxSender:
    """Sends due parts on one platform, with their `files`. `guard` is asked again about parts that are not
    public; replies to a message that is `gone` are not sent."""

    platform: ChatPlatform
    journal: Journal
    clock: Clock
    guard: Guard
    files: SharedFiles
    presenter: Presenter
    supervisor: Supervisor = field(default_factory=Supervisor)
    gone: TakenBack = field(default_factory=TakenBack)
    _due: asyncio.Event = field(default_factory=asyncio.Event)
    _stopping: bool = False
    _at_work: dict[str, asyncio.Event] = field(default_factory=dict)

    def wake(self) -> None:
        """Wake up: something is due."""
        self._due.set()

    def stop(self) -> None:
        """Stop once nothing is due any more."""
        self._stopping = True
        self._due.set()

    async def run(self) -> None:
        """Recover parts interrupted by a stop, then send due parts until stopped."""
        await self.supervisor.lasting("sending", self._recover)
        loops = [asyncio.create_task(self.supervisor.lasting("sending", self._loop)) for _ in range(AT_ONCE)]
        try:
            await asyncio.gather(*loops)
        finally:
            await cancelled(loops)

    async def _recover(self) -> None:
        """Parts that were being sent are sent again, looked up or flagged. Until then their chats wait."""
        interrupted = await persistently(lambda: self.journal.interrupted_parts(self.platform.name))
        for item in interrupted:
            rest_s = REST.total_seconds() if item.attempts >= SUSPICIOUS else 0.0
            placed = await self._placed(item)
            await self._unclear(placed, Unavailable(INTERRUPTED, retry_after_s=0.0), pause_s=rest_s)

    async def _loop(self) -> None:
        while True:
            self._due.clear()
            item = await persistently(self._next)
            if item is not None:
                with traced(item.trace), self._in_sending(item.part.to.chat):
                    await self._send(item)
            elif self._stopping:
                return
            else:
                await set_or_late(self._due, IDLE_S)

    async def _next(self) -> OutboxItem | None:
        return await self.journal.claim_part(self.platform.name, at=self.clock.now())

    async def settled(self, chat: str) -> None:
        """Wait until the id of the part being sent to `chat` is known: people may see a message, and edit or
        react, before the platform has returned its id."""
        done = self._at_work.get(chat)
        if done is not None:
            await set_or_late(done, SETTLED_S)

    @contextmanager
    def _in_sending(self, chat: str) -> Iterator[None]:
        """While a part is sent, the only one of its chat at a time, others can wait for the end."""
        done = self._at_work[chat] = asyncio.Event()
        try:
            yield
        finally:
            self._at_work.pop(chat, None)
            done.set()

    async def _send(self, item: OutboxItem) -> None:
        """Waits if the platform says so; a part that cannot be sent becomes a dead letter."""
        if not item.part.deletes and item.part.to in self.gone:
            await self._arrived(item, ())
            return
        item = await self._placed(item)
        try:
            await self._check(item.part)
            messages: tuple[str, ...] = ()
            if item.part.deletes:
                await self.platform.delete(item.part.to)
            else:
                messages = await self._sent(item.part)
        except Unavailable as error:
            await self._not_now(item, error)
        except FundstelleError as error:
            _LOG.warning("a part of a reply could not be sent: %s", error.key)
            useless = isinstance(error, Refused) and not item.part.deletes
            await self._fail(item, error.key, rest=useless)
        except Exception:
            _LOG.exception("a part of a reply could not be sent")
            await self._fail(item, "error.unexpected")
        else:
            await self._arrived(item, messages)

    async def _sent(self, part: Outgoing) -> tuple[str, ...]:
        """Send a part with its files; lost ones are reported instead."""
        async with AsyncExitStack() as stack:
            try:
                there = await stack.enter_async_context(self.files.at_hand(part))
            except Broken as error:  # once the operator has mended it, it goes on
                raise Unavailable(error.key, error.detail, retry_after_s=BROKEN_S) from error
            if len(there.files) == len(part.files):
                return await self.platform.send(there)
            await self._tell_lost(part, len(part.files) - len(there.files))
            return await self.platform.send(there) if there.files or there.text else ()

    async def _tell_lost(self, part: Outgoing, count: int) -> None:
        """Report lost files after a part; once, whatever becomes of the part."""
        _LOG.error("%d files of a reply are lost; whoever waits for them is told", count)
        words = self.presenter.texts(part.language)("command.files_lost", count=count)
        notice = Outgoing(
            key=f"{part.key}-lost",
            to=part.to,
            text=words,
            recipient=part.recipient,
            collections=part.collections,
        )
        await self.journal.enqueue([OutgoingReply(parts=(notice,))], at=self.clock.now())

    async def _placed(self, item: OutboxItem) -> OutboxItem:
        """The part, replacing the reply that it stands in for: parts of a chat are sent in order, so that one
        has been sent by now, or given up."""
        key = item.part.instead_of
        if key is None:
            return item
        shown = await persistently(lambda: self.journal.last_reply(key))
        place = shown[0].message if shown else item.part.replaces
        return replace(item, part=replace(item.part, replaces=place))

    async def _check(self, part: Outgoing) -> None:
        """Hours may have passed since a part was made: people may have joined, settings may have changed.
        Raises Refused, or Unavailable if that is currently unknown."""
        if part.collections and not part.deletes:
            exposure = await self.platform.exposure(part.to)
            self.guard.check_sending(part.to, part.collections, exposure)

    async def _arrived(self, item: OutboxItem, messages: tuple[str, ...]) -> None:
        now = self.clock.now()
        await persistently(lambda: self.journal.sent(item, messages, at=now))
        if item.part.deletes:
            await persistently(lambda: self.journal.withdrawn([item.part.to]))

    async def _fail(self, item: OutboxItem, key: str, *, unknown: bool = False, rest: bool = False) -> None:
        now = self.clock.now()
        await persistently(lambda: self.journal.fail(item, key, at=now, unknown=unknown, rest=rest))

    async def _not_now(self, item: OutboxItem, error: Unavailable) -> None:
        pause_s = min(2.0 ** (item.attempts - 1), LONGEST_PAUSE_S)
        if error.key == UNCERTAIN:
            await self._unclear(item, error, pause_s=pause_s)
        else:
            await self._later(item, error, pause_s=pause_s)

    async def _later(self, item: OutboxItem, error: Unavailable, *, pause_s: float) -> None:
        if item.attempts >= MAX_ATTEMPTS:
            await self._fail(item, error.key)
            return
        now = self.clock.now()
        until = now + timedelta(seconds=max(error.retry_after_s, pause_s))
        await persistently(lambda: self.journal.postpone(item, until=until, error=error.key, at=now))

    async def _unclear(self, item: OutboxItem, error: Unavailable, *, pause_s: float) -> None:
        """It is unknown whether a part arrived: the platform's way of recovery decides what to do."""
        way, part = self.platform.capabilities.recovery, item.part
        if way is Recovery.RESEND or part.deletes or part.replaces is not None:
            await self._later(item, error, pause_s=pause_s)
            return
        if way is Recovery.FLAG:
            _LOG.warning("a part of a reply may have been sent or not; it is listed as a dead letter")
            await self._fail(item, "delivery.unknown", unknown=True)
            return
        try:
            arrived = await self._looked_up(part)
        except FundstelleError as fault:
            _LOG.warning("whether a part of a reply was sent is not known: %s", fault.key)
            await self._fail(item, fault.key, unknown=True)
            return
        if arrived is None:
            await self._later(item, error, pause_s=pause_s)
        else:
            await self._arrived(item, arrived)

    async def _looked_up(self, part: Outgoing) -> tuple[str, ...] | None:
        for _ in range(LOOK_UPS - 1):
            try:
                return await self.platform.look_up(part)
            except Unavailable as error:
                await asyncio.sleep(error.retry_after_s)
        return await self.platform.look_up(part)


async def persistently(call: Callable[[], Awaitable[T]]) -> T:
    """The result of a call to the journal that has to succeed: repeated until the database is available,
    whoever has to act for that. Otherwise the item would count as in progress and block its chat until a
    restart."""

    async def once() -> T:
        try:
            return await call()
        except Broken as error:
            if error.key == CONFLICT:  # recurs every time
                raise
            raise Unavailable(error.key, error.detail, retry_after_s=BROKEN_S) from error

    return await until_available("calling the journal", once)


async def set_or_late(event: asyncio.Event, seconds: float) -> None:
    """Wait until `event` is set, at most that long. (`asyncio.wait_for` of Python 3.11 loses a cancellation
    that comes together with the event.)"""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def cancelled(tasks: Iterable["asyncio.Task[None]"]) -> None:
    """Cancel `tasks` and wait for their end."""
    ending = list(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)
