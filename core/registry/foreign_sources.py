"""Sources that the text around an alleged quote names and the library does not have: a party's branch in
another place, another kind of paper, another law or constitution.

A quote that is in one of our documents is not confirmed for them ("SPD Hamburg", "Grundsatzprogramm der FDP",
"Weimarer Verfassung", "BGB"). Names count only where they stand beside the party, or as a law is named.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from core.domain.documents import POLITICAL_TYPES, STATUTORY_TYPES, Document, DocumentFields, DocumentType
from core.language.languages import every
from core.language.patterns import pattern, words
from core.registry.names import fold
from core.registry.registry import Places
from core.registry.titles import is_titled
from core.registry.towns import is_town_meant

_NEAR = 120
"""Characters beside a name that are read for what it is of."""
_SHORTEST = 4
"""Letters of a place's name; one letter less for countries and states with their capital."""
_MOST_PLACE_WORDS = 3
_PLACE_BEHIND = pattern(
    r"^(?:\s*[-,(]?\s*(?:{sources.branches}))?\s*[-(]?\s*(?:(?:{sources.of_place})\s+)?(?P<place>[^\W\d_][\w'’.-]+(?:\s[^\W\d_][\w'’.-]+){0,2})"
)
_BRANCH_BEFORE = pattern(
    r"(?:{sources.branches})\s+(?P<place>[^\W\d_][\w-]+)\s+(?:{sources.of})(?:\s+\w{2,3})?\s*$"
)
_PLACE_BEFORE = re.compile(r"(?P<place>[^\W\d_]\w{2,})er\s*[-–]?\s*$")
_PLACE = re.compile(r"[^\W\d_][\w'’-]+(?:\s[^\W\d_][\w'’-]+){0,2}")
_GENITIVE = re.compile(r"['’]s\b")
_BESIDE_PAPER = 4
"""Maximum words between a place and the paper that is said to be of it."""

_CONSTITUTION = pattern(
    r"(?:(?P<adjective>(?<![\w-])[\w-]+)\s+)?(?P<name>\b(?:[\w-]+-)?(?:{sources.constitutions}))\b"
    r"(?:\s+(?:fédérale|federal))?(?:\s+(?:(?:{sources.of})\s+|d[’'])?(?P<of>[\w-]+))?",
    re.IGNORECASE,
)
_CONSTITUTION_WORD = pattern(r"(?:{sources.constitutions})\b", re.IGNORECASE)
_LAW = pattern(r"(?<![\w-])(?:{sources.laws})(?![\w-])")
_SMALL_LAW = pattern(r"(?<![\w-])(?:[^\W\d_][\w-]+\s){1,3}(?:{sources.small_laws})(?![\w-])")
"""The same in a text without capitals."""
_CODE = pattern(r"(?<![\w-])(?:{sources.codes})(?![\w-])", re.IGNORECASE)
_SIGLUM = re.compile(r"(?<![\w-])[A-ZÄÖÜ][a-zäöü]?[A-ZÄÖÜa-zäöü]{1,10}(?:GB|PO|[a-z]G|SG)(?![\w-])")

Fits = Callable[[DocumentFields], bool]


def _typed(*kinds: DocumentType) -> Fits:
    return lambda fields: fields.doc_type in (*kinds, DocumentType.OTHER, None)


def _below(depth: int) -> Fits:
    """Whether a document is a programme for a place at `depth`: 0 a country, 1 a state, 2 a town."""

    def fits(fields: DocumentFields) -> bool:
        place = fields.jurisdiction
        political = fields.doc_type in POLITICAL_TYPES
        return political and (place is None or min(place.count("-"), 2) == depth)

    return fits


_NEVER: Fits = lambda _: False  # noqa: E731 - only a title shows it
_OF_PARTIES: Mapping[str, Fits] = MappingProxyType(
    {
        "european": _NEVER,
        "state": _below(1),
        "municipal": _below(2),
        "federal": _below(0),
        "basic": lambda fields: fields.doc_type is DocumentType.BASIC_PROGRAMME,
        "agreement": lambda fields: fields.doc_type is DocumentType.COALITION_AGREEMENT,
        "resolution": lambda fields: fields.doc_type is DocumentType.MOTION,
        "paper": _NEVER,
    }
)
"""The kinds of parties' papers, by the field of their words, and the documents that are some."""
_OF_OTHERS: Mapping[str, Fits] = MappingProxyType(
    {
        "judgment": _NEVER,
        "circular": _typed(DocumentType.CIRCULAR),
        "agreement": lambda fields: fields.doc_type is DocumentType.COALITION_AGREEMENT,
        "faq": _typed(DocumentType.GUIDANCE),
        "guidelines": _typed(DocumentType.GUIDANCE, DocumentType.CIRCULAR),
        "statute": _typed(*STATUTORY_TYPES),
    }
)
_KIND_WORDS = {
    name: pattern(rf"(?<![^\W\d_])(?:{{sources.{name}}})(?![^\W\d_])", re.IGNORECASE)
    for name in {**_OF_PARTIES, **_OF_OTHERS}
}


def place_beside(text: str, start: int, end: int, places: Places) -> str:
    """The code of the place that the party in characters `start` to `end` of `text` is said to be of, by the
    words right beside it ("SPD Hamburg", "Kölner CDU", "FDP in Österreich"); "" if there is none."""
    small = text == text.lower()
    leading, following = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    if before := _PLACE_BEFORE.search(leading):
        stem = before["place"]
        for name in (stem, f"{stem}en", f"{stem}e"):
            if code := _place(name, places, small=small):
                return code
    if branch := _BRANCH_BEFORE().search(leading):
        return _place(branch["place"], places, small=small)
    near = (*leading.split()[-1:], *following.split()[:1])
    if code := next(filter(None, (_country(word) for word in near)), ""):
        return code
    behind = _PLACE_BEHIND().match(following)
    return _longest_place(behind["place"], places, small=small) if behind else ""


