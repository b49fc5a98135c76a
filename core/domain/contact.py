"""Whether a chat platform is responding."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from core.errors import Broken, Unavailable


@dataclass(slots=True)
class Contact:
    """A platform's connection state, which it updates while receiving. `at`: when it last responded, None for
    never; `error`: the key of the failure since then, "" while it responds."""

    at: datetime | None = None
    error: str = "platform.starting"

    def made(self, at: datetime) -> None:
        """It has answered."""
        self.at, self.error = at, ""

    def lost(self, key: str) -> None:
        """Record that it does not respond, or rejects us."""
        self.error = key

    @contextmanager
    def tried(self, now: Callable[[], datetime]) -> Iterator[None]:
        """Record how the exchange inside the context ends."""
        try:
            yield
        except (Broken, Unavailable) as error:
            self.lost(error.key)
            raise
        self.made(now())
