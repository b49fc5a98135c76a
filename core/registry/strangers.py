"""Finds parties that a question asks about although no registry has them: "Was fordert die Wolkenpartei?".

The reply must say that there is no source for it, not what others say. A name counts if its form marks it as
a party's ("Wolkenpartei", "Moonlight Party", "Parti des Brumes"); an ambiguous or well-known one ("Tories")
counts in a party's position: after a verb of saying or wanting, after "the position of", in a list with
others, and among a few words that make no sentence ("Mindestlohn SPD"). The positions of registered names are
given, and they are never strangers.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from core.evidence.dictionary import is_listed
from core.evidence.skeleton import skeleton
from core.language.languages import tags
from core.language.patterns import pattern
from core.language.terms import is_function_word
from core.registry.names import adjective_language, fold, names_party
from core.registry.usual_parties import every_name, names_in

_HIDDEN = "\ue000"
"""Replaces every letter of a registered name."""
_STAND_IN = "\ue001"
_NEAR = 100
"""Characters beside a name that are examined to classify it."""
_READ = 600
"""Maximum characters of a text that are read: nobody asks about parties beyond that."""
_ARTICLE = r"(?:(?:{strangers.articles})\s+|l['’])?"
_SHAPES = pattern(r"(?<![\w-])(?:{strangers.shapes})(?![\w-])")
_SMALL_SHAPES = pattern(r"(?<![\w-])(?:{strangers.small_shapes})(?![\w-])")
_LOOSE = pattern(r"(?<![\w-])(?:{strangers.loose})(?![\w-])")
_PROPER = pattern(r"(?<![\w-])(?:{strangers.proper})(?![\w-])")
_NAMED = pattern(
    r"(?<![\w-])(?:[A-ZÄÖÜÉ][\w'’-]+)(?:(?: (?:{strangers.links}))* [A-ZÄÖÜÉ][\w'’-]*)*(?<= |\w)(?![\w-])"
)
_GENERIC = pattern(r"(?:{strangers.generic})")
_NEVER = pattern(r"\b(?:{strangers.never})\b")
_BEFORE = pattern(
    rf"(?:\b(?:{{strangers.before}})\s+{_ARTICLE}|\b(?:{{strangers.source}})\s+){_ARTICLE}$", re.IGNORECASE
)
_POSITION_OF = pattern(rf"\b(?:{{strangers.position_of}})\s+{_ARTICLE}$", re.IGNORECASE)
_BODIES = pattern(r"(?:{strangers.bodies})")
_WANTING = pattern(rf"\b(?:{{strangers.wanting}})\s+{_ARTICLE}$", re.IGNORECASE)
_WANTED = pattern(r"^\s*(?:{strangers.wanted})\b", re.IGNORECASE)
_FIRST = pattern(rf"^\W*(?:(?:{{follow_ups.leading}})\s+)?{_ARTICLE}$", re.IGNORECASE)
_BEHIND = pattern(
    r"^(?:['’](?:s\b|(?=\s))|\s*[:?]|\s*$|\s+[–—-]\s|\s*,?\s*\b(?:{strangers.behind})\b)", re.IGNORECASE
)
_ROW = pattern(
    rf"[{_HIDDEN}{_STAND_IN}](?:\s*[,/&]|\s+(?:{{strangers.joining}})\b)(?:\s*(?:{{strangers.joining}})\b)?\s*{_ARTICLE}$",
    re.IGNORECASE,
)
_ROW_BEHIND = pattern(
    rf"^(?:\s*[,/&]|\s+(?:{{strangers.joining}})\b)(?:\s*(?:{{strangers.joining}})\b)?\s*{_ARTICLE}[{_HIDDEN}{_STAND_IN}]",
    re.IGNORECASE,
)
_LIST = pattern(rf"[{_HIDDEN}{_STAND_IN}](?:\s*[,/&]|\s+(?:{{strangers.also}}))\s*{_ARTICLE}$", re.IGNORECASE)
_LIST_BEHIND = pattern(
    rf"^(?:\s*[,/&]|\s+(?:{{strangers.also}}))\s*{_ARTICLE}[{_HIDDEN}{_STAND_IN}]", re.IGNORECASE
)
_ACRONYM = 6
"""Maximum letters of an all-capitals name."""
_ALSO = pattern(
    rf"\b(?:{{strangers.wanting}})\b.*[{_HIDDEN}{_STAND_IN}]\s+(?:{{strangers.also}})\s+{_ARTICLE}$",
    re.IGNORECASE,
)
_ALSO_BEHIND = pattern(rf"^\s+(?:{{strangers.also}})\s+{_ARTICLE}[{_HIDDEN}{_STAND_IN}]", re.IGNORECASE)
_LAST_ARTICLE = pattern(rf"(?<!\w){_ARTICLE}$", re.IGNORECASE)
_SAID = rf"[\w{_HIDDEN}{_STAND_IN}'’()-]+"
_KEYWORDS = re.compile(rf"\s*{_SAID}(?:[\s,/]+{_SAID}){{1,5}}\s*[?.!]?\s*")
"""Two to six words without a clause."""
_INITIALS = 3
"""Maximum letters of an abbreviation that may stand for anything."""
_THEY = pattern(r"^[^.!?]*?\b(?:{strangers.they})", re.IGNORECASE)
_TOPIC = pattern(rf"\b(?:{{strangers.topic}})\s+{_ARTICLE}$", re.IGNORECASE)

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Stranger:
    """An unregistered party, as written in characters `start` to `end` of the question."""

    name: str
    start: int
    end: int


def strangers(
    question: str,
    known: Iterable[Stretch],
    names: Iterable[str] = (),
    countries: frozenset[str] = frozenset(),
) -> tuple[Stranger, ...]:
    """The unregistered parties that `question` asks about, in its order. `known` are the ranges that name
    something registered, `names` the names of parties, `countries` those of the library."""
    text = question[:_READ]
    for start, end in known:
        if end <= len(text):
            text = text[:start] + _HIDDEN * (end - start) + text[end:]
    stems = {_stem(name) for name in names}
    stretches: list[Stretch] = []
    for shape in (*_shapes(text), _known()):  # names in a list with one already found
        for start, end in _candidates(text, shape, countries):
            if _stem(text[start:end].split()[0]) not in stems:
                stretches.append((start, end))
                text = text[:start] + _STAND_IN * (end - start) + text[end:]
    return tuple(Stranger(_shown(question[start:end]), start, end) for start, end in sorted(stretches))


def _shown(name: str) -> str:
    name = " ".join(name.split())
    return (every_name().get(fold(name)) if name.islower() else None) or name[0].upper() + name[1:]


def _shapes(text: str) -> tuple[re.Pattern[str], ...]:
    """Names recognised by their form, then those recognised only by their position."""
    small = not any(letter.isupper() for letter in text)
    formed = _SMALL_SHAPES() if small else _SHAPES()
    return (_known(marked=True), formed, _known(), _LOOSE(), _PROPER(), _NAMED())


@cache
def _known(*, marked: bool = False) -> re.Pattern[str]:
    """Patterns for the names of well-known parties, longest first, in any letter case, with or without
    umlauts and accents: one for names with punctuation in them, which may contain others, one for those
    without."""
    names = [name for name in {*every_name().values()} if marked is any(sign in name for sign in "–,(")]
    names = [
        name for name in names if " " in name or "partei" in name or not _GENERIC().fullmatch(fold(name))
    ]
    names.sort(key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(_in_any_writing, names))})(?![\w-])", re.IGNORECASE)


def _in_any_writing(name: str) -> str:
    """A pattern of a name: with "oe" for "ö", "e" for "é", any apostrophe, any dash."""
    signs = {"'": "['’]", "–": "[–-]", " ": r"\s+"}
    return "".join(
        signs.get(sign) or (re.escape(sign) if sign.isascii() else f"(?:{sign}|{re.escape(fold(sign))})")
        for sign in name
    )


def _is_written_so(name: str, *, small: bool) -> bool:
    """Whether the letter case fits a known name. Unless everything is in lower case, a common word in lower
    case is not a name ("reform", "mitte"), except a word for people ("tories")."""
    usual = every_name().get(fold(name), name)
    if usual[-1].isupper() and len(usual) > _ACRONYM:  # "Die PARTEI"
        return name[-1].isupper()
    if usual.startswith("Die ") and is_listed(skeleton(usual[4:]), "de"):  # "die Mitte" may be anybody's
        return name[0].isupper()
    return small or name[0].isupper() or not is_listed(skeleton(name), "de") or name.endswith("s")


def _candidates(text: str, shape: re.Pattern[str], countries: frozenset[str]) -> list[Stretch]:
    stretches = []
    if shape in (_known(), _known(marked=True)):
        small = text == text.lower()
        spans = [each.span() for each in shape.finditer(text) if _is_written_so(each[0], small=small)]
        return [
            (start, end)
            for start, end in spans
            if _stands_as_party(text, start, end, shape) or _is_keyword(text, start, end, countries)
        ]
    for each in shape.finditer(text):
        start, end = _trimmed(text, each.start(), each.end())
        again = shape.match(text, start)
        if again is None or again.end() < end:
            continue
        end = start + len(again[0].rstrip(" -"))
        if not _is_no_name(text[start:end]) and _stands_as_party(text, start, end, shape):
            stretches.append((start, end))
    return stretches


def _is_keyword(text: str, start: int, end: int, countries: frozenset[str]) -> bool:
    """Whether a well-known name is among a few words that are not a sentence. One with another meaning
    ("Zentrum", "REP") counts as the last of them alone or beside another party, an abbreviation as the first
    too, and for a party of `countries`."""
    before, after = _LAST_ARTICLE().sub("", text[:start]), text[end:]
    if not are_keywords(before + _STAND_IN + after):
        return False
    name = text[start:end]
    if _is_unmistakable(name):
        return True
    placed = (
        not after.strip(" ?.!")
        or before.rstrip().endswith((_HIDDEN, _STAND_IN))
        or after.lstrip().startswith((_HIDDEN, _STAND_IN))
        or (not before.strip() and len(name) <= _INITIALS)
    )
    return placed and fold(name) in names_in(countries)


def are_keywords(line: str) -> bool:
    """Whether `line` is a few words that make no sentence: none of them is a function word."""
    if not _KEYWORDS.fullmatch(line):
        return False
    words = re.findall(r"[^\W\d_]+", line.lower())
    return not any(is_function_word(word, tag) for word in words for tag in tags())


@cache
def _is_unmistakable(name: str) -> bool:
    """Whether a well-known name means nothing but a party."""
    words = [skeleton(word) for word in re.findall(r"[^\W\d_]+", name)]
    unlisted = any(not any(is_listed(word, language) for language in tags()) for word in words)
    return len(name) > _INITIALS and (names_party(name) or unlisted)


def _stands_as_party(text: str, start: int, end: int, shape: re.Pattern[str]) -> bool:
    before, after, name = text[max(0, start - _NEAR) : start], text[end : end + _NEAR], text[start:end]
    in_row = bool(_ROW().search(before) or _ROW_BEHIND().match(after))
    wanted = bool(_WANTING().search(before) and _WANTED().match(after))
    set_off = after.lstrip().startswith((",", "–", "—"))
    begins = start <= _NEAR and bool(_FIRST().match(before))
    spoken_of = bool((set_off or begins) and _THEY().match(after))
    if shape is _PROPER():
        asked = wanted or in_row or bool(_POSITION_OF().search(before))
        return ((asked and start > 0) or bool(_ALSO_BEHIND().match(after))) and _is_proper(name)
    if shape is _NAMED():
        listed = bool(_LIST_BEHIND().match(after))
        follows = bool(_LIST().search(before)) and (listed or bool(_WANTED().match(after)))
        leads = listed and bool(_WANTING().search(before))
        asked_too = follows or leads or bool(_ALSO().search(before) or _ALSO_BEHIND().match(after))
        return (wanted or asked_too or spoken_of) and _is_own_name(name)
    if _TOPIC().search(before) and not in_row and not spoken_of:
        return False
    formed = shape is _SMALL_SHAPES() and name.isalpha() and not is_listed(skeleton(name), "de")
    first = begins and bool(_BEHIND().match(after))
    return (
        formed
        or shape is _SHAPES()
        or in_row
        or first
        or wanted
        or spoken_of
        or bool(_BEFORE().search(before))
    )


def _is_proper(name: str) -> bool:
    """Whether a capitalised adjective shows that `name` is a proper name, and not an office or a court: "Neue
    Mitte Sachsen"."""
    first, *others = re.findall(r"[^\W\d_]+", name)
    adjective = adjective_language(first.lower()) == "de" or first.endswith(("ige", "igen"))
    return adjective and bool(others) and not any(_BODIES().fullmatch(fold(word)) for word in others)


def _trimmed(text: str, start: int, end: int) -> Stretch:
    """The name without leading words that no name begins with: "Does the", "Und die"."""
    while (word := re.match(r"[\w'’]+[\s-]+", text[start:end])) and _NEVER().fullmatch(
        fold(word[0]).strip(" -")
    ):
        start += word.end()
    return start, end - len(text[start:end]) + len(text[start:end].rstrip(" -"))


def _is_no_name(name: str) -> bool:
    name = fold(name)
    taken = _HIDDEN in name or _STAND_IN in name
    return taken or bool(_GENERIC().fullmatch(name) or _NEVER().fullmatch(name))


def _is_own_name(name: str) -> bool:
    """Whether a word of `name` is in no dictionary, and none denotes another kind of speaker: acts,
    courts."""
    words = re.findall(r"[^\W\d_]{2,}", name)
    if not words or any(_NEVER().fullmatch(fold(word)) for word in words) or re.search(r"\d", name):
        return False
    return any(not is_listed(skeleton(word), "de") for word in words) and not re.search(
        r"(?:G|GB|VO|O)$", name
    )


@cache
def _stem(word: str) -> str:
    return re.sub(r"(?:s|e|en|n)$", "", fold(word))
