"""The voice of the sentences in a party's document: its own, that of others whose plans and words it reports,
or its own of the past. A sentence shows it by itself ("The council plans ..."), or continues one that does,
in indirect speech. Questions ask for the document's own words, unless they ask what an authority plans.
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
"""Number of characters of a sentence that are examined."""
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
"""Matches quoted words that end as sentences do."""
_REPLY_WORDS = 8
_COLLECTIVE = pattern(r"(?:{voices.party_nouns})$", _I)
_NAME = re.compile(r"\b[A-ZÄÖÜÉ][\w-]*")
_SHORT = 3
"""Maximum letters of words that are not names."""


class Voice(Enum):
    """The voice of a sentence."""

    OWN = auto()
    OTHERS = auto()
    FORMER = auto()
    LAPSED = auto()
    BARRED = auto()


def has_own_voice(fields: DocumentFields) -> bool:
    """Whether a document is a party's, so that plans of others in it are not what it wants; an agreement is
    the voice of a government."""
    return bool(fields.parties) and fields.doc_type is not DocumentType.COALITION_AGREEMENT


def names_own(text: str, parties: Sequence[str]) -> bool:
    """Whether `text` names one of `parties`: by two words of its name, or by its short name ("Residents'
    Alliance"). A place in a name is shared by many others."""
    for name in (part for each in parties for part in each.split("/")):
        own, found = _words_of(name), _found(text, name)
        if found and (len(found) >= min(2, len(own)) or any(map(_COLLECTIVE().search, found))):
            return True
    return False


def words_named(text: str, party: str) -> int:
    """How many words of the name of `party` are in `text`, inflected or not."""
    return max(len(_found(text, name)) for name in party.split("/"))


def _words_of(name: str) -> list[str]:
    return [word for word in _NAME.findall(name) if len(word) > _SHORT or word.isupper()]


def _found(text: str, name: str) -> list[str]:
    """The words of a name that are in `text`."""
    said = [word.casefold() for word in _NAME.findall(text)]
    return [word for word in _words_of(name) if any(map(partial(_is_inflected, word.casefold()), said))]


def _is_inflected(name: str, word: str) -> bool:
    """Whether `word` is `name` with a different ending."""
    return word.startswith(name[: max(_SHORT, len(name) - 2)]) and abs(len(word) - len(name)) <= 2


def voices(
    passage: Passage,
    said: Sequence[tuple[int, int]],
    fields: DocumentFields,
    day: date | None = None,
    barred: Sequence[tuple[int, int]] = (),
) -> list[Voice]:
    """The voice of each of the consecutive sentences at `said` in `passage`; LAPSED if its statement is not
    valid on `day`, in documents that state what is valid, BARRED if it is in one of the ranges `barred`."""
    found: list[Voice] = []
    for start, end in said:
        before = found[-1] if found else Voice.OWN
        before = Voice.OTHERS if before is Voice.BARRED else before
        if passage.says_of_others(start, end):
            found.append(Voice.OTHERS)
        elif any(first <= start < last for first, last in barred):
            found.append(Voice.BARRED)
        elif has_own_voice(fields):
            found.append(voice(passage.text[start:end], fields.parties, before))
        elif day is not None and has_lapsed(legible(passage.text[start:end]), day):
            found.append(Voice.LAPSED)
        else:
            found.append(Voice.OWN)
    return found


def voice(text: str, parties: Sequence[str], before: Voice) -> Voice:
    """The voice of a sentence in a document of `parties`, after one in the voice `before`; a sentence that
    merely calls the previous one untrue belongs to it."""
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
    """The sentence reporting what others say or plan that `text` continues in indirect speech; `before` are
    the preceding sentences, the nearest first. "" if it continues none."""
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
    """Whether a sentence quotes somebody else's complete words."""
    return bool(_QUOTED.search(text)) and not _OURS().search(_QUOTED.sub(" ", text))


def authority_asked(question: str) -> str:
    """The authority whose plans or words `question` asks for, as named there; "" if there is none."""
    found = _ASKS().search(question)
    return next(filter(None, found.groups()), "") if found else ""
