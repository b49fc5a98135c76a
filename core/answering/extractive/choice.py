"""Which of the scored sentences are shown: the best one, and those that say something beside it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.answering.extractive.extracts import Extract
from core.answering.extractive.scoring import Weights
from core.answering.extractive.stretches import Place, places, with_surroundings
from core.domain.ids import DocumentId
from core.domain.search import Hit
from core.language.sentences import word_count

FAR_AHEAD = 2.0
"""How far ahead a sentence is at most; so far is one that has nothing beside it."""


def spread(scored: Sequence[Extract], limit: int, weights: Weights) -> list[Extract]:
    """Greedy choice that lets a second sentence of a passage or page in only if it is much better, and none
    that is shown round another one. Each has with it what is shown round it."""
    known = places(scored)
    chosen: list[Extract] = []
    rest = list(scored)
    while rest and len(chosen) < limit:
        best = max(rest, key=lambda extract: _gain(extract, chosen, weights))
        chosen.append(without_shown(fullest(best, rest, known), chosen))
        rest = [extract for extract in rest if _adds(extract, chosen, weights)]
    return chosen


def with_lead(best: Extract, scored: Sequence[Extract]) -> Extract:
    """The sentence chosen first with how far its score stands above the best one of another passage, but not
    above what it is shown with: passages overlap."""
    beside = (
        each.score
        for each in scored
        if each.hit.passage.id != best.hit.passage.id and each.text not in best.shown
    )
    return replace(best, lead=min(FAR_AHEAD, best.score - max(beside, default=-math.inf)))


def fullest(best: Extract, rest: Sequence[Extract], known: Mapping[Place, Extract]) -> Extract:
    """The sentence with what surrounds it, from the passage that has most of that: passages overlap, and a
    sentence at the edge of one stands in the middle of the other. What was read stays as it was read."""
    if best.parts:
        return best
    copies = [each for each in rest if each.text == best.text and _document(each) == _document(best)]
    grown = [with_surroundings(each, known) for each in copies]
    return replace(max(grown, key=lambda each: word_count(each.shown)), score=best.score)


def without_shown(extract: Extract, chosen: Sequence[Extract]) -> Extract:
    """The sentence and what surrounds it but what is shown round another one of its document already."""
    text = extract.hit.passage.text
    shown = [other.shown for other in chosen if _document(other) == _document(extract)]
    parts = tuple(
        (start, end)
        for start, end in extract.parts
        if start <= extract.start < end or not any(text[start:end] in other for other in shown)
    )
    return replace(extract, parts=parts)


def _adds(extract: Extract, chosen: Sequence[Extract], weights: Weights) -> bool:
    """Whether a sentence says something beside the chosen ones: of the same document if it is not behind,
    of another one if it is not far behind; another party may say it less plainly."""
    same = [other for other in chosen if _document(other) == _document(extract)]
    gain = _gain(extract, chosen, weights)
    if same:
        near = gain >= same[0].score - weights.gap
        return near and all(extract.text not in other.shown for other in same)
    behind = weights.party if _another_party(extract, chosen) else weights.other
    return gain >= chosen[0].score - behind


def _gain(extract: Extract, chosen: Sequence[Extract], weights: Weights) -> float:
    near = sum(1 for other in chosen if _neighbours(extract.hit, other.hit))
    return extract.score - weights.repeat_page * near


def spare_ones(scored: Sequence[Extract], chosen: Sequence[Extract], number: int) -> list[Extract]:
    """The best `number` sentences that are not shown already, each with what is shown round it."""
    known = places(scored)
    rest = [extract for extract in scored if all(extract.text not in other.shown for other in chosen)]
    best = sorted(rest, key=lambda extract: -extract.score)[:number]
    return [
        replace(extract if extract.parts else with_surroundings(extract, known), spare=True)
        for extract in best
    ]


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
