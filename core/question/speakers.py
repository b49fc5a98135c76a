"""Speakers asked about by name whose words are in others' documents: a person in minutes, a party in a table
of answers. Only words under that name answer such a question.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from core.domain.passages import Passage, PassageKind
from core.evidence.pieces import STOPS
from core.evidence.text import legible
from core.language.patterns import pattern
from core.language.sentences import sentences
from core.library.chunking.prose import SEPARATOR

_CAPITAL = r"(?-i:[A-ZÄÖÜÉ](?:[\w-]|['’](?!s\b))*\w)"
_NAME = rf"(?:(?-i:[A-ZÄÖÜÉ])\. ?)*{_CAPITAL}(?:(?: (?:von|van|de|du|le|la))*\s{_CAPITAL}){{0,2}}"
_OFFICE = r"(?:{speakers.together}|{speakers.offices}|{speakers.titles})"
_PERSON = rf"(?<![\w-])(?P<office>{_OFFICE}(?:,?\s+(?:the |le |la )?{_OFFICE})*)\s+(?P<name>{_NAME})"
_PERSON_NAMED = pattern(_PERSON)
_OFFICES = pattern(_OFFICE)
_OF_SEVERAL = pattern(r"(?:{speakers.together})")
_ANOTHER = pattern(
    r"(?:\s*\([^()]*\))?(?:,?\s+(?:{speakers.joining})(?![\w-])|\s*[/&]|,(?=\s+(?:(?i:{told.articles}|the|le|la)\s+)?"
    + _OFFICE
    + r"))\s*(?:(?i:{told.articles}|the|le|la)\s+)?"
    rf"(?:(?P<office>{_OFFICE}(?:,?\s+{_OFFICE})*)\s+)?(?P<name>{_NAME})(?![\w-])"
)
_WHOM = r"(?:(?i:{told.articles}|the|le|la)\s+)?" + _PERSON
_ASKED = (
    pattern(
        rf"(?<!\w)(?:{{speakers.interrogatives}})['’\s](?:[\w'’-]+\s+){{0,4}}?(?:{{speakers.asking}})\s+{_WHOM}"
    ),
    pattern(
        rf"(?<!\w)(?:{{speakers.interrogatives}})['’\s](?:[\w'’-]+\s+){{0,4}}?(?:{{speakers.having}})\s+{_WHOM}"
        r"[^.?!]*?\b(?:{speakers.asking})\b"
    ),
    pattern(rf"\b(?i:{{speakers.according}}|{{speakers.views}})\s+{_WHOM}"),
    pattern(rf"\b(?:{{told.plans}})\s+(?:{{speakers.having}})\s+{_WHOM}"),
    pattern(_PERSON + r"['’]s?\s+(?:\w+\s+)?(?:{told.plans})\b"),
)
_THE_BODY = re.compile(r"\b(?:der|des|dem|vom|im)\s+$", re.IGNORECASE)
_SITS = re.compile(r"\w+rat$")
_BEGINS = pattern(rf"^[\W\d]*(?:(?:The|Der|Die|Le|La)\s+)?{_PERSON}")
_SAYS = pattern(r"^(?!['’])[^.;:!?]{0,90}?(?<![\w-])(?:{speakers.saying})(?![\w-])|^(?:\s*\([^()]*\))?\s*:")
_SAY = pattern(
    r"^(?!['’])[^.;:!?]{0,90}?(?<![\w-])(?:{speakers.saying}|{speakers.saying_together})(?![\w-])"
    r"|^(?:\s*\([^()]*\))?\s*:"
)
_SAID_BY = pattern(
    r"(?:(?<![\w-])(?:{speakers.saying}|{speakers.saying_together})|\b(?:{speakers.according}))\s+"
    r"(?:der |die |the |le |la )?" + _PERSON,
    re.IGNORECASE,
)
_REPLIES = pattern(
    r"^\W*(?:{speakers.replying})\b[^,.]*,\s+(?:the |le |la )?" + _PERSON + r"\s+(?:{speakers.saying})"
)
_GOES_ON = pattern(r"^\W*(?:{speakers.pronouns})\b|\b(?:{told.indirect})\b")
_BODY = pattern(r"(?<![\w-])(?:{speakers.bodies})(?![\w-])")
_DECIDING = pattern(r"(?<![\w-])(?:{speakers.deciding})(?![\w-])")
_PARTY_NAMED = pattern(
    rf"\b(?:(?i:{{speakers.asking}})|does|did)\s+(?:(?i:{{told.articles}}|the|le|la)\s+)?"
    rf"(?P<name>{_CAPITAL}(?:(?: (?:{{speakers.links}}))* {_CAPITAL})+)(?![\w-])"
)


@dataclass(frozen=True, slots=True)
class Speaker:
    """A speaker's name, and the offices and titles before it; a party has none."""

    name: str
    offices: frozenset[str] = frozenset()
    shown: str = ""

    @property
    def is_person(self) -> bool:
        """Whether it is a person rather than a party."""
        return bool(self.offices)

    def may_be(self, other: "Speaker") -> bool:
        """Whether `other` may be the same person: the surname matches, and no office or title contradicts
        it."""
        if self.name.split()[-1].casefold() != other.name.split()[-1].casefold():
            return False
        mine, theirs = (each.offices - _GENERIC for each in (self, other))
        if mine and theirs and mine.isdisjoint(theirs):
            return False
        own, its = (_addressed(each.offices) for each in (self, other))
        return not (own and its) or own == its


