"""Who reads how a sentence stands to a topic beside the rules (`core.answering.stances`): a head, since
parties want and reject things in more ways than rules foresee. `benchmarks/train_stance.py` trains it.

Every topic is read as one and the same, and so is the party that speaks: what is said alone counts.
"""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.answering.extractive.terms import WORD, terms
from core.errors import FundstelleError
from core.ports.embedding import Embedder
from core.search.heads import packaged, plain

WEIGHTS = Path(__file__).with_name("stance.npz")

KINDS = ("wants", "rejects")
"""What the head tells apart, beside neither."""

THRESHOLD = 3.0
"""Logarithm of the odds of a kind against the others together from which on a sentence is read so."""

TOPIC = "X"
"""Stands for the words of any topic."""

SPEAKER = "Partei Y"
"""Stands for the name of whoever speaks."""

SPREAD = 12
"""Words before and behind a topic that show what is said of it."""

_TOPICS = re.compile(rf"\b{TOPIC}(?:[\s-]+{TOPIC}\b)+")


class StanceReader:
    """Reads sentences. `encoders` are those that the head was trained over; with others it finds nothing."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        self._encoders = packaged(WEIGHTS).usable(encoders)

    async def stance(
        self, sentence: str, topic: frozenset[str], language: str, speakers: Sequence[str] = ()
    ) -> int:
        """1 where `sentence` of `speakers` surely wants what has the terms `topic`, -1 where it surely
        rejects it, else 0."""
        if not self._encoders:
            return 0
        wants, rejects = await self.odds(masked(sentence, topic, language, speakers))
        return int(wants >= THRESHOLD) - int(rejects >= THRESHOLD)

    async def odds(self, text: str) -> tuple[float, float]:
        """The logarithms of the odds that a masked sentence wants, and that it rejects, its topic."""
        try:
            vectors = [await encoder.query(plain(text)) for encoder in self._encoders]
        except FundstelleError:  # what the letters say is too little to go by
            return -np.inf, -np.inf
        return against_all(await asyncio.to_thread(packaged(WEIGHTS).odds, plain(text), vectors))


NOBODY_READS = StanceReader()
"""Where the rules alone decide."""


def against_all(odds: NDArray[np.float32]) -> tuple[float, float]:
    """The odds of each kind against the others and neither, from those against neither alone."""
    wants, rejects = (float(each) for each in odds)
    return wants - np.logaddexp(0.0, rejects), rejects - np.logaddexp(0.0, wants)


def masked(sentence: str, topic: frozenset[str], language: str, speakers: Sequence[str] = ()) -> str:
    """`sentence` with TOPIC for the words of the topic, and SPEAKER for the names of `speakers`."""
    wanted = {_plain(term) for term in topic}
    text = WORD.sub(
        lambda found: TOPIC if wanted & set(map(_plain, terms(found[0], language))) else found[0], sentence
    )
    for name in sorted(speakers, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(name)}\b", SPEAKER, text)
    return near(_TOPICS.sub(TOPIC, text))


def near(text: str) -> str:
    """The clauses of a masked sentence beside those that name the topic, and themselves; of long ones the
    words nearest to it."""
    words = text.split()
    at = [n for n, word in enumerate(words) if TOPIC in word]
    if not at:
        return text
    return " ".join(words[max(0, at[0] - SPREAD) : at[-1] + SPREAD + 1])


def _plain(term: str) -> str:
    return term.replace("nss", "ns")
