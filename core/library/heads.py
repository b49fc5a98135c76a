"""Heads of numbered provisions in lines of text: "§ 1004 Title", "Section 3 - Lost property", "3 Lost
property". For documents whose sections are not recognised."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core.domain.passages import Passage, Section
from core.library.references import UNITS, SectionReference, section_id

_HEAD = re.compile(
    r"(?:^[ \t#*]*|(?<=[.!?] )(?=§|Art|Sec|SEC|Rule|RULE))"
    r"(?:(?P<word>§|Art(?:icle|ikel|\.)|ART(?:ICLE|IKEL)|Sec(?:tion|\.)|SECTION"
    r"|Rule|RULE|Regel|Regulation)[ \t\u00a0]*)?"
    r"(?P<number>\d{1,4}(?:[ \t]?[a-z](?![\w]))?)(?![\w]|[.,:]\d)[ \t]*(?:[.:)]|[-–—])?[ \t]*"
    r"(?P<rest>[^\n]*)$",
    re.MULTILINE,
)
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
    for found in _HEAD.finditer(text):
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


def under_head(texts: Sequence[str]) -> Section | None:
    """The provision at the end of the last of the consecutive `texts`."""
    found = sure_heads("\n".join(texts), cut=True)
    return found[-1].section if found else None