def _longest_place(said: str, places: Places, *, small: bool) -> str:
    """The code of the place that `said` begins with."""
    named = said.split()
    for number in range(min(len(named), _MOST_PLACE_WORDS), 0, -1):
        if code := _place(" ".join(named[:number]).strip(".'’-"), places, small=small):
            return code
    return ""


def _place(name: str, places: Places, *, small: bool) -> str:
    short = len(name) < _SHORTEST
    if (short and small) or len(name) < _SHORTEST - 1 or not (small or name[:1].isupper()):
        return ""
    if not places.names_one(name) and (short or not is_town_meant(name, small=small)):
        return ""  # looking up what is none of them would look for what it resembles
    found = places.resolve(name)
    return found if isinstance(found, str) else ""


def place_of_paper(text: str, places: Places) -> tuple[str, bool]:
    """The code of the place beside a word for a paper in `text`, "" if there is none, and whether the paper
    is called by it ("Delhi FAQs") and not only said to hold there ("the rules in Goa")."""
    small = text == text.lower()
    papers = [found.span() for name in _OF_OTHERS for found in _KIND_WORDS[name]().finditer(text)]
    for start, end in papers:
        for near, called_so in (
            (text[max(0, start - _NEAR) : start].split()[-_BESIDE_PAPER:], True),
            (text[end : end + _NEAR].split()[:_BESIDE_PAPER], False),
        ):
            for at in range(len(near)):
                said = _PLACE.match(" ".join(near[at:]))
                if said and (code := _longest_place(_GENITIVE.sub("", said[0]), places, small=small)):
                    return code, called_so
    return "", False


def kinds_named(text: str, *, parties: bool) -> dict[str, str]:
    """The kinds of papers that `text` names, by the field of their words, as written there: of `parties`, or
    of others."""
    kinds = _OF_PARTIES if parties else _OF_OTHERS
    found = {name: _KIND_WORDS[name]().search(text) for name in kinds}
    return {name: each[0] for name, each in found.items() if each}


def is_one_of(fields: DocumentFields, kinds: Mapping[str, str]) -> bool:
    """Whether a document is a paper of one of the `kinds` named."""
    fits = {**_OF_PARTIES, **_OF_OTHERS}
    return any(fits[name](fields) or _KIND_WORDS[name]().search(fields.title) for name in kinds)


def foreign_constitution(text: str, documents: Sequence[Document], places: Places) -> str:
    """The constitution that `text` names and none of `documents` is, as written; "" if there is none."""
    acts = [each.fields for each in documents if each.fields.doc_type is DocumentType.ACT]
    if any(_CONSTITUTION_WORD().search(fields.title) for fields in acts):
        return ""  # whose it is, its title tells, and not the words before it
    own = {fields.jurisdiction for fields in acts}
    names = (_foreign_constitution(found, own, places) for found in _constitutions(text))
    return next(filter(None, names), "")


def _constitutions(text: str) -> Iterator[re.Match[str]]:
    """Where `text` names constitutions, each read with what stands near it."""
    for word in _CONSTITUTION_WORD().finditer(text):
        yield from _CONSTITUTION().finditer(text[max(0, word.start() - _NEAR) : word.end() + _NEAR])


def foreign_law(text: str, documents: Sequence[Document]) -> str:
    """The law that `text` names and none of `documents` is, as written; "" if there is none."""
    small = (_SMALL_LAW(),) if text == text.lower() else ()
    for shape in (_LAW(), _CODE(), _SIGLUM, *small):
        for found in shape.finditer(text):
            name = _without_leading(found[0])
            if name and not any(is_titled(each.fields, name) for each in documents):
                return name
    return ""


def _foreign_constitution(found: re.Match[str], own: Collection[str | None], places: Places) -> str:
    """The constitution of another place than those in `own`, or of another time; "" for any other."""
    adjective, named, behind = found["adjective"] or "", found["name"], found["of"] or ""
    if fold(named) not in {fold(each) for each in words("sources.plain_constitutions")}:
        return "" if named.startswith("Bundes") and "de" in own else named
    if (code := _country(adjective)) is not None:
        return "" if code in own else f"{adjective} {named}"
    if adjective[:1].isupper() and adjective.endswith("er") and fold(adjective) not in words("sources.own"):
        return f"{adjective} {named}"  # "Weimarer", "Schweizer"
    if (code := _country(behind)) is not None:
        return "" if code in own else f"{named} {behind}"
    place = places.resolve(behind) if behind[:1].isupper() else None
    known = isinstance(place, str)
    return f"{named} {behind}" if (known and place not in own) or (not known and behind.isupper()) else ""


@cache
def _adjectives() -> dict[str, str]:
    """The code of each country by how its adjectives begin, in all languages."""
    return {stem: code for language in every() for stem, code in language.sources.adjectives.items()}


def _country(adjective: str) -> str | None:
    """The code of the country that `adjective` names, "" for one of the past; None if it names none."""
    folded = fold(adjective.strip(".,:;!?"))
    return next((code for stem, code in _adjectives().items() if folded.startswith(stem)), None)


def _without_leading(name: str) -> str:
    """The name without the articles it begins with; "" if nothing is left but a word for a law."""
    parts = name.split()
    while parts and fold(parts[0]) in words("sources.own"):
        parts.pop(0)
    return " ".join(parts) if len(parts) > 1 or len(name.split()) == 1 else ""
