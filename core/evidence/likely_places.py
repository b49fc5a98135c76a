"""Where in a text a quote may begin: places that share its n-grams, else those that resemble it."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from rapidfuzz import fuzz

from core.domain.passages import Span
from core.evidence.index import DocumentIndex, occurrences_in

SEED = 12
"""Length of the character n-grams that find candidate places."""

FUZZY_CUTOFF = 80.0

_SEEDS = 48

_PLACES_PER_SEED = 8

_WINDOWS = 3

_BUCKET = 64

_FUZZY_CHARACTERS = 1_000
"""Of a longer quote that can be repaired, n-grams are intact: what differs is one word in NEAR_SHARE."""


def likely_places(text: str, index: DocumentIndex, hint: Sequence[Span]) -> list[int]:
    """Likely offsets of the quote's beginning in the body's text, most likely first."""
    near = {(start // _BUCKET) for start in _hinted(index, hint)}
    return voted_places(text, index.body.text, near) or list(_fuzzy_places(text, index, hint))


def voted_places(text: str, body: str, near: Collection[int] = ()) -> list[int]:
    """Offsets of `body` at which n-grams of `text` say that it begins; buckets `near` have a vote more."""
    votes: Counter[int] = Counter()
    for at in range(0, len(text) - SEED + 1, max(1, len(text) // _SEEDS)):
        for place in islice(occurrences_in(body, text[at : at + SEED]), _PLACES_PER_SEED):
            votes[(place - at) // _BUCKET] += 1
    merged = {
        bucket: votes[bucket] + max(votes[bucket - 1], votes[bucket + 1]) + (bucket in near)
        for bucket in votes
    }
    return [bucket * _BUCKET for bucket in sorted(merged, key=lambda b: -merged[b])[:_WINDOWS]]


def _hinted(index: DocumentIndex, hint: Sequence[Span]) -> Iterator[int]:
    for span in hint:
        number = index.number_at(span.page, span.start)
        if number is not None:
            yield index.body.offset(index.body.entry_of(number))


def _fuzzy_places(text: str, index: DocumentIndex, hint: Sequence[Span]) -> Iterator[int]:
    """Where no n-gram is intact: the best place on the hinted pages and their neighbours."""
    if len(text) > _FUZZY_CHARACTERS:
        return
    view = index.body
    for page in sorted({span.page for span in hint}):
        around = [found for n in (page - 1, page, page + 1) if (found := index.body_range(n))]
        if not around:
            continue
        first, last = around[0][0], around[-1][1]
        best = fuzz.partial_ratio_alignment(text, view.text[first:last], score_cutoff=FUZZY_CUTOFF)
        if best is not None and best.score >= FUZZY_CUTOFF:
            yield first + best.dest_start


def window_of(letters: int, start: int, length: int) -> tuple[int, int]:
    """The offsets between which a quote of so many letters is looked for that may begin at `start` of a text
    of `length`."""
    slack = _BUCKET + letters // 8
    return max(start - slack, 0), min(start + letters + _BUCKET + slack, length)
