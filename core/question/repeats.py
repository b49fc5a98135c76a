"""Repetition: "coffee coffee coffee ..." says no more than "coffee", but looks like a cry to encoders that
have never read such text."""

import re

from core.language.languages import every
from core.registry.names import fold

OVER_AND_OVER = 3
"""Minimum number of repetitions in a row."""

_LONGEST = 12
"""Maximum words of the repeated text."""

_A_CRY = 3
"""Maximum words of a cry."""

_READ = 2_000
"""Number of characters searched for a cry: a longer cry is nothing else."""

_WORD = re.compile(r"\w+(?:['’]\w+)*")


def without_repeats(text: str) -> str:
    """`text` with repeated parts reduced to one; those of two or three words to two, since repeating "I am
    dying" makes it more of a cry."""
    words = list(_WORD.finditer(text))
    plain = [fold(word[0]) for word in words]
    left: list[str] = []
    at = copied = 0
    while at < len(words):
        size, times = _repeats(plain, at)
        if times:
            kept = 2 if 1 < size <= _A_CRY else 1
            left.append(text[copied : words[at + size * kept - 1].end()])
            at += size * times
            copied = words[at - 1].end()
        else:
            at += 1
    return "".join((*left, text[copied:]))


def _repeats(words: list[str], at: int) -> tuple[int, int]:
    """The number of words from `at` on that are repeated, and how often they occur; 0 times if none are."""
    for size in range(1, min(_LONGEST, (len(words) - at) // OVER_AND_OVER) + 1):
        times = 1
        while words[at : at + size] == words[at + size * times : at + size * (times + 1)]:
            times += 1
        if times >= OVER_AND_OVER:
            return size, times
    return 0, 0


def cries(text: str) -> bool:
    """Whether `text` is only a repeated cry for help."""
    words = [fold(word[0].replace("’", "'")) for word in _WORD.finditer(text, 0, _READ)]
    if len(text) > _READ:
        words = words[:-1]
    size, times = _repeats(words, 0)
    once = " ".join(words[:size])
    return times > 0 and len(words) < size * (times + 1) and any(once in each.kinds.cries for each in every())
