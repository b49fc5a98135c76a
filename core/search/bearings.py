"""What a question about references wants: what cites a provision, or what the provision cites. Rules for
English and German word order; pure."""

import re
from dataclasses import dataclass

from core.library.references import SectionReference
from core.registry.names import fold

PROVISIONS = frozenset({"section", "rule", "regulation", "art", "par"})

_NOUNS: tuple[tuple[str, str], ...] = (
    ("rule", r"rules?|regeln?"),
    ("section", r"sections?|abschnitte?"),
    ("regulation", r"regulations?"),
    ("art", r"articles?|artikeln?|grundgesetzartikel"),
    ("par", r"paragra(?:ph|f)(?:en|s)?"),
    ("form", r"forms?|formulare?"),
    ("annex", r"annex(?:ure)?s?|anlagen?|anhang"),
    ("recital", r"recitals?|erwaegungsgr\w+"),
    ("schedule", r"schedules?"),
)
_NUMBER = r"(?!\s*['\"‘“(]?\d)"
_SUBJECT = re.compile(
    r"\b(?:does|do|did|is|are|was|were|has|have|must|can|may|shall"
    r"|verweis\w*|bezieh\w*|beruh\w*|stuetz\w*|ist|greif\w*)\s+(?:sich\s+)?(?:the\s+|die\s+|der\s+|das\s+)?$"
)
_SUBJECT_OF_WHOM = re.compile(
    r"\b(?:welchen|was|wen)\b.*\b(?:nenn\w*|zitier\w*|erwaehn\w*|setzt|setzen|fuehrt|konkretisier\w*)\s+"
    r"(?:die\s+|der\s+|das\s+)?$"
)
_PASSIVE = re.compile(
    r"\b(?:implemented|cited|mentioned|referred to|referenced|given effect|carried out|invoked|quoted"
    r"|umgesetzt|zitiert|genannt|erwaehnt|ausgefuehrt|konkretisiert|verwiesen|bezug genommen)\b"
)
_WITHIN = re.compile(r"\b(?:in|im|by|von|durch)\s+(?:the\s+|dem\s+|der\s+)?$")
_ACTIVE_BEHIND = re.compile(
    r"\s*(?:of [\w ]{1,40}\s)?(?:refers?|cites?|mentions?|implements?|gives? effect|carr(?:y|ies) out|relies"
    r"|verweist|bezieht|nennt|zitiert|setzt)\b"
)
_ABOUT_ITS_BASIS = re.compile(
    r"\b(?:made under|based on|derive[sd]?|issued under|under (?:which|what)|to (?:which|what)"
    r"|worauf|auf welche\w*|(?:auf )?grundlage|beruht|rechtsgrundlage|nach welche\w*|woraus)\b"
)
_ASKING = re.compile(r"\b(?:which|what|welche\w*|was fuer)\b(?:\s+[\w-]+){0,3}")
"""Where what is wanted is named ("which rule"); "the Gujarat rules" further on only say where to look."""
_OBJECT = re.compile(r"\bwhich \w+ (?:does|do|did)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """`citing` asks what cites (or implements) the provision named, else what it cites; `wanted` are the
    kinds of unit that may answer, empty where any may."""

    citing: bool
    wanted: frozenset[str]


def bearing_of(question: str, named: SectionReference) -> Bearing:
    """The bearing of a question that names a provision. Rules carry out sections, so a question for
    rules that names a section asks what cites it, and the other way round."""
    wanted = wanted_kinds(question)
    return Bearing(citing=_asks_what_cites(question, named, wanted), wanted=wanted)


def wanted_kinds(question: str) -> frozenset[str]:
    """The kinds of unit the question asks for: nouns without a number behind them."""
    folded = fold(question)
    asking = _ASKING.search(folded)
    if asking is None:
        return frozenset()
    return frozenset(
        kind
        for kind, nouns in _NOUNS
        for noun in re.finditer(rf"(?<!\w)(?:{nouns})(?!\w){_NUMBER}", folded)
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
    if _PASSIVE.search(behind) or _PASSIVE.search(before):
        return not _WITHIN.search(before)
    if not _ASKING.search(before) and _ACTIVE_BEHIND.match(fold(question[named.end :])):
        return False
    if _ABOUT_ITS_BASIS.search(folded):
        return False
    return not (_SUBJECT.search(before) or _SUBJECT_OF_WHOM.search(before) or _OBJECT.search(before))
