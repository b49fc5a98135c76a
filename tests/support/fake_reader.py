"""A reader that gives the scores a test wants."""

from collections.abc import Callable, Sequence

from core.ports.models import AnswerReader


class FakeReader(AnswerReader):
    """Scores each text with `says`, and collects its inputs in `read`."""

    name = "fake"

    def __init__(self, says: Callable[[str], float]) -> None:
        self._says = says
        self.read: list[str] = []

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """See the port."""
        self.read += texts
        return [self._says(text) for text in texts]

    async def warm_up(self) -> None:
        """There is nothing to load."""
