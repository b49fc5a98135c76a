"""The extractive answerer: picks the sentences of the retrieved passages that answer best.

Nothing is written, only chosen: every sentence is shown as the source has it. A sentence is scored
by its similarity to the question (encoder B, for the nearest ones encoder A as well), by whether it
states a number where one is asked for, by whether it commits somebody, by the rank of its passage and
by the words they share. One sentence is shown unless others come near it.
"""

import asyncio
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import snowballstemmer
from stop_words import get_stop_words

from core.answering.extractive.quotable import quotable
from core.answering.extractive.statements import commits
from core.answering.extractive.wanted import answers_amount, asks_openly
from core.domain.ids import DocumentId, PassageId
from core.domain.passages import PassageKind
from core.domain.search import Hit, Vector
from core.library.chunking.prose import SEPARATOR
from core.ports.embedding import Embedder

_WORD = re.compile(r"[^\W_]+")
_STEMMERS = {"de": "german", "en": "english"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of a sentence's evidence (decision 0209); `similarity` is of a cosine, `dense` of how far
    a cosine stands above that of the farthest sentence encoder A looked at, the others of shares of 1.

    A sentence on a page that was chosen already loses `repeat_page`. What falls more than `gap` behind the
    best one of its document is not shown, nor what falls more than `other` behind the best of all; but
    another party's document always may be.
    """

    similarity: float = 1.0
    dense: float = 4.0
    number: float = 0.4
    commitment: float = 0.15
    passage: float = 0.15
    overlap: float = 0.1
    repeat_page: float = 0.2
    gap: float = 0.12
    other: float = 0.4


OPEN = Weights(overlap=0.3, commitment=0.25, gap=0.3)
"""Where whatever is said about a topic is wanted: its words have to be in it, and one sentence is not all."""

CLOSEST = 3
"""Sentences whose mean similarity says how close the passages come to the question."""

SHORTLIST = 12
"""Sentences that the slower encoder looks at."""


@dataclass(frozen=True, slots=True)
class Closeness:
    """How close the nearest sentences of all passages come to the question: mean cosine of the best
    `CLOSEST`, by encoder A (`dense`) and B (`second`)."""

    dense: float = 0.0
    second: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """A sentence chosen from `hit`: characters `start` to `end` of its passage's text. `closeness` is
    that of the passages it was chosen from; `spare`: to be shown only if no better one can be proven."""

    hit: Hit
    start: int
    end: int
    score: float
    similarity: float
    overlap: float
    closeness: Closeness = Closeness()
    spare: bool = False

    @property
    def text(self) -> str:
        """The sentence as the passage has it."""
        return self.hit.passage.text[self.start : self.end]


class Extractor:
    """Chooses sentences; `encoder` is the one that is good and quick on single sentences, `dense` the
    other one, which gives a second opinion on how close they come."""

    def __init__(
        self,
        encoder: Embedder,
        dense: Embedder | None = None,
        weights: Weights = Weights(),
        open_weights: Weights = OPEN,
    ) -> None:
        self._encoder = encoder
        self._dense = dense or encoder
        self._weights = weights
        self._open = open_weights

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
        pool = await asyncio.to_thread(_sentences_of, hits)
        if not pool:
            return []
        whole = topic or asks_openly(question)
        weights = self._open if whole else self._weights
        vectors = await self._encoder.passages([_in_context(extract) for extract in pool])
        similarities = _lent(pool, vectors @ await self._encoder.query(question))
        pool, similarities = _without_questions(pool, similarities)
        above, closeness = await self._second_opinion(question, pool, similarities)

        def best() -> list[Extract]:
            asked, standing = terms(question, language), _standing(hits)
            scored = []
            for extract, similarity, higher in zip(pool, similarities, above, strict=True):
                said = terms(extract.text, extract.hit.edition.document.fields.language)
                near = replace(extract, similarity=float(similarity), overlap=shared(asked, said))
                score = (
                    weights.similarity * near.similarity
                    + weights.dense * float(higher)
                    + weights.overlap * near.overlap
                    + weights.number * answers_amount(question, extract.text)
                    + weights.commitment * commits(extract.text, present=whole)
                    + weights.passage * standing[extract.hit.passage.id]
                )
                scored.append(replace(near, score=score, closeness=closeness))
            chosen = _spread(scored, limit, weights)
            return chosen + _spare(scored, chosen, spare)

        return await asyncio.to_thread(best)  # stems are found by hand: it takes long, and the loop goes on

    async def _second_opinion(
        self, question: str, pool: Sequence[Extract], similarities: Vector
    ) -> tuple[Vector, Closeness]:
        """How far encoder A puts each sentence above the farthest of those it looked at (0 for the others),
        and how close the best come."""
        nearest = np.argsort(-similarities, kind="stable")[:SHORTLIST]
        vectors = await self._dense.passages([pool[row].text for row in nearest])
        found = vectors @ await self._dense.query(question)
        above = np.zeros(len(pool), dtype=np.float32)
        above[nearest] = found - found.min()
        best = np.sort(found)[::-1][:CLOSEST]
        return above, Closeness(float(best.mean()), float(similarities[nearest[:CLOSEST]].mean()))


def _spread(scored: Sequence[Extract], limit: int, weights: Weights) -> list[Extract]:
    """Greedy choice that lets a second sentence of a passage or page in only if it is much better."""
    chosen: list[Extract] = []
    rest = list(scored)
    while rest and len(chosen) < limit:
        chosen.append(max(rest, key=lambda extract: _gain(extract, chosen, weights)))
        rest = [extract for extract in rest if _adds(extract, chosen, weights)]
    return chosen


def _adds(extract: Extract, chosen: Sequence[Extract], weights: Weights) -> bool:
    """Whether a sentence says something beside the chosen ones: of the same document if it is not behind,
    of another one if it is not far behind; another party always may, so that none is left out for saying
    it less plainly."""
    same = [other for other in chosen if _document(other) == _document(extract)]
    gain = _gain(extract, chosen, weights)
    if same:
        near = gain >= same[0].score - weights.gap
        return near and all(other.text != extract.text for other in same)
    return _another_party(extract, chosen) or gain >= chosen[0].score - weights.other


def _gain(extract: Extract, chosen: Sequence[Extract], weights: Weights) -> float:
    near = sum(1 for other in chosen if _neighbours(extract.hit, other.hit))
    return extract.score - weights.repeat_page * near


def terms(text: str, language: str) -> frozenset[str]:
    """Stems of the content words of `text`."""
    words = {word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", text))}
    content = [word for word in words - _stop_words(language) if len(word) > 2 or word.isdigit()]
    stemmer = _STEMMERS.get(language)
    return frozenset(snowballstemmer.stemmer(stemmer).stemWords(content) if stemmer else content)


def shared(asked: frozenset[str], said: frozenset[str]) -> float:
    """Share of the question's terms that the sentence has, whole or as part of a compound."""
    if not asked:
        return 0.0
    return sum(1.0 if term in said else _part(term, said) for term in asked) / len(asked)


def _part(term: str, said: frozenset[str]) -> float:
    if len(term) < 5:
        return 0.0
    return 0.7 if any(len(other) >= 5 and (term in other or other in term) for other in said) else 0.0


@lru_cache(maxsize=8)
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(get_stop_words(language)) if language in _STEMMERS else frozenset()


def _in_context(extract: Extract) -> str:
    """What the encoder sees of a sentence: the title of its section says what it is about, of a row the
    names of its columns, of a caption the heading above it."""
    passage = extract.hit.passage
    parts = [passage.section.title if passage.section else ""]
    if passage.kind in (PassageKind.TABLE, PassageKind.FIGURE):
        parts.append(passage.heading.rpartition(SEPARATOR)[2])
    return ": ".join([part for part in parts if part] + [extract.text])


def _lent(pool: Sequence[Extract], similarities: Vector) -> Vector:
    """Similarities where the sentence behind a question is as near as the question it answers."""
    lent = similarities.copy()
    for row in range(len(pool) - 1):
        follows = pool[row + 1].hit is pool[row].hit
        if follows and _asks(pool[row]):
            lent[row + 1] = max(lent[row + 1], similarities[row])
    return lent


def _without_questions(pool: list[Extract], similarities: Vector) -> tuple[list[Extract], Vector]:
    """The sentences that do not ask themselves, if there are any."""
    rows = [row for row, extract in enumerate(pool) if not _asks(extract)]
    return ([pool[row] for row in rows], similarities[rows]) if rows else (pool, similarities)


def _asks(extract: Extract) -> bool:
    return extract.text.rstrip(" \"'”“»«)").endswith("?")


def _sentences_of(hits: Sequence[Hit]) -> list[Extract]:
    return [
        Extract(hit=hit, start=start, end=end, score=0.0, similarity=0.0, overlap=0.0)
        for hit in hits
        for start, end in quotable(hit)
    ]


def _standing(hits: Sequence[Hit]) -> dict[PassageId, float]:
    """Where each hit's score lies between the worst (0) and the best (1) of them."""
    scores = [hit.score for hit in hits]
    low, high = min(scores), max(scores)
    spread = high - low
    return {hit.passage.id: (hit.score - low) / spread if spread > 0 else 1.0 for hit in hits}


def _spare(scored: Sequence[Extract], chosen: Sequence[Extract], number: int) -> list[Extract]:
    """The best `number` sentences that were not chosen."""
    taken = {(extract.hit.passage.id, extract.start) for extract in chosen}
    rest = [extract for extract in scored if (extract.hit.passage.id, extract.start) not in taken]
    best = sorted(rest, key=lambda extract: -extract.score)[:number]
    return [replace(extract, spare=True) for extract in best]


def _another_party(extract: Extract, chosen: Sequence[Extract]) -> bool:
    """Whether a party speaks that none of the chosen sentences is of, where all of them are of parties."""
    heard = [set(other.hit.edition.document.fields.parties) for other in chosen]
    own = set(extract.hit.edition.document.fields.parties)
    return bool(own) and all(heard) and all(own.isdisjoint(parties) for parties in heard)


def _document(extract: Extract) -> DocumentId:
    return extract.hit.edition.document.id


def _neighbours(one: Hit, other: Hit) -> bool:
    """Whether two hits share a page of a version."""
    same_version = one.passage.version == other.passage.version
    return same_version and bool(set(one.passage.pages) & set(other.passage.pages))
