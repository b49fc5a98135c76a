"""The stretch of a text that a pattern resembles most: semi-global alignment of words by edit distance.

Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", Journal of
the ACM 46 (1999): the bits of two numbers hold a column of the matrix, so a word of the text takes a few
microseconds, however long the pattern is within reason.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from core.evidence.patience import Patience

_ENDS = 4
"""Equally good ends that are tried: texts that repeat themselves have any number of them."""


def tightest(pattern: Sequence[str], text: Sequence[str], patience: Patience) -> tuple[int, int]:
    """Start and end (exclusive) of the part of `text` that takes fewest edits of words to become `pattern`,
    the shortest of equals; (0, 0) where no word agrees. Raises OutOfPatienceError."""
    ends = list(_distances(pattern, text, patience, anchored=False))
    least = min(ends)
    if least == len(pattern):
        return 0, 0
    best = islice((end for end, distance in enumerate(ends) if distance == least), _ENDS)
    return min(
        ((_start(pattern, text, end, least, patience), end) for end in best),
        key=lambda part: part[1] - part[0],
    )


def _start(pattern: Sequence[str], text: Sequence[str], end: int, least: int, patience: Patience) -> int:
    """The last place where a part begins that ends at `end` and takes `least` edits."""
    backwards = _distances(pattern[::-1], text[:end][::-1], patience, anchored=True)
    return end - next(length for length, distance in enumerate(backwards) if distance == least)


def _distances(
    pattern: Sequence[str], text: Sequence[str], patience: Patience, *, anchored: bool
) -> Iterator[int]:
    """For each end in `text`, from 0 on: edits from `pattern` to the best part that ends there, or, where
    `anchored`, to the whole text before that end."""
    places: defaultdict[str, int] = defaultdict(int)
    for i, word in enumerate(pattern):
        places[word] |= 1 << i
    every = (1 << len(pattern)) - 1
    last = 1 << (len(pattern) - 1)
    up, down, distance = every, 0, len(pattern)
    yield distance
    for word in text:
        patience.spend()
        equal = places.get(word, 0)
        vertical = equal | down
        horizontal = (((equal & up) + up) ^ up) | equal
        plus, minus = down | (every & ~(horizontal | up)), up & horizontal
        distance += bool(plus & last) - bool(minus & last)
        yield distance
        plus, minus = ((plus << 1) | anchored) & every, (minus << 1) & every
        up, down = minus | (every & ~(vertical | plus)), plus & vertical
