"""Tells random letters from words: "fghjk rtzui wqpl" is in no language."""

import re
from functools import lru_cache

from core.language.languages import tags
from core.language.lemmas import is_known

WHOLE, INSIDE = 3, 4
"""Minimum letters of a known word: by itself, and run together with others ("ichwillsterben")."""

_LONGEST = 40
"""Maximum letters of a string that are examined."""

_OF_ONESELF = frozenset({"i", "je", "me", "my", "ma"})
"""Shorter words that begin what people say of themselves."""

_WORD = re.compile(r"[^\W\d_]+")


def share_in_words(text: str) -> float:
    """The share of the letters of `text`, in lower case, that are in words of our languages; 1 without any
    letters."""
    strings = _WORD.findall(text)
    letters = sum(map(len, strings))
    return sum(map(_in_words, strings)) / letters if letters else 1.0


def _in_words(string: str) -> int:
    """The letters of a string that are in known words: all if it is one, else most that words in it cover."""
    if (len(string) >= WHOLE or string in _OF_ONESELF) and _is_word(string):
        return len(string)
    most = [0]
    for end in range(1, min(len(string), _LONGEST) + 1):
        covered = [
            most[start] + end - start for start in range(end - INSIDE + 1) if _is_word(string[start:end])
        ]
        most.append(max([most[-1], *covered]))
    return most[-1]


@lru_cache(maxsize=4096)
def _is_word(string: str) -> bool:
    return any(is_known(string, tag) for tag in tags())
