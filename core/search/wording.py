"""Whether a passage speaks of what a kind of question asks for: a penalty, a time limit.

Questions are not lengthened with such words: on statutes that pulls the search to whatever provision has
most of them. A passage that has one is preferred instead (decision 0025).
"""

import re

from core.domain.search import QuestionKind
from core.language.patterns import pattern

_PENALTY = pattern(r"\b(?:{wording.penalty})", re.IGNORECASE)
_TIME = pattern(r"\b(?:{wording.time})\b", re.IGNORECASE)
_WORDS = {QuestionKind.PENALTY: _PENALTY, QuestionKind.TEMPORAL: _TIME}


def speaks_of(kind: QuestionKind, text: str) -> bool:
    """Whether `text` has a word for what `kind` asks for; True for kinds that ask for nothing special."""
    words = _WORDS.get(kind)
    return words is None or bool(words().search(text))


def speaks_of_penalty(text: str) -> bool:
    """Whether `text` has a word for a penalty."""
    return bool(_PENALTY().search(text))


def has_wording(kind: QuestionKind) -> bool:
    """Whether passages that answer `kind` can be told by their words."""
    return kind in _WORDS
