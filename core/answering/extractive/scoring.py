"""How well each sentence found answers a question.

A sentence is scored by its similarity to the question (encoder B; without a reader, also encoder A for the
nearest ones), by whether it states a number if one is asked for, by whether it commits somebody, by the rank
of its passage, and by shared words.
"""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.answering.extractive.extracts import Closeness, Extract
from core.answering.extractive.statements import commits
from core.domain.ids import PassageId
from core.domain.passages import PassageKind
from core.domain.search import Hit, Vector
from core.language.terms import shared, terms
from core.library.chunking.prose import SEPARATOR
from core.ports.models import Embedder
from core.question.subject import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of a sentence's evidence (docs/lab/answering.md); `similarity` weighs a cosine, `primary` how
    far a cosine exceeds that of the most distant sentence that encoder A examined, the others shares of 1.
    `read` weighs the reader's score; with it the passage counts for more, `passage_read`, and encoder A not
    at all (docs/lab/answering.md). A sentence on a page already chosen loses `repeat_page`. A sentence more
    than `gap` below the best one of its document is not shown, nor one more than `other` below the best of
    all, or `party` if it is another party's; all three are `apart` times as wide if a reader has scored them.
    Once the score of a stretch reaches `enough`, the reader stops: the last ones in a pool are seldom right
    (docs/lab/answering.md).
    """

    similarity: float = 1.0
    primary: float = 4.0
    number: float = 0.4
    commitment: float = 0.15
    passage: float = 0.15
    passage_read: float = 0.3
    overlap: float = 0.1
    read: float = 0.5
    repeat_page: float = 0.2
    gap: float = 0.08
    other: float = 0.1
    party: float = 0.4
    apart: float = 2.5
    enough: float = math.inf

    def read_by(self) -> "Weights":
        """The weights to use with a reader."""
        return replace(
            self,
            primary=0.0,
            passage=self.passage_read,
            gap=self.apart * self.gap,
            other=self.apart * self.other,
            party=self.apart * self.party,
        )


SINGLE = Weights(apart=3.3, enough=2.0)
"""Weights for a question about one thing."""

OPEN = Weights(overlap=0.3, commitment=0.25, gap=0.2, other=0.3, party=0.6)
"""Weights if anything said about a topic is wanted: its words must occur, and one sentence is not enough."""

CLOSEST = 3
"""Number of sentences whose mean similarity measures how close the passages are to the question."""

SHORTLIST = 12
"""Number of sentences that the slower encoder examines."""


class Scorer:
    """Scores sentences; `encoder` is the one that is good and quick on single sentences, `primary` the other
    one, which gives a second opinion on how close they come."""

    def __init__(self, encoder: Embedder, primary: Embedder | None = None) -> None:
        self._encoder = encoder
        self._primary = primary or encoder

    async def scored(
        self,
        question: Subject,
        pool: Sequence[Extract],
        hits: Sequence[Hit],
        weights: Weights,
        *,
        whole: bool,
    ) -> list[Extract]:
        """The sentences of `pool` with their scores, without those that are questions. `hits` are all
        passages they are from; `whole`: anything said about the topic is wanted."""
        vectors = await self._encoder.passages([in_context(extract, extract.text) for extract in pool])
        similarities = _lent(pool, vectors @ await self._encoder.query(question.text))
        pool, similarities = _without_questions(pool, similarities)
        above, closeness = np.zeros(len(pool), dtype=np.float32), Closeness()
        if weights.primary:
            above, closeness = await self._second_opinion(question.text, pool, similarities)

        def weighed() -> list[Extract]:
            standing = _standing(hits)
            scored = []
            for extract, similarity, higher in zip(pool, similarities, above, strict=True):
                present = terms(extract.text, extract.hit.edition.document.fields.language)
                near = replace(extract, similarity=float(similarity), overlap=shared(question.stems, present))
                score = (
                    weights.similarity * near.similarity
                    + weights.primary * float(higher)
                    + weights.overlap * near.overlap
                    + weights.number * question.wanted.fits(extract.text)
                    + weights.commitment * commits(extract.text, present=whole)
                    + weights.passage * standing[extract.hit.passage.id]
                )
                scored.append(replace(near, score=score, closeness=closeness))
            return scored

        return await asyncio.to_thread(
            weighed
        )  # stemming is pure Python and slow, so it must not block the event loop

    async def _second_opinion(
        self, question: str, pool: Sequence[Extract], similarities: Vector
    ) -> tuple[Vector, Closeness]:
        """How far encoder A rates each sentence above the most distant one it examined (0 for the others),
        and how close the best ones are."""
        nearest = np.argsort(-similarities, kind="stable")[:SHORTLIST]
        vectors = await self._primary.passages([_with_title(pool[row]) for row in nearest])
        found = vectors @ await self._primary.query(question)
        above = np.zeros(len(pool), dtype=np.float32)
        above[nearest] = found - found.min()
        few = _said_by(len(pool))
        best = np.sort(found)[::-1][:few]
        return above, Closeness(float(best.mean()), float(similarities[nearest[:few]].mean()))


def _said_by(pool: int) -> int:
    """How many of `pool` sentences to average for closeness: of the five on a page, two are beside the point
    however well it answers."""
    return min(CLOSEST, max(1, pool // CLOSEST))


def _with_title(extract: Extract) -> str:
    """A sentence preceded by the title of its document if that has one page: all of it is about the title."""
    title = _title_of_a_page(extract.hit)
    return f"{title}: {extract.text}" if title else extract.text


def _title_of_a_page(hit: Hit) -> str:
    return hit.edition.document.fields.title if hit.edition.version.pages == 1 else ""


def in_context(extract: Extract, text: str) -> str:
    """`text`, a sentence or its shown stretch, with context for reading: the title of its section, for a row
    the column names, for a caption the heading above it."""
    passage = extract.hit.passage
    parts = [passage.section.title if passage.section else _title_of_a_page(extract.hit)]
    if passage.kind in (PassageKind.TABLE, PassageKind.FIGURE):
        parts.append(passage.heading.rpartition(SEPARATOR)[2])
    return ": ".join([part for part in parts if part] + [text])


def _lent(pool: Sequence[Extract], similarities: Vector) -> Vector:
    """The similarities, with the sentence after a question rated as close as the question it answers."""
    lent = similarities.copy()
    for row in range(len(pool) - 1):
        follows = pool[row + 1].hit is pool[row].hit
        if follows and _asks(pool[row]):
            lent[row + 1] = max(lent[row + 1], similarities[row])
    return lent


def _without_questions(pool: Sequence[Extract], similarities: Vector) -> tuple[Sequence[Extract], Vector]:
    """The sentences that are not questions, if there are any."""
    rows = [row for row, extract in enumerate(pool) if not _asks(extract)]
    return ([pool[row] for row in rows], similarities[rows]) if rows else (pool, similarities)


def _asks(extract: Extract) -> bool:
    return extract.text.rstrip(" \"'”“»«)").endswith("?")


def _standing(hits: Sequence[Hit]) -> dict[PassageId, float]:
    """Each hit's score, scaled between the worst (0) and the best (1)."""
    scores = [hit.score for hit in hits]
    low, high = min(scores), max(scores)
    spread = high - low
    return {hit.passage.id: (hit.score - low) / spread if spread > 0 else 1.0 for hit in hits}
