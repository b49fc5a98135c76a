"""Receiving: a message is stored before it is acknowledged to its platform."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.chat.conversation import Conversation
from bot.delivery.outbox import Outbox, reply_key
from bot.delivery.sender import TakenBack
from bot.delivery.staging import SAID, PlatformStage
from bot.telemetry.metrics import Metrics
from core.domain.journal import ChatKey, Cursor, Stop, chat_key
from core.domain.messages import IncomingMessage, MessageKind, Reply
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock, is_within
from core.ports.journal import Journal

TOLD_EVERY = timedelta(minutes=1)
"""How often a person gets the same notice about the queue, however much they send."""

_MANY = 1000
Handle = Callable[[IncomingMessage, PlatformStage], Awaitable[Reply | None]]
_LOG = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Arrival:
    """Messages waiting to be stored."""

    messages: Sequence[IncomingMessage]
    taken: bool = False


@dataclass(slots=True)
class InboxReceiver:
    """Receives messages from one platform. `noticeable`: minimum messages ahead for a person to be told their
    place; `max_waiting`: how many may wait, further ones are declined; `arrived` is called when there are new
    messages, `heard_at` is when there last were; `gone` is told about withdrawn messages."""

    platform: ChatPlatform
    journal: Journal
    conversation: Conversation
    outbox: Outbox
    clock: Clock
    noticeable: int
    max_waiting: int
    arrived: Callable[[], None]
    gone: TakenBack = field(default_factory=TakenBack)
    metrics: Metrics = field(default_factory=Metrics)
    heard_at: datetime | None = None
    urgent: set["asyncio.Task[None]"] = field(default_factory=set)
    _told: dict[Hashable, datetime] = field(default_factory=dict)
    _arrivals: list["_Arrival"] = field(default_factory=list)
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def cursor(self) -> str | None:
        """Where the platform resumes after a restart."""
        return await self.journal.cursor(self.platform.name, "")

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:
        """Store new messages, with the cursor; urgent ones are handled ahead of the queue. Messages without a
        cursor are stored together with others that have arrived meanwhile. Raises Unavailable if nothing
        could be stored."""
        if cursor is not None:
            await self._accept(messages, cursor)
            return
        arrival = _Arrival(messages)
        self._arrivals.append(arrival)
        try:
            async with self._writing:
                if not arrival.taken:
                    await self._accept_together(arrival)
        finally:
            self._arrivals.remove(arrival)

    async def _accept_together(self, arrival: "_Arrival") -> None:
        together = [each for each in self._arrivals if not each.taken]
        try:
            await self._accept([message for each in together for message in each.messages], None)
        except ValueError:  # what cannot be written takes no other with it
            together = [arrival]
            await self._accept(arrival.messages, None)
        for each in together:
            each.taken = True

    async def _accept(self, messages: Sequence[IncomingMessage], cursor: str | None) -> None:
        stated = None if cursor is None else Cursor(platform=self.platform.name, workspace="", value=cursor)
        messages = [message for message in messages if self.conversation.concerns(message)]
        messages = [each for each in messages if not each.taken_back or await self._matters(each, messages)]
        accepted = await self.journal.accept(messages, at=self.clock.now(), cursor=stated)
        new = [message for message in messages if message.event in accepted]
        self.gone.hear(new)
        questions: dict[ChatKey, list[IncomingMessage]] = {}
        for message in new:
            if self.conversation.is_urgent(message):
                self._start_urgent(self._at_once(message, self.conversation.cancel))
            elif await self.conversation.keeps_nothing_of(message):
                self._start_urgent(self._at_once(message, self.conversation.handle, forget=True))
            elif message.taken_back:
                self.conversation.take_back(message)
                if self.conversation.others_answer:
                    await self.journal.stop(
                        chat_key(message.ref), Stop.TAKEN_BACK, message=message.ref.message
                    )
                self._start_urgent(self._at_once(message, self.conversation.handle))
            elif message.addressed and message.kind is MessageKind.MESSAGE:
                questions.setdefault(chat_key(message.ref), []).append(message)
        for chat, asked in questions.items():
            await self._queued(chat, asked)
        if new:
            self.heard_at = self.clock.now()
            self.metrics.arrived(self.platform.name, len(new))
            self.arrived()

    async def _matters(self, gone: IncomingMessage, others: Sequence[IncomingMessage]) -> bool:
        """Whether to store a withdrawal: what people withdraw among themselves is nobody's business. Since
        events overtake each other, it also prevents answering a message that arrives later."""
        if self.gone.is_stale(gone):
            return False
        if await self._is_known(gone, others):
            return True
        self.gone.hear([gone])
        return False

    async def _is_known(self, gone: IncomingMessage, others: Sequence[IncomingMessage]) -> bool:
        """Whether a withdrawn message was or will be answered."""
        if any(each.ref.message == gone.ref.message and each is not gone for each in others):
            return True
        if await self.journal.is_being_answered(gone.ref):
            return True
        for kind in SAID:
            found = await self.journal.delivered(reply_key(gone, *kind, every=True))
            if found.messages or found.waiting or found.sending:
                return True
        return False

    def _start_urgent(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self.urgent.add(task)
        task.add_done_callback(self.urgent.discard)

    async def _queued(self, chat: ChatKey, messages: Sequence[IncomingMessage]) -> None:
        """Tell people who will have to wait their place in the queue, and decline messages beyond the limit:
        the last ones of a chat. Messages are accepted whatever the outcome. A flood is handled as a whole:
        one by one, a thousand messages would block everybody else's."""
        try:
            before = await self.journal.waiting_before(chat)
            if before >= self.max_waiting:
                fit = len(messages) - await self._too_late(chat, len(messages))
                messages, declined = messages[:fit], messages[fit:]
                if await self.journal.decline(declined, at=self.clock.now()):
                    for message in declined:
                        await self._tell(message, "limit.queue")
                before = await self.journal.waiting_before(chat)
            if before >= self.noticeable:
                for message in messages:
                    await self._tell(message, "queue.place", place=before + 1)
        except FundstelleError as error:
            _LOG.warning("a place in the queue could not be told: %s", error.key)

    async def _too_late(self, chat: ChatKey, most: int) -> int:
        """How many of a chat's last messages, at most `most`, would have too many ahead of them."""
        low, high = 0, most
        while low < high:
            middle = (low + high) // 2
            if await self.journal.waiting_before(chat, without=middle) < self.max_waiting:
                high = middle
            else:
                low = middle + 1
        return low

    async def _tell(self, message: IncomingMessage, key: str, **values: int) -> None:
        """Notify a person, at most once a minute, so that a thousand questions don't get a thousand
        notices."""
        now, whom = self.clock.now(), (chat_key(message.ref), message.sender, key)
        if whom in self._told and is_within(self._told[whom], now, TOLD_EVERY):
            return
        if len(self._told) > _MANY:
            self._told = {key: at for key, at in self._told.items() if is_within(at, now, TOLD_EVERY)}
        self._told[whom] = now
        text = self.conversation.words(message)(key, **values)
        await self.outbox.enqueue(
            self.platform, Reply(blocks=(text,)), message.ref, reply_key(message, "queue")
        )

    async def _at_once(self, message: IncomingMessage, handle: Handle, *, forget: bool = False) -> None:
        """A command that stops others, a withdrawal, and a cry for help cannot wait in line behind them. It
        is marked as done when it has worked and its reply is queued; if we are stopped before that, it is
        handled in its turn."""
        try:
            reply = await handle(message, PlatformStage(self.platform, message, self.journal))
            if reply is not None:
                await self.outbox.enqueue(
                    self.platform, reply, message.ref, reply_key(message), forget=forget
                )
            await self.journal.decline([message], at=self.clock.now(), forget=forget)
        except FundstelleError as error:
            _LOG.warning("a message could not be handled at once: %s", error.key)
        except Exception:
            _LOG.exception("a message could not be handled at once")
