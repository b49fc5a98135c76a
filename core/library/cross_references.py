"""Finds the references in a document's passages. Pure; which document they lead to is resolved later."""

import asyncio
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from core.domain.documents import STATUTORY_TYPES, DocumentFields, DocumentType, Edition
from core.domain.passages import Instrument, Passage, Reference, ReferenceKind
from core.library.references import SectionReference, parse_section_references
from core.ports.library import Library

RECOGNISER = 3
"""Increase this number when the recogniser finds different references in the same passages, so that they are
searched again."""

CITING_TYPES = STATUTORY_TYPES | {DocumentType.GUIDANCE}

_UNITS = frozenset({"section", "rule", "regulation", "art", "par"})
_KINDS = {
    Instrument.OWN: ReferenceKind.REFERENCES,
    Instrument.PARENT: ReferenceKind.DERIVED_FROM,
    Instrument.AMENDED: ReferenceKind.AMENDS,
    Instrument.NAMED: ReferenceKind.REFERENCES,
}
_SUPERSEDING = re.compile(
    r"(?:supersession\s+of|supersed\w+|repeal\w*|replac\w+|ersetzt|anstelle|aufgehoben|tritt\s+an\s+die\s+Stelle)"
    r"[^.;]{0,30}$"
)
_GAP = re.compile(
    r"[\s,;&/§–—-]*+(?:und|and|or|oder|sowie|to|bis)?[\s§]*+(?:[Ss]ections?|[Rr]ules?|[Aa]rt\w{0,20}+\.?)?\s*+"
)
_JOINED = re.compile(r"\s*(?:und|bis|oder|sowie|and|to|or)\s*")
_SUBDIVIDED = re.compile(
    r"(?:Abs(?:atz|\.)|Satz|S\.|Nr\.|Nummer|Buchst\w{0,10}\.?|[Pp]ara(?:graph|\.))\s*\w{1,20}$"
)
_NO_NAMES = frozenset({"AND", "FOR", "IN", "OF", "OR", "THE", "TO", "UND", "ODER"})
_MARKER = re.compile(r"(?:^|\n|[.:–—-]\s*)\(\s?(\d{1,2}|[a-z])\s?\)\s")


def cites(fields: DocumentFields) -> bool:
    """Whether a document is searched for references: statutes, and guidance on them."""
    return fields.doc_type in CITING_TYPES or bool(fields.derived_from or fields.amends)


def cross_references(passages: Sequence[Passage], fields: DocumentFields) -> tuple[Reference, ...]:
    """The references in `passages` of one version (in document order), each once per passage and place,
    without those of a section to itself."""
    if not cites(fields):
        return ()
    own_units = _UNITS & {p.section.id.partition(":")[0] for p in passages if p.section is not None}
    if fields.doc_type is DocumentType.GUIDANCE:
        own_units = frozenset()  # its headings may look like sections, but it refers to another law's
    references: dict[Reference, None] = {}
    for passage in passages:
        for reference in _in_passage(passage, fields, own_units):
            references.setdefault(reference, None)
    return tuple(references)


def _in_passage(passage: Passage, fields: DocumentFields, own: frozenset[str]) -> Iterator[Reference]:
    text = passage.text
    parsed = _whole_sections(text, parse_section_references(text, fields.language))
    ends, paths = _paths(passage)
    before: tuple[Instrument, str | None] | None = None
    for reference, after in zip(parsed, _ends(text, parsed), strict=True):
        instrument, name = _instrument(text, after, reference, fields)
        if name == "thereof":
            instrument, name = before or (_bare(reference, own), None)
        elif instrument is not None:
            before = (instrument, name)
        else:
            instrument, name = _bare(reference, own), None
        section = passage.section.id if passage.section else None
        if instrument is Instrument.OWN and reference.id == section:
            continue
        yield Reference(
            version=passage.version,
            ordinal=passage.ordinal,
            section=section,
            path=paths[bisect_right(ends, reference.start)],
            kind=_kind(text, reference, instrument),
            instrument=instrument,
            name=name,
            target=reference.id,
            target_path=reference.path,
            start=reference.start,
            end=reference.end,
        )


