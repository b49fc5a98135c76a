"""The port to what reads a question and a text together."""

from collections.abc import Sequence
from typing import Protocol


class AnswerReader(Protocol):
    """Says how well each of a few short texts answers a question. Loads nothing before the first call."""

    @property
    def name(self) -> str:
        """Name and version, for the record of an answer."""
        ...

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score per text, in the order given: over 0 where the text answers rather than not. A text is a
        sentence or a stretch of them behind the heading above it ("heading: text"); what is too long is cut
        off. The same pair always has the same score, whatever else is asked about."""
        ...

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""
        ...
