"""Chooses which scored sentences are shown: the best one, and those that add something to it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.answering.extractive.extracts import Extract
from core.answering.extractive.scoring import Weights
from core.answering.extractive.statements import stands_alone
from core.answering.extractive.stretches import Place, places, with_surroundings
from core.domain.ids import DocumentId
from core.domain.search import Hit
from core.language.sentences import word_count

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
