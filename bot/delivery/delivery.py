"""Nothing is lost and nothing is said twice: the durable inbox, the turns of the chats, the durable outbox.

A message is stored before it is acknowledged to its platform. It is processed when its chat's turn comes, and
finished in one transaction with queuing its reply. Parts of a reply are sent in order; a part that was being
sent when the process ended is handled as its platform allows (`Recovery`).
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from bot.chat.conversation import Conversation
from bot.delivery.inline import ChatsFirst
from bot.delivery.outbox import Outbox, reply_key
from bot.delivery.receiver import InboxReceiver
from bot.delivery.sender import OutboxSender, TakenBack, cancelled, persistently, set_or_late
from bot.delivery.several import LOOK_S, Several, serve_calls
from bot.delivery.shared_files import SharedFiles
from bot.delivery.staging import PlatformStage
from bot.periodic import Supervisor
from bot.telemetry import current_trace, traced
from bot.telemetry.metrics import Metrics
from core.asides import Asides
from core.domain.ids import TraceId
from core.domain.journal import InboxItem
from core.domain.messages import IncomingMessage, MessageKind, MessageRef, Reply
from core.errors import Broken, FundstelleError, Unavailable
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock, is_within
from core.ports.journal import Journal

MAX_ATTEMPTS = 5
"""How often a message is processed before it becomes a dead letter."""

MAX_INTERRUPTED = 30
"""How often the process may end while a message is being handled before it is given up: nearly half an hour,
since it rests between later attempts."""

IDLE_S = 2.0
"""Seconds after which an idle worker looks again: for letters revived elsewhere, or a missed wake-up."""

DRAIN_S = 7.0
"""Seconds that a shutdown leaves for work in progress and sending."""

GIVE_BACK_S = 1.0
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
"""Seconds until a platform that failed is tried again, unless it asks for more."""

LONGEST_BROKEN_S = 300.0
"""The same if it says that only the operator can fix it, which may come from something in between."""

NOT_CONFIGURED: Final = "platform.not_configured"
_NOTICEABLE = 4
"""Minimum number of messages ahead for a person to be told their place in the queue."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Delivery:
    """The workers between the platforms and the conversation. Each message being processed gets a trace from
    `new_trace`: that of its answer; `chats_first` knows of it. `files` are those of replies. If this process
    is one of `several`, others may do the answering, or the receiving and sending (`fronts` is False)."""

    journal: Journal
    conversation: Conversation
    platforms: dict[str, ChatPlatform]
    clock: Clock
    files: SharedFiles
    workers: int
    max_waiting: int
    several: Several | None = None
    fronts: bool = True
    supervisor: Supervisor = field(default_factory=Supervisor)
    metrics: Metrics = field(default_factory=Metrics)
    new_trace: Callable[[], TraceId | None] = current_trace
    chats_first: ChatsFirst = field(default_factory=ChatsFirst)
    broken: dict[str, Broken] = field(default_factory=dict)
    _gone: TakenBack = field(default_factory=TakenBack)
    _signs: Asides = field(default_factory=Asides)
    _hopeless: asyncio.Event = field(default_factory=asyncio.Event)
    _inbox: asyncio.Event = field(default_factory=asyncio.Event)
    _answering: dict[MessageRef, asyncio.Event] = field(default_factory=dict)
    _stopping: bool = False
    _outbox: Outbox = field(init=False)
    _receivers: dict[str, InboxReceiver] = field(init=False)

    def __post_init__(self) -> None:
        guard, presenter = self.conversation.guard, self.conversation.presenter
        senders = {
            name: OutboxSender(
                each, self.journal, self.clock, guard, self.files, presenter, self.supervisor, self._gone
            )
            for name, each in self.platforms.items()
        }
        self._outbox = Outbox(self.journal, self.clock, presenter, self.files, senders)
        self._receivers = {
            name: InboxReceiver(
                platform=platform,
                journal=self.journal,
                conversation=self.conversation,
                outbox=self._outbox,
                clock=self.clock,
                noticeable=max(_NOTICEABLE, 2 * self.workers),
                max_waiting=self.max_waiting,
                arrived=self._inbox.set,
                gone=self._gone,
                metrics=self.metrics,
            )
            for name, platform in self.platforms.items()
        }

    def heard_at(self, platform: str) -> datetime | None:
        """When messages from a platform last arrived; None if not since the start."""
        return self._receivers[platform].heard_at

    async def run(self) -> None:
        """Serve until cancelled, or until every platform has ended; then receiving ends at once, and what
        is being handled gets `DRAIN_S` to finish. Raises Broken if no platform could be served since the
        start."""
        if self.workers:
            await self.supervisor.lasting("answering", self._requeue)
        receivers, senders, beside = [], [], self._beside_others()
        if self.fronts:
            await self.supervisor.lasting("answering", self._recall)
            await self.supervisor.lasting("answering", self._give_up_others)
            receivers = [asyncio.create_task(self._received(each)) for each in self._receivers.values()]
            senders = [asyncio.create_task(self._sent(each)) for each in self._outbox.senders.values()]
        workers = [
            asyncio.create_task(self.supervisor.lasting("answering", self._work)) for _ in range(self.workers)
        ]
        ended = asyncio.create_task(_all_ended(receivers) if receivers else _set(asyncio.Event()))
        hopeless = asyncio.create_task(_set(self._hopeless))
        try:
            await asyncio.wait([ended, hopeless, *workers, *senders], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancelled([ended, hopeless, *receivers])
            await self._drain(workers, senders)
            await cancelled(beside)
        for task in (*workers, *senders):
            if not task.cancelled():
                task.result()
        if self._hopeless.is_set():
            raise next(iter(self.broken.values()))

    def _beside_others(self) -> list["asyncio.Task[None]"]:
        """Additional work if there are several processes."""
        several, every = self.several, self.supervisor.every
        if several is None:
            return []
        works: list[Coroutine[Any, Any, None]] = []
        if self.workers:
            works += [self._wake(several.on("inbox"), self._inbox.set), self._stop_unwanted(several)]
            works.append(every("requeuing", LOOK_S, self._take_over))
        if self.fronts:
            works.append(self._wake(several.on("outbox"), self._outbox.wake))
        return [asyncio.create_task(work) for work in works]

    async def _wake(self, told: asyncio.Event, wake: Callable[[], None]) -> None:
        while True:
            await told.wait()
            told.clear()
            wake()

    async def _take_over(self) -> None:
        """Take over the work of processes that died."""
        if self.several is not None and self.several.may_take_over:
            await self._requeue()

    async def _stop_unwanted(self, several: Several) -> None:
        """Stop work that, according to another process, is no longer wanted."""
        told = several.on("stops")
        while True:
            await set_or_late(told, LOOK_S)
            told.clear()
            if self._answering:
                with suppress(FundstelleError):
                    for message, why in await self.journal.stopped():
                        self.conversation.stop(message, why)

    async def _received(self, receiver: InboxReceiver) -> None:
        """Receive; if there are other processes, only while this one has the platform's session."""
        if self.several is None:
            await self._receive(receiver)
        else:
            await self.several.while_leading(
                session_of(receiver.platform), partial(self._in_session, self.several, receiver)
            )

    async def _in_session(self, several: Several, receiver: InboxReceiver) -> None:
        await self.supervisor.lasting("answering", self._recall)
        calls = asyncio.create_task(
            self.supervisor.lasting("calls", partial(serve_calls, receiver.platform, several))
        )
        try:
            await self._receive(receiver)
        finally:
            await cancelled([calls])

    async def _sent(self, sender: OutboxSender) -> None:
        if self.several is None:
            await sender.run()
        else:
            await self.several.while_leading(session_of(sender.platform), sender.run)

    async def _requeue(self) -> None:
        """Requeue messages that were being handled by processes that have ended."""
        found = await persistently(
            lambda: self.journal.requeue_interrupted(at=self.clock.now(), max_attempts=MAX_INTERRUPTED)
        )
        if found.waiting or found.dead:
            _LOG.info("taken up again: %d messages, given up: %d", found.waiting, found.dead)

    async def _recall(self) -> None:
        """After a restart: make sure that withdrawn messages are still not answered."""
        self._gone.hear(await persistently(self.journal.edits))

    async def _give_up_others(self) -> None:
        """Parts of platforms that are not configured (any more) would wait forever, with their texts and
        files: they are dead letters."""
        served = tuple(self.platforms)
        lost = await persistently(
            lambda: self.journal.give_up_others(served, NOT_CONFIGURED, at=self.clock.now())
        )
        if lost:
            _LOG.error("%d parts are of platforms that are not configured: see `fundstelle letters`", lost)

    async def _drain(
        self, workers: Sequence["asyncio.Task[None]"], senders: Sequence["asyncio.Task[None]"]
    ) -> None:
        """Let what is in progress finish and be sent within `DRAIN_S`; the rest waits for the next start."""
        self._stopping = True
        self._inbox.set()
        for sender, task in zip(self._outbox.senders.values(), senders, strict=False):
            if self.several is not None and not self.several.leads(session_of(sender.platform)):
                task.cancel()
        urgent = [task for receiver in self._receivers.values() for task in receiver.urgent]
        try:
            async with asyncio.timeout(DRAIN_S):
                await asyncio.gather(*workers, *urgent, return_exceptions=True)
                for sender in self._outbox.senders.values():
                    sender.stop()
                await asyncio.gather(*senders, return_exceptions=True)
        except TimeoutError:
            _LOG.warning("not everything was done in %.0f s; it goes on after the next start", DRAIN_S)
        await cancelled([*workers, *senders, *urgent])
        await self._signs.end()

    async def _receive(self, receiver: InboxReceiver) -> None:
        """Receive for as long as we serve; a failing platform is tried again, less and less often, even if
        only the operator can fix it. After receiving for a while, its delays start over."""
        platform, pause = receiver.platform, FIRST_WAIT_S
        while True:
            begun, longest, wait = self.clock.now(), LONGEST_WAIT_S, 0.0
            try:
                await platform.run(receiver)
                _LOG.info("%s has ended", platform.name)
                return
            except FundstelleError as error:
                platform.contact.lost(error.key)
                wait = getattr(error, "retry_after_s", 0.0)
                if isinstance(error, Broken):
                    longest = LONGEST_BROKEN_S
                    self._is_broken(platform, error)
                else:
                    _LOG.warning("%s: %s", platform.name, error.key)
            except Exception as error:
                platform.contact.lost("error.unexpected")
                self.supervisor.failed("receiving", error)
            if not is_within(begun, self.clock.now(), timedelta(seconds=LONGEST_WAIT_S)):
                pause = FIRST_WAIT_S
            wait = max(wait, min(pause, longest))
            _LOG.warning("%s is received from again in %.0f s", platform.name, wait)
            await asyncio.sleep(wait)
            pause = min(2 * pause, longest)

    def _is_broken(self, platform: ChatPlatform, error: Broken) -> None:
        """Treat it as a configuration error if this applies to all platforms and none was reachable since the
        start."""
        _LOG.error("%s is not served: %s (%s)", platform.name, error.key, error.detail)
        self.broken[platform.name] = error
        if self.broken.keys() == self.platforms.keys() and not any(
            each.contact.at for each in self.platforms.values()
        ):
            self._hopeless.set()

    async def _work(self) -> None:
        """Handle messages, with chats taking turns."""
        while not self._stopping:
            self._inbox.clear()
            item = await persistently(lambda: self.journal.claim(at=self.clock.now()))
            if item is not None:
                with traced(self.new_trace()), self._in_answer(item.message.ref), self.chats_first.chat():
                    await self._answer(item)
            elif not self._stopping:
                await set_or_late(self._inbox, IDLE_S)

    @contextmanager
    def _in_answer(self, ref: MessageRef) -> Iterator[None]:
        """While a message is being answered, code that has more to say to it can wait for the end."""
        done = self._answering.setdefault(ref, asyncio.Event())
        try:
            yield
        finally:
            del self._answering[ref]
            done.set()

    async def _answer(self, item: InboxItem) -> None:
        """Answer a message; it is marked as done in the transaction that queues its reply."""
        message = item.message
        platform = self.platforms.get(message.ref.platform)
        if platform is None:
            await self._give_up(item, NOT_CONFIGURED)
            return
        self.metrics.begun((self.clock.now() - message.received_at).total_seconds())
        try:
            with self._busy(platform, message):
                # it may be about something that is just being sent
                if message.kind is not MessageKind.MESSAGE and self.fronts:
                    await self._outbox.senders[platform.name].settled(message.ref.chat)
                reply = await self._handled(message, PlatformStage(platform, message, self.journal))
            reply = await self._without_notice(platform, message, reply)
            replies = [] if reply is None else [await self._outbox.outgoing(platform, message, reply)]
            forget = await self.conversation.keeps_nothing_of(message)
            await self.journal.finish(item, at=self.clock.now(), replies=replies, forget=forget)
            if reply is not None and reply.deletes:  # wherever it was posted, once
                await self._give_up_others()
        except asyncio.CancelledError:
            with suppress(TimeoutError):  # otherwise the next start finds it unfinished
                async with asyncio.timeout(GIVE_BACK_S):
                    await self._give_back(item)
            raise
        except Exception as error:
            await self._failed(item, error)
        self._outbox.wake()
        self._inbox.set()

    async def _handled(self, message: IncomingMessage, stage: PlatformStage) -> Reply | None:
        """The reply to a message; if the message is withdrawn meanwhile, anything shown is deleted."""
        reply = None
        await self._hear_of(message)
        if message.taken_back or message.ref not in self._gone:
            reply = await self.conversation.handle(message, stage)
            await self._hear_of(message)
        if message.taken_back or message.ref not in self._gone:
            return reply
        shown = await stage.withdrawn()
        return Reply(blocks=(), deletes=shown) if shown else None

    async def _hear_of(self, message: IncomingMessage) -> None:
        """What other processes have since received about a message."""
        if self.several is not None:
            self._gone.hear(await self.journal.edits(message.ref))

    @contextmanager
    def _busy(self, platform: ChatPlatform, message: IncomingMessage) -> Iterator[None]:
        """Meanwhile, show that an answer is being made. Nothing waits for that sign to appear or
        disappear."""
        ended = asyncio.Event()

        async def sign() -> None:
            async with platform.busy(message.ref):
                await ended.wait()

        if message.kind in (MessageKind.MESSAGE, MessageKind.EDIT) and message.addressed:
            self._signs.start(sign())
        try:
            yield
        finally:
            ended.set()

    async def _without_notice(
        self, platform: ChatPlatform, message: IncomingMessage, reply: Reply | None
    ) -> Reply | None:
        """The place in the queue is outdated: that message is deleted, or becomes the answer."""
        can, key = platform.capabilities, reply_key(message, "queue")
        found = await self.journal.delivered(key)
        if found.waiting or found.sending:
            await self.journal.unqueue(key)
            await self._outbox.senders[platform.name].settled(message.ref.chat)
            found = await self.journal.delivered(key)
        if not (notice := found.messages):
            return reply
        if can.deletes:
            reply = reply or Reply(blocks=())
            return replace(reply, deletes=(*notice, *reply.deletes))
        if can.edits and reply is not None and reply.replaces is None and not reply.private:
            return replace(reply, replaces=notice[0].message)
        return reply

    async def _failed(self, item: InboxItem, error: Exception) -> None:
        if not isinstance(error, FundstelleError):
            _LOG.error("a message could not be answered", exc_info=error)
        if isinstance(error, Unavailable) and item.attempts < MAX_ATTEMPTS:
            await asyncio.sleep(min(error.retry_after_s, 10.0))
            await self._give_back(item)
        else:
            await self._give_up(item, error.key if isinstance(error, FundstelleError) else "error.unexpected")

    async def _give_back(self, item: InboxItem) -> None:
        """While a message counts as being handled, its chat waits: so this must be stored."""
        await persistently(lambda: self.journal.give_back(item, at=self.clock.now()))

    async def _give_up(self, item: InboxItem, key: str) -> None:
        _LOG.error("a message became a dead letter: %s", key)
        forget = await self.conversation.keeps_nothing_of(item.message)
        await persistently(lambda: self.journal.give_up(item, key, at=self.clock.now(), forget=forget))

    async def stage(self, message: IncomingMessage) -> PlatformStage:
        """The chat of a message that was answered before, or is just being answered: what it shows then goes
        into that answer, once that was sent. Raises Broken("platform.not_configured") where its platform is
        not served any more."""
        found = PlatformStage(self._served(message), message, self.journal)
        await found.resume()
        return found

    async def post(
        self, message: IncomingMessage, reply: Reply, first: IncomingMessage | None = None
    ) -> None:
        """Send a further reply to a message that was answered before, replacing the reply to `first` (the
        message itself or an earlier one), if any; the same thing is sent only once. A message just being
        answered gets its answer first. Raises as `stage`."""
        if (answered := self._answering.get(message.ref)) is not None:
            await answered.wait()
        while self.several is not None and await self.journal.is_being_answered(message.ref):  # noqa: ASYNC110
            await asyncio.sleep(LOOK_S)
        platform, to = self._served(message), (first or message).ref
        if first is not None:
            reply = replace(reply, instead_of=reply_key(first, every=True))
        await persistently(lambda: self._outbox.enqueue(platform, reply, to, reply_key(message, "more")))

    def _served(self, message: IncomingMessage) -> ChatPlatform:
        name = message.ref.platform
        if name not in self.platforms:
            raise Broken(NOT_CONFIGURED, f"{name} is not configured any more", platform=name)
        return self.platforms[name]


def session_of(platform: ChatPlatform) -> str:
    """The name of what a process leads if it receives from a platform and sends there."""
    return f"session of {platform.name}"


async def _set(event: asyncio.Event) -> None:
    await event.wait()


async def _all_ended(tasks: Sequence["asyncio.Task[None]"]) -> None:
    if tasks:
        await asyncio.wait(tasks)
