"""Catches up on messages sent while nobody received: Slack does not keep events for long, but it keeps
messages.

They are read alongside receiving, however long that takes: if Slack asks to wait, it continues afterwards
with the same page of the same channel.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from adapters.slack.api import Json, Method, SlackAccount, SlackApi
from adapters.slack.incoming import deleted, mentions, said, taken_back, thread_of, time_of
from core.domain.messages import IncomingMessage, MessageRef
from core.errors import Broken, FundstelleError, Refused
from core.ports.chat import Inbox
from core.ports.clock import Clock
from core.ports.models import TalkReader
from core.recent import Recent
from core.retrying import until_available
from core.search.group_talk import ThreadTalk

LONGEST_GAP = timedelta(days=1)
"""The period to catch up on if the start is unknown."""

OVERLAP = timedelta(minutes=10)
"""Slack retries an event for about six minutes: that far before the cursor something may be missing."""

MAX_AGE = timedelta(hours=24)
"""Older messages are no longer answered."""

OLD_THREADS = timedelta(hours=24)
"""Threads begun up to this long before the stop are searched for replies."""

LONGEST = timedelta(days=7)
MAX_PAGES = 5
_TYPES = "public_channel,private_channel,mpim,im"
_JOINS = ("channel_join", "group_join")
_LOG = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]
T = TypeVar("T")

UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""Exceptions raised when data is not in Slack's documented form."""


# Which threads the app takes part in: people ask follow-ups there without naming it.

MOST_THREADS = 20_000
"""Number of threads remembered; others are looked up again."""

THREAD_PAGES = 3


class Threads:
    """Remembers threads, and asks Slack about those from before the last start. `talk`: what was said in
    them; `reader` helps to follow it."""

    def __init__(self, api: SlackApi, reader: TalkReader | None = None) -> None:
        self._api = api
        self.talk = ThreadTalk(reader)
        self._known = Recent[tuple[str, str], bool](MOST_THREADS)

    def join(self, channel: str, thread: str | None, *, asks: bool = False) -> None:
        """Record that the app takes part from now on; `asks`: it has asked something back there."""
        if thread is not None:
            self.learn(channel, thread, ours=True)
            self.talk.wrote((channel, thread), asks=asks)

    def learn(self, channel: str, thread: str, *, ours: bool) -> None:
        """Record what is known about a thread."""
        self._known[channel, thread] = ours

    def taken_back(self, ref: MessageRef) -> None:
        """Forget the words of a message that somebody has deleted."""
        self.talk.taken_back((ref.chat, str(ref.thread or ref.message)), ref.message)

    def known(self, channel: str, thread: str) -> bool | None:
        """Whether the app takes part in the thread; None if only Slack knows."""
        return self._known.get((channel, thread))

    async def ours(self, channel: str, thread: str, me: SlackAccount) -> bool:
        """Whether the app has written in the thread, or its first message was for it. Raises Unavailable."""
        known = self.known(channel, thread)
        if known is None:
            known = await self._asked(channel, thread, me)
            self.learn(channel, thread, ours=known)
        return known

    async def first(self, channel: str, thread: str) -> Json | None:
        """The message that opened a thread. Raises like other calls to Slack."""
        found = await self._api.call(self._api.web.conversations_replies, channel=channel, ts=thread, limit=1)
        return next(iter(found.get("messages", [])), None)

    async def _asked(self, channel: str, thread: str, me: SlackAccount) -> bool:
        replies = self._api.pages(
            self._api.web.conversations_replies, "messages", most=THREAD_PAGES, channel=channel, ts=thread
        )
        try:
            async for message in replies:
                if message.get("user") == me.user or mentions(message.get("text", ""), me):
                    return True
        except Refused:
            return False  # the thread, or the app's place in the channel, is gone
        return False


@dataclass(slots=True, kw_only=True)
class _Channel:
    """What is read of a channel from `since` on: the events `heard` in itself, and its `threads` with later
    replies."""

    id: str
    since: datetime
    heard: set[str] = field(default_factory=set)
    threads: list[str] = field(default_factory=list)


