"""Remarks that people put around a quote and that are not part of it."""

import re
from collections.abc import Sequence

from core.evidence.left_out import leads_into
from core.evidence.text import tokens_of
from core.language.patterns import pattern, words
from core.registry.attribution import turns
from core.registry.names import tokens

_MOST_WORDS = 14
"""Maximum words of a remark; more are a separate text."""
_MOST_JUDGING = 8
"""The same for a remark with an opinion on the words ("and that is a good thing")."""
_MOST_EXCLAIMED = 3
_LEAST_ASKED = 3
"""Minimum words of a question before the quoted words; fewer may be a name ("X? ...")."""
_SEPARATE = re.compile(r"\s*(?:[,;:…(]|[–—-]{1,2}\s|[.!?]+(?=\s))|\s*\n")
"""Separators between a remark and quoted words without a full stop."""
_EDGES = ' \n\t.,;:!?…()–—-„“”"«»'
_STOPPED = re.compile(r"[.!?…]\W*$")
_JUDGING = pattern(r"(?:{remarks.joining})?\s?(?:{remarks.judging})(?!\w)", re.IGNORECASE)
_SINGULAR = pattern(r"\b(?:{voices.singular})\b", re.IGNORECASE)
_FEELING = pattern(r"\b(?:{remarks.feeling})\b", re.IGNORECASE)
_SAYING = pattern(r"(?:{voices.saying}|{attribution.standing})\b", re.IGNORECASE)


def remarks_round(before: str, quoted: str, behind: str) -> tuple[str, str]:
    """The remarks before and after the words `quoted` (with their marks): separate sentences, or set apart by
    a sign, that ask about the words or give an opinion on them. Empty if the text there may continue the
    quoted sentence or give its source."""
    begins = next(filter(str.isalnum, quoted), "")
    if not (begins.isupper() or begins.isdigit()):
        return "", ""
    leads = before.rstrip().endswith((":", ".", "!", "?", "…", "–", "—")) and _is_remark(before, leading=True)
    stopped = bool(_STOPPED.search(quoted)) and behind[:1].isspace()
    follows = (stopped or _SEPARATE.match(behind)) and _is_remark(behind)
    return before if leads else "", behind if follows else ""


def goes_on(behind: str) -> bool:
    """Whether the words after a quote continue its sentence, or say to whom or when it applies."""
    following = [word.folded for word in tokens(behind)]
    adds = not words("remarks.going_on").isdisjoint(following[:1])
    return (adds or not words("remarks.applying").isdisjoint(following[:3])) and not _judges(
        behind, following
    )


def _is_remark(around: str, *, leading: bool = False) -> bool:
    """Whether `around` is a remark; an introduction to the words is not one if it may be a name ("X:
    ...")."""
    text = around.strip(_EDGES)
    folded = [word.folded for word in tokens(text)]
    if not 0 < len(folded) <= _MOST_WORDS or any(letter.isdigit() for letter in text):
        return False
    if not words("remarks.promising").isdisjoint(folded) or _SAYING().match(text):
        return False
    if leading and turns(text, behind=False):
        return False
    if _judges(text, folded) or (_SINGULAR().search(text) and _FEELING().search(text)):
        return True
    if goes_on(text):
        return False
    if "?" in around and not (leading and len(folded) < _LEAST_ASKED):
        return True
    exclaims = len(folded) == 1 or (
        len(folded) <= _MOST_EXCLAIMED and folded[0] in words("remarks.exclaiming")
    )
    return exclaims and not leading and not _turns(text)


def _judges(text: str, said: Sequence[str]) -> bool:
    judging = _JUDGING().match(text.lstrip(_EDGES))
    if judging is None or len(said) > _MOST_JUDGING or not words("remarks.narrowing").isdisjoint(said):
        return False
    return not _turns(text)


def _turns(text: str) -> bool:
    """Whether `text` denies or limits something."""
    limited = leads_into(tokens_of((word, False, False) for word in text.split())) is not None
    return limited or turns(text, behind=True)
