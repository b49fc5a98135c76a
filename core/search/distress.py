"""Distress: somebody who may take their life, is threatened or hurt, or needs a doctor now. Nothing of a
library helps them, and no quote of it may be all that they get to see.

These are the rules, in the words of each language by itself; `core.search.distress_reader` reads more. They
ask for somebody who is in it, "I", "my husband", "the little one": a question about assisted dying, violence
or ambulances names nobody and is searched for.
What people write then is hardly ever well spelt, so a word that is none of any language is read as the word
of the rules that it is a slip of, and words written as one are taken apart.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.language import lemmas
from core.language.languages import every, of, tags
from core.language.patterns import NOTHING, filled
from core.registry.names import fold

_SIGNS = str.maketrans({"1": "i", "0": "o", "3": "e", "4": "a", "5": "s", "@": "a", "$": "s"})
"""What is written for letters so that no machine reads it."""

_APOSTROPHES = re.compile("['’‘`´]")
_WORD = re.compile(r"[^\W_](?:[*@$]?[^\W_])*")
_REPEATED = re.compile(r"(?<!\\)([a-z])\1+")
_UMLAUT = re.compile("([aou])e")
_LITERAL = re.compile(r"(?<![a-z\\])([a-z]+)(?![a-z\\?(\[*+])")
_WITH_TAIL = re.compile(r"(?<![a-z\\])([a-z]+)([a-z])\?(?![a-z\\(\[])")

_SHORTEST, _SLIP, _SLIPS = 3, 4, 8
"""Letters of what is written, of a word of the rules that it may be one slip away from, and of what may be
two slips away."""

_GLUED = 6
"""Letters from which on a word may be several."""

_PIECE = 2.25
"""Letters that the words of such a one have on average at least, else any word would fall into pieces."""

_ALONE = frozenset("aijy")
"""Words of one letter."""


class DistressKind(StrEnum):
    """What somebody is in; where it is several, the first of these."""

    EMERGENCY = "emergency"  # medical, poisoning, fire, accident
    SUICIDE = "suicide"  # and self-harm, of oneself or of somebody near
    VIOLENCE = "violence"  # suffered or threatened


@dataclass(frozen=True, slots=True)
class Distress:
    """What a message says, and the language that it says it in (ISO 639-1)."""

    kind: DistressKind
    language: str


def distress(text: str) -> Distress | None:
    """The distress that the rules find in `text`, a message or part of one; None for anything else."""
    found = [each for language in every() if (each := _rules(language.tag).find(text)) is not None]
    return min(found, key=lambda each: list(DistressKind).index(each.kind), default=None)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of a language, compiled; `words` stand in them."""

    tag: str
    words: frozenset[str]
    long_words: Sequence[str]
    harmless: re.Pattern[str]
    asking: re.Pattern[str]
    kinds: Sequence[tuple[DistressKind, re.Pattern[str], re.Pattern[str]]]
    """Of each what it is anyhow, and what it is where nothing is asked."""

    def find(self, text: str) -> Distress | None:
        said = self.read(text)
        asks = self.asking.search(said) is not None
        for kind, anyhow, told in self.kinds:
            if anyhow.search(said) or (not asks and told.search(said)):
                return Distress(kind, self.tag)
        return None

    def read(self, text: str) -> str:
        """`text` as the rules have it, between blanks, without ways of speaking."""
        plain = _APOSTROPHES.sub(" " if self.tag == "fr" else "", text.casefold())
        words = _WORD.findall(plain)
        read = " ".join(word for each in words for word in self._words_of(each))
        return self.harmless.sub(" ", f" {read} ")

    def _words_of(self, written: str) -> Sequence[str]:
        """The words of the rules that `written` is, or was meant to be; else itself."""
        if written.isdigit():
            return (written,)
        if "*" in written:
            hidden = re.compile(_spelt(fold(written.translate(_SIGNS)), self.tag).replace("*", "[a-z]"))
            return (next(filter(hidden.fullmatch, sorted(self.words)), written.replace("*", "")),)
        word = _spelt(fold(written.translate(_SIGNS)), self.tag)
        if word in self.words or len(word) < _SHORTEST:
            return (word,)
        meant = (_pieces(word, self.words) if len(word) >= _GLUED else ()) or self._nearest(word)
        return (word,) if not meant or self._is_word(written) else meant

    def _nearest(self, word: str) -> Sequence[str]:
        """The word of the rules that `word` is a slip of; of several the one of its end and length."""
        slips = 2 if len(word) >= _SLIPS else 1
        found = process.extract(word, self.long_words, scorer=OSA.distance, score_cutoff=slips, limit=None)
        if not found:
            return ()

        def unlike(near: tuple[str, float, int]) -> tuple[float, int, int, str]:
            each, distance, _ = near
            ends = (each[-1] != word[-1]) + abs(len(each) - len(word))
            return distance, ends, -len(each), each

        return (min(found, key=unlike)[0],)

    def _is_word(self, written: str) -> bool:
        """Of this language or another, which may be the one that all is written in."""
        return any(
            lemmas.is_known(form, tag)
            for tag in tags()
            for form in ((written, written.capitalize()) if tag == "de" else (written,))
        )


