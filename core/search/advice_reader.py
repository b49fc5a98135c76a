"""Who reads questions for voting advice beside the rules (`core.question.chatter`): a head, since people ask
how to vote, and for the bot's own opinion of parties, in more ways than rules foresee.
`benchmarks/train_advice.py` trains it.

All names of parties are read as one and the same, so that no party is treated otherwise than another.
"""

import asyncio
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.ports.embedding import Embedder
from core.registry.names import replaced
from core.search.heads import packaged, total

WEIGHTS = Path(__file__).with_name("advice.npz")

THRESHOLD = 2.0
"""Logarithm of the odds from which on a question asks for advice: chosen so that of 2,400 honest questions
none is over it."""

PARTY = "Partei X"
"""Stands for the name of any party."""

_ARTICLES = r"\b(?:(?:die|der|den|dem|das|the|le|la|les)\s+|l['’])"
_WITH_ARTICLE = re.compile(rf"(?:{_ARTICLES})?{PARTY}", re.IGNORECASE)


class AdviceReader:
    """Reads questions. `encoders` are those that the head was trained over; with others it finds nothing."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        self._encoders = packaged(WEIGHTS).usable(encoders)

    async def asked(self, text: str, parties: Iterable[tuple[int, int]]) -> bool:
        """Whether `text`, which names parties at `parties` (start, end), asks how to vote or what the bot
        thinks of a party."""
        return bool(self._encoders) and await self.odds(text, parties) >= THRESHOLD

    async def odds(self, text: str, parties: Iterable[tuple[int, int]]) -> float:
        """The logarithm of the odds that it does."""
        head = packaged(WEIGHTS)
        parts = await asyncio.to_thread(head.parts, masked(text, parties))
        return total(await head.worst(parts, self._encoders))


def masked(text: str, parties: Iterable[tuple[int, int]]) -> str:
    """`text` with PARTY for each party's name, its article with it: some names have one of their own."""
    return " ".join(_WITH_ARTICLE.sub(f" {PARTY} ", replaced(text, set(parties), PARTY)).split())
