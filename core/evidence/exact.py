"""Exact alignment: the same letters and digits in the same order, and the same figures."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from core.domain.answers import LeftOut
from core.domain.passages import Span
from core.evidence.figures import BOUND_BEFORE, SIGN_BEHIND, figures, same_figures
from core.evidence.guards import word_lists
from core.evidence.index import MISSING, DocumentIndex, Stretch, View
from core.evidence.quoted import (
    MAX_OCCURRENCES,
    Patience,
    Quoted,
    differing_marks,
    notes,
    over_page_break,
    spacing,
)
from core.evidence.skeleton import skeleton
from core.evidence.surroundings import Surroundings

MIN_CHARACTERS = 20
"""Shorter skeletons prove nothing unless they are a whole sentence."""
MIN_SENTENCE_WORDS = 3
"""Minimum words for a short sentence to be a quote; fewer may coincide by chance."""
PART_CHARACTERS = 8
"""Minimum letters for a part to be in a different sentence from its neighbours."""
MAX_PARTS = 6
PART_DISTANCE_WORDS = 120
_MAX_JUDGED = 12
"""Maximum places of a quote whose sentences are examined."""


@dataclass(frozen=True, slots=True)
class ExactMatch:
    """Where a quote is: stretches of one view in reading order; if `parts`, they are the quote's own parts.
    `turned` is how the omitted words affect it."""

    view: View
    stretches: tuple[Stretch, ...]
    parts: bool = False
    turned: LeftOut | None = None

    @property
    def words(self) -> tuple[int, ...]:
        """Numbers of the first and last word of each stretch."""
        edges = ((s.first, s.end - 1) for s in self.stretches)
        return tuple(self.view.numbers[entry] for pair in edges for entry in pair)

    def around(self, quote: Quoted, index: DocumentIndex) -> Surroundings:
        """The sentences that contain it."""
        return Surroundings(index, self.view, self.stretches, quote.text)


Judge = Callable[[Surroundings], LeftOut | None]


def hidden(around: Surroundings) -> LeftOut | None:
    """The effect of what is omitted between the parts of a quote, regardless of its edges."""
    return around.hidden


def find_exact(
    quote: Quoted,
    index: DocumentIndex,
    hint: Sequence[Span],
    *,
    judge: Judge = hidden,
    patience: Patience | None = None,
) -> ExactMatch | None:
    """Find the quote as a whole, else across a page break with something in between, else by its parts;
    places where `judge` objects to the omission, or where the words are struck out or somebody else's, are
    used only if there is no other."""
    worse: ExactMatch | None = None
    patience = patience or Patience(math.inf)
    judged: set[tuple[int, ...]] = set()  # the views share most places
    for way in (_whole, over_page_break, _by_parts):
        for view in index.views():
            places = way(quote, index, view, patience)
            found = [ExactMatch(view, stretches, way is _by_parts) for stretches in places]
            found.sort(key=lambda f: _distance(index, f, hint))
            for place in found[:_MAX_JUDGED]:
                if place.words in judged:
                    continue
                patience.spend()
                judged.add(place.words)
                turned = judge(place.around(quote, index))
                if turned is None and index.standing(view, place.stretches) is None:
                    return place
                worse = worse or replace(place, turned=turned)
    return worse


def _distance(index: DocumentIndex, found: ExactMatch, hint: Sequence[Span]) -> int:
    """Distance in words between match and hint, 0 inside it."""
    start = found.view.numbers[found.stretches[0].first]
    distances = []
    for span in hint:
        first, last = index.number_at(span.page, span.start), index.number_at(span.page, span.end)
        if first is not None and last is not None:
            distances.append(max(first - start, start - last, 0))
    return min(distances, default=0)


def _whole(
    quote: Quoted, index: DocumentIndex, view: View, patience: Patience
) -> Iterator[tuple[Stretch, ...]]:
    for stretch in occurrences(quote, index, view, patience):
        yield (stretch,)


def occurrences(
    quote: Quoted,
    index: DocumentIndex,
    view: View,
    patience: Patience,
    start: int = 0,
    end: int | None = None,
) -> Iterator[Stretch]:
    """Stretches of whole words in `view.text[start:end]` that match the quote."""
    for at in islice(view.occurrences(quote.skeleton, start, end), MAX_OCCURRENCES):
        patience.spend()
        stretch = view.stretch(at, at + len(quote.skeleton))
        if stretch is None or cuts_guarded_word(index, view, stretch):
            continue
        fitted = _with_same_figures(quote, index, view, stretch)
        if fitted is None or not _same_spacing(quote, index, view, fitted):
            continue
        if _parts_sign_from_number(quote, index, view, fitted):
            continue
        if quote.notes and not _has_notes(quote, index, view, fitted):
            continue
        whole = _with_edges(quote, index, view, fitted)
        if not differing_marks(quote.text, index, view, (whole,)):
            yield whole


def cuts_guarded_word(index: DocumentIndex, view: View, stretch: Stretch) -> bool:
    """Whether an edge falls inside a word split at a line end and the omitted part changes its meaning ("un-"
    before "zulässig", "los" after "arbeits-")."""
    lists = word_lists()
    if view.cut[stretch.first] and stretch.first > 0:
        before = skeleton(index.word(view.numbers[stretch.first - 1]).text)
        if before in lists.negative_prefixes or before in lists.negations:
            return True
    if stretch.end < len(view) and view.cut[stretch.end]:
        return skeleton(index.word(view.numbers[stretch.end]).text) in lists.suffixes
    return False


def _with_same_figures(quote: Quoted, index: DocumentIndex, view: View, stretch: Stretch) -> Stretch | None:
    """The stretch, extended by adjacent stand-alone symbols that the quote has."""
    first_offset, end_offset = view.offset(stretch.first), view.offset(stretch.end)
    for before in sorted({0, 1, 2, len(quote.leading)}):
        first = stretch.first - before
        if first < 0 or view.starts[first] != first_offset:
            break
        for after in sorted({0, 1, 2, len(quote.trailing)}):
            end = stretch.end + after
            if end > len(view) or view.offset(end) != end_offset:
                break
            if same_figures(
                figures(index.plain_text(view, Stretch(first, end))), quote.figures, index.language
            ):
                return Stretch(first, end)
    return None


def _parts_sign_from_number(quote: Quoted, index: DocumentIndex, view: View, stretch: Stretch) -> bool:
    """Whether the quote begins or ends with a number and omits its sign, which is a separate word (">= 18",
    "5 %")."""
    words = quote.text.split()
    if words[0][:1].isdigit() and stretch.first > 0:
        before = index.word(view.numbers[stretch.first - 1]).text
        if BOUND_BEFORE.fullmatch(before):
            return True
    if words[-1][-1:].isdigit() and stretch.end < len(view):
        return bool(SIGN_BEHIND.match(index.word(view.numbers[stretch.end]).text))
    return False


def _has_notes(quote: Quoted, index: DocumentIndex, view: View, stretch: Stretch) -> bool:
    """Whether the source has the quote's footnote marks in the same places; it may have more, since a quote
    can omit them."""
    return quote.notes <= notes(index.plain_text(view, stretch))


def _with_edges(quote: Quoted, index: DocumentIndex, view: View, stretch: Stretch) -> Stretch:
    """The stretch, extended by dashes and bullets that the quote begins or ends with, if they are there."""
    first, end = stretch.first, stretch.end
    for mark in quote.leading:
        if first == 0 or index.word(view.numbers[first - 1]).text != mark:
            break
        first -= 1
    for mark in quote.trailing:
        if end == len(view) or index.word(view.numbers[end]).text != mark:
            break
        end += 1
    return Stretch(first, end)


def _same_spacing(quote: Quoted, index: DocumentIndex, view: View, stretch: Stretch) -> bool:
    """Whether white space neither creates nor hides a negation ("now here" and "nowhere")."""
    claimed = spacing(quote.text)
    source = spacing(index.plain_text(view, stretch) if view.notes else index.whole_text(view, stretch))
    conflicts = (claimed.spaces - source.all) | (source.spaces - claimed.all)
    if not conflicts:
        return True
    text = quote.skeleton
    lists = word_lists()
    denials = lists.negations | lists.negative_prefixes
    longest = max(map(len, denials))
    for boundaries in (sorted({0, len(text), *claimed.all}), sorted({0, len(text), *source.all})):
        for offset in conflicts:
            start = boundaries[max(bisect_left(boundaries, offset) - 1, 0)]
            end = boundaries[min(bisect_right(boundaries, offset), len(boundaries) - 1)]
            start, end = max(start, offset - longest - 1), min(end, offset + longest + 1)
            if not denials.isdisjoint((text[start:offset], text[offset:end], text[start:end])):
                return False
    return True


def _by_parts(
    quote: Quoted, index: DocumentIndex, view: View, patience: Patience
) -> Iterator[tuple[Stretch, ...]]:
    """Find the parts between ellipses, in order and close together; the first and the last may be short if
    they are in the same sentence as their neighbour."""
    parts = quote.parts
    short = [not _is_long(part) for part in parts]
    if not 2 <= len(parts) <= MAX_PARTS or any(short[1:-1]) or all(short):
        return
    chains = _chains(parts, index, view, patience)
    if short[0]:  # it occurs in too many places to start from
        after = _chains(parts[1:], index, view, patience)
        chains = (path for found in after for path in _led_by(parts[0], found, index, view, patience))
    for path in chains:
        if not any(short) or Surroundings(index, view, path, quote.text).in_one_sentence(short):
            yield path


def _is_long(part: Quoted) -> bool:
    return len(part.skeleton) >= PART_CHARACTERS


def _led_by(
    part: Quoted, after: tuple[Stretch, ...], index: DocumentIndex, view: View, patience: Patience
) -> Iterator[tuple[Stretch, ...]]:
    """Matches that extend `after` by a short part shortly before it, the nearest place first."""
    start, end = max(after[0].first - PART_DISTANCE_WORDS, 0), after[0].first
    for place in [*occurrences(part, index, view, patience, view.offset(start), view.offset(end))][::-1]:
        yield (place, *after)


def _chains(
    parts: Sequence[Quoted], index: DocumentIndex, view: View, patience: Patience
) -> Iterator[tuple[Stretch, ...]]:
    """Matches of `parts` in order and close together."""
    path: list[Stretch] = []
    dead: set[tuple[int, int]] = set()  # (parts placed, entry after them) that led nowhere
    led = [0]  # chains found below each step of the path
    places = [occurrences(parts[0], index, view, patience)]
    while places and led[0] < _MAX_JUDGED:
        stretch = next(places[-1], None)
        if stretch is None:
            places.pop()
            below = led.pop()
            if path:
                led[-1] += below
                end = path.pop().end
                if not below:
                    dead.add((len(places), end))
            if not places:
                return
        elif len(path) + 1 == len(parts):
            led[-1] += 1
            yield (*path, stretch)
        elif (len(path) + 1, stretch.end) not in dead:
            path.append(stretch)
            led.append(0)
            places.append(_next_part(parts[len(path)], index, view, stretch, patience))


def _next_part(
    part: Quoted, index: DocumentIndex, view: View, before: Stretch, patience: Patience
) -> Iterator[Stretch]:
    """Matches of `part` shortly after `before`, on consecutive pages."""
    start = view.offset(before.end)
    limit = view.offset(min(before.end + PART_DISTANCE_WORDS, len(view))) + len(part.skeleton)
    limit = next((at for at in view.occurrences(MISSING, start - 1, limit)), limit)
    return occurrences(part, index, view, patience, start, limit)
