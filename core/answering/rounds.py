"""Asking again with other words: where a model can prove too little from what was found, the search is
repeated with a new rewriting, and the best of the rounds counts."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from core.answering.confidence import DOUBTFUL
from core.answering.extractive import Extract
from core.answering.generation import Generated, Generator
from core.answering.previewing import OnClaims
from core.answering.writing import confidence_of
from core.domain.answers import Drafting
from core.domain.search import SearchResult

Search = Callable[[Sequence[str]], Awaitable[SearchResult]]
"""Searches for the question with wordings that are not among those given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What was found, the sentences chosen from it, and how sure that is."""

    result: SearchResult
    extracts: Sequence[Extract]
    sure: float


Look = Callable[[SearchResult], Awaitable[Round]]
"""Chooses from what a search found and says how sure that is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """The rounds of one answer, which share the generator's attempts and its deadline. `started` is when
    the question came (`time.monotonic`); without `search` there is one round only. `on_claims` sees
    the claims of every round while they are written."""

    generator: Generator = field(kw_only=False)
    look: Look
    search: Search | None
    started: float
    on_claims: OnClaims | None = None

    async def best(self, first: Round) -> tuple[Round, Generated]:
        """The round with the most confidence, the first of equals, and what the model wrote in it, with
        what all rounds cost and rejected."""
        rounds = [await self._written(first, 0)]
        tried = list(first.result.plan.queries)
        while self.search is not None and self._worth_another(rounds):
            result = await self.search(tried)
            if set(result.plan.queries) <= set(tried):
                break
            tried += result.plan.queries
            rounds.append(await self._written(await self.look(result), _used(rounds)))
        found, written = max(rounds, key=_confidence)
        rejected = tuple(dict.fromkeys(item for _, one in rounds for item in one.rejected))
        drafting = _together(written.drafting, [each.drafting for _, each in rounds])
        return found, replace(written, rejected=rejected, drafting=drafting)

    async def _written(self, found: Round, used: int) -> "_Written":
        question = found.result.plan.queries[0]
        spent = time.monotonic() - self.started
        generated = await self.generator.generate(
            question, found.result, spent_s=spent, used=used, on_claims=self.on_claims
        )
        return found, generated

    def _worth_another(self, rounds: Sequence["_Written"]) -> bool:
        """Whether too little is proven still, and the last round brought something if any before it did."""
        confidences = [_confidence(item) for item in rounds]
        getting_nowhere = len(rounds) > 1 and max(confidences[:-1]) >= max(confidences[-1], 0.0)
        failed = rounds[-1][1].failure is not None
        doubtful = confidences[-1] < DOUBTFUL and not getting_nowhere and not failed
        return doubtful and _used(rounds) < self.generator.attempts


_Written = tuple[Round, Generated]


def _confidence(round_: _Written) -> float:
    """Confidence in what the model wrote, -1 where nothing is left of it."""
    found, generated = round_
    return confidence_of(found.sure, generated) if generated.claims else -1.0


def _used(rounds: Sequence[_Written]) -> int:
    """How often the model was asked; a round without a passage counts as well."""
    draftings = [generated.drafting for _, generated in rounds]
    return sum(max(1, len(item.outputs)) if item else 1 for item in draftings)


def _together(best: Drafting | None, draftings: Sequence[Drafting | None]) -> Drafting | None:
    """The record of all rounds as one, with the model and the prompt of the `best` one."""
    made = [item for item in draftings if item is not None]
    if not made:
        return None
    costs = [item.cost_usd for item in made if item.cost_usd is not None]
    return replace(
        best or made[-1],
        outputs=tuple(output for item in made for output in item.outputs),
        prompt_tokens=sum(item.prompt_tokens for item in made),
        completion_tokens=sum(item.completion_tokens for item in made),
        cost_usd=sum(costs) if len(costs) == len(made) else None,
    )