class CatchUp:
    """Reads what was said since the cursor, in all channels that the app is in, as often as it is `wanted`.
    The cursor does not move meanwhile: unread messages are read after the next start."""

    def __init__(
        self, api: SlackApi, threads: Threads, clock: Clock, *, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._api = api
        self._threads = threads
        self._clock = clock
        self._sleep = sleep
        self._wanted = asyncio.Event()
        self._reading = False

    def want(self) -> None:
        """Record that something may have been missed until now."""
        self._wanted.set()

    async def tick(self, inbox: Inbox) -> None:
        """Record that everything until now was accepted, unless something is still to be read."""
        if self._reading or self._wanted.is_set():
            return
        try:
            await inbox.accept([], cursor=self._clock.now().isoformat())
        except FundstelleError as error:  # the only cost is reading the same again
            _LOG.warning("how far Slack was received could not be kept: %s", error.key)

    async def run(self, inbox: Inbox, me: SlackAccount) -> None:
        """Until cancelled. Raises Broken where the operator must act."""
        while True:
            await self._wanted.wait()
            self._reading = True
            self._wanted.clear()
            try:
                await self._once(inbox, me)
            except BaseException:
                self._wanted.set()  # whoever goes on begins with this
                raise
            finally:
                self._reading = False

    async def _once(self, inbox: Inbox, me: SlackAccount) -> None:
        """Read what was said since the cursor; the journal skips what it already has."""
        cursor, now = await self._patiently(inbox.cursor), self._clock.now()
        if cursor is not None:
            begin = datetime.fromisoformat(cursor) - OVERLAP
            if begin > now:  # the clock was wrong then
                begin = now - LONGEST_GAP
            async for messages in self._since(begin, now, me):
                if messages:
                    await self._patiently(partial(inbox.accept, messages))
        await self._patiently(partial(inbox.accept, [], cursor=now.isoformat()))

    async def _since(
        self, begin: datetime, now: datetime, me: SlackAccount
    ) -> AsyncIterator[list[IncomingMessage]]:
        """What was said after `begin`, oldest first: in one channel after the other, then in their threads.
        Each thread takes a call, and people who asked in a channel would wait for all of them."""
        begin = max(begin, now - LONGEST)
        dropped = 0
        listed = self._pages(
            self._api.web.users_conversations, "channels", most=50, types=_TYPES, exclude_archived=True
        )
        channels = [_Channel(id=str(each["id"]), since=begin) async for each in listed]
        for read in (self._in_channel, self._in_threads):
            for channel in channels:
                messages = await self._readable(read(channel, me))
                fresh = [message for message in messages if message.received_at > now - MAX_AGE]
                dropped += len(messages) - len(fresh)
                yield fresh
        if dropped:
            _LOG.warning("%d messages older than a day were dropped", dropped)

    def _pages(
        self, method: Method, key: str, *, most: int = MAX_PAGES, **arguments: Any
    ) -> AsyncIterator[Json]:
        async def call(method: Method, **arguments: Any) -> Json:
            return await self._patiently(partial(self._api.call, method, **arguments))

        return self._api.pages(method, key, most=most, call=call, **arguments)

    async def _patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        """The result of one call, however long Slack or the inbox requests to wait."""
        return await until_available("catching up with Slack", call, sleep=self._sleep)

    async def _readable(self, heard: Awaitable[dict[str, IncomingMessage]]) -> list[IncomingMessage]:
        """The messages of one channel; an unreadable one does not prevent reading the others."""
        try:
            return sorted((await heard).values(), key=lambda message: message.received_at)
        except Refused:
            pass  # the app was removed meanwhile
        except Broken as error:
            if error.key == "platform.token":
                raise
            _LOG.error("a channel of Slack's could not be caught up: %s (%s)", error.key, error.detail)
        except UNREADABLE as error:
            _LOG.error("a channel of Slack's could not be caught up (%s)", type(error).__name__)
        return []

    async def _in_channel(self, channel: _Channel, me: SlackAccount) -> dict[str, IncomingMessage]:
        roots = await self._roots(channel.id, channel.since)
        channel.since = max(channel.since, _joined(roots, me))
        heard = await self._for_app(channel.id, roots, channel.since, me)
        channel.heard.update(heard)
        late = channel.since.timestamp()
        channel.threads += [root["ts"] for root in roots if float(root.get("latest_reply", 0)) > late]
        return heard

    async def _in_threads(self, channel: _Channel, me: SlackAccount) -> dict[str, IncomingMessage]:
        heard: dict[str, IncomingMessage] = {}
        for thread in channel.threads:
            replies = await self._thread(channel.id, thread, me)
            heard |= await self._for_app(channel.id, replies, channel.since, me)
        return {event: message for event, message in heard.items() if event not in channel.heard}

    async def _for_app(
        self, channel: str, messages: Sequence[Json], since: datetime, me: SlackAccount
    ) -> dict[str, IncomingMessage]:
        """The messages that are for the app, by event. In a thread these are the ones after the first message
        to or from the app, as they would have been at the time."""
        heard: dict[str, IncomingMessage] = {}
        ours = False
        for message in messages:
            event = message | {"channel": channel}
            if deleted(event) is not None and (gone := taken_back(event, me)) is not None:
                # Slack does not say when it was deleted; the journal knows whether it is news
                heard[gone.event] = replace(gone, received_at=self._clock.now())
                continue
            if "edited" in message and time_of(message["ts"]) <= since:
                event = {"channel": channel, "subtype": "message_changed", "message": message}
            in_ours = ours and thread_of(event) is not None
            parent = messages[0] if thread_of(event) == messages[0].get("ts") and not ours else None
            taken = await said(event, me, ours=in_ours, talk=self._threads.talk, parent=parent)
            ours = ours or _concerns(message, me)
            if taken is not None and taken.received_at > since:
                heard[taken.event] = taken
        return heard

    async def _roots(self, channel: str, begin: datetime) -> list[Json]:
        """Messages in the channel itself, from some time before `begin` on, oldest first. Replies also shown
        there come with their thread."""
        oldest = f"{(begin - OLD_THREADS).timestamp():.6f}"
        history = self._api.web.conversations_history
        found = self._pages(history, "messages", channel=channel, oldest=oldest)
        roots = [each async for each in found if each.get("thread_ts", each["ts"]) == each["ts"]]
        return sorted(roots, key=lambda each: float(each["ts"]))

    async def _thread(self, channel: str, thread: str, me: SlackAccount) -> list[Json]:
        """A thread from its beginning."""
        found = self._pages(self._api.web.conversations_replies, "messages", channel=channel, ts=thread)
        messages = [each async for each in found]
        self._threads.learn(channel, thread, ours=any(_concerns(each, me) for each in messages))
        return sorted(messages, key=lambda each: float(each["ts"]))


def _concerns(message: Json, me: SlackAccount) -> bool:
    return message.get("user") == me.user or mentions(message.get("text", ""), me)


def _joined(messages: Sequence[Json], me: SlackAccount) -> datetime:
    """When the app joined, according to the messages: earlier ones are not for it."""
    joins = [
        message["ts"]
        for message in messages
        if message.get("subtype") in _JOINS and message.get("user") == me.user
    ]
    return time_of(max(joins, key=float, default="0"))
