"""Which way a question goes from the provision that it names: to what it refers to, or what refers to it."""

import re
from dataclasses import dataclass

from core.language.patterns import pattern
from core.library.references import SectionReference
from core.registry.names import NAMELESS, fold

PROVISIONS = frozenset({"section", "rule", "regulation", "art", "par"})

_KINDS = ("rule", "section", "regulation", "art", "par", "form", "annex", "recital", "schedule")
_NOUNS = tuple(
    (kind, pattern(rf"(?<!\w)(?:{{provisions.{kind}}})(?!\w)(?!\s*['\"‘“(]?\d)")) for kind in _KINDS
)
_ARTICLE = r"(?:(?:{provisions.articles})\s+)?"
_SUBJECT = pattern(
    r"\b(?:{provisions.verbs_before})\s+(?:(?:{provisions.between_verb_and_unit})\s+)?" + _ARTICLE + "$"
)
_SUBJECT_OF_WHOM = pattern(
    r"\b(?:{provisions.of_whom})\b.*\b(?:{provisions.verbs_of_whom})\s+" + _ARTICLE + "$"
)
_PASSIVE = pattern(r"\b(?:{provisions.passive})\b")
_WITHIN = pattern(r"\b(?:{provisions.within})\s+(?:(?:{provisions.within_articles})\s+)?$")
_ACTIVE_BEHIND = pattern(r"\s*(?:(?:{provisions.belonging}) [\w ]{1,40}\s)?(?:{provisions.active_behind})\b")
_ABOUT_ITS_BASIS = pattern(r"\b(?:{provisions.basis})\b")
_ASKING = pattern(r"\b(?:{provisions.asking})\b(?:\s+[\w-]+){0,3}")
"""Where what is wanted is named ("which rule"); "the Gujarat rules" further on only say where to look."""
_OBJECT = pattern(r"\b(?:{provisions.object_asked})\b")
_POINTING = pattern(r"\b(?:{provisions.pointing})\b")
_DOUBLE_NAME = pattern(r"\b[^\W\d_a-zß-ÿ]\w+ (?:{motions.conjunctions}) [^\W\d_a-zß-ÿ]\w+")
_UNDER_IT = pattern(
    r"\b(?:{provisions.carrying_out})(?:\s+(?:{provisions.carrying_out_articles}))?\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """`citing` asks what cites (or implements) the provision named, else what it cites; `wanted` are the
    kinds of unit that may answer, empty where any may. `points`: it asks what the provision's own words refer
    to; `under`: it asks for something under the provision, and for no other one ("which rule ...")."""

    citing: bool
    wanted: frozenset[str]
    points: bool = False
    under: bool = False


def bearing_of(question: str, named: SectionReference) -> Bearing:
    """The bearing of a question that names a provision. Rules carry out sections, so a question for
    rules that names a section asks what cites it, and the other way round."""
    wanted = _wanted_kinds(question)
    citing = _asks_what_cites(question, named, wanted)
    points = not citing and wanted <= PROVISIONS and bool(_POINTING().search(fold(question)))
    under = not wanted and bool(_UNDER_IT().search(question[: named.start]))
    return Bearing(citing=citing, wanted=wanted, points=points, under=under)


def _wanted_kinds(question: str) -> frozenset[str]:
    """The kinds of unit the question asks for: nouns without a number behind them."""
    folded = fold(_DOUBLE_NAME().sub(NAMELESS, question))
    asking = _ASKING().search(folded)
    if asking is None:
        return frozenset()
    return frozenset(
        kind
        for kind, nouns in _NOUNS
        for noun in nouns().finditer(folded)
        if asking.start() < noun.start() < asking.end()
    )


def _asks_what_cites(question: str, named: SectionReference, wanted: frozenset[str]) -> bool:
    if wanted and named.kind in ("rule", "form", "annex") and wanted <= {"section"}:
        return False
    if named.kind in ("section", "par") and wanted and wanted <= {"rule", "form", "annex", "regulation"}:
        return True
    folded = fold(question)
    at = len(fold(question[: named.start]))
    before, behind = folded[:at].rstrip() + " ", folded[at:]
    if _PASSIVE().search(behind) or _PASSIVE().search(before):
        return not _WITHIN().search(before)
    if not _ASKING().search(before) and _ACTIVE_BEHIND().match(fold(question[named.end :])):
        return False
    if _ABOUT_ITS_BASIS().search(folded):
        return False
    return not (_SUBJECT().search(before) or _SUBJECT_OF_WHOM().search(before) or _OBJECT().search(before))