def _spelt(text: str, tag: str) -> str:
    """A word or rule in the spelling that is compared: no letter doubled, and no umlauts in German."""
    once = _REPEATED.sub(r"\1", text)
    return _REPEATED.sub(r"\1", _UMLAUT.sub(r"\1", once)) if tag == "de" else once


def _pieces(word: str, known: frozenset[str]) -> Sequence[str]:
    """Words of `known` that `word` consists of, as few as can be; a letter that ends one and begins the next
    may be written once. None where it does not."""
    best: list[Sequence[str] | None] = [()] + [None] * len(word)
    for end in range(1, len(word) + 1):
        for start in range(end):
            if (piece := word[start:end]) not in known or (len(piece) == 1 and piece not in _ALONE):
                continue
            shared = best[start + 1] if start and start + 1 < end else None
            for before in (best[start], shared):
                now = best[end]
                if before is not None and (now is None or len(before) + 1 < len(now)):
                    best[end] = (*before, piece)
    found = best[-1] or ()
    return found if len(word) >= _PIECE * len(found) else ()


@cache
def _rules(tag: str) -> _Rules:
    language = [of(tag)]
    light = filled("{distress.light}", language)
    people = filled("{distress.people}", language)

    def shape(phrases: str) -> str:
        phrases = phrases.replace("~", r"(?:\w+ ){0,6}").replace("%", f"(?:(?:{light}) )*")
        return _spelt(phrases.replace("^", "(?<=^ )"), tag)

    def compiled(phrases: str) -> re.Pattern[str]:
        return re.compile(f"(?<= )(?:{phrases})(?:(?<= )|(?= |$))")

    shapes = {
        DistressKind.EMERGENCY: (NOTHING, "{distress.emergency}"),
        DistressKind.SUICIDE: ("{distress.suicide}", "{distress.suicide_told}"),
        DistressKind.VIOLENCE: ("{distress.violence}", "{distress.violence_told}"),
    }
    kinds = {kind: [shape(filled(each, language)) for each in both] for kind, both in shapes.items()}
    everything = "|".join((light, people, *chain.from_iterable(kinds.values())))
    words = {found[1] for found in _LITERAL.finditer(everything)}
    for found in _WITH_TAIL.finditer(everything):
        words |= {found[1], found[1] + found[2]}
    words = {_spelt(word, tag) for word in words}
    return _Rules(
        tag=tag,
        words=frozenset(words),
        long_words=sorted(word for word in words if len(word) >= _SLIP),
        harmless=compiled(shape(filled("{distress.harmless}", language))),
        asking=compiled(shape(filled("{distress.asking}", language))),
        kinds=[(kind, compiled(anyhow), compiled(told)) for kind, (anyhow, told) in kinds.items()],
    )
