"""The confidence in an answer: computed from the search result, never claimed by a model.

A logistic function of few features, fitted on questions with and without an answer
(`benchmarks/abstention.py` prints the fit and the curve over the threshold).
"""

import math
from dataclasses import dataclass

DOUBTFUL = 0.45
"""Confidence below which an answer comes with a warning, and a model gets another attempt."""
SURE = 0.85
"""Confidence from which it is called high, and the minimum probability that the first quote is right then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The standing of the first quote shown: its `score` from all weighted evidence, and its `lead` over the
    best one elsewhere."""

    score: float
    lead: float

    @property
    def right(self) -> float:
        """Probability, 0 to 1, that it contains the answer. Fitted on quotes about documents of many kinds
        and judged by cross-validation over documents (docs/lab/strangers.md): the reader's score of a quote
        does not show whether another place answers better."""
        return _logistic(-1.9 + 1.1 * self.score + 0.67 * self.lead)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The evidence for an answer. `margin`: the lead of the best passage over the tenth (standard
    deviations); `primary`, `secondary`: how close the nearest sentences come to the question by encoders A
    and B (mean cosine of three); `same_language`: question and best document are in the same language;
    `read`: the reader's score of the best stretch, None without a reader; `named`: anything said about a
    topic was asked for, and the best quote has every word of it; `first`: the standing of the first quote
    shown, None if no reader ranked it first."""

    margin: float
    primary: float
    secondary: float
    same_language: bool
    read: float | None = None
    named: bool = False
    first: Standing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Coefficients of the logistic function and the confidence below which nothing is said. `named` is the
    minimum confidence of a quote that names the topic about which anything was asked: the reader was trained
    on questions that ask for one thing."""

    bias: float = -20.966
    margin: float = 0.042
    primary: float = 24.347
    secondary: float = 4.004
    same_language: float = -0.679
    read: float = 0.0
    threshold: float = 0.4
    named: float = 0.5


READING = Calibration(bias=-0.22, margin=0.0, primary=0.0, secondary=0.0, same_language=0.0, read=0.571)
"""The calibration with a reader: its score suffices, and sentence similarity adds nothing
(docs/lab/reader.md). Fitted on questions that it was not trained on."""


def confidence(evidence: Evidence, calibration: Calibration) -> float:
    """Probability, 0 to 1, that the search result answers the question. The reader's score counts more than
    sentence similarity, so a separate fit applies if it was used. The standing of the first quote decides
    whether the confidence is high."""
    least = calibration.named if evidence.named else 0.0
    floor = calibration.threshold
    if evidence.read is not None:
        calibration = READING
    total = (
        calibration.bias
        + calibration.margin * evidence.margin
        + calibration.primary * evidence.primary
        + calibration.secondary * evidence.secondary
        + calibration.same_language * evidence.same_language
        + calibration.read * (evidence.read or 0.0)
    )
    sure = max(_logistic(total), least)
    if evidence.first is None or sure < floor:
        return sure
    return max(sure, SURE) if evidence.first.right >= SURE else min(sure, SURE - 0.01)


def _logistic(total: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def level(value: float) -> str:
    """`high` from `SURE`, `medium` from .5, else `low`."""
    return "high" if value >= SURE else "medium" if value >= 0.5 else "low"
