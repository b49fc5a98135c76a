"""The ports of several processes on one database: who is at work, and what they ask of each other."""

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
    """This process among those that serve a database. What it has claimed is its own as long as it stays."""

    async def stay(self, role: str, *, term: timedelta) -> bool:
        """Be at work for another `term`, by the database's clock. False where that was over, or had not
        begun: others may have taken over what this one had claimed. Raises Broken("database.newer") where the
        database has got a schema that this process cannot work with."""

    async def leave(self) -> None:
        """Hand over what this one has claimed, at once."""

    async def at_work(self) -> list[AtWork]:
        """All that are at work, by when they began."""

    async def server_time(self) -> datetime:
        """What time it is in the database."""

    async def tell(self, topic: str) -> None:
        """Have all who listen look at `topic`."""

    def listening(self, heard: Callable[[str], None]) -> AbstractAsyncContextManager[None]:
        """While the context lasts, `heard` is told what there is to look at (inbox, outbox, calls, stops,
        uploads, "" for everything). Some of it may be missed."""


class PlatformCalls(Protocol):
    """Calls of platforms between processes."""

    async def ask(self, platform: str, name: CallName, arguments: CallArguments) -> int:
        """Have something done; the call's id."""

    async def result(self, call: int) -> CallResult | None:
        """What came of it; None so far."""

    async def drop(self, call: int) -> None:
        """It is over for who has asked."""

    async def take(self, platform: str) -> PlatformCall | None:
        """The next call of a platform that nobody has taken."""

    async def is_wanted(self, call: int) -> bool:
        """Whether who has asked is at work, and has not dropped it."""

    async def answer(self, call: int, result: CallResult) -> None:
        """Say what came of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """At most `most` questions in `span` of a person, of a chat (which of them is stated), or of all. `name`
    is the key of the refusal."""

    name: ErrorKey
    span: timedelta
    most: int
    person: Pseudonym | None = None
    chat: Pseudonym | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """Something about a chat: `what` it is, and whose or where in the chat (`key`). `content` is plain
    values; it `lasts` so long, None for what is to be forgotten. `person`: whom it is about."""

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
        """Keep these, in place of those of the same key."""


class Requests(Protocol):
    """What somebody has done again and again, counted for all processes."""

    async def count(
        self, whose: Pseudonym, most: int, span: timedelta, *, only_look: bool
    ) -> timedelta | None:
        """Count one more of at most `most` in `span`, unless there is no room, or it is only looked: when
        there is room again, None where there is now."""


class Admissions(Protocol):
    """The questions that were admitted, counted for all processes."""

    async def admit(
        self, person: Pseudonym, chat: Pseudonym, windows: Sequence[Window]
    ) -> tuple[Window, timedelta] | None:
        """Count a question unless a window is full: then that one, and when it has room again."""
