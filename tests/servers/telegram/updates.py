"""The queue of updates that getUpdates reads, with an offset that acknowledges, and faults on demand."""

import asyncio
import itertools
import random
import time
from typing import Any

Update = dict[str, Any]
_KINDS_NOT_BY_DEFAULT = ("chat_member", "message_reaction", "message_reaction_count")

_IDS = itertools.count(int(time.time()))
"""Never the same twice: not after a reset, and hardly ever by the next server."""


class Superseded(Exception):
    """Another getUpdates came: the older one ends."""


class Updates:
    """Updates not acknowledged yet, in order. `history` holds all that ever were."""

    def __init__(self) -> None:
        self.history: list[Update] = []
        self.waiting: list[Update] = []
        self.allowed: list[str] | None = None
        self.held = False
        self.dropping = 0
        self._again: list[Update] = []
        self._polls = 0
        self._changed = asyncio.Condition()

    async def put(self, kind: str, content: dict[str, Any]) -> int | None:
        """Something happened; its update_id, or None where the bot did not ask for that kind."""
        if not self._wanted(kind):
            return None
        update = {"update_id": next(_IDS), kind: content}
        if self.dropping:
            self.dropping -= 1
            return update["update_id"]
        self.history.append(update)
        self.waiting.append(update)
        await self.wake()
        return update["update_id"]

    def _wanted(self, kind: str) -> bool:
        if self.allowed is None or self.allowed == []:
            return kind not in _KINDS_NOT_BY_DEFAULT
        return kind in self.allowed

    async def wake(self) -> None:
        """Let waiting polls look again."""
        async with self._changed:
            self._changed.notify_all()

    async def again(self, copies: int, seed: int | None) -> None:
        """Deliver everything that ever was `copies` more times, shuffled where there is a `seed`: what a
        platform should not do and a bot must bear."""
        self._again += [update for update in self.history for _ in range(copies)]
        if seed is not None:
            random.Random(seed).shuffle(self._again)
        await self.wake()

    async def get(
        self, offset: int | None, limit: int | None, wait_s: int | None, allowed: list[str] | None
    ) -> list[Update]:
        """As getUpdates does. Raises Superseded when a later call takes over."""
        self._polls += 1
        number = self._polls
        if allowed is not None:
            self.allowed = allowed
        self._acknowledge(offset)
        async with self._changed:
            self._changed.notify_all()  # an older poll ends now
            try:
                async with asyncio.timeout(wait_s or 0.001):
                    await self._changed.wait_for(lambda: self._ready() or number < self._polls)
            except TimeoutError:
                return []
        if number < self._polls:
            raise Superseded
        return self._batch(limit or 100)

    def _ready(self) -> bool:
        return not self.held and bool(self.waiting or self._again)

    def _acknowledge(self, offset: int | None) -> None:
        if offset is not None and offset < 0:
            self.waiting = self.waiting[offset:]
        elif offset is not None:
            self.waiting = [update for update in self.waiting if update["update_id"] >= offset]

    def _batch(self, limit: int) -> list[Update]:
        if self._again:
            batch, self._again = self._again[:limit], self._again[limit:]
            return batch
        return self.waiting[:limit]
