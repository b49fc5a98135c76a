"""The cheap path first: a question is searched in its own words, and a model asked once.

Other wordings are tried at most once: before asking the model if the first search looks weak, else if the
model finds no answer in the result.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.answering.extractive.confidence import DOUBTFUL
from core.answering.extractive.extracts import Extract
from core.answering.generated.generation import Generator
from core.answering.generated.previews import OnClaims
from core.answering.generated.session import Generated, confidence_of
from core.domain.answers import Drafting
from core.domain.ids import PassageId
from core.search.plan import SearchResult
from core.search.rewrites import Rewrite

RewriterFor = Callable[[Sequence[str], float], Rewrite]
"""Finds wordings not among those given, within the given number of seconds."""


class Search(Protocol):
    """Searches for the question again, along with other wordings."""

    def __call__(self, *, rewrite: Rewrite) -> Awaitable[SearchResult]:
        """The search result; wordings found by `rewrite` are searched as well."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRound:
    """A search result, the sentences chosen from it, and their confidence."""

    result: SearchResult
    extracts: Sequence[Extract]
    sure: float


Look = Callable[[SearchResult], Awaitable[SearchRound]]
"""Chooses from a search result and states the confidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """The rounds of one answer, which share the generator's attempts and deadline. `started` is when the
    question arrived (`time.monotonic`); without `search` or `rewriter` there is only one round. `on_claims`
    receives the claims of every round while they are written."""

    generator: Generator = field(kw_only=False)
    look: Look
    search: Search | None
    rewriter: RewriterFor | None
    started: float
    on_claims: OnClaims | None = None

    async def best(self, first: SearchRound) -> tuple[SearchRound, Generated]:
        """The round with the highest confidence (the first in case of a tie) and what the model wrote in it,
        with the costs and rejections of all rounds."""
        reworded = looks_weak(first)
        found = await self._searched_again(first) if reworded else first
        rounds = [await self._written(found, 0)]
        if not reworded and self._declined(rounds[0]):
            other = await self._searched_again(found)
            if _passages(other) - _passages(found):
                rounds.append(await self._written(other, _used(rounds)))
        found, written = max(rounds, key=_confidence)
        rejected = tuple(dict.fromkeys(item for _, one in rounds for item in one.rejected))
        drafting = _together(written.drafting, [each.drafting for _, each in rounds])
        return found, replace(written, rejected=rejected, drafting=drafting)

    async def _written(self, found: SearchRound, used: int) -> "_Written":
        question = found.result.plan.question.asked
        spent = time.monotonic() - self.started
        generated = await self.generator.generate(
            question, found.result, spent_s=spent, used=used, on_claims=self.on_claims
        )
        return found, generated

    async def _searched_again(self, found: SearchRound) -> SearchRound:
        """The result of searching other wordings; `found` if there are none."""
        tried = found.result.plan.queries
        if self.rewriter is None or self.search is None:
            return found
        left_s = self.generator.left_s(self.started)
        result = await self.search(rewrite=self.rewriter(tried, left_s))
        if set(result.plan.queries) <= set(tried):
            return replace(found, result=replace(found.result, seconds=result.seconds))
        return await self.look(result)

    def _declined(self, written: "_Written") -> bool:
        """Whether the model found no answer and may be asked once more."""
        return written[1].abstained and _used([written]) < self.generator.attempts


_Written = tuple[SearchRound, Generated]


def looks_weak(found: SearchRound) -> bool:
    """Whether other wordings may find more. Documents in another language don't indicate that: the search
    states its confidence in them like in any, and if the model finds no answer there, other wordings are
    tried."""
    return found.sure < DOUBTFUL


def _passages(found: SearchRound) -> set[PassageId]:
    return {hit.passage.id for hit in found.result.context}


def _confidence(round_: _Written) -> float:
    """Confidence in what the model wrote, -1 if nothing is left of it."""
    found, generated = round_
    return confidence_of(found.sure, generated) if generated.claims else -1.0


def _used(rounds: Sequence[_Written]) -> int:
    """How often the model was asked; a round without a passage counts as well."""
    draftings = [generated.drafting for _, generated in rounds]
    return sum(max(1, len(item.outputs)) if item else 1 for item in draftings)


def _together(best: Drafting | None, draftings: Sequence[Drafting | None]) -> Drafting | None:
    """The combined record of all rounds, with the model and the prompt of the `best` one."""
    made = [item for item in draftings if item is not None]
    if not made:
        return None
    costs = [item.cost_usd for item in made if item.cost_usd is not None]
    return replace(
        best or made[-1],
        outputs=tuple(output for item in made for output in item.outputs),
        judgement="\n".join(item.judgement for item in made if item.judgement),
        prompt_tokens=sum(item.prompt_tokens for item in made),
        completion_tokens=sum(item.completion_tokens for item in made),
        cost_usd=sum(costs) if len(costs) == len(made) else None,
    )
