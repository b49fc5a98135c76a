"""Finds the references in a document's passages. Pure; which document they lead to is settled later."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from core.domain.documents import STATUTORY_TYPES, DocumentFields, DocumentType
from core.domain.passages import Passage
from core.domain.references import Instrument, Reference, ReferenceKind
from core.library.instruments import instrument_behind
from core.library.references import SectionReference, parse_section_references

RECOGNISER = 3
"""Raise when other references are found in the same passages; they are then looked for again."""

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
    """Whether references are looked for in a document: statutes, and guidance on them."""
    return fields.doc_type in CITING_TYPES or bool(fields.derived_from or fields.amends)


def cross_references(passages: Sequence[Passage], fields: DocumentFields) -> tuple[Reference, ...]:
    """The references in `passages` of one version (in document order), each once per passage and place,
    without those of a section to itself."""
    if not cites(fields):
        return ()
    own = _UNITS & {p.section.id.partition(":")[0] for p in passages if p.section is not None}
    if fields.doc_type is DocumentType.GUIDANCE:
        own = frozenset()  # its headings may look like sections, but it speaks of another law's
    found: dict[Reference, None] = {}
    for passage in passages:
        for reference in _in_passage(passage, fields, own):
            found.setdefault(reference, None)
    return tuple(found)


def _in_passage(passage: Passage, fields: DocumentFields, own: frozenset[str]) -> Iterator[Reference]:
    text = passage.text
    parsed = _whole_sections(text, parse_section_references(text, fields.language))
    ends, paths = _paths(passage)
    before: tuple[Instrument, str | None] | None = None
    for reference, behind in zip(parsed, _ends(text, parsed), strict=True):
        instrument, name = _instrument(text, behind, reference, fields)
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
    text: str, behind: int, reference: SectionReference, fields: DocumentFields
) -> tuple[Instrument | None, str | None]:
    if reference.instrument and reference.instrument not in _NO_NAMES:
        return Instrument.NAMED, reference.instrument
    return instrument_behind(text, behind, fields)


def _bare(reference: SectionReference, own: frozenset[str]) -> Instrument:
    """Nothing is said: its own where the document is divided into such units, or has any at all and the
    reference is to a schedule or form."""
    if reference.kind in own or (own and reference.kind not in _UNITS):
        return Instrument.OWN
    return Instrument.PARENT


def _kind(text: str, reference: SectionReference, instrument: Instrument) -> ReferenceKind:
    if _SUPERSEDING.search(text[max(0, reference.start - 60) : reference.start]):
        return ReferenceKind.SUPERSEDES
    return _KINDS[instrument]


def _whole_sections(text: str, parsed: Sequence[SectionReference]) -> list[SectionReference]:
    """Without what only continues a sub-division (the 3 of "Artikel 79 Abs. 2 und 3" is no Article 3) and
    without the number of the next point of a list."""
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
    """For each reference where its list ends: "of the Act" behind "sections 12, 18 and 19" is said of all."""
    ends = [reference.end for reference in parsed]
    for n in range(len(parsed) - 2, -1, -1):
        first, second = parsed[n], parsed[n + 1]
        if first.kind == second.kind and _GAP.fullmatch(text, first.end, max(first.end, second.start)):
            ends[n] = ends[n + 1]
    return ends


def _paths(passage: Passage) -> tuple[list[int], list[tuple[str, ...]]]:
    """Where the markers of sub-divisions end in the passage, and what it stands in before the first of them
    and behind each, as far as they tell: where the passage starts, then "(2)" and "(a)" at beginnings of
    lines."""
    path = passage.section.path[:2] if passage.section else ()
    ends, paths = [], [path]
    for match in _MARKER.finditer(passage.text):
        mark = match[1]
        path = (mark,) if mark.isdigit() else (*path[:1], mark) if path[:1] and path[0].isdigit() else (mark,)
        ends.append(match.end())
        paths.append(path)
    return ends, paths
