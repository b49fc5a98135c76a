"""What people said while nobody received: Slack does not keep events for long, but it keeps messages."""

import logging
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta

from adapters.slack.api import Json, SlackAccount, SlackApi
from adapters.slack.incoming import said, thread_of, time_of
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

    def __init__(self, api: SlackApi, threads: Threads, me: SlackAccount) -> None:
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
            roots = await self._roots(channel, begin)
            since = max(begin, self._joined(roots))
            heard = await self._heard(channel, roots, since)
            for root in roots:
                if float(root.get("latest_reply", 0)) > since.timestamp():
                    heard |= await self._heard(channel, await self._thread(channel, root["ts"]), since)
        except Refused:
            return []  # the app was removed meanwhile
        return sorted(heard.values(), key=lambda message: message.received_at)

    async def _heard(
        self, channel: str, messages: Sequence[Json], since: datetime
    ) -> dict[str, IncomingMessage]:
        """What of the messages is for the app, by event. In a thread that is what follows its first word to
        or from the app, as it would have been at that time."""
        heard: dict[str, IncomingMessage] = {}
        ours = False
        for message in messages:
            event = message | {"channel": channel}
            in_ours = ours and thread_of(event) is not None
            taken = await said(event, self._me, ours=in_ours, talk=self._threads.talk)
            ours = ours or self._concerns(message)
            if taken is not None and taken.received_at > since:
                heard[taken.event] = taken
        return heard

    def _concerns(self, message: Json) -> bool:
        return message.get("user") == self._me.user or mentions(message.get("text", ""), self._me)

    def _joined(self, messages: Sequence[Json]) -> datetime:
        """When the app came in, as far as the messages say: what was said before is not for it."""
        joins = [
            message["ts"]
            for message in messages
            if message.get("subtype") in _JOINS and message.get("user") == self._me.user
        ]
        return time_of(max(joins, key=float, default="0"))

    async def _roots(self, channel: str, begin: datetime) -> list[Json]:
        """Messages that stand in the channel itself, from some time before `begin` on, oldest first. Replies
        that are shown there as well come with their thread."""
        oldest = f"{(begin - OLD_THREADS).timestamp():.6f}"
        history = self._api.web.conversations_history
        found = self._api.pages(history, "messages", most=MAX_PAGES, channel=channel, oldest=oldest)
        roots = [each async for each in found if each.get("thread_ts", each["ts"]) == each["ts"]]
        return sorted(roots, key=lambda each: float(each["ts"]))

    async def _thread(self, channel: str, thread: str) -> list[Json]:
        """A thread from its beginning."""
        replies = self._api.web.conversations_replies
        found = self._api.pages(replies, "messages", most=MAX_PAGES, channel=channel, ts=thread)
        messages = [each async for each in found]
        self._threads.learn(channel, thread, ours=any(self._concerns(each) for each in messages))
        return sorted(messages, key=lambda each: float(each["ts"]))
