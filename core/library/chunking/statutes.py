"""Acts, rules and regulations: one section, one passage (or several, never parts of two)."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from core.domain.passages import Section
from core.evidence.text import Vocabulary
from core.library.chunking.layout import Metrics, Paragraph, ParagraphRole, paragraphs
from core.library.chunking.numbering import (
    FORMATS,
    NOT_A_HEAD,
    RECITAL,
    SCHEDULE,
    Levels,
    Mark,
    begins_anew,
    best_sequence,
    candidates_of,
    is_list,
    schedule_starts,
    sequence_of,
    table_of_sections,
)
from core.library.chunking.packing import Packed, PackedSentence, pack_running, pack_units, pieces_of
from core.library.chunking.prose import heading_of, pack_prose
from core.library.chunking.text import Line
from core.library.chunking.titles import Hierarchy, Title, division_name, margin_titles, title_of
from core.library.references import SectionReference, format_reference, section_id

# Section numbers with several parts: "§ 60-200", "Article L. 121-1", "Rule 5.2", "5.1.1 General".


_PARTS = r"\d{1,4}(?:[.-]\d{1,4}[a-z]?){1,5}"
_CODE = rf"(?:[LRDA]\.?\s?\*{{0,2}}\s?)?{_PARTS}|[LRDA]\.?\s?\d{{1,4}}"
_WORDS = {
    "art": r"(?:Article|ARTICLE|Artikel|Art\.?)",
    "par": "§",
    "section": r"(?:Section|SECTION|Sec\.)",
    "rule": "(?:Rule|RULE)",
    "regulation": "(?:Regulation|REGULATION)",
    "clause": "(?:Clause|CLAUSE)",
    "number": r"(?:Ziffer|Ziff\.|Nr\.)",
}
_NAMED = (
    (
        "art",
        re.compile(rf"(?:Article|ARTICLE|Artikel|Art\.?)\s*(?P<number>{_CODE})(?![\w-])[.:]?(?P<rest>.*)"),
    ),
    *(
        (kind, re.compile(rf"{word}\s*(?P<number>{_PARTS})(?![\w-])[.:]?(?P<rest>.*)"))
        for kind, word in _WORDS.items()
    ),
)
_BARE = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,4})\.?\s+(?:[-–—]\s+)?(?P<rest>[A-ZÄÖÜÉÈÀÇ„“\"(].*)")
_FIRST, _LEAST_DEEP, _SHARE, _BACK = 3, 3, 0.6, 60
_STEP = 3
_SAME = 0.98
_QUALITY = 1.6


@dataclass(frozen=True, slots=True)
class _Head:
    mark: Mark
    key: tuple[int, ...]


def composite_sequence(lines: Sequence[Line], own_kind: str, *, bare: bool) -> list[Mark]:
    """The heads with multi-part numbers, if these are the document's sections; `bare`: include those without
    a word such as "Article". Empty if there are none."""
    found = [_longest(_heads(lines, kind, pattern)) for kind, pattern in _NAMED]
    best = max(found, key=len)
    if best or not bare:
        return best
    chain = _longest(_as_large(_heads(lines, own_kind, _BARE), lines))
    deep = sum(len(head.key) > 1 for head in [_Head(mark, _key(mark.whole, [])) for mark in chain])
    starts = chain and chain[0].number <= _FIRST
    return chain if starts and deep >= _LEAST_DEEP and 2 * deep >= len(chain) else []


def _as_large(heads: list[_Head], lines: Sequence[Line]) -> list[_Head]:
    """`heads` without single numbers set smaller than multi-part ones, which are list items."""
    sizes = [lines[head.mark.line].size for head in heads if len(head.key) > 1]
    least = _SAME * median(sizes) if sizes else 0.0
    return [head for head in heads if len(head.key) > 1 or lines[head.mark.line].size >= least]


def _heads(lines: Sequence[Line], kind: str, pattern: re.Pattern[str]) -> list[_Head]:
    found: list[_Head] = []
    orders: list[str] = []
    for at, line in enumerate(lines):
        match = pattern.match(line.text)
        if match is None:
            continue
        number, rest = " ".join(match["number"].split()), match["rest"].strip()
        if rest and (NOT_A_HEAD.match(rest) or (rest.endswith((",", ";")) and pattern is not _BARE)):
            continue
        key = _key(number, orders)
        first = key[1] if kind == "art" and number[0].isalpha() else key[0]
        mark = Mark(at, kind, first, "", rest, _QUALITY, named=pattern is not _BARE, whole=number)
        found.append(_Head(mark, key))
    return found


def _key(number: str, orders: list[str]) -> tuple[int, ...]:
    """Sort key for numbers; letters before them ("L.", "R.") are in order of first appearance."""
    parts = tuple(int(each) for each in re.findall(r"\d+", number))
    if not number[0].isalpha():
        return parts
    if number[0] not in orders:
        orders.append(number[0])
    return (orders.index(number[0]), *parts)


def _longest(heads: Sequence[_Head]) -> list[Mark]:
    """The longest consecutively numbered sequence of heads; empty if it is short or omits most heads."""
    lengths = [1] * len(heads)
    before = [-1] * len(heads)
    for at, head in enumerate(heads):
        for other in range(max(0, at - _BACK), at):
            if lengths[other] + 1 > lengths[at] and _follows(heads[other], head):
                lengths[at], before[at] = lengths[other] + 1, other
    if not heads:
        return []
    at = max(range(len(heads)), key=lengths.__getitem__)
    chain = []
    while at >= 0:
        chain.append(heads[at].mark)
        at = before[at]
    enough = len(chain) >= _LEAST_DEEP and len(chain) >= _SHARE * len(heads)
    return chain[::-1] if enough else []


def _follows(one: _Head, other: _Head) -> bool:
    if one.mark.named:
        return one.key < other.key
    if one.key >= other.key:
        return False
    same = next((n for n, (a, b) in enumerate(zip(one.key, other.key, strict=False)) if a != b), len(one.key))
    if same == len(one.key):  # 5 -> 5.1
        return len(other.key) == same + 1 and other.key[same] <= 1
    return len(other.key) == same + 1 and other.key[same] - one.key[same] <= _STEP


# Chapters that restart the numbering of sections: "Teil A § 1", "Teil B § 1".


_LEAST = 2
_TOGETHER = 3


def by_chapter(lines: Sequence[Line], chain: Sequence[Mark], own_kind: str) -> list[Mark]:
    """`chain`, or, if several chapters begin at 1, the heads of all of them with their chapter's name."""
    if not chain or chain[0].whole:
        return list(chain)
    annexed = next((at for at in schedule_starts(lines) if at > chain[0].line), len(lines))
    marks = [mark for mark in candidates_of(lines, chain[0], own_kind) if mark.line < annexed]
    divisions = [(at, name) for at, line in enumerate(lines) if (name := division_name(line.text))]
    starts: list[tuple[int, str]] = []
    last = -1
    for mark in marks:
        above = [each for each in divisions if last < each[0] < mark.line]
        if mark.number == 1 and not mark.letter and above:
            starts.append(above[0])
        last = mark.line
    names = [name for _, name in starts]
    if len(starts) < _LEAST or len(set(names)) < len(names):
        return list(chain)
    ends = [at for at, _ in starts[1:]] + [annexed]
    found: list[Mark] = []
    before = [mark for mark in chain if mark.line < starts[0][0]]
    for (begin, name), end in zip(starts, ends, strict=True):
        own = sequence_of(lines, [mark for mark in marks if begin < mark.line < end])
        if own and own[0].number == 1:
            found += [replace(mark, chapter=name) for mark in own]
    every = before + found
    long_enough = len(every) > len(chain) and len(every) >= _TOGETHER
    return every if long_enough else list(chain)


