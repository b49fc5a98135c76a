"""Ports to models that read texts together: a question with a possible answer, or a line of chat with the
lines before it."""

from collections.abc import Sequence
from typing import Protocol


class AnswerReader(Protocol):
    """Scores how well each of a few short texts answers a question. Loads nothing before the first call."""

    @property
    def name(self) -> str:
        """Name and version, for the record of an answer."""
        ...

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score per text, in the given order: above 0 if the text more likely answers than not. A text is
        one or more sentences preceded by the heading above them ("heading: text"); long texts are truncated.
        The same pair always has the same score, whatever else is in the call."""
        ...

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""
        ...


class TalkReader(Protocol):
    """Estimates whom a line of group chat is meant for. Loads nothing before the first call."""

    async def odds(self, before: str, line: str) -> float:
        """The log-odds that `line` is meant for the bot; `before` is the preceding conversation, as written
        by `core.search.group_talk.told`. The same texts always give the same odds."""
        ...

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""
        ...
