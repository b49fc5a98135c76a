"""Whether a sentence states a number or a penalty."""

import re

from core.language.patterns import pattern

_NUMBER_WORDS = pattern(r"\d|\b(?:{amounts.stated})\b", re.IGNORECASE)
PENALTY = pattern(r"\b(?:{wording.penalty})", re.IGNORECASE)
_NO_AMOUNT = pattern(
    r"^\W*\(?(?:\d{1,3}|[a-z]{1,4})[.)]+\s|(?:§§?|\b(?:{amounts.places_in_text}))\s*\(?\d+(?:\s*\(\w+\))*",
    re.IGNORECASE,
)
"""Numbers that identify a place in a text: list numbers and references."""


def speaks_of_penalty(text: str) -> bool:
    """Whether `text` has a word for a penalty."""
    return PENALTY().search(text) is not None


def holds_number(sentence: str) -> bool:
    """Whether a sentence states a number, an amount or a time; list numbers and references don't count."""
    return _NUMBER_WORDS().search(_NO_AMOUNT().sub(" ", sentence)) is not None
