"""Words shared by texts, compared by stem."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from Stemmer import Stemmer
from stop_words import get_stop_words

from core.language.languages import of, tags
from core.language.patterns import words

WORD = re.compile(r"[^\W_]+")
WORDS = re.compile(r"\w+(?:[-\u2010\u2011'\u2019]\w+)*")
_FIGURE = re.compile(r"(\d+(?:[.,:]\d+)*(?:\s?%)?)(?:\.?\s([^\W\d]{3,}))?")
_NOUN = re.compile(r"\s[A-ZÄÖÜ][^\W\d_]+")
_PART = 5
"""Minimum letters of a stem that is searched for in compounds."""

_DETERMINING, _HEAD = 4, 3
"""Minimum letters of the first part of a compound, and of the rest."""

_LINKS = ("", "s", "es", "n", "en", "er", "e")
"""Linking elements between the parts of a compound."""

_HALF = 0.5


def content_words(text: str, language: str) -> tuple[str, ...]:
    """The content words of `text` as written, in order, without repetition."""
    known: dict[str, str] = {}
    for word in WORD.findall(unicodedata.normalize("NFKC", text)):
        lower = word.lower()
        if lower not in _stop_words(language) and (len(word) > 2 or word.isdigit()):
            known.setdefault(lower, word)
    return tuple(known.values())


def key_words(
    text: str, wanted: frozenset[str], language: str, written: str = ""
) -> tuple[tuple[int, int], ...]:
    """Where `text` has one of the terms `wanted`, stemmed as in `language`, and figures with their units;
    nothing if that is most of the text. `written` is the language of the text, if different."""
    said = [word for word in WORDS.finditer(text) if len(word[0]) > 2]
    stems = _stems([word[0].lower() for word in said], language)
    found = [
        word.span()
        for word, stem in zip(said, stems, strict=True)
        if stem in wanted or any(_part(term, frozenset({stem})) for term in wanted)
    ]
    places = merged(sorted([*found, *_figures(text, written or language)]), text)
    return places if sum(end - start for start, end in places) <= _HALF * len(text) else ()


def _figures(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Where there are figures with what they count: "17 Taler", "1. Januar", "24.000 neue Wohnungen"."""
    nouns = language in tags() and of(language).topics.nouns_have_capitals
    for figure in _FIGURE.finditer(text):
        counts = figure[2] and figure[2].lower() not in _stop_words(language)
        noun = _NOUN.match(text, figure.end()) if counts and nouns and figure[2].islower() else None
        end = noun.end() if noun else figure.end()
        yield figure.start(), end if counts else figure.end(1)


def merged(places: Sequence[tuple[int, int]], text: str) -> tuple[tuple[int, int], ...]:
    """The ranges in order, those separated only by spaces merged."""
    found: list[tuple[int, int]] = []
    for start, end in places:
        if found and not text[found[-1][1] : start].strip():
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def is_function_word(word: str, language: str) -> bool:
    """Whether `word`, in lower case, is a function word."""
    return word in _stop_words(language)


def is_small(word: str) -> bool:
    """Whether `word` is a function word of any language, in any letter case."""
    return any(is_function_word(word.lower(), tag) for tag in tags())


def terms(text: str, language: str) -> frozenset[str]:
    """Stems of the content words of `text`."""
    return frozenset(_stems([word.lower() for word in content_words(text, language)], language))


def _stems(lower: list[str], language: str) -> list[str]:
    """Each word's stem; the word itself in a language without a stemmer."""
    return Stemmer(of(language).stemmer).stemWords(lower) if language in tags() else lower


def is_about(topic: frozenset[str], said: frozenset[str]) -> bool:
    """Whether a text with the terms `said` is about `topic`: it has one of its terms as a whole word, or half
    of them in compounds. Everything is about an empty topic."""
    return not topic or not topic.isdisjoint(said) or shared(topic, said) >= _HALF


def names_topic(topic: frozenset[str], said: frozenset[str]) -> bool:
    """Whether a text with the terms `said` names `topic`, alone or in a compound."""
    return any(held(term, said) for term in topic)


def held(term: str, said: frozenset[str]) -> bool:
    """Whether one of `said` is or contains `term`: "mindestlohnkommission" for "mindestlohn"."""
    return term in said or (len(term) >= _PART and any(term in other for other in said))


def leads(term: str, said: frozenset[str]) -> bool:
    """Whether one of `said` is `term` or begins with it: "reparaturbonus" with "reparatur", "atomrecht" not
    with "recht"."""
    return term in said or (len(term) >= _PART and any(other.startswith(term) for other in said))


def begun(term: str, said: frozenset[str]) -> bool:
    """Whether one of `said` is the first part of the compound `term` and carries its meaning: "pelz" for
    "pelztierhalt", not "deutschland" for "deutschlandtakt"."""
    return any(
        len(word) >= _DETERMINING and term.startswith(word) and word not in words("topics.wide_beginnings")
        for word in said
        if len(word) <= len(term) - _HEAD
    )


def joined(term: str, said: frozenset[str]) -> bool:
    """Whether the parts of the compound `term` are among `said`: "klima" and "schutz" for "klimaschutz"."""
    return any(
        rest.removeprefix(link) in said
        for word in said
        if len(word) >= _DETERMINING and term.startswith(word) and len(rest := term[len(word) :]) >= _HEAD
        for link in _LINKS
    )


def shared(asked: frozenset[str], said: frozenset[str]) -> float:
    """Share of the question's terms that occur in the sentence, whole or as part of a compound."""
    if not asked:
        return 0.0
    return sum(1.0 if term in said else _part(term, said) for term in asked) / len(asked)


def _part(term: str, said: frozenset[str]) -> float:
    if len(term) < _PART:
        return 0.0
    return 0.7 if any(len(other) >= _PART and (term in other or other in term) for other in said) else 0.0


@lru_cache(maxsize=8)
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(get_stop_words(language)) if language in tags() else frozenset()
