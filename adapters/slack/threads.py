"""Which threads the app takes part in: people ask on there without naming it."""

from adapters.slack.api import SlackAccount, SlackApi
from adapters.slack.texts import mentions
from core.domain.messages import MessageRef
from core.errors import Refused
from core.ports.reading import TalkReader
from core.recent import Recent
from core.search.thread_talk import ThreadTalk

MOST = 20_000
"""Threads that are remembered; others are asked for again."""

MAX_PAGES = 3


class Threads:
    """Remembers, and asks Slack about threads from before the last start. `talk`: what was said in them;
    `reader` helps to follow it."""

    def __init__(self, api: SlackApi, reader: TalkReader | None = None) -> None:
        self._api = api
        self.talk = ThreadTalk(reader)
        self._known = Recent[tuple[str, str], bool](MOST)

    def join(self, channel: str, thread: str | None) -> None:
        """The app takes part from now on."""
        if thread is not None:
            self.learn(channel, thread, ours=True)

    def learn(self, channel: str, thread: str, *, ours: bool) -> None:
        """What is known of a thread."""
        self._known[channel, thread] = ours

    def taken_back(self, ref: MessageRef) -> None:
        """Forget the words of a message that somebody has deleted."""
        self.talk.taken_back((ref.chat, str(ref.thread or ref.message)), ref.message)

    def known(self, channel: str, thread: str) -> bool | None:
        """Whether the app takes part in the thread; None where only Slack knows."""
        return self._known.get((channel, thread))

    async def ours(self, channel: str, thread: str, me: SlackAccount) -> bool:
        """Whether the app has written in the thread, or its first message was for it. Raises Unavailable."""
        known = self.known(channel, thread)
        if known is None:
            known = await self._asked(channel, thread, me)
            self.learn(channel, thread, ours=known)
        return known

    async def _asked(self, channel: str, thread: str, me: SlackAccount) -> bool:
        replies = self._api.pages(
            self._api.web.conversations_replies, "messages", most=MAX_PAGES, channel=channel, ts=thread
        )
        try:
            async for message in replies:
                if message.get("user") == me.user or mentions(message.get("text", ""), me):
                    return True
        except Refused:
            return False  # the thread, or the app's place in the channel, is gone
        return False
