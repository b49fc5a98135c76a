"""The sub-divisions of a section, recovered from its passages: where (4)(a) begins and ends.

Passages are cut for searching; a provision is quoted as the law divides it. Markers count at the beginning of
a line, as in chunking; text before the first one (number, title, lead-in) belongs to the section itself.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, zip_longest

from core.domain.answers import Answer, Citation
from core.domain.passages import Passage, Section
from core.evidence.index import GAP
from core.evidence.skeleton import skeleton
from core.library.chunking.numbering import Levels
from core.library.references import UNITS, SectionReference, number_of, section_id
from core.ports.library import Library

_LINE = re.compile(r"[^\n]+")
_HEAD = r"[\W_]*(?:[^\W\d_]+\.?\s+){{0,2}}(?:§\s*)?{number}(?!\w)\s?[.:)]?[-–—―]*\s*"
_OF_SEVERAL_PARTS = re.compile(r"(?:\d{1,3}|[IVXL]{1,6})(?:\.\d{1,3}){1,4}[.)]?\s")
_BEHIND_TITLE = re.compile(r"[\s.:\-–—―]*")


@dataclass(frozen=True, slots=True)
class Part:
    """A line of a section, or several that belong to one marker: characters `start` to `end` of the text of
    passage number `passage` of the family. `path` is its sub-division, outermost first; `head`: only the
    section's number and title; `sure` is the certain part of the path, `listed` whether that begins with a
    list item, "2.", rather than a paragraph, "(2)"."""

    path: tuple[str, ...]
    passage: int
    start: int
    end: int
    head: bool = False
    sure: tuple[str, ...] = ()
    listed: bool = False


def parts_of(family: Sequence[Passage]) -> list[Part]:
    """The lines of a section's passages, in order, each with its sub-division."""
    levels = Levels(nesting=True)
    parts: list[Part] = []
    in_head = True
    shared: tuple[str, ...] = ()
    otherwise = False  # divided by multi-part numbers ("5.2"), which form no path
    for number, passage in enumerate(family):
        for line in _LINE.finditer(passage.text):
            after = (
                _behind_head(line[0], passage.section, numbered=not parts)
                if in_head and passage.section
                else 0
            )
            in_head = in_head and after == len(line[0]) and number == 0
            marked = not in_head and levels.enter(line[0][after:]) is not None
            if _goes_on_inside(line[0], levels.path):
                shared = levels.path  # its last words, and the lines after it, belong to all of its items
            path = levels.path[:-1] if shared and levels.path == shared else levels.path
            otherwise = otherwise or (not after and _OF_SEVERAL_PARTS.match(line[0]) is not None)
            sure = () if otherwise else levels.certain[: len(path)] if marked else levels.around
            listed = not levels.counts_paragraphs
            parts.append(Part(path, number, line.start(), line.end(), in_head, sure, listed))
    return parts


def _goes_on_inside(line: str, path: Sequence[str]) -> bool:
    """Whether the next item begins in the same line ("...; or (b) ...")."""
    if not path or not re.fullmatch(r"[a-y]", path[-1]):
        return False
    return re.search(rf"[;,—-]\s+(?:\w{{2,3}}\s+)?\({chr(ord(path[-1]) + 1)}\)\s", line) is not None


def _behind_head(line: str, section: Section, *, numbered: bool) -> int:
    """Where the number and title of `section` end in the first line of its text; `numbered`: it may have the
    number."""
    number = number_of(section.id)
    head = re.match(_HEAD.format(number=re.escape(number)), line, re.IGNORECASE) if numbered else None
    at = head.end() if head else 0
    title = section.title
    if title and line[at : at + len(title)].casefold() == title.casefold():
        after = _BEHIND_TITLE.match(line, at + len(title))
        return after.end() if after else at
    if not head and title and line.strip() in title:
        return len(line)
    return at


def within(parts: Sequence[Part], path: Sequence[str]) -> list[Part]:
    """The parts of the sub-division `path`, including its own sub-divisions; if a path occurs again (an
    annexed list), only the first. Empty if there is none."""
    wanted = tuple(path)
    divisions: list[Part] = []
    for part in parts:
        if part.path[: len(wanted)] == wanted:
            divisions.append(part)
        elif divisions:
            break
    return divisions


