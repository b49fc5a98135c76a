"""Whether quotes state the claims that they are to support.

A second, separate model call sees only claims and their quotes, and says which claims these state. A claim in
a model's own words is shown only with its approval. If it fails, is silent about a claim or contradicts
itself, the quotes are shown alone.

Before that, the vectors of the packaged encoders tell whether both are about the same thing: a claim without
contradictions may still be about something else altogether, above all in another language, where words cannot
be compared, or may give to one thing the number of another. Figures: docs/lab/models.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.answering.generated.drafts import json_objects
from core.answering.generated.sources import data, fenced, load_prompt
from core.domain.models import Completion
from core.domain.search import Vector
from core.errors import FundstelleError
from core.evidence.contradictions import QuotedText
from core.evidence.places import Places, places
from core.language.sentences import sentences
from core.ports.models import Embedder, LanguageModel

SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdicts"],
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["claim", "difference", "stated"],
                "properties": {
                    "claim": {"type": "integer"},
                    "difference": {"type": "string"},
                    "stated": {"type": "boolean"},
                },
            },
        }
    },
}
"""JSON Schema of a judgement: what differs before the verdict, so that the verdict follows from it."""

_TOKENS_PER_CLAIM = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedClaim:
    """A claim and the texts of the quotes supposed to support it."""

    text: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The indexes of the claims stated by their quotes, and the model's answer; None if it was not asked, or
    failed."""

    stated: frozenset[int] = frozenset()
    completion: Completion | None = None


class Judge:
    """Asks a language model, possibly a different one from the author of the claims."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._prompt = load_prompt("judge")

    async def judge(
        self, claims: Sequence[JudgedClaim], *, collections: Sequence[str], deadline_s: float
    ) -> Judgement:
        """Which of `claims` their quotes state; all in one call, within `deadline_s` seconds. A failing model
        is not an error. `collections` are those that the quotes come from."""
        if not claims or deadline_s <= 0:
            return Judgement()
        body = "\n\n".join(_lines(number, claim) for number, claim in enumerate(claims, start=1))
        try:
            completion = await self._model.complete(
                self._prompt.messages(passages=fenced(body)),
                collections=collections,
                schema=SCHEMA,
                max_tokens=_TOKENS_PER_CLAIM * (len(claims) + 1),
                deadline_s=deadline_s,
            )
        except FundstelleError:
            return Judgement()
        return Judgement(stated=read_verdicts(completion.text, len(claims)), completion=completion)


def read_verdicts(text: str, claims: int) -> frozenset[int]:
    """The indexes (from 0) of the claims that a model's output calls stated, out of `claims`. One that it
    calls both, or for which it gives a difference, does not count."""
    said: dict[int, bool] = {}
    for item in json_objects(text):
        verdicts = item.get("verdicts")
        for verdict in verdicts if isinstance(verdicts, list) else []:
            if not isinstance(verdict, dict):
                continue
            number, stated = verdict.get("claim"), verdict.get("stated") is True
            if isinstance(number, int) and not isinstance(number, bool):
                said[number] = said.get(number, True) and stated and not verdict.get("difference")
    return frozenset(number - 1 for number, stated in said.items() if stated and 0 < number <= claims)


def _lines(number: int, claim: JudgedClaim) -> str:
    return "\n".join(
        [f"Claim {number}: {data(claim.text)}", *(f"Quote: {data(quote)}" for quote in claim.quotes)]
    )


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
