"""The nearest sentences read together with the question: what the reader says of them counts most."""

from collections.abc import Sequence
from dataclasses import replace

from core.answering.extractive.extracts import Extract
from core.answering.extractive.scoring import in_context
from core.ports.reading import AnswerReader

READ = 14
"""Sentences that are read of a pool, the best by their other scores."""


async def with_readings(
    reader: AnswerReader, question: str, scored: Sequence[Extract], weight: float
) -> list[Extract]:
    """The sentences with what `reader` says added to their scores, times `weight`. Those that are not read
    count like the worst of those that are. Which sentences are read is decided in each pool alone, so a party
    is read by the same rule whoever else is asked about."""
    order = sorted(range(len(scored)), key=lambda n: -scored[n].score)[:READ]
    texts = [" ".join(in_context(scored[n]).split()) for n in order]
    found = dict(zip(order, await reader.scores(question, texts), strict=True))
    worst = min(found.values(), default=0.0)
    return [
        replace(extract, score=extract.score + weight * found.get(n, worst), read=found.get(n))
        for n, extract in enumerate(scored)
    ]
