"""What people said while nobody received: Slack does not keep events for long, but it keeps messages."""

import logging
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

from adapters.slack.api import Json, Me, SlackApi
from adapters.slack.incoming import said, time_of
from adapters.slack.texts import mentions
from adapters.slack.threads import Threads
from core.domain.messages import IncomingMessage
from core.errors import Refused

MAX_AGE = timedelta(hours=24)
"""What is older is not answered any more."""

OLD_THREADS = timedelta(hours=24)
"""Threads that began this long before the stop are looked through for replies."""

LONGEST = timedelta(days=7)
MAX_PAGES = 5
_TYPES = "public_channel,private_channel,mpim,im"
_JOINS = ("channel_join", "group_join")
_LOG = logging.getLogger(__name__)


class CatchUp:
    """Reads what was said since a time, in all channels that the app is in."""

    def __init__(self, api: SlackApi, threads: Threads, me: Me) -> None:
        self._api = api
        self._threads = threads
        self._me = me

    async def since(self, begin: datetime, now: datetime) -> AsyncIterator[list[IncomingMessage]]:
        """Channel by channel what was said after `begin`, oldest first. Raises Unavailable."""
        begin = max(begin, now - LONGEST)
        dropped = 0
        async for channel in self._channels():
            messages = await self._said(channel, begin)
            fresh = [message for message in messages if message.received_at > now - MAX_AGE]
            dropped += len(messages) - len(fresh)
            yield fresh
        if dropped:
            _LOG.warning("%d messages older than a day were dropped", dropped)

    async def _channels(self) -> AsyncIterator[str]:
        web = self._api.web
        async for channel in self._api.pages(
            web.users_conversations, "channels", most=50, types=_TYPES, exclude_archived=True
        ):
            yield str(channel["id"])

    async def _said(self, channel: str, begin: datetime) -> list[IncomingMessage]:
        try:
            found = await self._messages(channel, begin)
        except Refused:
            return []  # the app was removed meanwhile
        since = max(begin, self._joined(found))
        heard: dict[str, IncomingMessage] = {}
        for message in sorted(found, key=lambda each: float(each["ts"])):
            if time_of(message["ts"]) > since:
                taken = await self._taken(channel, message)
                heard |= {taken.event: taken} if taken is not None else {}
        return list(heard.values())

    async def _taken(self, channel: str, message: Json) -> IncomingMessage | None:
        event = message | {"channel": channel}
        thread = message.get("thread_ts")
        ours = thread is not None and await self._threads.ours(channel, thread, self._me)
        taken = said(event, self._me, ours=ours)
        if taken is not None and taken.addressed:
            self._threads.join(channel, taken.ref.thread)
        return taken

    def _joined(self, messages: list[Json]) -> datetime:
        """When the app came in, as far as the messages say: what was said before is not for it."""
        joins = [
            message["ts"]
            for message in messages
            if message.get("subtype") in _JOINS and message.get("user") == self._me.user
        ]
        return time_of(max(joins, key=float, default="0"))

    async def _messages(self, channel: str, begin: datetime) -> list[Json]:
        web = self._api.web
        oldest = str((begin - OLD_THREADS).timestamp())
        roots = [
            root
            async for root in self._api.pages(
                web.conversations_history, "messages", most=MAX_PAGES, channel=channel, oldest=oldest
            )
        ]
        replies = [
            reply
            for root in roots
            if float(root.get("latest_reply", 0)) > begin.timestamp()
            for reply in await self._replies(channel, root["ts"], begin)
        ]
        return [*roots, *replies]

    async def _replies(self, channel: str, thread: str, begin: datetime) -> list[Json]:
        """The replies since then. The whole thread is read: it shows whether the app takes part."""
        web = self._api.web
        found = [
            reply
            async for reply in self._api.pages(
                web.conversations_replies, "messages", most=MAX_PAGES, channel=channel, ts=thread
            )
        ]
        ours = any(
            each.get("user") == self._me.user or mentions(each.get("text", ""), self._me) for each in found
        )
        self._threads.learn(channel, thread, ours=ours)
        return [each for each in found if time_of(each["ts"]) > begin]
