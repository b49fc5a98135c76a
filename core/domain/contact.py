"""Whether a chat platform answers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from core.errors import Broken, Unavailable


@dataclass(slots=True)
class Contact:
    """Kept by a platform while it receives. `at`: when it last answered, None for never; `error`: the key of
    what has stood between since, "" while it answers."""

    at: datetime | None = None
    error: str = "platform.starting"

    def made(self, at: datetime) -> None:
        """It has answered."""
        self.at, self.error = at, ""

    def lost(self, key: str) -> None:
        """It does not answer, or not to us."""
        self.error = key

    @contextmanager
    def tried(self, now: Callable[[], datetime]) -> Iterator[None]:
        """Keep how the exchange in the context ends."""
        try:
            yield
        except (Broken, Unavailable) as error:
            self.lost(error.key)
            raise
        self.made(now())
