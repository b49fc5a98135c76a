"""Reranking by a language model that sees all candidates at once (listwise; RankGPT, arXiv:2304.09542)."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.answering.generated.drafts import json_objects
from core.answering.generated.messages import load_prompt
from core.answering.generated.sources import data, fenced
from core.answering.labels import plain
from core.answering.personal_data import KEPT_BACK, Privacy
from core.domain.search import Relevance
from core.errors import Unavailable
from core.ports.models import LanguageModel
from core.search.reranking import MOST_CANDIDATES

SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["ranking"],
    "properties": {
        "ranking": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["id", "score"],
                "properties": {"id": {"type": "integer"}, "score": {"type": "number"}},
            },
        },
    },
}
CHARACTERS_PER_TOKEN = 3
TOKENS_PER_CANDIDATE = 24
"""What the judgement of one passage takes, as JSON."""


class ListwiseReranker:
    """Asks a model once about at most 20 passages."""

    def __init__(self, model: LanguageModel, *, privacy: Privacy = KEPT_BACK) -> None:
        self._model = model
        self._privacy = privacy
        self._prompt = load_prompt("rerank")

    @property
    def name(self) -> str:
        """Model and prompt."""
        return f"llm:{self._model.name} {self._prompt.id}"

    async def warm_up(self) -> None:
        """Load what the first call would load."""
        await self._model.warm_up()

    async def rank(
        self, question: str, texts: Sequence[str], *, collections: Sequence[str], deadline_s: float
    ) -> list[Relevance]:
        """See the port. Raises Unavailable("rerank.unreadable") where nothing was judged."""
        texts = texts[:MOST_CANDIDATES]
        if not texts:
            return []
        asked = plain(await asyncio.to_thread(self._privacy.for_models, question))
        try:
            async with asyncio.timeout(deadline_s):
                completion = await self._model.complete(
                    self._prompt.messages(passages=self._block(texts), question=asked),
                    collections=collections,
                    schema=SCHEMA,
                    max_tokens=TOKENS_PER_CANDIDATE * len(texts) + TOKENS_PER_CANDIDATE,
                    deadline_s=deadline_s,
                )
        except TimeoutError:
            raise Unavailable("model.timeout", f"no ranking within {deadline_s:g} s") from None
        ranking = read_ranking(completion.text, len(texts))
        if not ranking:
            raise Unavailable("rerank.unreadable", f"{completion.model} gave no ranking")
        return ranking

    def _block(self, texts: Sequence[str]) -> str:
        longest = self._model.max_context_tokens * CHARACTERS_PER_TOKEN // len(texts)
        return fenced("\n\n".join(f"[{n}]\n{data(text)[:longest]}" for n, text in enumerate(texts, start=1)))


def read_ranking(text: str, count: int) -> list[Relevance]:
    """The ranking in a model's output of passages numbered from 1 to `count`: every passage once, where it
    stands first; unknown numbers are left out. The order counts: a score that is higher than the one
    before, or none, is taken to be the same. Never raises."""
    found: dict[int, float] = {}
    ceiling = 1.0
    for item in _items(text):
        number, score = item.get("id"), item.get("score")
        if type(number) is not int or not 1 <= number <= count or number - 1 in found:
            continue
        if isinstance(score, int | float) and score == score:  # not NaN
            ceiling = min(ceiling, max(0.0, float(score)))
        found[number - 1] = ceiling
    return [Relevance(index=index, score=score) for index, score in found.items()]


def _items(text: str) -> Iterator[Mapping[str, Any]]:
    """The judgements in whole objects, and in what is whole of a broken one."""
    for value in json_objects(text):
        listed = value.get("ranking")
        items = listed if isinstance(listed, list) else [value]
        yield from (item for item in items if isinstance(item, dict))
