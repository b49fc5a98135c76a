"""Towns that a question names as the place where to look, whether or not the library has anything of them.

Their names are mostly words with another meaning somewhere ("Essen", "Reading", "Lage"): a town is named
where the words before it say so ("in Köln", "the city of York", "à Metz"), and by few words that make no
sentence ("Radverkehr Bonn"). `towns.tsv` is made of GeoNames (CC BY 4.0) by `benchmarks/towns.py`.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice

from core.evidence.skeleton import skeleton
from core.language.languages import tags
from core.language.lemmas import lemma
from core.language.patterns import pattern
from core.language.patterns import words as listed
from core.registry.names import fold

_BEFORE = pattern(r"(?<!\w)(?:{registered.before_towns})(?:\s+|(?<=['’]))(?=[^\W\d_])", re.IGNORECASE)
_MERGED = {"au": "le", "aux": "les"}
_WORD = re.compile(r"[^\W\d_]+")
_JOINT = re.compile(r"[-\s'’.()]{1,3}")
_MOST_WORDS = 5
_READ, _KEYWORDS = 2_000, 100
"""Characters in which towns are sought, and of the longest line of keywords."""
_SHORTEST = 4
"""Letters of a town in lower case that is not large."""
_LARGE, _KNOWN = 1000, 200
"""Hundreds of inhabitants from which on a town is meant by a word that is in a dictionary, too: by any, and
by one that is no form of another word ("in Schwerin", not "in Waren")."""
FORMED = re.compile(
    r"\w{3,}(?:bach|beck|berg|beuren|bronn|brück|burg|büren|büttel|dorf|feld|furt|hagen|hausen|haven|heim|hofen|ingen"
    r"|kirch|kirchen|münde|reuth|roda|rode|scheid|stadt|stedt|tal|wald|weiler)"
)
"""A word formed like the name of a town."""
_FOREMOST = 10
"""So many times as many inhabitants as its namesakes in other states has the town that is meant."""


@dataclass(frozen=True, slots=True)
class Town:
    """A town; `state` is the code of the place above it, `people` are hundreds of inhabitants."""

    name: str
    state: str
    people: int

    @property
    def code(self) -> str:
        """Its code, as an operator would give it: `de-nw-koeln`."""
        return f"{self.state}-{key(self.name)}"


def load() -> None:
    """Read the table now, in the background, so that nobody has to wait for it later."""
    _lines()


def key(name: str) -> str:
    """The letters by which a name is looked up: "st.gallen" is "St. Gallen"."""
    return "".join(letter for letter in fold(name) if letter.isascii() and letter.isalnum())


def called(letters: str) -> list[Town]:
    """The towns with a name of these letters, as `key` gives them."""
    lines = _lines()
    begin = bisect_left(lines, f"{letters}\t")
    found = []
    while begin < len(lines) and lines[begin].startswith(f"{letters}\t"):
        _, name, state, people = lines[begin].split("\t")
        found.append(Town(name, state, int(people)))
        begin += 1
    return found


def town_name(code: str) -> str | None:
    """The name of the town with this code; None if there is none."""
    state, _, letters = code.rpartition("-")
    towns = [town for town in called(letters) if f"{town.state}-".startswith(f"{state}-")] if state else []
    if not towns:
        return None
    name = max(towns, key=lambda town: town.people).name
    called_so = (name[:end] for end in range(len(name)) if key(name[:end]) == letters != key(name))
    return next(called_so, name)


def town_called(name: str, countries: Collection[str]) -> str | None:
    """The code of the town in `countries` with this name; None if there is none."""
    letters = key(name)
    towns = [town for town in called(letters) if town.state.partition("-")[0] in countries]
    return _foremost(towns, letters, countries) if towns else None


SEATS = frozenset({"be-bru-brussels", "fr-ges-strasbourg", "lu-luxembourg"})
"""Where they are named, the European Union is meant."""


def towns_in(question: str, countries: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Where `question` names towns as places (start, end), each with its code. Of namesakes those in
    `countries` are meant, and the one that is by far the largest; else just the country is known."""
    from core.registry.strangers import are_keywords

    question = question[:_READ]
    small = question == question.lower()
    reached = 0
    for before in _BEFORE().finditer(question):
        article = _MERGED.get(before[0].strip().casefold(), "")
        words = _words(question, before.end())
        if not words or before.end() < reached or not (small or words[0][0][0].isupper()):
            continue
        if town := _named(question, words, article, countries, small=small):
            reached = town[1]
            yield town
    if not reached and len(question) <= _KEYWORDS and are_keywords(question):
        words = [*_WORD.finditer(question)]
        for tail in (words[-1:], words[:1] if len(words) > 1 else []):
            if tail and (town := _named(question, tail, "", countries, small=tail[0][0].islower())):
                yield town
                return


def is_town_meant(name: str, *, small: bool) -> bool:
    """Whether `name` means a town, and not what else it says. `small`: all of its text is in lower case."""
    towns = called(key(name))
    return bool(towns) and (" " in name or _is_meant(name, towns, small=small))


def _words(question: str, start: int) -> list[re.Match[str]]:
    """The words from `start` on that one name may be made of."""
    words: list[re.Match[str]] = []
    for word in islice(_WORD.finditer(question, start), _MOST_WORDS):
        if words and not _JOINT.fullmatch(question, words[-1].end(), word.start()):
            break
        words.append(word)
    return words


def _named(
    question: str, words: Sequence[re.Match[str]], article: str, countries: Collection[str], *, small: bool
) -> tuple[int, int, str] | None:
    for number in range(min(_MOST_WORDS, len(words)), 0, -1):
        start, end = words[0].start(), words[number - 1].end()
        if number > 1 and words[0][0].casefold() in listed("names.articles") and not words[1][0][0].isupper():
            continue  # "à la crèche", not La Crèche
        letters = article + key(question[start:end])
        towns = called(letters)
        if not towns and number == 1 and letters.endswith("s"):
            towns = [each for each in called(letters[:-1]) if each.people >= _LARGE]
        if towns and (number > 1 or article or _is_meant(words[0][0], towns, small=small)):
            return start, end, _foremost(towns, letters, countries)
    return None


def _is_meant(word: str, towns: Sequence[Town], *, small: bool) -> bool:
    """Whether a single `word` means one of `towns`, and not what else it says."""
    people = max(town.people for town in towns)
    large = people >= _LARGE
    if (word.isupper() and not small) or (small and len(word) < _SHORTEST and not large):
        return False
    from core.evidence.dictionary import is_listed

    common = any(is_listed(skeleton(form), tags()[0]) for form in (word, word.removesuffix("s")))
    if not common or FORMED.fullmatch(word.casefold()):
        return True
    if small:
        return large and any(lemma(word.casefold(), tag)[:1].isupper() for tag in tags())
    return large or (people >= _KNOWN and all(lemma(word, tag) == word for tag in tags()))


def _foremost(towns: Sequence[Town], letters: str, countries: Collection[str]) -> str:
    own = [town for town in towns if town.state.partition("-")[0] in countries] or towns
    best = max(own, key=lambda town: town.people)
    rivals = [town for town in own if town.state != best.state and town.people * _FOREMOST > best.people]
    if any(town.state.partition("-")[0] == best.state.partition("-")[0] for town in rivals):
        return f"{best.state.partition('-')[0]}-{letters}"
    return best.code


@cache
def _lines() -> list[str]:
    """The rows of the table, sorted."""
    return files("core.registry").joinpath("towns.tsv").read_text("utf-8").splitlines()
