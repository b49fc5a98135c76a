"""Whose section is meant: the words behind a reference, in English and German.

"section 4 of the Act" in rules is the act they are made under, "rule 3 of these rules" their own,
"section 5 of the Companies Act, 2013" and "Art. 20 GG" another law's.
"""

import re

from core.domain.documents import DocumentFields, DocumentType
from core.domain.references import Instrument

_LAW = r"(?:Act|Code|Ordinance|Rules|Regulations?|Constitution|Charter|Treaty|Directive|Bye-?laws|Law)"
_WORD = r"(?:[A-Z][\w.&'’-]*|\([A-Z][^()]{0,60}\)|of|and|for|on|the)"
_TAIL = re.compile(
    r"\s*+,?\s*+(?:"
    rf"(?P<same>thereof\b|ibid\b|(?:of|in)\s++that\s++{_LAW}\b|jenes\s++Gesetzes)"
    r"|(?P<amended>(?:of|to|in|under)\s++the\s++[Pp]rincipal\s++\w+|des\s++(?:Stamm|Haupt|Ausgangs)gesetzes)"
    rf"|(?P<own>(?:of|to|in)\s++(?:this|these)\s++(?:[Pp]resent\s++)?(?:{_LAW}|rules|regulations)\b"
    r"|dies(?:es|er)\s++(?:Gesetzes|Verordnung|Satzung|Ordnung|Richtlinie|Vertrag(?:e)?s))"
    r"|(?:of|in|under)\s++(?:the\s++)?(?P<coded>"
    r"(?:Regulation|Directive|Decision)s?\s++(?:\([A-Z]+\)\s*+)?(?:No\.?\s*+)?\d+/\d+(?:/[A-Z]+)?"
    r"|Code\s++of\s++[A-Z]\w+(?:\s++[A-Z]\w+)?(?:,?\s++\d{4})?"
    r"|(?:Constitution|Charter|Treaty|Convention)(?:\s++(?:of|on|for|and|the|[A-Z]\w+))*)"
    rf"|(?:of|in|under)\s++(?:the\s++)?(?:said\s++)?(?P<law>{_LAW}|rules|regulations)\b"
    rf"|(?:of|in|under)\s++(?:the\s++)?(?P<name>[A-Z]\w*(?:\s++{_WORD}){{0,12}}?\s++{_LAW}(?:,?\s++\d{{4}})?)"
    r"|(?:des|der|im|in der)\s++(?P<gesetz>Gesetzes|Verordnung|Satzung|Ordnung)\b"
    r"|(?:des|der|im)\s++(?P<german>[A-ZÄÖÜ][\w-]*(?:gesetz(?:es|buche?s|buch)?|ordnung|vertrag(?:e)?s?|verfassung))\b"
    r")"
)
_DERIVED_TYPES = frozenset({DocumentType.RULES, DocumentType.REGULATION, DocumentType.CIRCULAR})


def instrument_behind(text: str, at: int, fields: DocumentFields) -> tuple[Instrument | None, str | None]:
    """What the words at `at` say whose section was named, and its name; (None, None) if nothing.
    "thereof" gives (None, "thereof"): the one named before."""
    match = _TAIL.match(text, at)
    if match is None:
        return None, None
    if match["same"]:
        return None, "thereof"
    if match["amended"]:
        return Instrument.AMENDED, None
    if match["own"]:
        return Instrument.OWN, None
    if law := match["law"] or match["gesetz"]:
        return (Instrument.OWN if _is_own(law, fields) else Instrument.PARENT), None
    name = match["coded"] or match["name"] or match["german"]
    return Instrument.NAMED, " ".join(name.split())


def _is_own(law: str, fields: DocumentFields) -> bool:
    """Whether "the Act", "the rules" is what the document itself is."""
    word = law.casefold()
    if word in ("act", "gesetzes", "code", "law", "ordinance"):
        return fields.doc_type not in _DERIVED_TYPES and not fields.derived_from
    if word in ("rules", "verordnung", "satzung", "ordnung"):
        return fields.doc_type in _DERIVED_TYPES
    return word.rstrip("s") in fields.title.casefold() and not fields.derived_from
