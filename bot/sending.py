"""The way out: parts of replies, sent in order, kept until they have arrived or are given up."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from core.chat_ports import ChatPlatform
from core.domain.journal import OutboxItem
from core.domain.messages import Outgoing, Recovery
from core.errors import FundstelleError, Refused, Unavailable
from core.journal_ports import Journal
from core.ports import Clock

MAX_ATTEMPTS = 5
"""How often a part is sent before it becomes a dead letter."""

LONGEST_WAIT = timedelta(minutes=15)
IDLE_S = 1.0
"""Seconds after which an idle sender looks again: for what was postponed, or a missed wake-up."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Sender:
    """Sends what is due on one platform."""

    platform: ChatPlatform
    journal: Journal
    clock: Clock
    _due: asyncio.Event = field(default_factory=asyncio.Event)
    _stopping: bool = False

    def wake(self) -> None:
        """Something is due."""
        self._due.set()

    def stop(self) -> None:
        """End once nothing is due any more."""
        self._stopping = True
        self._due.set()

    async def recover(self) -> None:
        """After a stop: parts that were being sent are sent again, looked up or flagged."""
        for item in await self.journal.interrupted_parts(self.platform.name):
            await self._recover_part(item)

    async def run(self) -> None:
        """Send what is due, one part after the other, until stopped."""
        while True:
            self._due.clear()
            try:
                item = await self.journal.claim_part(self.platform.name, at=self.clock.now())
            except Unavailable as error:
                _LOG.warning("the journal cannot be read: %s", error.key)
                await asyncio.sleep(error.retry_after_s)
                continue
            if item is not None:
                await self._send(item)
            elif self._stopping:
                return
            else:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._due.wait(), IDLE_S)

    async def _send(self, item: OutboxItem) -> None:
        """Send a part. Whoever is told to wait waits; what cannot be sent is a dead letter."""
        try:
            messages = await deliver(self.platform, item.part)
        except Unavailable as error:
            await self._postpone(item, error)
        except FundstelleError as error:
            _LOG.warning("a part of a reply could not be sent: %s", error.key)
            gone = isinstance(error, Refused)
            await self.journal.fail(item.id, error.key, at=self.clock.now(), rest=gone)
        except Exception:
            _LOG.exception("a part of a reply could not be sent")
            await self.journal.fail(item.id, "error.unexpected", at=self.clock.now())
        else:
            await self.journal.sent(item.id, messages, at=self.clock.now())
            if item.part.deletes:
                await self.journal.withdrawn([item.part.to])

    async def _postpone(self, item: OutboxItem, error: Unavailable) -> None:
        now = self.clock.now()
        if item.attempts >= MAX_ATTEMPTS:
            await self.journal.fail(item.id, error.key, at=now)
            return
        wait = timedelta(seconds=max(error.retry_after_s, 2.0 ** (item.attempts - 1)))
        await self.journal.postpone(item.id, until=now + min(wait, LONGEST_WAIT), error=error.key, at=now)

    async def _recover_part(self, item: OutboxItem) -> None:
        now, way = self.clock.now(), self.platform.capabilities.recovery
        repeatable = item.part.deletes or item.part.replaces is not None
        if way is Recovery.FLAG and not repeatable:
            _LOG.warning("a part of a reply may have been sent or not; it is listed as a dead letter")
            await self.journal.fail(item.id, "delivery.unknown", at=now, unknown=True)
            return
        try:
            looked_up = way is Recovery.LOOK_UP and not repeatable
            arrived = await self.platform.look_up(item.part) if looked_up else None
        except FundstelleError as error:
            _LOG.warning("whether a part of a reply was sent is not known: %s", error.key)
            await self.journal.fail(item.id, error.key, at=now, unknown=True)
            return
        if arrived is not None:
            await self.journal.sent(item.id, arrived, at=now)
        else:
            await self.journal.postpone(item.id, until=now, error="delivery.interrupted", at=now)


async def deliver(platform: ChatPlatform, part: Outgoing) -> tuple[str, ...]:
    """Send a part, or take a message back."""
    if part.deletes:
        await platform.delete(part.to)
        return ()
    return await platform.send(part)
