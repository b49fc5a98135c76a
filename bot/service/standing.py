"""The status of `serve`: which platforms, stores and models are missing, and whether questions are
answered."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from bot.library.upkeep import IndexUpkeep, in_words
from bot.telemetry.metrics import Metrics
from core.domain.contact import Contact
from core.domain.journal import Backlog
from core.errors import Broken, FundstelleError
from core.library.completeness import IndexCount
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.storage import FileStore

STUCK = timedelta(minutes=10)
"""A message waiting longer than this means that nothing is moving."""

DATABASE: Final = "database"
INDEX: Final = "index"
FILES: Final = "files"
STORES = (DATABASE, INDEX, FILES)

ANSWERS_S = 5.0
"""Seconds that the store of files has to answer in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How things stood `at` that time. `since` questions are answered, None while they are not. `errors` are
    the keys of what keeps a store from answering; `backlog` and `counts` are None then. `broken` platforms
    are not served, `failing` models did not answer when they were last called."""

    at: datetime
    since: datetime | None
    backlog: Backlog | None
    counts: Sequence[IndexCount] | None
    contacts: Mapping[str, Contact]
    broken: Mapping[str, Broken]
    failing: Mapping[str, str]
    errors: Mapping[str, str]

    @property
    def obstacles(self) -> list[str]:
        """Reasons why questions are not answered."""
        return list(self._obstacles())

    def _obstacles(self) -> Iterator[str]:
        if self.since is None:
            yield "starting or stopping"
        for store, key in self.errors.items():
            yield f"the {'store of files' if store == FILES else store} does not answer: {key}"
        oldest = self.backlog.oldest_waiting if self.backlog else None
        if oldest is not None and self.since is not None and self.at - max(oldest, self.since) > STUCK:
            yield "a message has been waiting for more than 10 minutes"
        if self.contacts and all(contact.error for contact in self.contacts.values()):
            yield "no platform is reachable"

    @property
    def lines(self) -> list[str]:
        """Lines saying whether it is ready, and everything that is missing."""
        obstacles = self.obstacles
        return ["not ready" if obstacles else "ready", *obstacles, *self._platforms(), *self._gaps()]

    def _platforms(self) -> Iterator[str]:
        for name, contact in self.contacts.items():
            if name in self.broken:
                yield f"{name} is not served: {self.broken[name].key}, see the log"
            elif contact.error:
                ago = contact.at and timedelta(seconds=(self.at - contact.at) // timedelta(seconds=1))
                seen = f"last reached {ago} ago" if contact.at else "not reached so far"
                yield f"{name} is not reachable: {contact.error}, {seen}"

    def _gaps(self) -> Iterator[str]:
        for model, key in self.failing.items():
            yield f"the model {model} did not answer its last call: {key}"
        lacking = [count for count in self.counts or () if not count.is_whole]
        if lacking:
            yield f"the library is being rebuilt: {in_words(lacking)}"


@dataclass(slots=True, kw_only=True)
class Lookout:
    """Looks at how things stand. `serve` sets `since`; `heard_at` says when messages of a platform last
    arrived."""

    journal: Journal
    upkeep: IndexUpkeep
    store: FileStore
    clock: Clock
    platforms: Mapping[str, ChatPlatform]
    broken: Mapping[str, Broken]
    heard_at: Callable[[str], datetime | None]
    metrics: Metrics
    since: datetime | None = field(default=None, init=False)

    async def look(self) -> Standing:
        """How things stand now; what a store cannot say is in `errors`."""
        errors: dict[str, str] = {}
        backlog, counts = None, None
        try:
            backlog = await self.journal.backlog()
        except FundstelleError as error:
            errors[DATABASE] = error.key
        try:
            counts = await self.upkeep.counted() if backlog else None
        except FundstelleError as error:
            errors[INDEX] = error.key
        try:
            async with asyncio.timeout(ANSWERS_S):
                await self.store.check()
        except TimeoutError:
            errors[FILES] = "files.unreachable"
        except FundstelleError as error:
            errors[FILES] = error.key
        return Standing(
            at=self.clock.now(),
            since=self.since,
            backlog=backlog,
            counts=counts,
            contacts={name: platform.contact for name, platform in self.platforms.items()},
            broken={name: error for name, error in self.broken.items() if self._stands(name, error)},
            failing=self.metrics.failing,
            errors=errors,
        )

    def _stands(self, platform: str, error: Broken) -> bool:
        """Whether that is what a platform said last: it is tried again."""
        return self.platforms[platform].contact.error == error.key