def _instrument(
    text: str, after: int, reference: SectionReference, fields: DocumentFields
) -> tuple[Instrument | None, str | None]:
    if reference.instrument and reference.instrument not in _NO_NAMES:
        return Instrument.NAMED, reference.instrument
    return _instrument_behind(text, after, fields)


def _bare(reference: SectionReference, own: frozenset[str]) -> Instrument:
    """The instrument of an unqualified reference: the document's own if it is divided into such units, or if
    it has any at all and the reference is to a schedule or form."""
    if reference.kind in own or (own and reference.kind not in _UNITS):
        return Instrument.OWN
    return Instrument.PARENT


def _kind(text: str, reference: SectionReference, instrument: Instrument) -> ReferenceKind:
    if _SUPERSEDING.search(text[max(0, reference.start - 60) : reference.start]):
        return ReferenceKind.SUPERSEDES
    return _KINDS[instrument]


def _whole_sections(text: str, parsed: Sequence[SectionReference]) -> list[SectionReference]:
    """The references without continued sub-divisions (the 3 in "Artikel 79 Abs. 2 und 3" is not Article 3)
    and without the number of the next list item."""
    kept: list[SectionReference] = []
    for reference in parsed:
        if not kept or not _continues(text, kept[-1], reference):
            kept.append(reference)
    return kept


def _continues(text: str, before: SectionReference, reference: SectionReference) -> bool:
    gap = text[before.end : max(before.end, reference.start)]
    if "\n" in gap and text[reference.end : reference.end + 1] == ".":
        return True
    divided = _SUBDIVIDED.search(text[before.start : before.end])
    return bool(divided and _JOINED.fullmatch(gap))


def _ends(text: str, parsed: Sequence[SectionReference]) -> list[int]:
    """For each reference, where its list ends: "of the Act" after "sections 12, 18 and 19" applies to all."""
    ends = [reference.end for reference in parsed]
    for n in range(len(parsed) - 2, -1, -1):
        first, second = parsed[n], parsed[n + 1]
        if first.kind == second.kind and _GAP.fullmatch(text, first.end, max(first.end, second.start)):
            ends[n] = ends[n + 1]
    return ends


def _paths(passage: Passage) -> tuple[list[int], list[tuple[str, ...]]]:
    """Where the markers of sub-divisions end in the passage, and the known path before the first and after
    each of them: the start of the passage, then "(2)" and "(a)" at the beginning of lines."""
    path = passage.section.path[:2] if passage.section else ()
    ends, paths = [], [path]
    for match in _MARKER.finditer(passage.text):
        mark = match[1]
        path = (mark,) if mark.isdigit() else (*path[:1], mark) if path[:1] and path[0].isdigit() else (mark,)
        ends.append(match.end())
        paths.append(path)
    return ends, paths


# Whose section is meant: the words after a reference, in English and German.  "section 4 of the Act" in rules
# is the act they are made under, "rule 3 of these rules" their own, "section 5 of the Companies Act, 2013"
# and "Art. 20 GG" another law's.

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


def _instrument_behind(text: str, at: int, fields: DocumentFields) -> tuple[Instrument | None, str | None]:
    """Whose section was named according to the words at `at`, and its name; (None, None) if they don't say.
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
    """Whether "the Act" or "the rules" means the document itself."""
    word = law.casefold()
    if word in ("act", "gesetzes", "code", "law", "ordinance"):
        return fields.doc_type not in _DERIVED_TYPES and not fields.derived_from
    if word in ("rules", "verordnung", "satzung", "ordnung"):
        return fields.doc_type in _DERIVED_TYPES
    return word.rstrip("s") in fields.title.casefold() and not fields.derived_from


async def recognise_missing(library: Library, editions: Sequence[Edition]) -> int:
    """Find the references of those `editions` that were ingested before references were stored, or processed
    by an older recogniser. Uses their passages; nothing is read or embedded again. Returns the number of such
    editions."""
    citing = {edition.version.id: edition for edition in editions if cites(edition.document.fields)}
    missing = await library.unrecognised(list(citing), recogniser=RECOGNISER)
    for version in missing:
        edition = citing[version]
        passages = await library.passages_at(version, range(edition.version.passages))
        references = await asyncio.to_thread(cross_references, passages, edition.document.fields)
        await library.save_references(version, references, recogniser=RECOGNISER)
    return len(missing)
