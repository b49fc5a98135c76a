"""Sentences that end a document's account of others' words, by calling them untrue or disagreeing, and
sentences that begin such an account.

Neither alone proves that the text in between is theirs: a disagreeing sentence may deplore something the
document itself has described, and a reporting one may be followed by the document's own account.
"""

import re

from core.language.patterns import pattern
from core.library.chunking.attribution import Speakers, is_in_our_name

_I = re.IGNORECASE
_LONGEST = 25
"""Maximum words of a sentence that refers to everything before it."""
_SHORT = 2
"""Maximum words of an exclamation ("Rubbish!")."""
_SHORT_UNTRUE = 5
_LOOKED_AT = 600
"""Number of characters of a sentence that are examined for reports about others."""

_BACK = pattern(r"^\W*(?:\w+\W+){0,2}?(?:{refutations.pointing})|\b(?:{refutations.pointing_behind})", _I)
_SEVERAL = pattern(r"\b(?:{refutations.several})", _I)
_UNTRUE = pattern(r"\b(?:{refutations.untrue})", _I)
_REGRETS = pattern(r"\b(?:{refutations.regretting})\b", _I)
_FACTS = pattern(r"\b(?:{refutations.facts})", _I)
_WRONG = pattern(r"\b(?:{refutations.wrong})\b", _I)
_DENIES = pattern(r"\b(?:{refutations.denying})", _I)
_OUR_VOICE = pattern(r"\b(?:{refutations.we}|{refutations.our})\b", _I)
_DIFFERS = pattern(r"\b(?:{refutations.differing})", _I)
_REJECTS = pattern(r"\b(?:{refutations.rejecting})", _I)
_THIS = pattern(r"\b(?:{refutations.this})", _I)
_BESIDES = pattern(r"\b(?:{refutations.we})\b[\s,]+(?:{refutations.besides})\b", _I)
_HOLDS = pattern(r"\b(?:{refutations.holding})", _I)
_SHARES = pattern(r"\b(?:{refutations.sharing})", _I)
_DEPLORES = pattern(r"\b(?:{refutations.deploring})", _I)
_AGREES = pattern(r"^\W*(?:{refutations.agreeing})\b", _I)
_CONDITION = pattern(r"[\w)]\W+(?:{refutations.conditions})\b", _I)
_TURNS = pattern(
    r"^\W*(?:{refutations.turning}|{refutations.later})\b|\b(?:{refutations.turning_inside})\b", _I
)
_LATER = pattern(r"^\W*(?:{refutations.later})\b", _I)
_HEARD = pattern(r"\b(?:{refutations.heard})\b", _I)
_OPENS = pattern(r"§|\b(?:{refutations.opening}|{voices.saying})\b(?!-)", _I)
_DEMANDS = pattern(r"\b(?:{refutations.demanding})", _I)
_WE = pattern(r"\b(?:{refutations.we})\b", _I)
_SAID = pattern(
    r"^\W*(?:{refutations.so_far})\b.*\b(?:(?-i:{voices.saying})|{refutations.wording})\b"
    r"|^\W*(?:so|thus|ainsi)\s+(?-i:[a-zà-ÿ]+)\s",
    _I,
)
_OURS_IT_IS = pattern(r"^\W*(?:{refutations.pointing})\W+(?:\w+\W+){0,2}?(?:{refutations.our})\b", _I)
_CLAUSE = pattern(r"[,:]|\b(?:{refutations.opening}|{voices.that})\b", _I)
_PLACED = re.compile(r"[,:]")
_FOLLOWING = re.compile(r"\W*\w+")


def refutes(text: str) -> bool:
    """Whether a sentence calls the preceding text untrue."""
    count = len(text.split())
    if count > _LONGEST or not _UNTRUE().search(text) or _asks(text):
        return False
    if _CONDITION().search(text) or _REGRETS().search(text):
        return False
    return count <= _SHORT_UNTRUE or bool(_BACK().search(text))


def disagrees(text: str) -> bool:
    """Whether a sentence disagrees with the preceding words of others."""
    count = len(text.split())
    if count > _LONGEST or _asks(text) or _CONDITION().search(text):
        return False
    if count <= _SHORT:
        return _is_exclamation(text)
    ours = _OUR_VOICE().search(text)
    if refutes(text) or _FACTS().search(text):
        return True
    if ours and (_DIFFERS().search(text) or _BESIDES().search(text)):
        return True
    if ours and _REJECTS().search(text) and _THIS().search(text):
        return True
    if not _BACK().search(text):
        return False
    if _WRONG().search(text):
        return True
    against = _DENIES().search(text) or (ours and _HOLDS().search(text) and not _SHARES().search(text))
    return bool(against and not _DEPLORES().search(text))


def _is_exclamation(text: str) -> bool:
    ends = text.rstrip(' "”“»').endswith((".", "!"))
    return ends and not (
        any(map(str.isupper, text.split())) or _AGREES().search(text) or any(map(str.isdigit, text))
    )


def _asks(text: str) -> bool:
    return text.rstrip().endswith("?")


def attributes(text: str, speakers: Speakers) -> bool:
    """Whether a sentence attributes the preceding text to others ("That is what the mayor wrote")."""
    found = _SAID().search(text[:_LOOKED_AT])
    return found is not None and not (is_in_our_name(text) or speakers.is_own(text))


def calls_its_own(text: str) -> bool:
    """Whether a sentence calls the preceding text the document's own ("that is our promise")."""
    return bool(_OURS_IT_IS().search(text)) and not disagrees(text)


def means_several(text: str) -> bool:
    """Whether a sentence refutes everything said before it, not just the last sentence ("none of this is
    true", "these claims")."""
    return bool(_SEVERAL().search(text))


def goes_on_itself(text: str) -> bool:
    """Whether the document speaks for itself in a sentence after others' words."""
    return bool(_TURNS().search(text) or _WE().search(text))


def tells_what_came(text: str) -> bool:
    """Whether a sentence tells the consequences of what others said before it."""
    return bool(_LATER().search(text))


def speaks_itself(text: str) -> bool:
    """Whether a sentence has "us" as its subject or says what is "ours", as opposed to what is done to us."""
    return bool(_OUR_VOICE().search(text))


def opens(text: str, speakers: Speakers, *, untrue: bool) -> bool:
    """Whether a sentence reports what others say or think, so that the next ones may continue it. Unless
    `untrue`, only what they believe counts, not what they demand or have promised."""
    plain = _HEARD().sub("§", text[:_LOOKED_AT].replace("§", " "))
    found = [*_OPENS().finditer(plain)]
    if not found or not (untrue or any(not _DEMANDS().match(each[0]) for each in found)):
        return False
    clause = _PLACED.search(plain, found[0].end())
    following = _FOLLOWING.match(plain, found[0].end())
    frame = plain[: following.end() if following else found[0].end()]
    return not (is_in_our_name(frame) or speakers.is_own(plain[: clause.start() if clause else len(plain)]))


def opens_clause(text: str) -> bool:
    """Whether the opening sentence itself contains what others say ("they claim that"): its verb must be
    unambiguous (unlike "it writes losses")."""
    return bool(_CLAUSE().search(text[:_LOOKED_AT]))