_WOMEN = frozenset({"frau", "mrs", "ms", "miss", "mme", "mlle", "madame"})
_MEN = frozenset({"herr", "herrn", "mr", "sir", "m", "monsieur"})
_GENERIC = _WOMEN | _MEN | {"dr", "prof", "professor"}
_SAME = {"councillor": "cllr", "councilor": "cllr"}
_WOMANS, _MANS = re.compile(r"(?:in|frau)$"), re.compile(r"(?:meister|rat|herr|leiter|kämmerer)$")


def _addressed(offices: frozenset[str]) -> str:
    """Whether offices are a woman's or a man's, "" if they do not show."""
    if offices & _WOMEN or any(map(_WOMANS.search, offices)):
        return "woman"
    return "man" if offices & _MEN or any(map(_MANS.search, offices)) else ""


def _speaker(found: re.Match[str]) -> Speaker:
    """The speaker of a match. Titles shared by several names describe none of them."""
    called = found["office"] or ""
    named = [each[0] for each in _OFFICES().finditer(called)]
    own = (each.casefold().strip(" .") for each in named if not _OF_SEVERAL().fullmatch(each))
    offices = frozenset(_SAME.get(each, each) for each in own)
    return Speaker(found["name"], offices, " ".join(f"{called} {found['name']}".split()))


def person_asked(question: str) -> Speaker | None:
    """The person, named with an office or title, whose statements `question` asks for."""
    for found in filter(None, (each().search(question) for each in _ASKED)):
        before = question[: found.start("office")]
        if not (_THE_BODY.search(before) and _SITS.search(found["office"])):  # "der Stadtrat Oberau"
            return _speaker(found)
    return None


def party_asked(question: str) -> Speaker | None:
    """The name, of several words and possibly a party's, whose statements `question` asks for."""
    found = _PARTY_NAMED().search(question)
    return Speaker(found["name"], shown=found["name"]) if found else None


def asks_for_decision(question: str) -> bool:
    """Whether `question` asks what a body has decided or holds."""
    asked = _BODY().search(question) and _DECIDING().search(question)
    return bool(asked) and person_asked(question) is None


def speakers_of(sentence: str) -> tuple[Speaker, ...]:
    """The persons who say a sentence of minutes, according to the sentence: several if they speak
    together."""
    text = legible(sentence)
    if found := _BEGINS().match(text):
        end, others = _joined(text, found.end())
        says = _SAY if others else _SAYS
        return (_speaker(found), *others) if says().match(text[end:]) else ()
    named = _SAID_BY().search(text) or _REPLIES().search(text)
    return (_speaker(named), *_joined(text, named.end("name"))[1]) if named else ()


def _joined(text: str, end: int) -> tuple[int, list[Speaker]]:
    """The persons named together with the one whose name ends at `end`, and where the last name ends."""
    others: list[Speaker] = []
    while found := _ANOTHER().match(text, end):
        others.append(_speaker(found))
        end = found.end()
    return end, others


def turns(passage: Passage, language: str) -> Iterator[tuple[int, int, tuple[Speaker, ...]]]:
    """The ranges of a passage in which one or several persons speak, each from the sentence that names them
    to where another speaker takes over."""
    text = passage.text
    turn: tuple[int, int, tuple[Speaker, ...]] | None = None
    for start, end in sentences(text, language):
        sentence = legible(text[start:end])
        who = speakers_of(sentence)
        anew = who or _BEGINS().match(sentence) or (turn and "\n" in text[turn[1] : start])
        if turn and not anew and _GOES_ON().search(sentence):
            turn = (turn[0], end, turn[2])
            continue
        if turn:
            yield turn
        turn = (start, end, who) if who else None
    if turn:
        yield turn


def is_column(passage: Passage, party: Speaker) -> bool:
    """Whether a table has a column for a party."""
    return passage.kind is PassageKind.TABLE and _has(passage.heading.rpartition(SEPARATOR)[2], party.name)


def is_head(row: str, passage: Passage) -> bool:
    """Whether a row of a table names its columns: its first column is in the heading, whatever it is."""
    return row in passage.heading and not STOPS.search(row)


def is_row(line: str, party: Speaker) -> bool:
    """Whether a row of a table is a party's."""
    return bool(re.match(rf"\W*{re.escape(party.name)}(?!\w)", legible(line), re.IGNORECASE))


def speaks_in(passage: Passage, who: Speaker, language: str) -> bool:
    """Whether a passage contains words of a speaker."""
    if who.is_person:
        return any(map(who.may_be, chain.from_iterable(said for _, _, said in turns(passage, language))))
    rows = passage.text.split("\n") if passage.kind is PassageKind.TABLE else ()
    return any(is_row(each, who) and not is_head(each, passage) for each in rows) or is_column(passage, who)


def _has(text: str, name: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", legible(text), re.IGNORECASE))
