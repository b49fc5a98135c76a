"""Encrypted events whose key is not there: keys often arrive a little after what they open."""

import logging
import time
from dataclasses import dataclass
from typing import Any

from nio import AsyncClient, MegolmEvent
from nio.exceptions import EncryptionError

from adapters.matrix.errors import translating
from core.errors import FundstelleError
from core.recent import Recent

MOST = 1_000
"""Events that wait at the same time; further ones are given up at once."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event that waits for its key until `until` (monotonic seconds); it came after `since`."""

    event: MegolmEvent
    room: str
    until: float
    since: str


class Undecryptable:
    """Waits `wait_s` for the key of an event, and asks for it once. `lost` counts what stayed closed."""

    def __init__(self, client: AsyncClient, wait_s: float) -> None:
        self._client = client
        self._wait_s = wait_s
        self._waiting: dict[str, Waiting] = {}
        self._asked = Recent[str, bool](MOST)
        self._opened: set[str] = set()
        self.lost = 0

    def cursor(self, next_batch: str) -> str:
        """Where to go on after a restart: behind nothing that may still be opened."""
        closed = [waiting for event_id, waiting in self._waiting.items() if event_id not in self._opened]
        return closed[0].since if closed else next_batch

    @property
    def waits(self) -> bool:
        """Something may still be opened."""
        return bool(self._waiting.keys() - self._opened)

    async def hold(self, event: MegolmEvent, room: str, since: str) -> None:
        """Keep an event until its key comes. Own events of an earlier device need no opening."""
        if event.sender == self._client.user_id or event.event_id in self._waiting:
            return
        until = time.monotonic() + (self._wait_s if len(self._waiting) < MOST else 0.0)
        self._waiting[event.event_id] = Waiting(event, room, until, since)
        if event.session_id not in self._asked:
            self._asked[event.session_id] = True
            await self._ask(event)

    def opened(self) -> list[tuple[str, Any]]:
        """Room and decrypted event of what can be read by now; the same again until it is settled."""
        found: list[tuple[str, Any]] = []
        for event_id, waiting in self._waiting.items():
            plain = self._plain(waiting)
            if plain is not None:
                found.append((waiting.room, plain))
                self._opened.add(event_id)
        return found

    def give_up(self) -> None:
        """Wait no longer for what waited long enough."""
        now = time.monotonic()
        for event_id, waiting in list(self._waiting.items()):
            if event_id not in self._opened and waiting.until <= now:
                del self._waiting[event_id]
                self.lost += 1
                log.warning("an encrypted message could not be read: no key came (%d so far)", self.lost)

    def settle(self) -> None:
        """What was opened is in good hands."""
        for event_id in self._opened:
            self._waiting.pop(event_id, None)
        self._opened.clear()

    def _plain(self, waiting: Waiting) -> Any:
        try:
            event = self._client.decrypt_event(waiting.event)
        except EncryptionError:
            return None
        return event if isinstance(event.source, dict) and "sender" in event.source else None

    async def _ask(self, event: MegolmEvent) -> None:
        """Ask the device that wrote it (nio's own request goes to the bot's devices only)."""
        client = self._client
        request = event.as_key_request(event.sender, client.device_id, event.session_id, event.device_id)
        try:
            with translating():
                await client.to_device(request)
        except FundstelleError:
            log.warning("the request for a key could not be sent")
