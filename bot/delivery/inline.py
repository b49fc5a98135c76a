"""The lane of inline queries: separate from the chats, and never ahead of them. Nothing about a query is
stored or logged, nor counted per person beyond the minute. A newer query of the same person replaces the
older one; one is answered at a time, and none while a chat is being answered: a query in progress then starts
over afterwards. Whoever has to wait too long is sent to the chat.
"""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from core.asides import Asides
from core.domain.messages import InlineAnswer, InlineQuery
from core.recent import Recent

SETTLE_S = 0.05
"""Seconds without typing before a query is answered."""

PATIENCE_S = 4.0
"""Seconds after which a query that has to wait for the chats is answered without quotes."""

PER_MINUTE = 40
"""Maximum queries per person and minute: each pause in typing makes one."""

WAITING = 100
"""Maximum number of persons with waiting queries; further ones are not answered."""

_PEOPLE = 1_000
_MINUTE_S = 60.0
_LOG = logging.getLogger(__name__)

Answer = Callable[[InlineAnswer], Awaitable[None]]


@dataclass(slots=True)
class ChatsFirst:
    """Whether a chat is being answered."""

    _at_work: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @contextmanager
    def chat(self) -> Iterator[None]:
        """Note that a chat is being answered while the context lasts."""
        self._at_work += 1
        self._turn()
        try:
            yield
        finally:
            self._at_work -= 1
            self._turn()

    def _turn(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def until(self, *, free: bool) -> None:
        """Wait until no chat is being answered, or (`free` is False) one is."""
        while (self._at_work == 0) is not free:
            await self._changed.wait()


@dataclass(slots=True, eq=False)
class _Waiting:
    """A query that has not been answered yet."""

    query: InlineQuery
    answer: Answer
    since: float
    due: float


@dataclass(slots=True)
class QuietLane:
    """The lane. `make` makes an answer, `busy` the one for people who waited too long."""

    make: Callable[[InlineQuery], Awaitable[InlineAnswer]]
    busy: Callable[[InlineQuery], InlineAnswer]
    chats: ChatsFirst
    _waiting: "OrderedDict[str, _Waiting]" = field(default_factory=OrderedDict)
    _asked: Recent[str, deque[float]] = field(default_factory=lambda: Recent(_PEOPLE))
    _now: tuple[str, "asyncio.Task[None]"] | None = None
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _works: Asides = field(default_factory=Asides)
    _running: "asyncio.Task[None] | None" = None

    def take(self, query: InlineQuery, answer: Answer) -> None:
        """See the port. Queries beyond the limits are dropped without an answer, which would only be more
        work."""
        now = asyncio.get_running_loop().time()
        if self._now is not None and self._now[0] == query.person:
            self._now[1].cancel()
        self._waiting.pop(query.person, None)
        if not self._admits(query.person, now) or len(self._waiting) >= WAITING:
            return
        self._waiting[query.person] = _Waiting(query, answer, now, now + SETTLE_S)
        self._arrived.set()
        if self._running is None or self._running.done():
            self._running = self._works.start(self._run())

    async def end(self) -> None:
        """See the port."""
        self._waiting.clear()
        await self._works.end(within_s=0.0)

    def _admits(self, person: str, now: float) -> bool:
        times = self._asked.get(person) or deque()
        while times and times[0] <= now - _MINUTE_S:
            times.popleft()
        if len(times) >= PER_MINUTE:
            return False
        times.append(now)
        self._asked[person] = times
        return True

    async def _run(self) -> None:
        """Answer until nothing is waiting; the next query starts this again."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            person, first = next(iter(self._waiting.items()))
            if (settles_s := first.due - loop.time()) > 0:
                self._arrived.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(settles_s):
                        await self._arrived.wait()
                continue
            del self._waiting[person]
            self._now = person, asyncio.create_task(self._answered(first))
            try:
                await asyncio.wait([self._now[1]])
            finally:
                self._now[1].cancel()
                self._now = None

    async def _answered(self, first: _Waiting) -> None:
        try:
            await first.answer(await self._made(first))
        except Exception as error:  # its message may hold what was typed
            _LOG.error("an inline query could not be answered (%s)", type(error).__name__)

    async def _made(self, first: _Waiting) -> InlineAnswer:
        """The answer, made while no chat is being answered."""
        until = first.since + PATIENCE_S
        while True:
            try:
                async with asyncio.timeout_at(until):
                    await self.chats.until(free=True)
            except TimeoutError:
                return self.busy(first.query)
            making = asyncio.ensure_future(self.make(first.query))
            chat = asyncio.create_task(self.chats.until(free=False))
            try:
                await asyncio.wait([making, chat], return_when=asyncio.FIRST_COMPLETED)
                if making.done():
                    return making.result()
            finally:
                for task in (making, chat):
                    task.cancel()
                await asyncio.gather(making, chat, return_exceptions=True)
