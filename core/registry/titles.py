"""What a document may be called: its title, shorter forms of it, initials, aliases, common names.

Short forms are derived by rules from the title alone; common names of laws that have several ("GG", "German
constitution") are in `usual_names.toml`, an operator's names for a document in the registry (`aliases`).
"""

import re
import tomllib
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from core.domain.documents import DocumentFields, DocumentType
from core.evidence.dictionary import is_listed
from core.evidence.skeleton import skeleton
from core.registry.names import fold, tokens

_FROM_YEAR = re.compile(r"[\s,]*(?:19|20)\d\d\b.*$")
_BRACKETED = re.compile(r"\(([^)]*)\)")
_ABBREVIATION = re.compile(r"(?=\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ])[A-ZÄÖÜ][\w-]{1,9}")
_COMPOUND_LAW = re.compile(r"([A-ZÄÖÜ])[a-zäöüß]{3,10}(g)esetz")
_A_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_SIGLUM = re.compile(r"(?=.*[A-ZÄÖÜ].*[A-ZÄÖÜ])[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]{1,14}")
_LONG_NAME = 5
"""Minimum letters of a single word that names a document; a shorter one must be an abbreviation."""
_ENDINGS = frozenset({"", "s", "es", "n", "en"})
_KINDS_BY_LETTERS = {
    "g": "gesetz",
    "gb": "gesetzbuch",
    "vo": "verordnung",
    "v": "verordnung",
    "o": "ordnung",
    "s": "satzung",
}
_LINKS = re.compile(r"[\s:–—-]+")
_KNOWN = 10_000
"""Number of documents whose names are cached: every question is matched against all of them."""
_COALITIONS = ("Koalition", "Koalitionsvertrag", "Regierung", "Landesregierung")
_KINDS: dict[DocumentType, tuple[str, ...]] = {
    DocumentType.ACT: ("Act", "act", "Law", "law", "Gesetz"),
    DocumentType.RULES: ("Rules", "rules"),
    DocumentType.REGULATION: ("Regulations", "regulations", "Regulation", "regulation", "Verordnung"),
}
"""What people add to an abbreviation, by the document's type ("RERA act")."""


def short_titles(title: str) -> set[str]:
    """Shorter forms of a title: without years and anything after them; without brackets; initials of its
    words ("GDPR"), also with the first word in brackets; abbreviations in it ("EDPB")."""
    dateless = _FROM_YEAR.sub("", title).strip(" ,:–-")
    base = undated(title)
    words = [word.text for word in tokens(base)]
    short = {dateless} if "(" in dateless and dateless.count("(") == dateless.count(")") else set()
    short |= {base} if len(words) >= 3 or (len(words) == 1 and len(base) >= 6) else set()
    short |= abbreviations(title)
    return short - {title, ""}


def undated(title: str) -> str:
    """A title without brackets, and without years and anything after them."""
    return " ".join(_FROM_YEAR.sub("", _BRACKETED.sub(" ", title)).split()).strip(" ,:–-")


def abbreviations(title: str) -> set[str]:
    """Abbreviations in a title, those made of its capitals, and that of a German compound."""
    words = [word.text for word in tokens(undated(title))]
    capitals = [word for word in words if word.isupper() and word.isalpha()]
    abbreviated = {word for word in capitals if len(word) >= 3 and not _is_plain(word)}
    abbreviated |= {
        inner.strip() for inner in _BRACKETED.findall(title) if _ABBREVIATION.fullmatch(inner.strip())
    }
    capitals = [word for word in words if word[0].isupper()]
    if len(capitals) >= 4 or (len(capitals) == len(words) == 3):
        abbreviated.add("".join(word[0] for word in capitals))
    abbreviated |= {initials for initials in _with_bracket(title) if len(initials) >= 4}
    if len(words) == 1 and (compound := _COMPOUND_LAW.fullmatch(words[0])):
        abbreviated.add(f"{compound[1]}{compound[2].upper()}")
    return abbreviated


@cache
def _is_plain(word: str) -> bool:
    """Whether a word in capitals is an ordinary word: "WAHLPROGRAMM FÜR DIE EUROPAWAHL" is not called
    "DIE"."""
    return is_listed(skeleton(word), "de")


