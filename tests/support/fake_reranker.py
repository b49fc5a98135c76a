"""A reranker in memory: the share of the question's words that a text has, or given scores."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain.search import Relevance
from core.errors import FundstelleError


@dataclass(slots=True)
class FakeReranker:
    """`scores` by a text's beginning take precedence over the share of words; the texts at `silent` are not
    judged."""

    scores: dict[str, float] = field(default_factory=dict)
    silent: frozenset[int] = frozenset()
    error: FundstelleError | None = None
    asked: list[tuple[str, ...]] = field(default_factory=list)
    collections: list[tuple[str, ...]] = field(default_factory=list)
    name: str = "fake"

    async def warm_up(self) -> None:
        pass

    async def rank(
        self, question: str, texts: Sequence[str], *, collections: Sequence[str], deadline_s: float
    ) -> list[Relevance]:
        self.asked.append(tuple(texts))
        self.collections.append(tuple(collections))
        if self.error is not None:
            raise self.error
        judged = [
            Relevance(index=n, score=self._score(question, text))
            for n, text in enumerate(texts)
            if n not in self.silent
        ]
        return sorted(judged, key=lambda item: -item.score)

    def _score(self, question: str, text: str) -> float:
        for beginning, score in self.scores.items():
            if text.startswith(beginning):
                return score
        wanted, said = (set(re.findall(r"\w+", each.casefold())) for each in (question, text))
        return len(wanted & said) / max(1, len(wanted))