def lead_in(parts: Sequence[Part], path: Sequence[str]) -> list[Part]:
    """The lead-in of `path`: the lines of the sub-division above it before its first item."""
    above = tuple(path)[:-1]
    if not path:
        return []
    own = within(parts, above)
    opening = []
    for part in own:
        if part.path != above:
            break
        opening.append(part)
    return [part for part in opening if not part.head]


def common_path(parts: Sequence[Part]) -> tuple[str, ...]:
    """The innermost sub-division that certainly contains all of `parts`; a lead-in counts with the item it
    leads to."""
    paths = {part.sure for part in parts if not part.head}
    leaves = [path for path in paths if not any(_leads_to(path, other) for other in paths)]
    if not leaves:
        return ()
    first, last = min(leaves), max(leaves)
    same = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), None)
    return first[: min(len(first), len(last)) if same is None else same]


def _leads_to(path: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(path) < len(other) and other[: len(path)] == path


# Heads of numbered provisions in lines of text: "§ 1004 Title", "Section 3 - Lost property", "3 Lost
# property". For documents whose sections are not recognised.


_PLAIN_HEAD = re.compile(
    r"(?:^[ \t#*]*|(?<=[.!?] )(?=§|Art|Sec|SEC|Rule|RULE))"
    r"(?:(?P<word>§|Art(?:icle|ikel|\.)|ART(?:ICLE|IKEL)|Sec(?:tion|\.)|SECTION"
    r"|Rule|RULE|Regel|Regulation)[ \t\u00a0]*)?"
    r"(?P<number>\d{1,4}(?:[ \t]?[a-z](?![\w]))?)(?![\w]|[.,:]\d)[ \t]*(?:[.:)]|[-–—])?[ \t]*"
    r"(?P<rest>[^\n]*)$",
    re.MULTILINE,
)
_NUMBERED = re.compile(
    r"(?:^[ \t#*]*(?:(?:§|[^\W\d_]+\.?)[ \t]*)?|(?<=[.!?] ))"
    r"(?P<number>\d{1,3}(?:\.\d{1,3})*)\.?[ \t]+(?=[^\W\da-z_]|[\"„“«(])",
    re.MULTILINE,
)
"""A number at the head of a line or sentence."""
_KINDS = {"§": "par", "a": "art", "s": "section", "r": "rule"}
_TITLE = re.compile(r"[A-ZÄÖÜÉÈÀÇÎ„“\"«(][^\n]{1,90}")
_TITLE_WORDS = 12
_GAP = 3
"""Maximum gap between the numbers of successive heads; those in between may have no title."""
_TEXT_WORDS = 5
"""Minimum words below a lone number that is a head."""
_ENDED = tuple(".,;:")
_NO_HEAD = re.compile(
    r"(?:Abs|Absatz|Satz|Nr|und|oder|bis|of|to|and|or|et|ou|shall|may|gilt|ist|sind)\b|[a-zäöüéè,;]"
    r"|[A-ZÄÖÜ]\w*[A-ZÄÖÜ]\w*\s+[a-zäöü]"
)


@dataclass(frozen=True, slots=True)
class Head:
    """A head at character `start`; `named`: it says what it is ("§") and is not a bare number."""

    start: int
    kind: str
    number: str
    title: str
    named: bool

    @property
    def section(self) -> Section:
        """The provision that it begins."""
        return Section(id=section_id(self.kind, self.number), title=self.title)


def heads_in(text: str) -> Iterator[Head]:
    """Lines that may be heads, in order."""
    for found in _PLAIN_HEAD.finditer(text):
        word, rest = found["word"], found["rest"].strip()
        inside = found.start() > 0 and text[found.start() - 1] != "\n"  # a paragraph that was joined
        if (word is None or inside) and not (_TITLE.fullmatch(rest) and not rest.endswith(_ENDED)):
            continue
        if _NO_HEAD.match(rest) or (word is None and len(rest.split()) > _TITLE_WORDS):
            continue
        kind = _KINDS[word[0].casefold()] if word else "section"
        if word and word.casefold() == "regulation":
            kind = "regulation"
        number = re.sub(r"\s", "", found["number"]).casefold()
        title = rest if len(rest.split()) <= _TITLE_WORDS else ""
        yield Head(found.start(), kind, number, title, named=word is not None)


def sure_heads(text: str, *, cut: bool = False) -> list[Head]:
    """The certain heads in `text`: named ones, and bare numbers that continue from others, with text below;
    lists and tables of contents have none. `cut`: the text below the last head continues."""
    heads = [*heads_in(text)]
    ends = [*(head.start for head in heads[1:]), len(text)]
    below = [text[head.start : end].partition("\n")[2] for head, end in zip(heads, ends, strict=False)]
    numbers = {
        at: int(re.sub(r"\D", "", head.number))
        for at, head in enumerate(heads)
        if len(below[at].split()) >= _TEXT_WORDS or (cut and at == len(heads) - 1)
    }

    def counts(at: int) -> bool:
        return at in numbers and any(
            0 < (numbers[at] - other if place < at else other - numbers[at]) <= _GAP
            for place, other in numbers.items()
            if place != at
        )

    return [head for at, head in enumerate(heads) if head.named or counts(at)]


@dataclass(frozen=True, slots=True)
class Headed:
    """The text under a head: characters `start` to `end` of a passage."""

    passage: Passage
    head: Head
    start: int
    end: int


def headed(reference: SectionReference, passages: Sequence[Passage], law: str | None = None) -> Headed | None:
    """The text under the head of a provision, in the first passage that has it; if `law` is named, in a
    document of that name. A bare number is a head if no section of the document is known; people use the name
    of any unit."""
    if "." in reference.number:
        return _of_several_parts(reference, passages) if law is None else None
    known = any(each.section and each.section.id.partition(":")[0] in UNITS for each in passages)
    for passage in passages:
        heads = [*heads_in(passage.text)]
        sure = sure_heads(passage.text)
        for head, following in zip_longest(heads, heads[1:]):
            alike = head.kind == reference.kind or {head.kind, reference.kind} <= set(UNITS)
            named = law is None or law.casefold() in head.title.casefold().split()
            if head.number != reference.number or not (alike and named) or (known and not head.named):
                continue
            end = following.start if following else len(passage.text)
            under = passage.text[head.start : end].rstrip()
            if head in sure or len(under.partition("\n")[2].split()) >= _TEXT_WORDS:
                return Headed(passage, head, head.start, head.start + len(under))
    return None


def _of_several_parts(reference: SectionReference, passages: Sequence[Passage]) -> Headed | None:
    """The text that begins with a number of several parts, up to the next number, where the same row has
    another one."""
    heads = [(passage, [*_NUMBERED.finditer(passage.text)]) for passage in passages]
    numbers = {each["number"] for _, found in heads for each in found}
    if sum(each.rpartition(".")[0] == reference.number.rpartition(".")[0] for each in numbers) < 2:
        return None
    for passage, found in heads:
        for each, following in zip_longest(found, found[1:]):
            if each["number"] == reference.number:
                end = following.start() if following else len(passage.text)
                text = passage.text[each.start() : end].rstrip()
                head = Head(each.start(), reference.kind, reference.number, "", named=False)
                return Headed(passage, head, each.start(), each.start() + len(text))
    return None


def under_head(texts: Sequence[str]) -> Section | None:
    """The provision at the end of the last of the consecutive `texts`."""
    found = sure_heads("\n".join(texts), cut=True)
    return found[-1].section if found else None


async def divided(library: Library, answer: Answer) -> Answer:
    """`answer`, with each citation in a numbered section given the path of the innermost sub-division that
    contains its quote."""
    return replace(answer, citations=tuple([await _divided(library, each) for each in answer.citations]))


async def _divided(library: Library, citation: Citation) -> Citation:
    section = citation.section
    if section is None:
        return citation
    family = await library.section_family(citation.edition.version.id, section.id)
    return replace(citation, section=replace(section, path=path_of(citation.quote.text, family)))


def path_of(quote: str, family: Sequence[Passage]) -> tuple[str, ...]:
    """The innermost sub-division that certainly contains all pieces of `quote`, an outermost list item with
    its full stop ("2."); () if that is the section itself or the words are not found in it."""
    parts = parts_of(family)
    letters = [skeleton(family[part.passage].text[part.start : part.end]) for part in parts]
    ends = list(accumulate(map(len, letters)))
    whole = "".join(letters)
    touched: list[Part] = []
    for piece in quote.split(f" {GAP} "):
        said = skeleton(piece)
        at = whole.find(said) if said else -1
        if at >= 0:
            touched += parts[bisect_right(ends, at) : bisect_right(ends, at + len(said) - 1) + 1]
    path = common_path(touched)
    listed = path and path[0].isdigit() and any(part.listed for part in touched)
    return (f"{path[0]}.", *path[1:]) if listed else path
