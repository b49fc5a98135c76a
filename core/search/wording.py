"""Whether a passage speaks of what a kind of question asks for: a penalty, a time limit.

Questions are not lengthened with such words: on statutes that pulls the search to whatever provision has
most of them. A passage that has one is preferred instead (decision 0130).
"""

import re

from core.domain.search import QuestionKind

_PENALTY = re.compile(
    r"\b(?:penalt|punish|fine[sd]?\b|imprison|offence|liable to|ordnungswidrig"
    r"|\w*(?:straf(?!f)|bu(?:ss|ß)geld|geldbu(?:ss|ß)e)|bu(?:ss|ß)e\b)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:within|days?|weeks?|months?|years?|period|frist|tag(?:e|en)?|woche\w*|monat\w*|jahr\w*|binnen|innerhalb)\b",
    re.IGNORECASE,
)
_WORDS = {QuestionKind.PENALTY: _PENALTY, QuestionKind.TEMPORAL: _TIME}


def speaks_of(kind: QuestionKind, text: str) -> bool:
    """Whether `text` has a word for what `kind` asks for; True for kinds that ask for nothing special."""
    words = _WORDS.get(kind)
    return words is None or bool(words.search(text))


def speaks_of_penalty(text: str) -> bool:
    """Whether `text` has a word for a penalty."""
    return bool(_PENALTY.search(text))


def has_wording(kind: QuestionKind) -> bool:
    """Whether passages that answer `kind` can be told by their words."""
    return kind in _WORDS
