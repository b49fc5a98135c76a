"""In whose voice the sentences of a party's paper are said: its own, that of others whose plans and words it
tells, or its own of former times.

A sentence says so by itself ("The council plans ..."), or goes on from one that does, in the mood of indirect
speech. The words of the paper itself are what is asked for, unless a question asks what an authority plans.
"""

import re
from collections.abc import Sequence
from datetime import date
from enum import Enum, auto
from functools import partial

from core.answering.lapsed import has_lapsed
from core.domain.documents import DocumentFields, DocumentType
from core.domain.passages import Passage
from core.evidence.text import legible
from core.language.patterns import pattern
from core.library.chunking.attribution import is_in_our_name
from core.library.chunking.refutations import disagrees

_I = re.IGNORECASE
_LOOKED_AT = 400
"""Characters of a sentence that may tell whose it is."""
_BETWEEN = r"(?:\W+(?!{told.obliging}\b)[\w'’-]+){0,4}?\W+"
_AUTHORITY = r"(?-i:{told.authorities})"
_TELLS = pattern(
    rf"(?<![\w-])(?:{_AUTHORITY}){_BETWEEN}(?:{{told.speaking}}|{{told.intending}})\b"
    rf"|\b(?:{{told.speaking}}|{{told.intending}})\s+(?:{{told.articles}})\s*(?:{_AUTHORITY})\b"
    rf"|\b(?:{{told.introducing}})\s+(?:{{told.articles}}|des|dem)?\s*(?:{_AUTHORITY})(?!\w)"
    r"|^\W*(?:{told.articles}|{told.one})\s*(?:[\w'’-]+\s){1,4}?(?:{told.speaking})\b",
    _I,
)
_INDIRECT = pattern(r"\b(?:{told.indirect})\b")
_DIRECT = pattern(r"\b(?:{told.direct})\b", _I)
_WE = pattern(r"\b(?:{refutations.we})\b", _I)
_FORMER = pattern(r"^\W*(?:[\w.-]+[.:,]? ){0,2}?(?:{told.former})\b", _I)
_ASKS = pattern(
    rf"\b(?:{{told.asking}})\s+(?:\w+\s+)?(?:{{told.articles}})\s*(?:[\w-]+\s+)?(?P<who>{_AUTHORITY})(?!\w)"
    rf"|\b(?:{{told.plans}})\s+(?:{{told.of}})\s*(?P<whose>{_AUTHORITY})(?!\w)"
    rf"|\b(?P<owner>{_AUTHORITY})(?:['’]s?)\s+(?:\w+\s+)?(?:{{told.plans}})\b",
    _I,
)


_OURS = pattern(r"\b(?:{voices.own}|{voices.ourselves}\b)", _I)
_QUOTED = re.compile(r"[„“\"«»](?:[^„“”\"«»\s]+\s+){3,}[^„“”\"«»]*(?:[.!?…,]\s?[“”\"«»]|[“”\"«»][,.])")
"""Words between quotation marks that end as sentences do."""
_REPLY_WORDS = 8
_COLLECTIVE = pattern(r"(?:{voices.party_nouns})$", _I)
_NAME = re.compile(r"\b[A-ZÄÖÜÉ][\w-]*")
_SHORT = 3
"""Letters of words that are no names."""


class Voice(Enum):
    """In whose voice a sentence is said."""

    OWN = auto()
    OTHERS = auto()
    FORMER = auto()
    LAPSED = auto()
    BARRED = auto()


def has_own_voice(fields: DocumentFields) -> bool:
    """Whether a paper is a party's, in which what others plan is not what it wants; what governs speaks in an
    agreement."""
    return bool(fields.parties) and fields.doc_type is not DocumentType.COALITION_AGREEMENT


def names_own(text: str, parties: Sequence[str]) -> bool:
    """Whether `text` names one of `parties`: by two words of its name, or what it calls itself ("Residents'
    Alliance"). A place in a name is many others' as well."""
    for name in (part for each in parties for part in each.split("/")):
        own, found = _words_of(name), _found(text, name)
        if found and (len(found) >= min(2, len(own)) or any(map(_COLLECTIVE().search, found))):
            return True
    return False


