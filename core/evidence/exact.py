"""Exact alignment: the same letters and digits in the same order, and the same figures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from core.domain.passages import Span
from core.evidence.figures import figures
from core.evidence.guards import is_negation, word_lists
from core.evidence.index import MISSING, DocumentIndex, Stretch, View
from core.evidence.punctuation import conflicts
from core.evidence.quoted import Quoted, notes, spacing
from core.evidence.skeleton import skeleton

MIN_CHARACTERS = 20
"""Shorter skeletons prove nothing."""
PART_CHARACTERS = 8
PART_DISTANCE_WORDS = 120
NEGATION_DISTANCE_WORDS = 12
BREAK_WORDS_BEFORE = 4
BREAK_CHARACTERS = 15
BREAK_SKIP_WORDS = 80
_MAX_OCCURRENCES = 200


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quote stands: stretches of one view in reading order."""

    view: View
    stretches: tuple[Stretch, ...]


def find_exact(quote: Quoted, index: DocumentIndex, hint: Sequence[Span]) -> Found | None:
    """The quote as it stands, else over a page break with something between, else by its parts."""
    for way in (_whole, _over_page_break, _by_parts):
        for view in index.views():
            found = [Found(view, stretches) for stretches in way(quote, index, view)]
            if found:
                return min(found, key=lambda f: _distance(index, f, hint))
    return None


def _distance(index: DocumentIndex, found: Found, hint: Sequence[Span]) -> int:
    """Words between the find and the hint, 0 inside it."""
    start = found.view.numbers[found.stretches[0].first]
    distances = []
    for span in hint:
        first, last = index.number_at(span.page, span.start), index.number_at(span.page, span.end)
        if first is not None and last is not None:
            distances.append(max(first - start, start - last, 0))
    return min(distances, default=0)


def _whole(quote: Quoted, index: DocumentIndex, view: View) -> Iterator[tuple[Stretch, ...]]:
    for stretch in occurrences(quote, index, view):
        yield (stretch,)


def occurrences(
    quote: Quoted, index: DocumentIndex, view: View, start: int = 0, end: int | None = None
) -> Iterator[Stretch]:
    """Whole words of `view.text[start:end]` that are the quote."""
    for at in islice(view.occurrences(quote.skeleton, start, end), _MAX_OCCURRENCES):
        stretch = view.stretch(at, at + len(quote.skeleton))
        if stretch is None or cuts_guarded_word(index, view, stretch):
            continue
        fitted = _with_same_figures(quote, index, view, stretch)
        if fitted is None or not _same_spacing(quote, index, view, fitted):
            continue
        if quote.notes and not _has_notes(quote, index, view, fitted):
            continue
        whole = _with_edges(quote, index, view, fitted)
        if not conflicts(quote.text, index.paragraphs(view, (whole,))):
            yield whole


def cuts_guarded_word(index: DocumentIndex, view: View, stretch: Stretch) -> bool:
    """Whether a word cut at a line's end lies across an edge and the part left out turns its meaning
    ("un-" before "zulässig", "los" after "arbeits-")."""
    lists = word_lists()
    if view.cut[stretch.first] and stretch.first > 0:
        before = skeleton(index.word(view.numbers[stretch.first - 1]).text)
        if before in lists.negative_prefixes or before in lists.negations:
            return True
    if stretch.end < len(view) and view.cut[stretch.end]:
        return skeleton(index.word(view.numbers[stretch.end]).text) in lists.suffixes
    return False


def _with_same_figures(quote: Quoted, index: DocumentIndex, view: View, stretch: Stretch) -> Stretch | None:
    """The stretch, with symbols standing beside it as words of their own where the quote has them."""
    first_offset, end_offset = view.offset(stretch.first), view.offset(stretch.end)
    for before in sorted({0, 1, 2, len(quote.leading)}):
        first = stretch.first - before
        if first < 0 or view.starts[first] != first_offset:
            break
        for behind in sorted({0, 1, 2, len(quote.trailing)}):
            end = stretch.end + behind
            if end > len(view) or view.offset(end) != end_offset:
                break
            if figures(index.plain_text(view, Stretch(first, end))) == quote.figures:
                return Stretch(first, end)
    return None


def _has_notes(quote: Quoted, index: DocumentIndex, view: View, stretch: Stretch) -> bool:
    """Whether the source has the quote's footnote marks at the same places; it may have more: a quote can
    leave them out."""
    return quote.notes <= notes(index.plain_text(view, stretch))