_ITS_NAME = re.compile(
    r"(?P<name>[^\W\d_][^()\[\]\n]{3,160}(?:\n[^()\[\]\n]{1,160}){0,2}?)\s*"
    r"[(\[](?:[^()\[\]\n]{0,80}?[\s–—„“”\"'’«-])??(?P<short>[A-ZÄÖÜ][A-Za-zÄÖÜäöü-]{1,11})[“”\"'’»]?[)\]]"
)
"""A name and the last abbreviation in the brackets after it."""
_ALONE_SHORT = re.compile(
    r"(?P<name>[^\W\d_][^\n]{3,160})\n\W*(?P<short>[A-ZÄÖÜ][A-Za-zÄÖÜäöü-]{1,11})\W*(?=\n|\Z)"
)
_BEGINS = re.compile(r"^\W*(?:§|Art|Sect|Rule|Regel|\(?1[.)\s])", re.MULTILINE)
_TOP_LINES, _OPENING = 8, 3_000
_STEM = 5


def printed_abbreviations(title: str, opening: str, *, statutory: bool) -> tuple[str, ...]:
    """The abbreviations that a document's first page gives for it: "Uferschutzgesetz (UfSchG)", if the name
    is that of its title, or of a statute at the top, and contains the letters of the abbreviation."""
    opening = opening[:_OPENING]
    top = len("\n".join(opening.splitlines()[:_TOP_LINES]))
    top = min(top, next((each.start() for each in _BEGINS.finditer(opening)), top))
    stems = {word.folded[:_STEM] for word in tokens(title) if len(word.folded) >= _STEM}
    in_title = abbreviations(title)
    defined: dict[str, None] = {}
    for match in (*_ITS_NAME.finditer(opening), *_ALONE_SHORT.finditer(opening[:top])):
        short = match["short"]
        name = match.string[match.start() : match.start("short")]
        capitals = sum(letter.isupper() for letter in short)
        if capitals < 2 or short in in_title or not _spelt_in(short, name):
            continue
        line = name.rstrip().rsplit("\n", 1)[-1]
        name_stems = {word.folded[:_STEM] for word in tokens(line if len(line) > 1 else name)}
        if (statutory and match.end() <= top) or (stems and 2 * len(stems & name_stems) >= len(stems)):
            defined[short] = None
    return tuple(defined)


def _spelt_in(short: str, name: str) -> bool:
    """Whether the letters of `short` occur in `name` in order, the first at the start of a word."""
    letters = [letter for letter in fold(name) if letter.isalnum() or letter.isspace()]
    text = "".join(letters)
    wanted = "".join(filter(str.isalnum, fold(short)))
    for begin in re.finditer(rf"(?<!\w){re.escape(wanted[0])}", text):
        rest = iter(text[begin.start() :])
        if all(letter in rest for letter in wanted):
            return True
    return False


def _with_bracket(title: str) -> Iterable[str]:
    """Initials of a title whose brackets state its subject: "Water (Supply and Use) Act" gives "WSA"."""
    dateless = _FROM_YEAR.sub("", title)
    for match in _BRACKETED.finditer(dateless):
        inner = [word.text for word in tokens(match[1]) if word.text[0].isupper()]
        before = [word.text for word in tokens(dateless[: match.start()]) if word.text[0].isupper()]
        after = [word.text for word in tokens(dateless[match.end() :]) if word.text[0].isupper()]
        if inner and before and after:
            yield "".join(word[0] for word in (*before, inner[0], *after))
            yield "".join(word[0] for word in (*before, *inner, *after))


@lru_cache(maxsize=_KNOWN)
def aliases_of(fields: DocumentFields) -> tuple[str, ...]:
    """Everything a document may be called besides its title, stated names first, each spelling once."""
    short = sorted(short_titles(fields.title))
    kinds = _KINDS.get(fields.doc_type, ())
    typed = [f"{name} {kind}" for name in sorted(abbreviations(fields.title)) for kind in kinds]
    usual = (*usual_names(fields.title), *coalition_names(fields))
    names = (*fields.aliases, *usual, *short, *typed)
    return tuple(name for name in dict.fromkeys(names) if name != fields.title)


def colour_of(party: str) -> str | None:
    """The colour that a party is generally known by ("Grün")."""
    return _colours().get(_plain(party))


