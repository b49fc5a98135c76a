"""An alleged quote prepared for alignment, and the check whether stretches with its letters also have its
marks."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile

from core.evidence.figures import figures, same_figures
from core.evidence.index import MISSING, DocumentIndex, Stretch, View
from core.evidence.punctuation import conflicts
from core.evidence.skeleton import marks_of, skeleton
from core.evidence.text import put_together

_ELLIPSIS = re.compile(r"\[\s*(?:…|\.{2,})\s*\]|\(\s*(?:…|\.{2,})\s*\)|…|\.{3,}|\.(?:\s\.){2,}")
_FORMAT = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF))


@dataclass(frozen=True)
class Quoted:
    """An alleged quote, or one of its parts between ellipses."""

    text: str

    @cached_property
    def skeleton(self) -> str:
        """Letters, digits and marks."""
        return skeleton(self.text)

    @cached_property
    def figures(self) -> tuple[str, ...]:
        """Numbers and symbols in order."""
        return figures(" ".join(self.text.split()))  # as the words of a page are joined

    @cached_property
    def notes(self) -> frozenset[tuple[int, str]]:
        """Footnote marks."""
        return notes(self.text)

    @cached_property
    def leading(self) -> tuple[str, ...]:
        """Dashes and similar marks before the first word, nearest first."""
        return tuple(takewhile(lambda word: not skeleton(word), self.text.split()))[::-1]

    @cached_property
    def trailing(self) -> tuple[str, ...]:
        """Dashes and similar marks after the last word, nearest first."""
        return tuple(takewhile(lambda word: not skeleton(word), self.text.split()[::-1]))[::-1]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words as written, rejoined where a line end splits them; anything without a letter or digit is left
        out."""
        return tuple(word for word in put_together(self.text.split()) if skeleton(word))

    @cached_property
    def parts(self) -> tuple["Quoted", ...]:
        """The parts between ellipses; the whole text if it contains none."""
        parts = (Quoted(part) for part in _ELLIPSIS.split(self.text))
        return tuple(part for part in parts if part.skeleton)


def notes(text: str) -> frozenset[tuple[int, str]]:
    """The footnote marks of `text`: the number of skeleton letters before each, and the raised digits."""
    found, offset = [], 0
    for before, mark in marks_of(text):
        offset += len(skeleton(before))
        found.append((offset, mark))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Spacing:
    """Boundaries between words as offsets in the skeleton: `spaces` are plain white space, `all` also
    those at a hyphen, a dash or other punctuation."""

    spaces: frozenset[int]
    all: frozenset[int]


def spacing(text: str) -> Spacing:
    """The boundaries in `text`."""
    spaces, every, offset = set(), set(), 0
    for letters, between in _runs(text.translate(_FORMAT)):
        offset += len(letters)
        every.add(offset)
        if between.isspace():
            spaces.add(offset)
    return Spacing(frozenset(spaces), frozenset(every))


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Skeletons of runs of letters, each with what follows it."""
    for match in re.finditer(r"(\S*?)([^\w\s]*\s+|[^\w\s]+|$)", text):
        letters = skeleton(match[1])
        if letters:
            yield letters, match[2]


def same_marks(quote: Quoted, index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> bool:
    """Whether numbers, symbols and punctuation match the stretches, which have the same letters."""
    same = same_figures(_figures_of(index, view, stretches), quote.figures, index.language)
    return same and not differing_marks(quote.text, index, view, stretches)


def differing_marks(text: str, index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> list[int]:
    """Places where symbols and punctuation of `text` differ from the stretches, which have the same letters.

    List signs may be omitted or kept.
    """
    without = conflicts(text, index.paragraphs(view, stretches))
    if not without:
        return []
    return sorted(set(without) & set(conflicts(text, index.paragraphs(view, stretches, signs=True))))


def _figures_of(index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> tuple[str, ...]:
    """The numbers and symbols of the stretches, in order."""
    return figures(" ".join(index.plain_text(view, stretch) for stretch in stretches))


# Limits how long untrusted text may keep a processor busy.


class OutOfPatienceError(Exception):
    """The time allowed is used up; results found so far remain valid."""


class Patience:
    """Allows `seconds` by `clock`, from now on: by default the thread's processor time, so that a busy
    machine does not use it up."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def spend(self) -> None:
        """Check the clock before another step. Raises OutOfPatienceError once the time is up."""
        if self._clock() > self._end:
            raise OutOfPatienceError


# Quotes that cross a page break, past furniture and anything else between their halves.


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
