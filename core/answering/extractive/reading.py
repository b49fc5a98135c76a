"""The nearest sentences read together with the question, each with what is shown round it: what the reader
says of them counts most."""

from collections.abc import Sequence
from dataclasses import replace

from core.answering.extractive.extracts import Extract
from core.answering.extractive.scoring import in_context
from core.answering.extractive.stretches import places, with_surroundings
from core.ports.reading import AnswerReader

READ = 10
"""Sentences that are read of a pool, the best by their other scores."""


async def with_readings(
    reader: AnswerReader, question: str, scored: Sequence[Extract], weight: float
) -> list[Extract]:
    """The sentences with what `reader` says of their stretches added to their scores, times `weight`. Those
    that are not read count like the worst of those that are. Which are read is decided in each pool alone, so
    a party is read by the same rule whoever else is asked about."""
    known = places(scored)
    order = sorted(range(len(scored)), key=lambda n: -scored[n].score)[:READ]
    texts = {n: _text(with_surroundings(scored[n], known)) for n in order}
    once = list(dict.fromkeys(texts.values()))
    said = dict(zip(once, await reader.scores(question, once), strict=True))
    found = {n: said[text] for n, text in texts.items()}
    worst = min(found.values(), default=0.0)
    return [
        replace(extract, score=extract.score + weight * found.get(n, worst), read=found.get(n))
        for n, extract in enumerate(scored)
    ]


def _text(extract: Extract) -> str:
    return " ".join(in_context(extract, extract.shown).split())
