"""The recent past of chats, for the next message: in memory and, if several processes answer, in the database
that they share."""

import json
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from core.domain.journal import ChatKey, Pseudonym
from core.errors import FundstelleError
from core.ports.processes import ChatMemories, Memory
from core.recent import Recent

WORDS, PLACES = timedelta(hours=1), timedelta(days=1)
"""How long values with people's words are kept, and all others; a single process just keeps the latest of
each kind."""

MOST = 1000
"""Maximum values of a kind kept in memory, for all chats together."""

_LOG = logging.getLogger(__name__)
V = TypeVar("V")


@dataclass(slots=True)
class ChatMemory:
    """Values by kind, chat and key. If they are `shared`, a chat's values are read when one of its messages
    is handled, and written when that is done: a chat's messages are handled one after the other."""

    shared: ChatMemories | None = None
    _kinds: "dict[str, Remembered[Any]]" = field(default_factory=dict)
    _handled: Counter[ChatKey] = field(default_factory=Counter)
    _changed: dict[ChatKey, dict[tuple[str, str], Memory]] = field(default_factory=dict)

    @asynccontextmanager
    async def of(self, chat: ChatKey) -> AsyncIterator[None]:
        """While the context lasts, everything that any process knows about the chat is available. Raises what
        the database raises."""
        if self.shared is None:
            yield
            return
        if not self._handled[chat]:
            self._read(chat, await self.shared.recall(chat))
        self._handled[chat] += 1
        try:
            yield
        finally:
            self._handled[chat] -= 1
            if not self._handled[chat]:
                del self._handled[chat]
            if changed := self._changed.pop(chat, {}):
                try:
                    await self.shared.remember(chat, [*changed.values()])
                except FundstelleError as error:
                    _LOG.warning("what was said in a chat is not remembered: %s", error.key)

    def _read(self, chat: ChatKey, memories: list[Memory]) -> None:
        for kind in self._kinds.values():
            kind.forget(chat)
        for each in memories:
            if each.what in self._kinds:
                self._kinds[each.what].read(chat, each)

    def has_changed(self, chat: ChatKey, memory: Memory) -> None:
        """To be written."""
        if self.shared is not None:
            self._changed.setdefault(chat, {})[memory.what, memory.key] = memory

    def add(self, kind: "Remembered[Any]") -> None:
        """Register a kind of values."""
        self._kinds[kind.what] = kind


class Remembered(Generic[V]):
    """The values of one kind (`what`), of type `kind`, by chat and key; other processes keep them for
    `term`."""

    def __init__(self, memory: ChatMemory, what: str, kind: Any, term: timedelta = PLACES) -> None:
        self.what = what
        self._memory = memory
        self._plain: TypeAdapter[V] = TypeAdapter(kind)
        self._term = term
        self._values = Recent[tuple[ChatKey, tuple[str, ...]], V](MOST)
        memory.add(self)

    def get(self, chat: ChatKey, *key: str) -> V | None:
        """The value, if known."""
        return self._values.get((chat, key))

    def all(self, chat: ChatKey) -> dict[tuple[str, ...], V]:
        """All values of a chat, by key."""
        return {key: value for (of, key), value in self._values.items() if of == chat}

    def put(self, chat: ChatKey, *key: str, value: V, person: Pseudonym | None = None) -> None:
        """Store a value; `person` is whom it is about, who can have it forgotten."""
        self._values[chat, key] = value
        plain = self._plain.dump_python(value, mode="json")
        self._memory.has_changed(chat, Memory(self.what, _name(key), plain, self._term, person))

    def drop(self, chat: ChatKey, *key: str) -> None:
        """Forget a value, if there is one."""
        if self._values.pop((chat, key), None) is not None:
            self._memory.has_changed(chat, Memory(self.what, _name(key), None, None))

    def forget(self, chat: ChatKey) -> None:
        """Everything about a chat."""
        for known in [each for each in self._values if each[0] == chat]:
            del self._values[known]

    def read(self, chat: ChatKey, memory: Memory) -> None:
        """Adopt values stored by another process; those of an older or newer version are ignored."""
        try:
            self._values[chat, tuple(json.loads(memory.key))] = self._plain.validate_python(memory.content)
        except ValueError:
            _LOG.warning("a process of another version remembers %s otherwise", memory.what)


def _name(key: tuple[str, ...]) -> str:
    return json.dumps(key)
