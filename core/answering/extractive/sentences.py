"""The extractive answerer: picks the sentences of the retrieved passages that answer best.

Nothing is written, only chosen: every sentence is shown as the source has it. Candidates (`quotable`), their
scores (`scoring`), the choice among them (`choice`) and what is shown round each (`stretches`) are apart.
"""

import asyncio
from collections.abc import Sequence

from core.answering.extractive.choice import spare_ones, spread
from core.answering.extractive.extracts import Extract
from core.answering.extractive.quotable import quotable
from core.answering.extractive.reading import readings, with_readings
from core.answering.extractive.scoring import OPEN, SINGLE, Scorer, Weights
from core.answering.extractive.wanted import asks_openly
from core.domain.search import Hit
from core.ports.embedding import Embedder
from core.ports.reading import AnswerReader


class Extractor:
    """Chooses sentences; `encoder` is the one that is good and quick on single sentences, `primary` the
    other one, which gives a second opinion on how close they come. `reader`, where there is one, reads the
    nearest."""

    def __init__(
        self,
        encoder: Embedder,
        primary: Embedder | None = None,
        weights: Weights = SINGLE,
        open_weights: Weights = OPEN,
        reader: AnswerReader | None = None,
    ) -> None:
        self._scorer = Scorer(encoder, primary)
        self._reader = reader
        self._weights = weights
        self._open = open_weights

    @property
    def reads(self) -> bool:
        """Whether there is a reader."""
        return self._reader is not None

    async def pick(
        self,
        question: str,
        language: str,
        hits: Sequence[Hit],
        limit: int,
        *,
        spare: int = 0,
        topic: bool = False,
    ) -> list[Extract]:
        """The best sentences of `hits` (best hit first), best first, spread over pages: at most `limit`, as
        many as come near the best one; behind them at most `spare` that do not. `topic`: `question` names a
        topic; one that asks for whatever is said about one is recognised."""
        scored = await self.scored(question, language, hits, topic=topic)
        if not scored:
            return []
        weights = self._weights_for(question, topic=topic)
        if self._reader is not None and not topic:
            scored = await with_readings(self._reader, question, scored, weights.read, weights.enough)

        def best() -> list[Extract]:
            chosen = spread(scored, limit, weights)
            return chosen + spare_ones(scored, chosen, spare)

        return await asyncio.to_thread(best)

    async def scored(
        self, question: str, language: str, hits: Sequence[Hit], *, topic: bool = False
    ) -> list[Extract]:
        """All sentences of `hits` that may be quoted, with what speaks for each before a reader has read."""
        pool = await asyncio.to_thread(_sentences_of, hits)
        if not pool:
            return []
        weights = self._weights_for(question, topic=topic)
        return await self._scorer.scored(
            question, language, pool, hits, weights, whole=topic or asks_openly(question)
        )

    def _weights_for(self, question: str, *, topic: bool) -> Weights:
        weights = self._open if topic or asks_openly(question) else self._weights
        reads = self._reader is not None and not topic  # it has learned from questions, not from topics
        return weights.read_by() if reads else weights

    async def readings(self, question: str, chosen: Sequence[Extract]) -> list[float | None]:
        """What the reader says of chosen sentences, None where there is no reader."""
        if self._reader is None:
            return [None] * len(chosen)
        return list(await readings(self._reader, question, chosen))


def _sentences_of(hits: Sequence[Hit]) -> list[Extract]:
    return [
        Extract(hit=hit, start=start, end=end, score=0.0, similarity=0.0, overlap=0.0)
        for hit in hits
        for start, end in quotable(hit)
    ]
