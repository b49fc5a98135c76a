"""The nearest sentences read together with the question, each with what is shown round it: what the reader
says of them counts most."""

import math
from collections.abc import Sequence
from dataclasses import replace

from core.answering.extractive.choice import fullest
from core.answering.extractive.extracts import Extract
from core.answering.extractive.scoring import in_context
from core.answering.extractive.stretches import places
from core.ports.reading import AnswerReader

READ = 12
"""Stretches that are read of a pool, those round the best sentences by their other scores."""

READ_OF_A_PASSAGE = 1.5
"""Stretches that are read for each of its passages where these are more."""

AT_ONCE = 6
"""Stretches that are read before it is asked whether that is enough."""


async def with_readings(
    reader: AnswerReader,
    question: str,
    scored: Sequence[Extract],
    weight: float,
    enough: float,
) -> list[Extract]:
    """The sentences with what `reader` says of their stretches added to their scores, times `weight`. A
    sentence that stands in a stretch that is read has its reading, so that no place is read twice; those that
    stand in none count like the worst of those that do. From `enough` on what is said of one, no more are
    read. Which are read is decided in each pool alone, so a party is read by the same rule whoever else is
    asked about."""
    read, reading_of = stretches_read(scored)
    texts = [text_read(stretch) for stretch in read]
    said = await _said(reader, question, list(dict.fromkeys(texts)), enough)
    heard = {n: [said[texts[row]] for row in rows if texts[row] in said] for n, rows in reading_of.items()}
    found = {n: max(scores) for n, scores in heard.items() if scores}
    worst = min(found.values(), default=0.0)
    opened = {rows[0]: n for n, rows in reversed(reading_of.items())}
    as_read = {opened[row]: stretch for row, stretch in enumerate(read)}
    return [
        replace(
            as_read.get(n, extract), score=extract.score + weight * found.get(n, worst), read=found.get(n)
        )
        for n, extract in enumerate(scored)
    ]


async def _said(reader: AnswerReader, question: str, texts: Sequence[str], enough: float) -> dict[str, float]:
    """What `reader` says of `texts`, in their order, until it says `enough` of one."""
    said: dict[str, float] = {}
    for start in range(0, len(texts), AT_ONCE):
        if max(said.values(), default=-math.inf) >= enough:
            break
        some = texts[start : start + AT_ONCE]
        said |= zip(some, await reader.scores(question, some), strict=True)
    return said


def stretches_read(scored: Sequence[Extract]) -> tuple[list[Extract], dict[int, list[int]]]:
    """The stretches to be read, each as it is shown if it is chosen, and by sentence (its place in `scored`)
    those that it stands in, the one that begins with it first."""
    order = sorted(range(len(scored)), key=lambda n: -scored[n].score)
    known = places(scored)
    passages = {each.hit.passage.id for each in scored}
    most = max(READ, int(READ_OF_A_PASSAGE * len(passages)))
    read: list[Extract] = []
    reading_of: dict[int, list[int]] = {}
    for n in order:
        rows = [row for row, stretch in enumerate(read) if scored[n].text in stretch.shown]
        if not rows:
            if len(read) == most:
                continue
            rows = [len(read)]
            read.append(fullest(scored[n], scored, known))
        reading_of[n] = rows
    return read, reading_of


async def readings(reader: AnswerReader, question: str, chosen: Sequence[Extract]) -> list[float]:
    """What `reader` says of each of the `chosen` stretches."""
    return list(await reader.scores(question, [text_read(each) for each in chosen])) if chosen else []


def text_read(extract: Extract) -> str:
    """What is read of a stretch."""
    return " ".join(in_context(extract, extract.shown).split())
