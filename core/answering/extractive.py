"""The extractive answerer: picks the sentences of the retrieved passages that answer best.

Nothing is written, only chosen: every sentence is shown as the source has it. A sentence is scored
by its similarity to the question (encoder B), by the words they share, by whether it states a
number where one is asked for, and by the rank of its passage.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import snowballstemmer
from stop_words import get_stop_words

from core.answering.wanted import answers_amount
from core.domain.ids import DocumentId
from core.domain.passages import PassageKind
from core.domain.search import Hit, Vector
from core.evidence.exact import MIN_CHARACTERS
from core.evidence.skeleton import skeleton
from core.library.chunking.prose import SEPARATOR
from core.library.sentences import sentences
from core.ports import Embedder

_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(r"[^\W_]+")
_MIN_CHARACTERS = 25
_MAX_WORDS = 120
_STEMMERS = {"de": "german", "en": "english"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of a sentence's evidence; similarity is a cosine, the others are shares of 1. A sentence
    on a page that was chosen already loses `repeat_page`; what falls more than `gap` behind the best
    one of its document is not shown."""

    similarity: float = 1.0
    overlap: float = 0.25
    number: float = 0.2
    passage: float = 0.15
    repeat_page: float = 0.2
    gap: float = 0.25


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
    that of the passages it was chosen from."""

    hit: Hit
    start: int
    end: int
    score: float
    similarity: float
    overlap: float
    closeness: Closeness = Closeness()

    @property
    def text(self) -> str:
        """The sentence as the passage has it."""
        return self.hit.passage.text[self.start : self.end]


class Extractor:
    """Chooses sentences; `encoder` is the one that is good and quick on single sentences, `dense` the
    other one, which gives a second opinion on how close they come."""

    def __init__(
        self, encoder: Embedder, dense: Embedder | None = None, weights: Weights = Weights()
    ) -> None:
        self._encoder = encoder
        self._dense = dense or encoder
        self._weights = weights

    async def pick(self, question: str, language: str, hits: Sequence[Hit], limit: int) -> list[Extract]:
        """The best `limit` sentences of `hits` (best hit first), best first, spread over pages."""
        pool = [extract for hit in hits for extract in _sentences_of(hit)]
        if not pool:
            return []
        vectors = await self._encoder.passages([_in_context(extract) for extract in pool])
        similarities = _lent(pool, vectors @ await self._encoder.query(question))
        pool, similarities = _without_questions(pool, similarities)
        closeness = await self._closeness(question, pool, similarities)
        asked = terms(question, language)
        scored = [
            self._scored(extract, question, float(similarity), asked, _standing(extract.hit, hits))
            for extract, similarity in zip(pool, similarities, strict=True)
        ]
        return [replace(extract, closeness=closeness) for extract in self._spread(scored, limit)]

    async def _closeness(self, question: str, pool: Sequence[Extract], similarities: Vector) -> Closeness:
        nearest = np.argsort(-similarities, kind="stable")
        texts = [pool[row].text for row in nearest[:SHORTLIST]]
        vectors = await self._dense.passages(texts)
        dense = np.sort(vectors @ await self._dense.query(question))[::-1]
        return Closeness(float(dense[:CLOSEST].mean()), float(similarities[nearest[:CLOSEST]].mean()))

    def _scored(
        self, extract: Extract, question: str, similarity: float, asked: frozenset[str], standing: float
    ) -> Extract:
        weights = self._weights
        language = extract.hit.edition.document.fields.language
        overlap = shared(asked, terms(extract.text, language))
        number = answers_amount(question, extract.text)
        score = (
            weights.similarity * similarity
            + weights.overlap * overlap
            + weights.number * number
            + weights.passage * standing
        )
        return Extract(
            hit=extract.hit,
            start=extract.start,
            end=extract.end,
            score=score,
            similarity=similarity,
            overlap=overlap,
        )

    def _spread(self, scored: list[Extract], limit: int) -> list[Extract]:
        """Greedy choice that lets a second sentence of a passage or page in only if it is much better."""
        chosen: list[Extract] = []
        rest = list(scored)
        while rest and len(chosen) < limit:
            best = max(rest, key=lambda extract: self._gain(extract, chosen))
            chosen.append(best)
            rest = [extract for extract in rest if self._adds(extract, chosen)]
        return chosen

    def _adds(self, extract: Extract, chosen: Sequence[Extract]) -> bool:
        """Whether a sentence says something beside the chosen ones: another document always may, so
        that no party is left out for saying it less plainly; the same one if it is not far behind."""
        same = [other for other in chosen if _document(other) == _document(extract)]
        near = not same or self._gain(extract, chosen) >= same[0].score - self._weights.gap
        return near and all(other.text != extract.text for other in same)

    def _gain(self, extract: Extract, chosen: Sequence[Extract]) -> float:
        near = sum(1 for other in chosen if _neighbours(extract.hit, other.hit))
        return extract.score - self._weights.repeat_page * near


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
    """What the encoder sees of a sentence: the title of its section says what it is about, and of a row the
    names of its columns."""
    passage = extract.hit.passage
    parts = [passage.section.title if passage.section else ""]
    if passage.kind is PassageKind.TABLE:
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


def _sentences_of(hit: Hit) -> list[Extract]:
    text = hit.passage.text
    if hit.passage.kind is PassageKind.TABLE:
        found = _rows_of(hit)
    else:
        found = sentences(text, hit.edition.document.fields.language)
    return [
        Extract(hit=hit, start=start, end=end, score=0.0, similarity=0.0, overlap=0.0)
        for start, end in found
        if end - start >= _MIN_CHARACTERS and len(text[start:end].split()) <= _MAX_WORDS
    ]


def _rows_of(hit: Hit) -> list[tuple[int, int]]:
    """The rows of a table, each whole; rows too short to prove go with the next, very long ones by sentences.
    What names the columns says nothing by itself."""
    text = hit.passage.text
    found: list[tuple[int, int]] = []
    start = -1
    for line in _LINE.finditer(text):
        start = line.start() if start < 0 else start
        row = text[start : line.end()]
        if len(skeleton(row)) < MIN_CHARACTERS or len(row) < _MIN_CHARACTERS:
            continue
        if len(row.split()) > _MAX_WORDS:
            found += [
                (start + first, start + end)
                for first, end in sentences(row, hit.edition.document.fields.language)
            ]
        elif row not in hit.passage.heading:
            found.append((start, line.end()))
        start = -1
    if start >= 0 and found:
        found[-1] = (found[-1][0], len(text))
    return found


def _standing(hit: Hit, hits: Sequence[Hit]) -> float:
    """Where a hit's score lies between the worst (0) and the best (1) of the hits."""
    scores = np.array([other.score for other in hits])
    low, high = float(scores.min()), float(scores.max())
    return (hit.score - low) / (high - low) if high > low else 1.0


def _document(extract: Extract) -> DocumentId:
    return extract.hit.edition.document.id


def _neighbours(one: Hit, other: Hit) -> bool:
    """Whether two hits share a page of a version."""
    same_version = one.passage.version == other.passage.version
    return same_version and bool(set(one.passage.pages) & set(other.passage.pages))