def words_named(text: str, party: str) -> int:
    """How many words of the name of `party` stand in `text`, inflected or not."""
    return max(len(_found(text, name)) for name in party.split("/"))


def _words_of(name: str) -> list[str]:
    return [word for word in _NAME.findall(name) if len(word) > _SHORT or word.isupper()]


def _found(text: str, name: str) -> list[str]:
    """The words of a name that stand in `text`."""
    said = [word.casefold() for word in _NAME.findall(text)]
    return [word for word in _words_of(name) if any(map(partial(_is_inflected, word.casefold()), said))]


def _is_inflected(name: str, word: str) -> bool:
    """Whether `word` is `name` with another ending."""
    return word.startswith(name[: max(_SHORT, len(name) - 2)]) and abs(len(word) - len(name)) <= 2


def voices(
    passage: Passage,
    said: Sequence[tuple[int, int]],
    fields: DocumentFields,
    day: date | None = None,
    barred: Sequence[tuple[int, int]] = (),
) -> list[Voice]:
    """In whose voice each of the sentences at `said`, which follow each other in `passage`, is; LAPSED where
    what it states does not hold on `day`, in papers that say what holds, BARRED in one of the ranges
    `barred`."""
    found: list[Voice] = []
    for start, end in said:
        before = found[-1] if found else Voice.OWN
        if passage.says_of_others(start, end):
            found.append(Voice.OTHERS)
        elif has_own_voice(fields):
            found.append(voice(passage.text[start:end], fields.parties, before))
        elif any(first <= start < last for first, last in barred):
            found.append(Voice.BARRED)
        elif day is not None and has_lapsed(legible(passage.text[start:end]), day):
            found.append(Voice.LAPSED)
        else:
            found.append(Voice.OWN)
    return found


def voice(text: str, parties: Sequence[str], before: Voice) -> Voice:
    """In whose voice a sentence of a paper of `parties` is, behind one in that of `before`; what merely calls
    that one untrue belongs to it."""
    text = legible(text[:_LOOKED_AT])
    around = _QUOTED.sub(" ", text)
    telling = _TELLS().search(text)
    if (ours := _WE().search(around)) and not (telling and telling.end() <= ours.start()):
        return Voice.FORMER if _FORMER().search(text) else Voice.OWN
    if names_own(around, parties):
        return Voice.OWN
    if telling or (quotes(text) and around.strip(" .")):
        return Voice.OTHERS
    if before is not Voice.OTHERS:
        return Voice.OWN
    indirect = _INDIRECT().search(text) and not (_DIRECT().search(text) or is_in_our_name(text))
    goes_on = indirect or _only_refutes(text) or not around.strip(" .")
    return Voice.OTHERS if goes_on else Voice.OWN


def told_in(text: str, before: Sequence[str], fields: DocumentFields) -> str:
    """The sentence that tells what others say or plan, where `text` goes on with it in indirect speech;
    `before` are those before it, the nearest first. "" where it goes on with none."""
    if not has_own_voice(fields) or not before:
        return ""
    heard = Voice.OWN
    telling = ""
    for each in [*reversed(before), text]:
        going_on, heard = heard, voice(each, fields.parties, heard)
        if heard is Voice.OTHERS and each is text:
            alone = voice(each, fields.parties, Voice.OWN) is Voice.OTHERS
            return "" if alone or going_on is not Voice.OTHERS else telling
        telling = each if voice(each, fields.parties, Voice.OWN) is Voice.OTHERS else telling
    return ""


def _only_refutes(text: str) -> bool:
    return len(text.split()) <= _REPLY_WORDS and disagrees(text)


def quotes(text: str) -> bool:
    """Whether a sentence has somebody else's words between quotation marks, whole."""
    return bool(_QUOTED.search(text)) and not _OURS().search(_QUOTED.sub(" ", text))


def authority_asked(question: str) -> str:
    """The authority whose plans or words `question` asks for, as it names it; "" if it asks for none's."""
    found = _ASKS().search(question)
    return next(filter(None, found.groups()), "") if found else ""
