"""Words as a dictionary or a heading has them: nouns without the case that their sentence gave them.

Which forms belong together is known by the full-form dictionaries of simplemma, which already tell words from
slips (`core.evidence.dictionary`). A plural stays a plural; only endings of cases go.
"""

from functools import lru_cache

from core.language import lemmas
from core.language.languages import of, tags

_TAIL = 4
"""Letters at least of the last part of a compound that no dictionary has whole."""

_ADJECTIVES = 2
"""Words between an article and its noun at most."""


def base_form(noun: str, before: tuple[str, ...], language: str) -> str | None:
    """`noun` of a sentence in its base form; `before` are the words in front of it, nearest last. As it is
    where the language does not decline nouns; None where no dictionary tells."""
    if language not in tags() or not of(language).topics.nouns_have_capitals:
        return noun
    *first, last = noun.split("-")
    found = _declined_back(last, _is_singular(before, language), language)
    return None if found is None else "-".join([*first, found])


def _is_singular(before: tuple[str, ...], language: str) -> bool:
    """Whether an article in front says that one thing is meant, in another case than the first."""
    oblique = of(language).topics.oblique_articles
    for n, word in enumerate(reversed(before)):
        if word.lower() in oblique:
            return True
        if n >= _ADJECTIVES or not (word.islower() and word.endswith(("en", "er", "es"))):
            return False
    return False


@lru_cache(maxsize=4096)
def _declined_back(noun: str, singular: bool, language: str) -> str | None:
    head, tail = _known_part(noun, language)
    if not tail:
        return noun if noun.isupper() or len(noun) <= _TAIL or not singular else None
    stem = _lemma(tail, language)
    if singular or tail == stem:
        return head + _as_tail(stem, head)
    plural = tail.removesuffix("n")
    if plural != tail and plural != stem and _lemma(plural, language) == stem and _is_known(plural, language):
        return head + _as_tail(plural, head)
    return noun


def _known_part(noun: str, language: str) -> tuple[str, str]:
    """What a dictionary has of `noun`, all of it or the last part of a compound, and what stands before
    that."""
    for at in range(max(1, len(noun) - _TAIL + 1)):
        tail = noun[at:].capitalize() if at else noun
        if (at == 0 or at >= _TAIL) and _is_known(tail, language) and _lemma(tail, language)[:1].isupper():
            return noun[:at], tail
    return noun, ""


def _as_tail(word: str, head: str) -> str:
    return word.lower() if head else word


def _lemma(word: str, language: str) -> str:
    return lemmas.lemma(word, language)


def _is_known(word: str, language: str) -> bool:
    return lemmas.is_known(word, language)
