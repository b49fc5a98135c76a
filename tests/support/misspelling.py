"""Typing errors, and real words that look like one.

The list of words is pyspellchecker's and knows nothing of the dictionary in `core/evidence`.
"""

import random
import re
from collections.abc import Collection, Sequence
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA
from spellchecker import SpellChecker

from core.evidence.skeleton import skeleton

SLIPS = ("lost", "added", "exchanged", "replaced")
_LETTERS = {"de": "abcdefghijklmnopqrstuvwxyzäöü", "en": "abcdefghijklmnopqrstuvwxyz"}
_CORE = re.compile(r"[^\W\d_]{5,}")
_COUNTED = 1e-6
"""Minimum frequency for a real word to count as one that people use."""


@cache
def _list(language: str) -> SpellChecker:
    return SpellChecker(language=language)


def is_listed(word: str, language: str) -> bool:
    """Whether the independent list has the word at all."""
    return word.casefold() in _list(language)


def slip(chance: random.Random, word: str, language: str, kind: str) -> str:
    """`word` (5 letters or more) with one letter inside lost, added, replaced or exchanged with the next."""
    letter = chance.choice(_LETTERS[language])
    at = chance.randrange(1, len(word) - 1)
    if kind == "lost":
        return word[:at] + word[at + 1 :]
    if kind == "added":
        return word[:at] + letter + word[at:]
    if kind == "replaced":
        return word[:at] + letter + word[at + 1 :]
    at = chance.randrange(1, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def misspelt(
    chance: random.Random, words: Sequence[str], language: str, known: Collection[str]
) -> tuple[str, list[str]] | None:
    """(kind, words): one genuine slip in a word of five letters or more; None where it makes a word, that
    is, one of the independent list or one of `known` skeletons."""
    places = [i for i, word in enumerate(words) if _CORE.fullmatch(word.strip(".,;:()„“"))]
    if not places:
        return None
    at, kind = chance.choice(places), chance.choice(SLIPS)
    core = words[at].strip(".,;:()„“")
    wrong = slip(chance, core, language, kind)
    if wrong.casefold() == core.casefold() or is_listed(wrong, language) or skeleton(wrong) in known:
        return None
    return kind, [*words[:at], words[at].replace(core, wrong), *words[at + 1 :]]


def real_word(chance: random.Random, words: Sequence[str], language: str) -> list[str] | None:
    """Another real word of the language, one or two letters away, in place of one of five letters or more."""
    places = [i for i, word in enumerate(words) if _CORE.fullmatch(word.strip(".,;:()„“"))]
    if not places:
        return None
    at = chance.choice(places)
    core = words[at].strip(".,;:()„“")
    others = [word for word in _neighbours(core.casefold(), language) if word != core.casefold()]
    if not others:
        return None
    other = chance.choice(others)
    written = other.capitalize() if core[0].isupper() else other
    return [*words[:at], words[at].replace(core, written), *words[at + 1 :]]


@cache
def _counted(language: str) -> tuple[str, ...]:
    known = _list(language)
    return tuple(
        w for w in known.word_frequency.words() if w.isalpha() and known.word_usage_frequency(w) >= _COUNTED
    )


@cache
def _neighbours(word: str, language: str) -> tuple[str, ...]:
    near = process.extract(
        word, _counted(language), scorer=OSA.distance, score_cutoff=2 if len(word) >= 10 else 1, limit=None
    )
    return tuple(sorted(other for other, _, _ in near))
