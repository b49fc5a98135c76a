"""Whether a quote that was shown holds the words where the answer stands. Pure."""

import unicodedata
from difflib import SequenceMatcher

SHARED = 0.5
"""Least share of the shorter text's letters that both texts have in one unbroken run."""


def overlaps(shown: str, wanted: str) -> bool:
    """Whether `shown` and `wanted` are in good part the same stretch of a document: they share an
    unbroken run of at least half of the shorter one's letters and digits."""
    one, other = _letters(shown), _letters(wanted)
    if not one or not other:
        return False
    run = SequenceMatcher(None, one, other, autojunk=False).find_longest_match()
    return run.size >= SHARED * min(len(one), len(other))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
