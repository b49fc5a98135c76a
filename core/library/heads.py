"""Heads of numbered provisions as lines of a text have them: "§ 1004 Title", "Section 3 - Lost property",
"3 Lost property". For documents whose sections are not told apart."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.passages import Section
from core.library.references import UNITS, SectionReference, section_id

_HEAD = re.compile(
    r"^[ \t#*]*(?:(?P<word>§|Art(?:icle|ikel|\.)|ART(?:ICLE|IKEL)|Sec(?:tion|\.)|SECTION"
    r"|Rule|RULE|Regel|Regulation)[ \t\u00a0]*)?"
    r"(?P<number>\d{1,4}(?:[ \t]?[a-z](?![\w]))?)(?![\w]|[.,:]\d)[ \t]*(?:[.:)]|[-–—])?[ \t]*"
    r"(?P<rest>[^\n]*)$",
    re.MULTILINE,
)
_KINDS = {"§": "par", "a": "art", "s": "section", "r": "rule"}
_TITLE = re.compile(r"[A-ZÄÖÜÉÈÀÇÎ„“\"«(][^\n]{1,90}")
_TITLE_WORDS = 12
_GAP = 3
"""Between the numbers of heads that count on; what stands between may have no title."""
_ENDED = tuple(".,;:")
_NO_HEAD = re.compile(
    r"(?:Abs|Absatz|Satz|Nr|und|oder|bis|of|to|and|or|et|ou|shall|may|gilt|ist|sind)\b|[a-zäöüéè,;]"
)


@dataclass(frozen=True, slots=True)
class Head:
    """A head at character `start`; `named`: it says what it is ("§"), it is no mere number."""

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
        if word is None and not (_TITLE.fullmatch(rest) and not rest.endswith(_ENDED)):
            continue
        if _NO_HEAD.match(rest) or (word is None and len(rest.split()) > _TITLE_WORDS):
            continue
        kind = _KINDS[word[0].casefold()] if word else "section"
        if word and word.casefold() == "regulation":
            kind = "regulation"
        number = re.sub(r"\s", "", found["number"]).casefold()
        title = rest if len(rest.split()) <= _TITLE_WORDS else ""
        yield Head(found.start(), kind, number, title, named=word is not None)


def sure_heads(text: str) -> list[Head]:
    """The heads in `text` that are some: named ones, and mere numbers that go on counting from others."""
    found = [*heads_in(text)]
    numbers = [0 if head.named else int(re.sub(r"\D", "", head.number)) for head in found]

    def counts(at: int) -> bool:
        before = any(0 < numbers[at] - other <= _GAP for other in numbers[:at] if other)
        behind = any(0 < other - numbers[at] <= _GAP for other in numbers[at + 1 :] if other)
        return before or behind

    return [head for at, head in enumerate(found) if head.named or counts(at)]


def has_head(text: str, reference: SectionReference) -> bool:
    """Whether a line of `text` is the head of a provision; people call it by the name of any unit."""
    return any(
        head.number == reference.number
        and (head.kind == reference.kind or {head.kind, reference.kind} <= set(UNITS))
        for head in sure_heads(text)
    )


def under_head(texts: Sequence[str]) -> Section | None:
    """The provision that the end of the last of `texts`, which follow each other, stands in."""
    found = sure_heads("\n".join(texts))
    return found[-1].section if found else None
