"""How sure an answer is: computed from what was found, never claimed by a model.

A logistic function of few features, fitted on questions with and without an answer
(`benchmarks/abstention.py` prints the fit and the curve over the threshold).
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for an answer. `passage`: fused score of the best passage (standard deviations);
    `margin`: what it has over the tenth; `similarity`: best cosine of a chosen sentence to the
    question; `overlap`: largest share of the question's terms in a chosen sentence; `number`: an
    amount of the kind wanted is stated (1), none is (-1), none is wanted (0); `same_language`:
    question and best document are in the same language."""

    passage: float
    margin: float
    similarity: float
    overlap: float
    number: float
    same_language: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Coefficients of the logistic function and the confidence under which nothing is said."""

    bias: float = -4.0
    passage: float = 0.5
    margin: float = 0.5
    similarity: float = 4.0
    overlap: float = 2.0
    number: float = 0.5
    other_language: float = 0.5
    threshold: float = 0.3


def confidence(evidence: Evidence, calibration: Calibration) -> float:
    """Probability, 0 to 1, that what was found answers the question."""
    total = (
        calibration.bias
        + calibration.passage * evidence.passage
        + calibration.margin * evidence.margin
        + calibration.similarity * evidence.similarity
        + calibration.overlap * evidence.overlap
        + calibration.number * evidence.number
        + (0.0 if evidence.same_language else calibration.other_language)
    )
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def level(value: float) -> str:
    """`high` from .8, `medium` from .5, else `low`."""
    return "high" if value >= 0.8 else "medium" if value >= 0.5 else "low"
