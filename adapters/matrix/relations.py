"""What an event relates to: who wrote it, and in which threads the bot takes part."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adapters.matrix.events import Bot, MessageContent, content_of, related, said
from adapters.matrix.homeserver import Homeserver, path
from core.errors import Refused, Unavailable
from core.recent import Recent

Event = dict[str, Any]
REMEMBERED = 20_000
"""Number of events remembered; about 5 MB."""

LOOK_UP_ATTEMPTS = 5
"""Maximum attempts to look up one event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """An event that others relate to. `thread` is the root of its thread."""

    sender: str
    thread: str | None
    reply_to: str | None


class Relations:
    """Looks up who wrote an event, and in which threads the bot takes part. `opened` decrypts an event of a
    room."""

    def __init__(
        self,
        homeserver: Homeserver,
        user_id: str,
        opened: Callable[[Event, str], Event] = lambda event, _: event,
    ) -> None:
        self._homeserver = homeserver
        self._user_id = user_id
        self._opened = opened
        self._originals = Recent[str, Original](REMEMBERED)
        self._threads = Recent[str, bool](REMEMBERED)
        self._failures = Recent[str, int](REMEMBERED)

    def seen(self, event: dict[str, Any]) -> None:
        """Remember a received event."""
        found = related(event)
        original = Original(sender=str(event["sender"]), thread=found.thread, reply_to=found.reply_to)
        self._originals[str(event["event_id"])] = original

    def wrote(self, event_id: str, thread: str | None) -> None:
        """Remember an event of the bot."""
        self._originals[event_id] = Original(sender=self._user_id, thread=thread, reply_to=None)
        if thread is not None:
            self._threads[thread] = True

    def remembered(self, event_id: str) -> Original | None:
        """The event as received, None if that was too long ago."""
        return self._originals.get(event_id)

    def wrote_in(self, root: str) -> bool:
        """Whether the bot is remembered to have written in the thread."""
        return self._threads.get(root) is True

    async def original(self, room: str, event_id: str) -> Original | None:
        """The event, None if the homeserver does not show it. Raises Unavailable."""
        if (known := self._originals.get(event_id)) is None:
            await self._fetched(room, event_id)
            known = self._originals.get(event_id)
        return known

    async def is_own(self, room: str, event_id: str) -> bool:
        """Whether the bot wrote the event. Raises Unavailable."""
        original = await self.original(room, event_id)
        return original is not None and original.sender == self._user_id

    async def content(self, room: str, event_id: str, bot: Bot) -> MessageContent:
        """The event's text and files, none if it cannot be read. Raises Unavailable."""
        event = await self._fetched(room, event_id)
        spoken = said(content_of(self._opened(event, room)), bot) if event else None
        return spoken or MessageContent(text="", mentions=False)

    async def takes_part(self, room: str, root: str) -> bool:
        """Whether the bot wrote in the thread, including its root. Raises Unavailable."""
        if self._threads.get(root):
            return True
        event = await self._fetched(room, root)
        summary = _nested(event, "unsigned", "m.relations", "m.thread")
        if event.get("sender") == self._user_id or summary.get("current_user_participated") is True:
            self._threads[root] = True
            return True
        return False

    async def _fetched(self, room: str, event_id: str) -> dict[str, Any]:
        try:
            event = await self._homeserver.call("GET", path("rooms", room, "event", event_id))
        except Refused:  # gone, or from before the bot joined
            return {}
        except Unavailable:
            failures = self._failures.get(event_id, 0) + 1
            self._failures[event_id] = failures
            if failures < LOOK_UP_ATTEMPTS:
                raise
            return {}  # one event that the homeserver fails on may not stop the others
        if not isinstance(event, dict) or not {"event_id", "sender"} <= event.keys():
            return {}
        self.seen(event)
        return event


def _nested(value: dict[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        found = value.get(key)
        value = found if isinstance(found, dict) else {}
    return value
