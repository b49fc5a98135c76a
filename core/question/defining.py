"""Terms whose definition is asked for: "What is a promoter?", "Wie ist „Einwilligung“ definiert?"."""

import re
from collections.abc import Collection

from core.language.patterns import pattern, words
from core.registry.names import tokens

_LONGEST = 6
_DEFINED = pattern(
    r"^\W*(?:{asked.defining_before})\s+(?P<term>.{2,80}?)(?:\s+(?:{asked.defining_behind}))?\W*$",
    re.IGNORECASE,
)
_UNDER = pattern(r"(?:\s+(?:{scope.sources}|{scope.articles}))+\s*$", re.IGNORECASE)
_BEHIND = pattern(r"[\s\"'“”‘’«»]+(?:\(|(?:{scope.sources})\s)(?=(?P<law>.*))", re.IGNORECASE)
"""Where the name of a law may begin behind a term: in brackets, or behind "under"."""
_MEANT = pattern(r"\W+(?:{asked.defining_behind})$", re.IGNORECASE)
_QUOTES = " \"'“”„‘’‚«»?!."


def term_of(question: str) -> str | None:
    """The term whose definition `question` asks for, None if it asks for something else."""
    match = _DEFINED().match(question.strip())
    if match is None:
        return None
    term, under_law = _UNDER().subn("", match["term"].strip(_QUOTES))
    term = _MEANT().sub("", term) if under_law else term
    inside = tokens(term)
    while inside and inside[0].folded in words("names.articles"):
        inside = inside[1:]
    return term[inside[0].start : inside[-1].end] if 1 <= len(inside) <= _LONGEST else None


def writings(term: str, names: Collection[str]) -> list[str]:
    """`term`, and what of it is the term where its end says which law is meant: "allottee under the RERA
    act". `names` are the words, folded, that laws are called by."""
    found = [term]
    for law in _BEHIND().finditer(term):
        if {word.folded for word in tokens(law["law"])} <= words("asked.frame").union(names):
            found.append(_MEANT().sub("", term[: law.start()]).rstrip(_QUOTES))
    return [each for each in found if each]
