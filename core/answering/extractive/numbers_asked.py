"""Sentences that differ from another one only in a number that the question names do not answer it."""

import re
from collections.abc import Sequence

from core.answering.extractive.extracts import Extract

_NUMBER = re.compile(r"\d+(?:[.,]\d{3})*(?:[.,]\d+)?")
_SEPARATOR = re.compile(r"[.,](?=\d{3}(?!\d))")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ALIKE = 0.75
"""Minimum share of words that two sentences have in common."""


def with_numbers_asked(pool: Sequence[Extract], question: str) -> list[Extract]:
    """`pool` without the sentences that lack a number from the question if another sentence has it, in nearly
    the same words and with no fewer of the question's words."""
    asked, said = _numbers(question), _words(question)
    held = [asked & _numbers(each.text) for each in pool] if asked else []
    holding = [(held[n], _words(each.text)) for n, each in enumerate(pool) if asked and held[n]]
    if not holding:
        return list(pool)

    def outdone(numbers: frozenset[str], words: frozenset[str]) -> bool:
        return any(
            numbers < others
            and 2 * len(words & theirs) >= _ALIKE * (len(words) + len(theirs))
            and len(words & said) <= len(theirs & said)
            for others, theirs in holding
        )

    return [each for n, each in enumerate(pool) if not outdone(held[n], _words(each.text))]


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_SEPARATOR.sub("", number[0]) for number in _NUMBER.finditer(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(word[0].casefold() for word in _WORD.finditer(text))
