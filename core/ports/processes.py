"""The ports of several processes on one database: which are at work, and what they ask of each other."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from core.domain.journal import ChatKey, Pseudonym
from core.domain.messages import CallArguments, CallName, CallResult, PlatformCall
from core.message_keys import ErrorKey


class AtWork(NamedTuple):
    """A process that serves; `schema` is the newest schema of the database that it knows."""

    name: str
    role: str
    schema: str


class Processes(Protocol):
    """This process among those that serve a database. What it has claimed stays its own while it is
    registered."""

    async def stay(self, role: str, *, term: timedelta) -> bool:
        """Register for another `term`, by the database's clock. Returns False if the last one had expired, or
        this is the first: others may have taken over what this process had claimed. Raises
        Broken("database.newer") if the database now has a schema that this process cannot work with."""

    async def leave(self) -> None:
        """Release everything this process has claimed, at once."""

    async def at_work(self) -> list[AtWork]:
        """All processes at work, by when they began."""

    async def server_time(self) -> datetime:
        """The database's current time."""

    async def tell(self, topic: str) -> None:
        """Tell all listeners to look at `topic`."""

    def listening(self, heard: Callable[[str], None]) -> AbstractAsyncContextManager[None]:
        """While the context lasts, call `heard` with each topic to look at (inbox, outbox, calls, stops,
        uploads, "" for everything). Some may be missed."""


class PlatformCalls(Protocol):
    """Calls of platforms between processes."""

    async def ask(self, platform: str, name: CallName, arguments: CallArguments) -> int:
        """Queue a call; returns its id."""

    async def result(self, call: int) -> CallResult | None:
        """The call's result, None so far."""

    async def drop(self, call: int) -> None:
        """Drop a call: its caller no longer waits for it."""

    async def take(self, platform: str) -> PlatformCall | None:
        """The next call for a platform that nobody has taken."""

    async def is_wanted(self, call: int) -> bool:
        """Whether its caller is still at work and has not dropped it."""

    async def answer(self, call: int, result: CallResult) -> None:
        """Store a call's result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """At most `most` questions in `span` from a person or a chat (whichever is given), or from all together.
    `name` is the key of the refusal."""

    name: ErrorKey
    span: timedelta
    most: int
    person: Pseudonym | None = None
    chat: Pseudonym | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """Something remembered about a chat: `what` kind it is, and whose or where in the chat (`key`). `content`
    is plain values; it `lasts` for that time, None to forget it. `person`: whom it is about."""

    what: str
    key: str
    content: Any
    lasts: timedelta | None
    person: str | None = None


class ChatMemories(Protocol):
    """What processes remember of chats for a while."""

    async def recall(self, chat: ChatKey) -> list[Memory]:
        """Everything about a chat that has not expired."""

    async def remember(self, chat: ChatKey, memories: Sequence[Memory]) -> None:
        """Store these, replacing those with the same key."""


class Requests(Protocol):
    """Repeated actions, counted for all processes together."""

    async def count(
        self, whose: Pseudonym, most: int, span: timedelta, *, only_look: bool
    ) -> timedelta | None:
        """Count one more of at most `most` in `span`, if there is room and it is not `only_look`; returns
        when there is room again, None if there is now."""


class Admissions(Protocol):
    """The questions that were admitted, counted for all processes."""

    async def admit(
        self, person: Pseudonym, chat: Pseudonym, windows: Sequence[Window]
    ) -> tuple[Window, timedelta] | None:
        """Count a question, unless a window is full: then return that window, and when it has room again."""
