"""Fusion of several encoders and BM25 into one score.

A cosine means little by itself: each encoder has its own range, and each question moves it. So every
similarity is standardised with mean and deviation of the question's similarities to fixed samples of all
collections searched, each weighted by its collection's size and taken before any filter, and the
standardised values are added with weights: a score means the same whichever collection holds the passage,
be there one passage in it or 30,000. Pure numpy.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.documents import STATUTORY_TYPES, DocumentType, Edition
from core.domain.search import Candidate, QueryVectors, Space, SparseVector, VectorSample
from core.language.patterns import pattern
from core.search.settings import SearchSettings

_LEAST_DEVIATION = 1e-3
LEXICAL_SPREAD = 3.0
"""What the best BM25 match counts, in standard deviations."""
_LEGAL = STATUTORY_TYPES | {DocumentType.GUIDANCE}
_QUOTED = re.compile(r"[\"„“”«»‚‘]\s*\w[^\"„“”«»‚‘]{2,}[\"“”«»‘’]")
_SECTION = pattern(r"§|\b(?:{provisions.cited_exactly}) ?['\"‘]?(?:\d|[A-Z]\b)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*(?![\w])")
_ABBREVIATION = re.compile(r"\b(?=\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ])[A-Za-zÄÖÜäöü]{2,8}\b")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Mean and deviation of a question's similarities in one space, over all collections searched."""

    mean: float
    deviation: float

    def standardise(self, similarity: float) -> float:
        """Standard deviations above the mean."""
        return (similarity - self.mean) / self.deviation


@dataclass(frozen=True, slots=True)
class Sampled:
    """A collection of `size` passages, and a sample of their vectors."""

    size: int
    sample: VectorSample


def fold_windows(similarities: NDArray[np.float32], owners: NDArray[np.int64]) -> NDArray[np.float32]:
    """A passage's best window: `similarities` (m,) by `owners` (m,) -> (rows that have windows,)."""
    best = np.full(int(owners.max(initial=-1)) + 1, -np.inf, dtype=np.float32)
    np.maximum.at(best, owners, similarities)
    return best[np.isfinite(best)]


def pooled_statistics(query: QueryVectors, collections: Sequence[Sampled]) -> dict[Space, Statistics]:
    """Statistics of the dense spaces for one question, over `collections` (one at least) as if their passages
    lay in one."""
    samples = [item.sample for item in collections]
    windows = (fold_windows(sample.windows @ query.secondary, sample.owners) for sample in samples)
    similarities = {
        Space.PRIMARY: [sample.primary @ query.primary for sample in samples],
        Space.SECONDARY: [sample.secondary @ query.secondary for sample in samples],
        Space.WINDOWS: list(windows),
    }
    sizes = [item.size for item in collections]
    return {space: _statistics(found, sizes) for space, found in similarities.items()}


def _statistics(similarities: Sequence[NDArray[np.float32]], sizes: Sequence[int]) -> Statistics:
    """Of samples of collections with `sizes` passages: every sampled one stands for equally many."""
    counts = np.concatenate(
        [np.full(len(found), size / len(found)) for found, size in zip(similarities, sizes, strict=True)]
    )
    values = np.concatenate(similarities).astype(np.float64)
    mean = float(np.average(values, weights=counts))
    deviation = float(np.average((values - mean) ** 2, weights=counts)) ** 0.5
    return Statistics(mean, max(deviation, _LEAST_DEVIATION))


def weights(settings: SearchSettings, lexical: float) -> dict[Space, float]:
    """Weight of every space; `lexical` is the question's own weight of BM25."""
    return {
        Space.PRIMARY: settings.primary,
        Space.SECONDARY: settings.secondary,
        Space.WINDOWS: settings.windows,
        Space.LEXICAL: lexical,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A candidate with its fused score and the spaces that speak for it, strongest first."""

    candidate: Candidate
    score: float
    spaces: tuple[Space, ...]


def fuse(
    candidates: Sequence[Candidate],
    statistics: Mapping[Space, Statistics],
    weight: Mapping[Space, float],
    *,
    coverage: float = 1.0,
) -> list[Scored]:
    """Candidates with their weighted sum of standardised similarities, best first, ties by id.

    BM25 has no collection-wide mean (most passages match no term), so its share is the passage's score
    relative to the best candidate's, scaled to the spread of the other spaces. How rare a word is counts
    within a collection only, so that BM25 scores of several do not compare: `coverage` is the part of the
    question's words that the best one here has, relative to the best of all collections.
    """
    best_lexical = max((c.scores.get(Space.LEXICAL, 0.0) for c in candidates), default=0.0)
    words = weight[Space.LEXICAL] * LEXICAL_SPREAD * coverage
    scored = [_scored(candidate, statistics, weight, words, best_lexical) for candidate in candidates]
    return sorted(scored, key=lambda item: (-item.score, item.candidate.passage))


def _scored(
    candidate: Candidate,
    statistics: Mapping[Space, Statistics],
    weight: Mapping[Space, float],
    words: float,
    best_lexical: float,
) -> Scored:
    """`words` is what the score `best_lexical` of BM25 counts."""
    shares = {
        space: weight[space] * known.standardise(candidate.scores[space])
        for space, known in statistics.items()
    }
    lexical = candidate.scores.get(Space.LEXICAL, 0.0)
    shares[Space.LEXICAL] = words * (lexical / best_lexical) if best_lexical > 0 else 0.0
    speaking = [space for space in sorted(shares, key=lambda s: -shares[s]) if shares[space] > 0]
    return Scored(candidate=candidate, score=sum(shares.values()), spaces=tuple(speaking))


def is_exact(content: str) -> bool:
    """Whether a question, without the names that narrow it, has words that are to be found as they are."""
    exact = _QUOTED.search(content) or _SECTION().search(content) or _NUMBER.search(content)
    return bool(exact or _ABBREVIATION.search(content))


def lexical_weight(exact: bool, editions: Sequence[Edition], settings: SearchSettings) -> float:
    """Weight of BM25 in `editions` for a question that is `exact`, or none.

    Exact words hurt citizens' questions, which avoid the documents' words, and are noise across languages;
    they are indispensable for section numbers, quoted phrases, numbers and names.
    """
    if exact:
        return settings.lexical_exact
    legal = sum(edition.document.fields.doc_type in _LEGAL for edition in editions)
    return settings.lexical_statutes if 2 * legal > len(editions) else settings.lexical


def covered(question: SparseVector, passage: SparseVector) -> float:
    """Which part of a question's terms a passage has, 0 to 1."""
    return len(set(question.indices) & set(passage.indices)) / max(1, len(question.indices))
