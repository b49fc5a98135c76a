"""The words that a question and a sentence share, by their stems."""

import re
import unicodedata
from functools import lru_cache

import snowballstemmer
from stop_words import get_stop_words

from core.language.languages import of, tags

_WORD = re.compile(r"[^\W_]+")


def terms(text: str, language: str) -> frozenset[str]:
    """Stems of the content words of `text`."""
    words = {word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", text))}
    content = [word for word in words - _stop_words(language) if len(word) > 2 or word.isdigit()]
    if language not in tags():
        return frozenset(content)
    return frozenset(snowballstemmer.stemmer(of(language).stemmer).stemWords(content))


def shared(asked: frozenset[str], said: frozenset[str]) -> float:
    """Share of the question's terms that the sentence has, whole or as part of a compound."""
    if not asked:
        return 0.0
    return sum(1.0 if term in said else _part(term, said) for term in asked) / len(asked)


def _part(term: str, said: frozenset[str]) -> float:
    if len(term) < 5:
        return 0.0
    return 0.7 if any(len(other) >= 5 and (term in other or other in term) for other in said) else 0.0


@lru_cache(maxsize=8)
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(get_stop_words(language)) if language in tags() else frozenset()
