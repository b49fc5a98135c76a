"""The words that a question and a sentence share, by their stems."""

import re
import unicodedata
from functools import lru_cache

import snowballstemmer
from stop_words import get_stop_words

from core.language.languages import of, tags
from core.language.patterns import words

_WORD = re.compile(r"[^\W_]+")
_HALF = 0.5


def content_words(text: str, language: str) -> tuple[str, ...]:
    """The content words of `text` as it writes them, in order, each once."""
    known: dict[str, str] = {}
    for word in _WORD.findall(unicodedata.normalize("NFKC", text)):
        lower = word.lower()
        if lower not in _stop_words(language) and (len(word) > 2 or word.isdigit()):
            known.setdefault(lower, word)
    return tuple(known.values())


def sought(question: str, language: str) -> tuple[str, ...]:
    """What `question` is about: its content words but those that ask what somebody says of it."""
    said = content_words(question, language)
    topic = tuple(word for word in said if word.lower() not in words("topics.asking"))
    return topic or said


def terms(text: str, language: str) -> frozenset[str]:
    """Stems of the content words of `text`."""
    content = [word.lower() for word in content_words(text, language)]
    if language not in tags():
        return frozenset(content)
    return frozenset(snowballstemmer.stemmer(of(language).stemmer).stemWords(content))


def topic_terms(question: str, language: str) -> frozenset[str]:
    """Stems of what `question` is about: of its nouns, where the language shows them and it has any."""
    topic = sought(question, language)
    if language in tags() and of(language).topics.nouns_have_capitals:
        topic = tuple(word for word in topic if not word[0].islower()) or topic
    return terms(" ".join(topic), language)


def is_about(topic: frozenset[str], said: frozenset[str]) -> bool:
    """Whether a text with the terms `said` speaks about `topic`: it has one of its terms whole, or half of
    them in compounds. Everything is about an empty topic."""
    return not topic or not topic.isdisjoint(said) or shared(topic, said) >= _HALF


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
