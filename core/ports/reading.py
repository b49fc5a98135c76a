"""The ports to what reads texts together: a question with what may answer it, a line of talk with what was
said before."""

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


class TalkReader(Protocol):
    """Says whom a line of group talk is meant for. Loads nothing before the first call."""

    async def odds(self, before: str, line: str) -> float:
        """The logarithm of the odds that `line` is for the bot; `before` is what was said there before, as
        `core.search.group_talk.told` writes it. The same texts always have the same odds."""
        ...

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""
        ...
