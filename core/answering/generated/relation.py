"""Whether a claim and its quotes are about the same thing, judging by the vectors of the packaged encoders.

A claim without contradictions may still be about something else altogether, above all in another language,
where words cannot be compared. Figures: docs/lab/models.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.search import Vector
from core.errors import FundstelleError
from core.language.sentences import sentences
from core.ports.models import Embedder

ENCODERS = ("multilingual-e5-small-q4/1", "use-multilingual-v3-q8/1")
"""The names of the encoders for which `LEAST` was measured."""

LEAST = 1.12
"""Minimum sum of the cosines for two texts to be about the same thing; those of the first encoder are at
least .8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A claim and the quotes supposed to support it, with their languages (ISO 639-1)."""

    text: str
    quotes: tuple[tuple[str, str], ...]


class Relation:
    """Compares claims with quotes. `encoders` are those of ENCODERS; with others it finds all related."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        known = tuple(encoder.name for encoder in encoders) == ENCODERS
        self._encoders = tuple(encoders) if known else ()

    async def unrelated(self, claims: Sequence[Related]) -> frozenset[int]:
        """The indexes of the claims unrelated to every one of their quotes and those quotes' sentences. Empty
        if the encoders cannot run: a judge reads the claims next."""
        if not claims or not self._encoders:
            return frozenset()
        parts = [_parts(claim) for claim in claims]
        texts = list(dict.fromkeys([*(claim.text for claim in claims), *(p for own in parts for p in own)]))
        try:
            found = [await encoder.passages(texts) for encoder in self._encoders]
        except FundstelleError:
            return frozenset()
        at = {text: number for number, text in enumerate(texts)}
        return frozenset(
            number
            for number, (claim, own) in enumerate(zip(claims, parts, strict=True))
            if own and max(_likeness(found, at[claim.text], at[part]) for part in own) < LEAST
        )


def _parts(claim: Related) -> list[str]:
    """The quotes and their sentences."""
    return [
        part
        for text, language in claim.quotes
        for part in (text, *(text[start:end] for start, end in sentences(text, language)))
    ]


def _likeness(vectors: Sequence[Vector], one: int, other: int) -> float:
    return float(sum(np.dot(each[one], each[other]) for each in vectors))
