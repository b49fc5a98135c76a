"""Patterns for words that turn a statement into its opposite or a different one (`data/contrasts.toml`).

They are in groups, such as `modality`, each with poles, such as `must` and `may`, whose names are the same in
all languages.
"""

import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from core.evidence.skeleton import skeleton
from core.language.languages import tags


class Pole(StrEnum):
    """The poles that are compared by name, not only against each other."""

    MUST = "must"
    MAY = "may"
    ENTITLED = "entitled"
    NEEDED = "needed"
    TENTATIVE = "tentative"
    DONE = "done"
    AHEAD = "ahead"
    ALL = "all"
    MOST = "most"
    SOME = "some"
    ONLY = "only"
    ABOUT = "about"


def axes() -> tuple[str, ...]:
    """The groups whose poles are mutually exclusive."""
    return tuple(f"opposites.{name}" for name in _contrasts()["opposites"])


@cache
def patterns(group: str, language: str = "") -> Mapping[str, re.Pattern[str]]:
    """The pattern of each pole of `group` in `language` (ISO 639-1), of all if it has no words."""
    table: Any = _contrasts()
    for name in group.split("."):
        table = table[name]
    return {pole: _whole_words(_alternatives(words, language)) for pole, words in table.items()}


@lru_cache(maxsize=4096)
def poles(group: str, text: str, language: str) -> frozenset[str]:
    """The poles of `group` that `text` names."""
    return frozenset(pole for pole, pattern in patterns(group, language).items() if pattern.search(text))


def measures(text: str, language: str) -> frozenset[str]:
    """The unit with which `text`, behind a number, begins."""
    text = text.lstrip(" -\u00a0\u202f")
    return frozenset(name for name, pattern in patterns("measure", language).items() if pattern.match(text))


@cache
def clause_borders() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns for the end of a clause and of a main clause."""
    joining = "|".join(_contrasts()["joining"]["clauses"].values())
    return (
        re.compile(rf"[.;:,!?](?:\s|$)|\b(?:{joining})\b"),
        re.compile(rf"[.;!?](?:\s|$)|,\s(?:{joining})\b"),
    )


def speaks_of_documents(word: str) -> bool:
    """Whether `word`, in lower case, only says whose words or which document a claim relies on."""
    return patterns("documents")["words"].fullmatch(word) is not None


@cache
def mild_denials() -> frozenset[str]:
    """Skeletons of words that merely deny a circumstance."""
    return frozenset(skeleton(word) for words in _contrasts()["mild_denials"].values() for word in words)


def depends(clause: str) -> bool:
    """Whether `clause` begins like one that only says to whom or when another applies."""
    return patterns("dependent")["words"].match(clause.lstrip()) is not None


def restricts(text: str) -> bool:
    """Whether `text` says without a negation that something is not so: "only", "no more than", "free",
    "remains"."""
    return (
        Pole.ONLY in poles("quantity", text, "")
        or bool(poles("bound", text, "") - {Pole.ABOUT})
        or bool(poles("opposites.existence", text, "") & {"end", "keep"})
        or "forbidden" in poles("opposites.permission", text, "")
        or patterns("saying_no", "")["words"].search(text) is not None
    )


def without_bounds(text: str) -> str:
    """`text` without bounds of an amount that look like denials ("no more than")."""
    return patterns("bounds")["no_denial"].sub(" ", text)


def _alternatives(words: Mapping[str, str], language: str) -> str:
    return words[language] if language in tags() else "|".join(words.values())


def _whole_words(shape: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{shape})(?!\w)", re.IGNORECASE)


@cache
def _contrasts() -> Mapping[str, Any]:
    text = files("core.evidence").joinpath("data", "contrasts.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
