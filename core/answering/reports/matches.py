"""Sentences found for the demands of a motion: which come first, and how related a party is by them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from core.answering.reports.about import FoundSentence
from core.answering.reports.demands import Demand


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """What speaks for the relatedness of a party to demand number `demand`: the cosine similarity of the
    closest sentence (0 if none is sure enough), the share of the demand's terms in it, and the
    confidence that it speaks about the demand. `label` where it is shown."""

    demand: int
    relatedness: float
    overlap: float
    confidence: float
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A sentence found for a demand."""

    demand: int
    found: FoundSentence

    @property
    def relatedness(self) -> float:
        """The cosine similarity of the sentence, 0 to 1."""
        return min(1.0, max(0.0, self.found.extract.similarity))


def best_first(matches: Sequence[Match]) -> list[Match]:
    """The closest match of every sentence; the closest of each demand before the second of any, so that no
    demand takes the places of the others."""
    unique: dict[str, Match] = {}
    for match in sorted(matches, key=lambda match: (-match.relatedness, match.demand)):
        unique.setdefault(match.found.extract.text, match)
    turns: Counter[int] = Counter()
    placed: list[tuple[int, Match]] = []
    for match in unique.values():
        placed.append((turns[match.demand], match))
        turns[match.demand] += 1
    return [match for _, match in sorted(placed, key=itemgetter(0))]


def reason_of(demand: Demand, matches: Sequence[Match], labels: dict[str, str]) -> Reason:
    """What the closest sentence says about a demand's relatedness; `labels` by sentence shown."""
    own = [match for match in matches if match.demand == demand.number]
    best = max(own, key=lambda match: match.relatedness, default=None)
    if best is None:
        return Reason(demand=demand.number, relatedness=0.0, overlap=0.0, confidence=0.0)
    return Reason(
        demand=demand.number,
        relatedness=best.relatedness,
        overlap=best.found.extract.overlap,
        confidence=best.found.confidence,
        label=labels.get(best.found.extract.text),
    )