_MIN_RECITALS = 5
_ARRANGEMENT_WORDS = 6
_MIN_MARGIN_TITLES = 0.3
_MIN_GROUP_WORDS = 30
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_LARGER = 1.08
_HEADING_WORDS = 14
_LABELS = {"annexure": "annex", "annexe": "annex", "anlage": "schedule", "anhang": "annex"}


@dataclass(slots=True, eq=False)
class _Unit:
    """Lines `start` to `end` of the document: a section, or text between sections (None).

    `title` says where the section's own title ends; `running`: packed as running text.
    """

    start: int
    end: int
    section: Section | None = None
    title: Title | None = None
    running: bool = False
    paragraphs: list[Paragraph] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Statute:
    """A document's lines and the heads of its sections. `margin` holds titles by line."""

    lines: Sequence[Line]
    chain: Sequence[Mark]
    margin: dict[int, str]


def find_sections(
    text: Sequence[Line],
    margin: Sequence[Line],
    merged: Sequence[Line],
    own_kind: str,
    vocabulary: Vocabulary,
    *,
    german: bool,
) -> Statute | None:
    """The statute's sections, or None if no numbering is plausible.

    `text` and `margin` are the lines with marginal notes set apart, `merged` all of them in order: if the
    notes are not titles, they belong to the text. `german`: bare numbers are not sections there.
    """
    chain = _chain(text, own_kind, german=german)
    titles = margin_titles(text, chain, margin, vocabulary) if margin else {}
    if margin and len(titles) < _MIN_MARGIN_TITLES * len(chain):
        text, titles = merged, {}
        chain = _chain(text, own_kind, german=german)
    lists = is_list(text, chain) or begins_anew(text, chain)
    return Statute(text, chain, titles) if chain and not lists else None


