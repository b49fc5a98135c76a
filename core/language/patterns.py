"""Patterns for every language: the shape of a pattern is in the code, its words are in the language files.

A shape is a regular expression with placeholders such as `{kinds.penalty}`, each filled with the phrases of
that field in every language as alternatives. It is assembled and compiled on first use.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache

from core.language.languages import every
from core.language.words import Language

PLACE = re.compile(r"\{([a-z_]+)\.([a-z_]+)\}")
"""A placeholder in a shape or in a phrase: table and field of a language file."""

NOTHING = "(?!)"
"""Fills a placeholder for which no language has phrases."""


def pattern(shape: str, flags: re.RegexFlag = re.NOFLAG) -> Callable[[], re.Pattern[str]]:
    """A function that returns `shape` compiled, with its placeholders filled from every language."""

    @cache
    def compiled() -> re.Pattern[str]:
        return re.compile(filled(shape, every()), flags)

    return compiled


def filled(shape: str, languages: Iterable[Language]) -> str:
    """`shape` with its placeholders filled with the phrases of `languages`. A placeholder in a phrase stands
    for phrases of the same language."""
    spoken = tuple(languages)

    def alternatives(place: re.Match[str]) -> str:
        found = (filled(phrase, [each]) for each in spoken for phrase in _field(each, place[1], place[2]))
        return "|".join(dict.fromkeys(found)) or NOTHING

    return PLACE.sub(alternatives, shape)


@cache
def words(field: str) -> frozenset[str]:
    """The words of `field` ("names.articles") of every language."""
    table, _, name = field.partition(".")
    return frozenset(word for language in every() for word in _field(language, table, name))


def _field(language: Language, table: str, name: str) -> Iterable[str]:
    found: Iterable[str] = getattr(getattr(language, table), name)
    return found
