"""Whether a claim and its quotes are about the same thing, judging by the vectors of the packaged encoders.

A claim without contradictions may still be about something else altogether, above all in another language,
where words cannot be compared, or may give to one thing the number of another. Figures: docs/lab/models.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.search import Vector
from core.errors import FundstelleError
from core.evidence.contradictions import QuotedText
from core.evidence.places import Places, places
from core.language.sentences import sentences
from core.ports.models import Embedder

ENCODERS = ("multilingual-e5-small-q4/1", "use-multilingual-v3-q8/1")
"""The names of the encoders for which `LEAST` was measured."""

LEAST = 1.12
"""Minimum sum of the cosines for two texts to be about the same thing; those of the first encoder are at
least .8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A claim in `language` (ISO 639-1) and the quotes supposed to support it."""

    text: str
    language: str
    quotes: tuple[QuotedText, ...]


class Relation:
    """Compares claims with quotes. `encoders` are those of ENCODERS; with others it finds all related."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        known = tuple(encoder.name for encoder in encoders) == ENCODERS
        self._encoders = tuple(encoders) if known else ()

    async def unrelated(self, claims: Sequence[Related]) -> frozenset[int]:
        """The indexes of the claims that are unrelated to every one of their quotes, all in another language,
        and to those quotes' sentences, or with numbers that the quotes give to something else. Empty if
        the encoders cannot run: a judge reads the claims next."""
        if not claims or not self._encoders:
            return frozenset()
        parts = [_parts(claim) for claim in claims]
        numbers = [places(claim.text, claim.language, claim.quotes) for claim in claims]
        texts = list(
            dict.fromkeys(
                [
                    *(claim.text for claim in claims),
                    *(part for own in parts for part in own),
                    *(
                        text
                        for own in numbers
                        for each in own
                        for pair in (*each.stated, *each.turned)
                        for text in pair
                    ),
                ]
            )
        )
        try:
            found = [await encoder.passages(texts) for encoder in self._encoders]
        except FundstelleError:
            return frozenset()
        vectors = {text: [each[number] for each in found] for number, text in enumerate(texts)}
        return frozenset(
            number
            for number, (claim, own) in enumerate(zip(claims, parts, strict=True))
            if (own and max(_likeness(vectors, claim.text, part) for part in own) < LEAST)
            or any(_moved(vectors, each) for each in numbers[number])
        )


def _parts(claim: Related) -> list[str]:
    """The quotes and their sentences if all are in another language than the claim; in its own, words tell
    more (`ClaimGuard`)."""
    if any(quote.language == claim.language for quote in claim.quotes):
        return []
    return [
        part
        for quote in claim.quotes
        for part in (
            quote.text,
            *(quote.text[start:end] for start, end in sentences(quote.text, quote.language)),
        )
    ]


def _likeness(vectors: Mapping[str, Sequence[Vector]], one: str, other: str) -> float:
    return float(sum(np.dot(mine, its) for mine, its in zip(vectors[one], vectors[other], strict=True)))


def _moved(vectors: Mapping[str, Sequence[Vector]], compared: Places) -> bool:
    def alike(pairs: Iterable[tuple[str, str]]) -> float:
        return sum(_likeness(vectors, *pair) for pair in pairs)

    return alike(compared.stated) < alike(compared.turned)
