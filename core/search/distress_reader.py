"""Who reads messages for distress: the rules, and a head (`core.search.heads`), since nobody can write down
beforehand how people say it. `benchmarks/train_distress.py` trains it."""

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

from core.ports.embedding import Embedder
from core.question.language import spoken_language
from core.recent import Recent
from core.search.advice_reader import AdviceReader
from core.search.distress import Distress, DistressKind, distress
from core.search.heads import PART, READ, Part, packaged, total

WEIGHTS = Path(__file__).with_name("distress.npz")

THRESHOLD = 2.5
"""Logarithm of the odds from which on a text is distress: chosen so that of 2,400 honest questions none is
over it."""

KINDS = (DistressKind.EMERGENCY, DistressKind.SUICIDE, DistressKind.VIOLENCE)
"""The head's kinds."""


class DistressReader:
    """Reads messages. `encoders` are those that the head was trained over; with others only the rules read.
    Who more likely asks how to vote is in no distress: both speak of themselves, and of what they cannot do.
    What was found in the last messages is remembered by digest, since each is asked about several times."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        self._encoders = packaged(WEIGHTS).usable(encoders)
        self._advice = AdviceReader(self._encoders)
        self._recent = Recent[bytes, Distress | None](1000)

    async def warm_up(self) -> None:
        """Load rules and weights."""
        await self.find("warm up")

    async def find(self, text: str) -> Distress | None:
        """The distress that `text` speaks of; None for anything else."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        if digest not in self._recent:
            self._recent[digest] = await self._found(text)
        return self._recent[digest]

    async def _found(self, text: str) -> Distress | None:
        parts, found = await asyncio.to_thread(_by_rules, text)
        if found is not None or not self._encoders:
            return found
        odds = await packaged(WEIGHTS).worst(parts, self._encoders)
        if total(odds) < THRESHOLD or await self._advice.odds(text, ()) > total(odds):
            return None
        return Distress(KINDS[int(odds.argmax())], spoken_language(text[: 2 * READ * PART]))


def _by_rules(text: str) -> tuple[Sequence[Part], Distress | None]:
    """The parts of a text that are worth a look, and the distress that the rules find in them. What is asked
    in the next sentence matters to the rules: they read none alone."""
    found = packaged(WEIGHTS).parts(text)
    kinds = [each for part in found if not part.alone and (each := distress(part.text)) is not None]
    return found, min(kinds, key=lambda each: KINDS.index(each.kind), default=None)
