"""What the name of a topic asks for, and which sentences are about it."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from core.answering.reports.about import CLOSE, CLOSE_ACROSS, FoundSentence
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.language.languages import of
from core.language.patterns import pattern

LONG_LINE = 10
"""Words from which on a line without an end is no heading."""

MAX_PARTS = 5
MAX_LISTED_WORDS = 12
"""Words of a name that is read as a list at most; a longer one is a sentence."""

WITH_WORDS = 0.95
"""Similarity and share of the topic's words, added, from which on it is as well: a whole word nearly
suffices, a part of one ("mindestens" for "Mindestlohn") does not."""

_BETWEEN = pattern(
    r"\s*[,;]\s*(?:(?:{topics.joining})\s+)?|\s+(?:{topics.joining}|&)\s+",
    re.IGNORECASE,
)

SURE = 0.6
"""Probability from which on a name tells its language."""


def asked(name: str, fallback: str) -> str:
    """`name` as a question of little words only, in its language or in `fallback` where that cannot be told:
    searches and their confidence are made for questions."""
    if name.endswith("?"):
        return name
    language, probability = detect(name)
    return of(language if probability >= SURE else fallback).topics.question.format(name)


def parts_of(name: str) -> list[str]:
    """What a name lists: "Mieten, Löhne und Schulen" has three parts. Names that are sentences, and lists of
    word stems ("Land- und Forstwirtschaft"), are one."""
    parts = [part for part in _BETWEEN().split(" ".join(name.split())) if part]
    stems = any(part.endswith(("-", "‐")) or len(part) < 4 for part in parts)
    listed = len(name.split()) <= MAX_LISTED_WORDS and not name.endswith("?") and not stems
    return parts[:MAX_PARTS] if listed and len(parts) > 1 else [name]


def in_turn(lists: Sequence[Sequence[FoundSentence]]) -> tuple[FoundSentence, ...]:
    """The first of each list, then the second of each; the same words once, headings last."""
    unique: dict[str, FoundSentence] = {}
    for turn in zip_longest(*lists):
        for each in turn:
            if each is not None:
                unique.setdefault(skeleton(each.extract.text), each)
    return tuple(sorted(unique.values(), key=lambda each: not is_sentence(each.extract.text)))


def is_about(found: FoundSentence, language: str) -> bool:
    """Whether a sentence comes close to a topic in `language`, or has its words. The words of another
    language only look alike ("rents", "Rente")."""
    extract = found.extract
    if extract.hit.edition.document.fields.language != language:
        return extract.similarity >= CLOSE_ACROSS
    return extract.similarity >= CLOSE or extract.similarity + extract.overlap >= WITH_WORDS


def is_sentence(text: str) -> bool:
    """Whether a text says something, as sentences, list items and long lines do, and is no heading."""
    text = text.strip(" \"'“”„»«")
    return text.endswith((".", "!", ";", ":")) or not text[:1].isalnum() or len(text.split()) >= LONG_LINE
