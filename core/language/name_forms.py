"""Names of parties and places as used in sentences: "die CDU", "vom SSW", "den Freien Wählern".

What a language puts before a name comes from its file: the article depends on the noun in the name, or in one
of its aliases if the name is an abbreviation ("SSW": "Südschleswigscher Wählerverband"). An alias that begins
with a lower-case article ("die GRÜNEN", "les Verts") overrides this. Names that give no clue are left
unchanged. No particular names are built in.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from core.language.languages import of
from core.language.words import SentenceNameWords

_WORD = re.compile(r"[^\W\d_]+")
_ABBREVIATION = re.compile(r"(?=(?:[^\W\d_]*[A-ZÄÖÜ]){2})[^\W\d_]{2,5}")
_VOWEL = re.compile(r"[aeiouyhàâäéèêëîïôöûüœæ]", re.IGNORECASE)
_SHORTEST_PEOPLE = 6
"""Minimum letters for a word ending like a plural to be taken for one: "Piraten"."""


class Case(IntEnum):
    """The case that a preposition governs."""

    NOMINATIVE = 0
    ACCUSATIVE = 1
    DATIVE = 2


@dataclass(frozen=True, slots=True)
class NameForms:
    """A name with its article, by `Case`; `plural`: it takes a plural verb."""

    cases: tuple[str, ...]
    plural: bool = False

    @classmethod
    def bare(cls, name: str) -> "NameForms":
        """The forms of a name about which nothing is known."""
        return cls((name,) * len(Case))


@dataclass(frozen=True, slots=True)
class _Gender:
    """A gender, or the plural: article and the adjective ending after it, by `Case`, and its nouns."""

    articles: tuple[str, ...]
    endings: tuple[str, ...]
    nouns: frozenset[str]
    places: frozenset[str]
    plural: bool


def case_behind(preposition: str, language: str) -> Case | None:
    """The case of names after `preposition`; None if the language has no such preposition."""
    rules = of(language).sentence_names
    if preposition in rules.accusative:
        return Case.ACCUSATIVE
    return Case.DATIVE if preposition in rules.dative else None


def drawn_together(preposition: str, name: str, language: str) -> str:
    """Preposition and article contracted as the language writes them: "vom SSW", "du parti",
    "d'Allemagne"."""
    rules, whole = of(language).sentence_names, f"{preposition} {name}"
    for apart, together in (pair.split(" = ") for pair in rules.merged):
        if whole.startswith(f"{apart} "):
            return together + whole[len(apart) :]
    return f"{preposition[:-1]}'{name}" if is_elided(preposition, name, language) else whole


def is_elided(word: str, after: str, language: str) -> bool:
    """Whether `word` loses its last letter before the following word: "d'Allemagne"."""
    return word in of(language).sentence_names.elided and _VOWEL.match(after) is not None


@cache
def forms(name: str, aliases: tuple[str, ...], language: str, *, party: bool) -> NameForms:
    """The forms of `name`, of a party or a place, in sentences of `language`."""
    rules = of(language).sentence_names
    genders = tuple(_genders(rules))
    for writing in (*aliases, name):
        article, _, rest = writing.partition(" ")
        article = article.lower() if writing == name else article
        if rest and (gender := _gender_of(article, rest, genders, rules)):
            return _declined(gender, rest, _adjectival(rest, aliases, rules))
    if _adjectival(name, aliases, rules):
        return _declined(genders[-1], name, rules.weak)
    abbreviated = party and all(_ABBREVIATION.fullmatch(part) for part in re.split("[/–-]", name))
    for writing in (name, *aliases) if abbreviated else (name,):
        if gender := _gender_by_noun(writing, genders, party=party):
            return _declined(gender, name, noun=not abbreviated, elided=rules.elided)
    if abbreviated and rules.abbreviations:
        return _declined(genders[int(rules.abbreviations)], name, noun=False)
    if party and _is_of_people(name, rules):
        return _declined(genders[-1], name)
    return NameForms.bare(f"{rules.apposition} {name}".strip() if party else name)


def _genders(rules: SentenceNameWords) -> Iterator[_Gender]:
    """Masculine, feminine, neuter and plural; empty for a language whose names have no articles."""
    rows = (
        (rules.masculine, rules.masculine_nouns, rules.masculine_places),
        (rules.feminine, rules.feminine_nouns, rules.feminine_places),
        (rules.neuter, rules.neuter_nouns, frozenset[str]()),
        (rules.plural, rules.plural_nouns, rules.plural_places),
    )
    for number, (articles, nouns, places) in enumerate(rows):
        pairs = [pair.partition("-") for pair in articles.split()]
        yield _Gender(
            tuple(article for article, _, _ in pairs),
            tuple(ending for _, _, ending in pairs),
            nouns,
            places,
            plural=number == len(rows) - 1,
        )


def _gender_of(
    article: str, rest: str, genders: Sequence[_Gender], rules: SentenceNameWords
) -> _Gender | None:
    """The gender of `rest` indicated by `article`; if two genders share the article, the noun decides."""
    fitting = [gender for gender in genders if gender.articles[:1] == (article,)]
    by_noun = _gender_by_noun(rest, fitting, party=True)
    like_plural = bool(rules.people) and rest.casefold().endswith(tuple(rules.people))
    likely = [gender for gender in fitting if gender.plural is like_plural] or fitting
    return by_noun or (likely[0] if likely else None)


def _gender_by_noun(name: str, genders: Sequence[_Gender], *, party: bool) -> _Gender | None:
    """The gender of the first noun in `name` that the language file has, including as the last part of a
    compound for parties."""
    for word in (word[0].casefold() for word in _WORD.finditer(name)):
        for gender in genders:
            if word in gender.nouns or (
                word.endswith(tuple(gender.nouns)) if party else word in gender.places
            ):
                return gender
    return None


def _adjectival(name: str, aliases: Sequence[str], rules: SentenceNameWords) -> str:
    """The ending of `name` if it is an adjective, as an alias shows: "GRÜNE" beside "Grünen"."""
    inflected = f"{name}{rules.weak}".casefold()
    known = any(inflected == alias.rpartition(" ")[2].casefold() for alias in aliases)
    return rules.weak if known and rules.weak and name.casefold().endswith("e") else ""


def _is_of_people(name: str, rules: SentenceNameWords) -> bool:
    """Whether a party is named after its members: "Freie Drachenflieger", "Piraten"."""
    *before, last = name.split() or [""]
    if not last.casefold().endswith(tuple(rules.people)) or not all(word.isalpha() for word in name.split()):
        return False
    adjective = len(before) == 1 and before[0].endswith("e") and before[0][0].isupper()
    return last[0].isupper() and (adjective if before else len(last) >= _SHORTEST_PEOPLE)


def _declined(
    gender: _Gender,
    name: str,
    adjectival: str = "",
    *,
    noun: bool = True,
    elided: frozenset[str] = frozenset(),
) -> NameForms:
    """`name` after the articles of `gender`; `adjectival`: its ending if it is an adjective; `elided`
    articles lose their last letter before a vowel."""
    cases = []
    for case in Case:
        word = _weakly(name, gender, case) if noun else name
        if adjectival and (gender.plural or case is Case.DATIVE):
            word = _ending(name, adjectival)
        elif noun and gender.plural and case is Case.DATIVE and gender.endings[case]:
            word = word if word.casefold().endswith(("n", "s")) or word.isupper() else _ending(word, "n")
        article = gender.articles[case]
        cut = article in elided and _VOWEL.match(name) and name[0].lower() not in "hy"
        cases.append(f"{article[:-1]}'{word}" if cut else f"{article} {word}".strip())
    return NameForms(tuple(cases), gender.plural)


def _weakly(name: str, gender: _Gender, case: Case) -> str:
    """`name` with its leading adjective inflected as after an article."""
    first, _, rest = name.partition(" ")
    stem = re.sub("(?:e|er|es|en)$", "", first)
    known = gender.nouns | {""}
    if not rest or not gender.endings[case] or stem == first or first.casefold() in known:
        return name
    return f"{stem}{gender.endings[case]} {rest}" if _WORD.match(rest) and rest[0].isupper() else name


def _ending(word: str, ending: str) -> str:
    return word + (ending.upper() if word.isupper() else ending)