def _with_edges(quote: Quoted, index: DocumentIndex, view: View, stretch: Stretch) -> Stretch:
    """The stretch, with dashes and bullets that the quote begins or ends with and that stand there."""
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
    """Whether white space alone neither makes nor hides a negation ("now here" and "nowhere")."""
    claimed = spacing(quote.text)
    source = spacing(index.plain_text(view, stretch) if view.notes else index.source_text(view, stretch))
    conflicts = (claimed.spaces - source.all) | (source.spaces - claimed.all)
    if not conflicts:
        return True
    text = quote.skeleton
    lists = word_lists()
    for offset in conflicts:
        for boundaries in (claimed.all, source.all):
            start = max((b for b in boundaries if b < offset), default=0)
            end = min((b for b in boundaries if b > offset), default=len(text))
            touching = {text[start:offset], text[offset:end], text[start:end]}
            if touching & (lists.negations | lists.negative_prefixes):
                return False
    return True


def _over_page_break(quote: Quoted, index: DocumentIndex, view: View) -> Iterator[tuple[Stretch, ...]]:
    """Two stretches: to the end of a block on one page, from the start of a block on the next."""
    text = quote.skeleton
    if len(text) < 2 * BREAK_CHARACTERS:
        return
    for at in islice(view.occurrences(text[:BREAK_CHARACTERS]), _MAX_OCCURRENCES):
        first = view.entry_at(at)
        if view.starts[first] != at:
            continue
        same = _common_prefix(text, view.text, at)
        last = view.entry_at(at + same)
        for end in range(last, first + BREAK_WORDS_BEFORE - 1, -1):
            if _begins_block(index, view, end):
                pair = _behind_break(quote, index, view, Stretch(first, end))
                if pair:
                    yield pair
                    break


def _behind_break(
    quote: Quoted, index: DocumentIndex, view: View, head: Stretch
) -> tuple[Stretch, ...] | None:
    used = view.offset(head.end) - view.offset(head.first)
    rest = quote.skeleton[used:]
    row = index.row(view.numbers[head.end - 1])
    if len(rest) < BREAK_CHARACTERS:
        return None
    for first in range(head.end, min(head.end + BREAK_SKIP_WORDS + 1, len(view))):
        number = view.numbers[first]
        if is_negation(skeleton(index.word(number).text)) and not view.text.startswith(
            rest, view.starts[first]
        ):
            return None
        if index.row(number) == row or not _begins_block(index, view, first):
            continue
        if MISSING in view.text[view.starts[head.end - 1] : view.starts[first]]:
            return None
        if view.text.startswith(rest, view.starts[first]):
            tail = view.stretch(view.starts[first], view.starts[first] + len(rest))
            if tail and _same_marks(quote, index, view, (head, tail)):
                return (head, tail)
    return None


def _same_marks(quote: Quoted, index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> bool:
    return _figures_of(index, view, stretches) == quote.figures and not conflicts(
        quote.text, index.paragraphs(view, stretches)
    )


def _begins_block(index: DocumentIndex, view: View, entry: int) -> bool:
    if entry >= len(view):
        return True
    before, here = view.numbers[entry - 1], view.numbers[entry]
    return index.row(before) != index.row(here) or index.word(before).block != index.word(here).block


def _figures_of(index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> tuple[str, ...]:
    return figures(" ".join(index.plain_text(view, stretch) for stretch in stretches))


def _common_prefix(text: str, other: str, at: int) -> int:
    """Length of the longest prefix of `text` that stands in `other` at `at` (bisection)."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if other.startswith(text[:middle], at):
            low = middle
        else:
            high = middle - 1
    return low


def _by_parts(quote: Quoted, index: DocumentIndex, view: View) -> Iterator[tuple[Stretch, ...]]:
    """The parts between ellipses, in order and near each other."""
    parts = quote.parts
    if len(parts) < 2 or any(len(part.skeleton) < PART_CHARACTERS for part in parts):
        return
    dead: set[tuple[int, int]] = set()
    for first in occurrences(parts[0], index, view):
        found = _following(parts[1:], index, view, first, dead)
        if found is not None:
            yield (first, *found)


def _following(
    parts: Sequence[Quoted], index: DocumentIndex, view: View, before: Stretch, dead: set[tuple[int, int]]
) -> tuple[Stretch, ...] | None:
    """Where the parts stand behind `before`. `dead` remembers (parts left, entry) that led nowhere, so
    that texts that repeat themselves take no exponential time."""
    if not parts:
        return ()
    if (len(parts), before.end) in dead:
        return None
    start = view.offset(before.end)
    limit = view.offset(min(before.end + PART_DISTANCE_WORDS, len(view))) + len(parts[0].skeleton)
    limit = next((at for at in view.occurrences(MISSING, start - 1, limit)), limit)
    for stretch in occurrences(parts[0], index, view, start, limit):
        if _hides_negation(index, view, Stretch(before.end, stretch.first)):
            continue
        rest = _following(parts[1:], index, view, stretch, dead)
        if rest is not None:
            return (stretch, *rest)
    dead.add((len(parts), before.end))
    return None


def _hides_negation(index: DocumentIndex, view: View, skipped: Stretch) -> bool:
    words = [skeleton(word.text) for word in index.words(view, skipped)]
    return sum(map(bool, words)) <= NEGATION_DISTANCE_WORDS and any(map(is_negation, words))
