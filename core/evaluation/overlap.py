"""Whether a quote that was shown holds the words where the answer stands. Pure."""

import math
import unicodedata
from collections import Counter

from core.evidence.skeleton import skeleton

SHARED = 0.5
"""Least share of the shorter text's letters that both texts have in one unbroken run."""

HELD = 0.6
"""Least share of one quote's words that the other has for the two to hold the same answer."""
HELD_WORDS = 4
"""Words that two quotes must have in common to hold the same answer, whatever their share; all words of a
gold quote that has fewer."""


def holds(shown: str, wanted: str) -> bool:
    """Whether a quote `shown` holds the answer that stands in the gold quote `wanted`: it has at least 60 %
    of that one's words, or that one has 60 % of its words, and 4 words at least are the same."""
    one, other = _words(shown), _words(wanted)
    shorter = min(one.total(), other.total())
    least = min(HELD_WORDS, other.total())
    return bool(other) and (one & other).total() >= max(HELD * shorter, least)


def _words(text: str) -> Counter[str]:
    return Counter(word for word in map(skeleton, text.split()) if word)


def overlaps(shown: str, wanted: str, least: float = SHARED) -> bool:
    """Whether `shown` and `wanted` are in good part the same stretch of a document: they share an
    unbroken run of at least half (or `least`) of the shorter one's letters and digits."""
    return runs_through(letters(shown), letters(wanted), least)


def runs_through(one: str, other: str, least: float) -> bool:
    """The same of what `letters` has made of two texts."""
    short, long = sorted((one, other), key=len)
    run = math.ceil(least * len(short))
    return bool(short) and any(short[at : at + run] in long for at in range(len(short) - run + 1))


def letters(text: str) -> str:
    """The letters and digits of a text, whatever their case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
