"""Quotes that cross a page break, past furniture and anything else between their halves."""

from collections.abc import Iterator
from itertools import islice

from core.evidence.index import MISSING, DocumentIndex, Stretch, View
from core.evidence.patience import Patience
from core.evidence.quoted import Quoted, same_marks

BREAK_WORDS_BEFORE = 4
BREAK_CHARACTERS = 15
BREAK_SKIP_WORDS = 80
MAX_OCCURRENCES = 200
"""Maximum number of occurrences considered."""


def over_page_break(
    quote: Quoted, index: DocumentIndex, view: View, patience: Patience
) -> Iterator[tuple[Stretch, ...]]:
    """Two stretches: one to the end of a block on one page, one from the start of a block on the next."""
    text = quote.skeleton
    if len(text) < 2 * BREAK_CHARACTERS:
        return
    for at in islice(view.occurrences(text[:BREAK_CHARACTERS]), MAX_OCCURRENCES):
        first = view.entry_at(at)
        if view.starts[first] != at:
            continue
        same = _common_prefix(text, view.text, at)
        last = view.entry_at(at + same)
        for end in range(last, first + BREAK_WORDS_BEFORE - 1, -1):
            patience.spend()
            if begins_block(index, view, end):
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
        if index.row(view.numbers[first]) == row or not begins_block(index, view, first):
            continue
        if MISSING in view.text[view.starts[head.end - 1] : view.starts[first]]:
            return None
        if view.text.startswith(rest, view.starts[first]):
            tail = view.stretch(view.starts[first], view.starts[first] + len(rest))
            if tail and same_marks(quote, index, view, (head, tail)):
                return (head, tail)
    return None


def begins_block(index: DocumentIndex, view: View, entry: int) -> bool:
    """Whether a block, column or page begins with `entry`."""
    if entry >= len(view):
        return True
    before, here = view.numbers[entry - 1], view.numbers[entry]
    return index.row(before) != index.row(here) or index.word(before).block != index.word(here).block


def _common_prefix(text: str, other: str, at: int) -> int:
    """Length of the longest prefix of `text` found in `other` at `at` (by bisection)."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if other.startswith(text[:middle], at):
            low = middle
        else:
            high = middle - 1
    return low