def coalition_names(fields: DocumentFields) -> tuple[str, ...]:
    """The names of a coalition agreement by the colours of its parties: "Grün-Schwarz", "grün-schwarze
    Koalition". None if a party has no generally known colour."""
    if fields.doc_type is not DocumentType.COALITION_AGREEMENT:
        return ()
    colours = [colour_of(party) for party in fields.parties]
    colour_names = list(dict.fromkeys(colour for colour in colours if colour))
    if len(colour_names) < 2 or None in colours:
        return ()
    name = "-".join(colour_names)
    return (name, *(f"{name.lower()}e {noun}" for noun in _COALITIONS))


def guessed_aliases(fields: DocumentFields) -> tuple[str, ...]:
    """The short names by which a document is found without being stated, for display: common names and
    abbreviations."""
    names = (
        *usual_names(fields.title),
        *sorted(short_titles(fields.title), key=lambda name: (len(name), name)),
    )
    stated = {fold(name) for name in fields.aliases}
    return tuple(name for name in dict.fromkeys(names) if fold(name) not in stated)


def usual_names(title: str) -> tuple[str, ...]:
    """The other common names of a law that has several; none for any other title."""
    return _usual().get(_plain(undated(title)), ())


@cache
def usual_places() -> dict[str, tuple[str, ...]]:
    """Common names of parts of countries besides their official ones, by code."""
    return {code: tuple(names) for code, names in _usual_names()["places"].items()}


@cache
def _colours() -> dict[str, str]:
    return {
        _plain(party): colour for colour, parties in _usual_names()["colours"].items() for party in parties
    }


@cache
def _usual() -> dict[str, tuple[str, ...]]:
    return {_plain(name): tuple(names) for names in _usual_names()["names"] for name in names}


@cache
def _usual_names() -> dict[str, Any]:
    text = files("core.registry").joinpath("usual_names.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _plain(name: str) -> str:
    return _LINKS.sub(" ", fold(name)).strip()


def is_called(fields: DocumentFields, name: str) -> bool:
    """Whether `name` is the title of a document or one of its other names, in any letter case."""
    wanted = _plain(name)
    return any(_plain(each) == wanted for each in (fields.title, *aliases_of(fields)))


def years_of(fields: DocumentFields) -> frozenset[int]:
    """The years by which people refer to a document: those in its title and number, and the year from which
    it is valid."""
    written = f"{fields.title} {fields.reference or ''}"
    begins = {fields.valid_from.year} if fields.valid_from else set()
    return frozenset({int(year) for year in _A_YEAR.findall(written)} | begins)


def is_titled(fields: DocumentFields, name: str) -> bool:
    """Whether `name` is contained in the title of a document or another of its names, regardless of
    inflection ("Hafengesetzes"), or abbreviates a law's title ("HafenG")."""
    wanted = [word.folded for word in tokens(name)]
    if not wanted or (len(wanted) == 1 and len(wanted[0]) < _LONG_NAME and not _SIGLUM.fullmatch(name)):
        return False
    for title in (fields.title, *aliases_of(fields)):
        title_words = [word.folded for word in tokens(title)]
        starts = range(len(title_words) - len(wanted) + 1)
        if any(all(map(_inflected, wanted, title_words[at : at + len(wanted)])) for at in starts):
            return True
        if _SIGLUM.fullmatch(name) and any(_abbreviates(name, word) for word in title_words):
            return True
    return False


def _inflected(one: str, other: str) -> bool:
    """Whether they are the same word apart from a genitive or plural ending."""
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and longer[len(shorter) :] in _ENDINGS


def _abbreviates(siglum: str, word: str) -> bool:
    """Whether the parts of an abbreviation begin parts of a German law's name, the last of them its kind."""
    parts = [part.casefold() for part in re.findall("[A-ZÄÖÜ][a-zäöüß]*", siglum)]
    stem, kind = "", ""
    for length in (2, 1):
        kind = _KINDS_BY_LETTERS.get("".join(parts[-length:]), "") if len(parts) > length else ""
        if kind:
            stem = ".*".join(map(re.escape, map(fold, parts[:-length])))
            break
    return bool(kind) and re.fullmatch(rf"{stem}.*{kind}(?:s|es|en)?", word) is not None