def _chain(lines: Sequence[Line], own_kind: str, *, german: bool) -> list[Mark]:
    """The heads of the sections: single numbers, multi-part numbers, or numbers restarting in each
    chapter."""
    chain = best_sequence(lines, FORMATS, own_kind)
    named = bool(chain) and chain[0].named
    composite = composite_sequence(lines, own_kind, bare=not named)
    if composite and (len(composite) > len(chain) or not chain):
        chain = composite
    chain = by_chapter(lines, chain, own_kind)
    if german and chain and not chain[0].named:
        chain = [replace(mark, kind="number") for mark in chain]
    return chain


def pack_statute(
    statute: Statute, usual: Metrics, vocabulary: Vocabulary, title: str, language: str
) -> list[Packed]:
    """Passages of a statute: preamble, recitals, sections, schedules, in document order."""
    units = _preamble(statute) + _sections(statute) + _schedules(statute)
    _fill(units, statute.lines, usual, vocabulary)
    packed: list[Packed] = []
    for unit in units:
        if unit.section is None:
            packed += pack_prose(unit.paragraphs, title, language)
        elif unit.running:
            packed += _pack_running_unit(unit, unit.section, title, language)
        else:
            packed += _pack_section(unit, unit.section, title, language)
    return packed


def _preamble(statute: Statute) -> list[_Unit]:
    """The text before the first section: recitals if numbered, else running text."""
    lines = statute.lines
    end = Hierarchy().read(lines, 0, statute.chain[0].line)
    first, after = table_of_sections(lines[:end])
    while first and lines[first - 1].text.isupper() and len(lines[first - 1].words) < _ARRANGEMENT_WORDS:
        first -= 1  # "ARRANGEMENT OF SECTIONS"
    recitals = best_sequence(lines[:end], (RECITAL,), "recital")
    starts = [mark.line for mark in recitals] if len(recitals) >= _MIN_RECITALS else []
    units = [_Unit(0, first), _Unit(after, starts[0] if starts else end)]
    for mark, stop in zip(recitals if starts else [], [*starts[1:], end], strict=False):
        section = Section(id=section_id("recital", mark.label), title="")
        units.append(_Unit(mark.line, stop, section))
    return [unit for unit in units if unit.start < unit.end]


def _sections(statute: Statute) -> list[_Unit]:
    lines, chain = statute.lines, statute.chain
    hierarchy = Hierarchy()
    hierarchy.read(lines, 0, chain[0].line)
    last = _first_schedule(statute)
    stops = [mark.line for mark in chain[1:]] + [last]
    units = []
    for mark, stop in zip(chain, stops, strict=True):
        above = hierarchy.names
        end = hierarchy.read(lines, mark.line + 1, stop) if stop != last else stop
        title = title_of(lines, mark, end)
        if statute.margin:
            title = Title(statute.margin.get(mark.line, ""), mark.line + 1, mark.rest, quoted=False)
        name = Section(id=mark.section_id, title=title.text, hierarchy=above)
        cut = _outranked(lines, max(mark.line + 1, title.after), end, lines[mark.line].size)
        units.append(_Unit(mark.line, cut, name, title))
        if cut < end:
            units.append(_Unit(cut, end))
    return units


def _outranked(lines: Sequence[Line], first: int, end: int, size: float) -> int:
    """Where a section's text ends at a heading in larger type; `end` if there is none."""
    for at in range(first + 1, end):
        text = lines[at].text
        larger = lines[at].size >= _LARGER * size and lines[at - 1].size < _LARGER * size
        if (
            larger
            and len(lines[at].words) <= _HEADING_WORDS
            and text[:1].isupper()
            and text[-1] not in ".,;:"
        ):
            return at
    return end


