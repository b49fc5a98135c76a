"""A second, separate model call that sees only claims and their quotes, and says which claims these state.

A claim in a model's own words is shown only with its approval. If it fails, is silent about a claim or
contradicts itself, the quotes are shown alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.answering.generated.drafts import json_objects
from core.answering.generated.sources import data, fenced, load_prompt
from core.domain.models import Completion
from core.errors import FundstelleError
from core.ports.models import LanguageModel

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
