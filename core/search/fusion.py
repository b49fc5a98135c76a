"""Fusion of several encoders and BM25 into one score.

A cosine means little by itself: each encoder has its own range, and each question moves it. So every
similarity is standardised with mean and deviation of the question's similarities to a fixed sample of the
whole collection, taken before any filter, and the standardised values are added with weights. Pure numpy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.search import Candidate, QueryVectors, Space, Vector, VectorSample
from core.search.settings import SearchSettings

_LEAST_DEVIATION = 1e-3
LEXICAL_SPREAD = 3.0
"""What the best BM25 match counts, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Mean and deviation of a question's similarities in one space, over the whole collection."""

    mean: float
    deviation: float

    def standardise(self, similarity: float) -> float:
        """Standard deviations above the mean."""
        return (similarity - self.mean) / self.deviation


def _statistics(similarities: NDArray[np.float32]) -> Statistics:
    return Statistics(float(similarities.mean()), max(float(similarities.std()), _LEAST_DEVIATION))


def fold_windows(similarities: NDArray[np.float32], owners: NDArray[np.int64]) -> NDArray[np.float32]:
    """A passage's best window: `similarities` (m,) by `owners` (m,) -> (rows that have windows,)."""
    best = np.full(int(owners.max(initial=-1)) + 1, -np.inf, dtype=np.float32)
    np.maximum.at(best, owners, similarities)
    return best[np.isfinite(best)]


def collection_statistics(query: QueryVectors, sample: VectorSample) -> dict[Space, Statistics]:
    """Statistics of the dense spaces for one question."""
    windows: Vector = sample.windows @ query.second
    return {
        Space.DENSE: _statistics(sample.dense @ query.dense),
        Space.SECOND: _statistics(sample.second @ query.second),
        Space.WINDOWS: _statistics(fold_windows(windows, sample.owners)),
    }


def weights(settings: SearchSettings, lexical: float) -> dict[Space, float]:
    """Weight of every space; `lexical` is the question's own weight of BM25."""
    return {
        Space.DENSE: settings.dense,
        Space.SECOND: settings.second,
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
    candidates: Sequence[Candidate], statistics: Mapping[Space, Statistics], weight: Mapping[Space, float]
) -> list[Scored]:
    """Candidates with their weighted sum of standardised similarities, best first, ties by id.

    BM25 has no collection-wide mean (most passages match no term), so its share is the passage's score
    relative to the best candidate's, scaled to the spread of the other spaces.
    """
    best_lexical = max((c.scores.get(Space.LEXICAL, 0.0) for c in candidates), default=0.0)
    scored = [_scored(candidate, statistics, weight, best_lexical) for candidate in candidates]
    return sorted(scored, key=lambda item: (-item.score, item.candidate.passage))


def _scored(
    candidate: Candidate,
    statistics: Mapping[Space, Statistics],
    weight: Mapping[Space, float],
    best_lexical: float,
) -> Scored:
    shares = {
        space: weight[space] * known.standardise(candidate.scores[space])
        for space, known in statistics.items()
    }
    if best_lexical > 0:
        shares[Space.LEXICAL] = (
            weight[Space.LEXICAL] * LEXICAL_SPREAD * candidate.scores[Space.LEXICAL] / best_lexical
        )
    speaking = [space for space in sorted(shares, key=lambda s: -shares[s]) if shares[space] > 0]
    return Scored(candidate=candidate, score=sum(shares.values()), spaces=tuple(speaking))
