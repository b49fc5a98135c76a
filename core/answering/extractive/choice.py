"""How well each sentence found answers a question, and which are shown: the best one, and those that add
something to it.

A sentence is scored by its similarity to the question (encoder B; without a reader, also encoder A for the
nearest ones), by whether it states a number if one is asked for, by whether it commits somebody, by the rank
of its passage, and by shared words.
"""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.answering.extractive.extracts import Closeness, Extract
from core.answering.extractive.statements import commits, stands_alone
from core.answering.extractive.stretches import Place, places, with_surroundings
from core.domain.ids import DocumentId, PassageId
from core.domain.passages import PassageKind
from core.domain.search import Hit, TellingWord, Vector
from core.language.sentences import word_count
from core.language.terms import held, shared, terms
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
    telling: float = 1.0
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
                    + weights.telling * share_told(question, extract, present)
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


def share_told(question: Subject, extract: Extract, present: frozenset[str]) -> float:
    """The share of the question's telling words that are among the terms `present`."""
    if not extract.hit.telling:
        return 0.0
    language = extract.hit.edition.document.fields.language
    each = (_terms_of(word, language) for word in question.telling)
    return sum(any(held(term, present) for term in own) for own in each) / len(question.telling)


@lru_cache(maxsize=256)
def _terms_of(word: TellingWord, language: str) -> frozenset[str]:
    return terms(" ".join(word.spellings), language)


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


NEAR_ROW = 0.3
"""How much lower the score of a table's row may be that is shown with the chosen one."""
MOST_ROWS = 4
"""Maximum number of rows shown together."""

FAR_AHEAD = 2.0
"""Maximum lead of a sentence, which also applies to one without competition."""


def spread(scored: Sequence[Extract], limit: int, weights: Weights) -> list[Extract]:
    """A greedy choice that admits a second sentence from a passage or page only if it is much better, and
    none that is already shown around another one. Each comes with its surroundings."""
    known = places(scored)
    chosen: list[Extract] = []
    rest = list(scored)
    while rest and len(chosen) < limit:
        best = max(rest, key=lambda extract: _gain(extract, chosen, weights))
        chosen.append(without_shown(with_near_rows(fullest(best, rest, known), scored), chosen))
        rest = [extract for extract in rest if _adds(extract, chosen, weights)]
    return chosen


def with_lead(best: Extract, scored: Sequence[Extract]) -> Extract:
    """The first chosen sentence with its lead over the best one in another passage, ignoring its own
    surroundings, since passages overlap."""
    beside = (
        each.score
        for each in scored
        if each.hit.passage.id != best.hit.passage.id and each.text not in best.shown
    )
    return replace(best, lead=min(FAR_AHEAD, best.score - max(beside, default=-math.inf)))


def fullest(best: Extract, rest: Sequence[Extract], known: Mapping[Place, Extract]) -> Extract:
    """The sentence with its surroundings from the passage that has most of them: passages overlap, and a
    sentence at the edge of one is in the middle of another. Stretches that were read stay as they were."""
    if best.parts:
        return best
    copies = [each for each in rest if each.text == best.text and _document(each) == _document(best)]
    grown = [with_surroundings(each, known) for each in copies]
    return replace(max(grown, key=lambda each: word_count(each.shown)), score=best.score)


def with_near_rows(extract: Extract, scored: Sequence[Extract]) -> Extract:
    """A table's row with the few others that were read as nearly as good an answer: whether somebody's dog is
    the first or a further one, who asks can tell better. Never rows of several parties."""
    passage = extract.hit.passage
    own = (extract.start, extract.end)
    if not stands_alone(own, passage) or extract.read is None or extract.parts[-1:] != (own,):
        return extract
    if len(extract.hit.edition.document.fields.parties) > 1 or extract.parties:
        return extract
    beside = [
        each
        for each in scored
        if each.hit.passage.id == passage.id and each.read is not None and each.start != extract.start
    ]
    near = sorted(
        (each for each in beside if each.score >= extract.score - NEAR_ROW), key=lambda each: -each.score
    )
    rows = {(each.start, each.end) for each in near[: MOST_ROWS - 1]}
    return replace(extract, parts=tuple(sorted({*extract.parts, *rows})))


def without_shown(extract: Extract, chosen: Sequence[Extract]) -> Extract:
    """The sentence and its surroundings, without what is already shown around another one of its document."""
    text = extract.hit.passage.text
    shown = [other.shown for other in chosen if _document(other) == _document(extract)]
    parts = tuple(
        (start, end)
        for start, end in extract.parts
        if start <= extract.start < end or not any(text[start:end] in other for other in shown)
    )
    return replace(extract, parts=parts)


def _adds(extract: Extract, chosen: Sequence[Extract], weights: Weights) -> bool:
    """Whether a sentence adds something to the chosen ones: from the same document if its score is not lower,
    from another one if it is not much lower; another party may say it less plainly."""
    same = [other for other in chosen if _document(other) == _document(extract)]
    gain = _gain(extract, chosen, weights)
    if same:
        near = gain >= same[0].score - weights.gap
        return near and all(extract.text not in other.shown for other in same)
    margin = weights.party if _another_party(extract, chosen) else weights.other
    return gain >= chosen[0].score - margin


def _gain(extract: Extract, chosen: Sequence[Extract], weights: Weights) -> float:
    near = sum(1 for other in chosen if _neighbours(extract.hit, other.hit))
    return extract.score - weights.repeat_page * near


def spare_ones(scored: Sequence[Extract], chosen: Sequence[Extract], number: int) -> list[Extract]:
    """The best `number` sentences that are not shown already, each with its surroundings."""
    known = places(scored)
    rest = [extract for extract in scored if all(extract.text not in other.shown for other in chosen)]
    best = sorted(rest, key=lambda extract: -extract.score)[:number]
    return [
        replace(extract if extract.parts else with_surroundings(extract, known), spare=True)
        for extract in best
    ]


def _another_party(extract: Extract, chosen: Sequence[Extract]) -> bool:
    """Whether a new party speaks, if all chosen sentences are from parties."""
    heard = [set(other.hit.edition.document.fields.parties) for other in chosen]
    own = set(extract.hit.edition.document.fields.parties)
    return bool(own) and all(heard) and all(own.isdisjoint(parties) for parties in heard)


def _document(extract: Extract) -> DocumentId:
    return extract.hit.edition.document.id


def _neighbours(one: Hit, other: Hit) -> bool:
    """Whether two hits share a page of a version."""
    same_version = one.passage.version == other.passage.version
    return same_version and bool(set(one.passage.pages) & set(other.passage.pages))
