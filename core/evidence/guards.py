"""Words that a repaired quote must not change, since changing one changes what the sentence says. The lists
per language, with their sources, are in `data/*.toml`.

All languages apply at once: documents quote other languages, and one guard too many only rejects a repair.
"""

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Any

from core.evidence.skeleton import skeleton
from core.language.languages import tags


@dataclass(frozen=True, slots=True)
class WordLists:
    """Skeletons of guarded words. `numerals` begin a number word, `affixes` are prefixes and suffixes.

    `values`, `scales`, `units` and `months` map number words, multipliers, words for symbols and month names
    to their figures.
    """

    negations: frozenset[str]
    rejections: frozenset[str]
    guarded: frozenset[str]
    numerals: tuple[str, ...]
    numerals_whole: frozenset[str]
    prefixes: frozenset[str]
    negative_prefixes: frozenset[str]
    suffixes: frozenset[str]
    values: dict[str, int]
    scales: dict[str, Fraction]
    units: dict[str, str]
    months: dict[str, int]


@lru_cache(maxsize=8)
def word_lists(*languages: str) -> WordLists:
    """The combined lists of `languages` (ISO 639-1); those of all languages if none has lists."""
    known = [code for code in languages if code in tags()] or tags()
    tables = [_table(code) for code in known]

    def words(*names: str) -> frozenset[str]:
        return frozenset(skeleton(word) for table in tables for name in names for word in table[name])

    def figures(name: str) -> dict[str, int]:
        return {skeleton(word): int(value) for table in tables for word, value in table[name].items()}

    return WordLists(
        negations=words("negations"),
        rejections=words("rejections"),
        guarded=words("negations", "quantifiers", "relations", "modals"),
        numerals=tuple(words("numerals") - words("numerals_whole")),
        numerals_whole=words("numerals_whole"),
        prefixes=words("prefixes"),
        negative_prefixes=words("negative_prefixes"),
        suffixes=words("suffixes"),
        values=figures("number_values"),
        scales={
            skeleton(word): Fraction(scale)
            for table in tables
            for word, scale in table["number_scales"].items()
        },
        units={skeleton(word): str(unit) for table in tables for word, unit in table["number_units"].items()},
        months=figures("months"),
    )


@lru_cache(maxsize=4)
def _table(language: str) -> dict[str, Any]:
    text = files("core.evidence").joinpath("data", f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def is_negation(word: str) -> bool:
    """Whether the word with skeleton `word` is a negation."""
    return word in word_lists().negations


def is_guarded(text: str) -> bool:
    """Whether a repair must not change, add or omit a written word: it has a digit or a capital letter, is
    one letter ("(b)"), a negation, quantifier, modal, number word or relation."""
    word = skeleton(text)
    lists = word_lists()
    return (
        any(c.isdigit() or c.isupper() for c in text)
        or len(word) == 1
        or word in lists.guarded
        or word in lists.numerals_whole
        or word.startswith(lists.numerals)
        or any(_hyphen_part_guarded(part) for part in _parts(text))
    )


def _parts(text: str) -> list[str]:
    parts = [skeleton(part) for part in text.replace("/", "-").split("-")]
    return parts if len(parts) > 1 else []


def _hyphen_part_guarded(part: str) -> bool:
    lists = word_lists()
    return part in lists.guarded or part in lists.numerals_whole or part.startswith(lists.numerals)


def differ_by_affix(one: str, other: str) -> bool:
    """Whether two skeletons share a stem of 3 or more letters and differ in a prefix ("legal",
    "illegal"; "zunehmen", "abnehmen") or a negating suffix ("helpful", "helpless")."""
    lists = word_lists()
    return _differ(one, other, lists.prefixes) or _differ(one[::-1], other[::-1], _reversed_suffixes())


def adds_affix(one: str, other: str) -> bool:
    """Whether skeleton `one` is `other` plus a prefix or a negating suffix."""
    lists = word_lists()
    return (one.endswith(other) and one.removesuffix(other) in lists.prefixes) or (
        one.startswith(other) and one.removeprefix(other) in lists.suffixes
    )


@lru_cache(maxsize=1)
def _reversed_suffixes() -> frozenset[str]:
    return frozenset(suffix[::-1] for suffix in word_lists().suffixes)


def _differ(one: str, other: str, affixes: frozenset[str]) -> bool:
    stems = {one, *(one[len(affix) :] for affix in affixes if one.startswith(affix))}
    others = {other, *(other[len(affix) :] for affix in affixes if other.startswith(affix))}
    return any(len(stem) >= 3 for stem in stems & others) and one != other