def _first_schedule(statute: Statute) -> int:
    starts = schedule_starts(statute.lines)
    return next((at for at in starts if at > statute.chain[-1].line), len(statute.lines))


def _schedules(statute: Statute) -> list[_Unit]:
    """The schedules, annexes and forms after the sections."""
    lines = statute.lines
    starts = [at for at in schedule_starts(lines) if at > statute.chain[-1].line]
    units = []
    for start, end in pairwise([*starts, len(lines)]):
        units.append(_Unit(start, end, _schedule_section(lines, start), running=True))
    return units


def _schedule_section(lines: Sequence[Line], at: int) -> Section:
    match = SCHEDULE.fullmatch(lines[at].text)
    if match is None:  # "[See rule 3]": the title is below
        return Section(id=section_id("annex", ""), title=lines[min(at + 1, len(lines) - 1)].text)
    kind = match["kind"].casefold()
    number = match["number"] or ""
    if match["ordinal"]:
        number = str(_ORDINALS.index(match["ordinal"].strip().casefold()) + 1)
    return Section(id=section_id(_LABELS.get(kind, kind), number), title=lines[at].text)


def _fill(units: Sequence[_Unit], lines: Sequence[Line], usual: Metrics, vocabulary: Vocabulary) -> None:
    """Assign every unit its paragraphs. Paragraphs are recognised only once, so that columns are known in
    full."""
    forced = {unit.start for unit in units} | {unit.end for unit in units}
    forced |= {unit.title.after for unit in units if unit.title and unit.title.text and not unit.title.rest}
    kept = frozenset(id(lines[i]) for i in forced if i < len(lines))
    order = {id(line): i for i, line in enumerate(lines)}
    starts = [unit.start for unit in units]
    for paragraph in paragraphs(lines, usual, vocabulary, kept):
        at = order[id(paragraph.lines[0])]
        unit = units[bisect_right(starts, at) - 1] if at >= starts[0] else None
        if unit is not None and at < unit.end:
            unit.paragraphs.append(paragraph)


def _pack_running_unit(unit: _Unit, section: Section, title: str, language: str) -> list[Packed]:
    pieces = [piece for paragraph in unit.paragraphs for piece in pieces_of(paragraph, language)]
    groups = pack_running(pieces)
    return [
        Packed(group, heading_of(title, [section.title] if i else []), section)
        for i, group in enumerate(groups)
    ]


def _pack_section(unit: _Unit, section: Section, title: str, language: str) -> list[Packed]:
    """Passages of one section, cut at its sub-divisions."""
    groups, paths = _groups(unit, language)
    packed = []
    for group in pack_units(groups):
        first = group[0]
        path = paths[id(first.paragraph)]
        opens = first.paragraph is unit.paragraphs[0] and first.start == 0
        named = Section(id=section.id, title=section.title, path=path, hierarchy=section.hierarchy)
        packed.append(Packed(group, heading_of(title, _names(unit, named, language, opens)), named))
    return packed


def _names(unit: _Unit, section: Section, language: str, opens: bool) -> list[str]:
    """The headings above a passage: the hierarchy and, unless the text has them, number and title."""
    names = [*section.hierarchy[-2:]]
    if not opens:
        reference = SectionReference(id=section.id, path=section.path[:2])
        names.append(f"{format_reference(reference, language)} {section.title}".strip())
    elif section.title and unit.title and not unit.title.quoted:
        names.append(section.title)
    return names


def _groups(unit: _Unit, language: str) -> tuple[list[list[PackedSentence]], dict[int, tuple[str, ...]]]:
    """The section's sentences grouped by outermost sub-division, and the path each paragraph begins with."""
    levels = Levels()
    groups: list[list[PackedSentence]] = []
    paths: dict[int, tuple[str, ...]] = {}
    for i, paragraph in enumerate(unit.paragraphs):
        if paragraph.role is ParagraphRole.ITEM or i == 0:
            paragraph.role = ParagraphRole.TEXT
        begins = unit.title.rest if i == 0 and unit.title else paragraph.text
        depth = levels.enter(begins)
        paths[id(paragraph)] = levels.path
        pieces = pieces_of(paragraph, language)
        if groups and depth != 0:
            groups[-1] += pieces
        elif len(groups) == 1 and sum(piece.words for piece in groups[0]) < _MIN_GROUP_WORDS:
            groups[0] += pieces  # only number and title
        else:
            groups.append(pieces)
    return groups, paths
