"""The demands of a motion: its numbered points, else its sentences.

The text is data: it is cut and searched with, nothing in it is followed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.answering.reports.clauses import LEAST_WORDS, clauses, without_opening, without_tail
from core.domain.pages import Page
from core.evidence.guards import word_lists
from core.evidence.skeleton import skeleton
from core.language.patterns import pattern
from core.language.sentences import sentences

LIMIT = 12
"""Demands looked at; a motion with more says how many were left out."""

_REASONS = pattern(r"^\W*(?:{motions.reasons})\b[^.!?]{0,40}(?::|$)", re.IGNORECASE)
_POINT = re.compile(r"^\s*(?:\(?(?:\d{1,2}|[a-h]|[ivx]{1,4})[.)]\)?|[-–•▪*])\s+(?=\S)")
_INLINE_POINT = pattern(
    r"(?:^|(?<=[.:;,!?])|(?<=[.!?][\"”“»])|(?<=\w)(?:[ \t]+(?:{motions.conjunctions})|(?=[ \t]+\d{1,2}\))))"
    r"[ \t]+\(?(\d{1,2})[.)][ \t]+(?=[„\"“«(]?([^\W\d_]+))",
    re.IGNORECASE,
)
"""A point within a line, and its first word; lines that begin with one are none of these."""
_HYPHENATED = re.compile(r"(?<=[^\W\d_])-\n[ \t]*(?=[a-zäöüß])")
_SALUTATION = pattern(r"^\s*(?:{motions.salutations})\b", re.IGNORECASE)
_REASONS_INLINE = pattern(r"(?<=[.!?])[ \t]+(?=(?:{motions.reasons})\s*:)", re.IGNORECASE)
_LEAST_WORDS = 4
_MOST_WORDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """One demand; `number` counts from 1 in the motion's order."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """The first `LIMIT` demands of a motion and how many more there are."""

    items: tuple[Demand, ...]
    omitted: int = 0


def demands(text: str, language: str) -> Demands:
    """What a motion demands: its points where it has at least two, sentence by sentence, else the sentences
    of its text; what is joined in one is two where both say enough. Its reasons, headings and salutation are
    none, nor are formulas before a demand. Each is at most 60 words long."""
    blocks = list(_blocks(_points_apart(_REASONS_INLINE().sub("\n", text))))
    points = [point for block in blocks for point in _points(block)]
    whole = (
        [each for point in points for each in _of_point(point, language)]
        if len(points) > 1
        else [each for block in blocks for each in _sentences(block, language)]
        or [block for block in map(_without_stop, blocks) if block]
    )
    parts = (without_opening(part) for each in whole for part in clauses(each))
    unique = list(dict.fromkeys(map(_shortened, parts)))
    items = tuple(Demand(number=n, text=each) for n, each in enumerate(unique[:LIMIT], start=1))
    return Demands(items=items, omitted=max(0, len(unique) - LIMIT))


def text_of_pages(pages: Sequence[Page]) -> str:
    """The text of a motion's pages without their furniture: lines, and an empty line between blocks."""
    out: list[str] = []
    before: tuple[int, int, int] | None = None
    for page in pages:
        for word in page.words:
            if word.furniture:
                continue
            place = (page.number, word.block, word.line)
            if before is not None:
                out.append(" " if place == before else "\n" if place[:2] == before[:2] else "\n\n")
            out.append(word.text)
            before = place
    return "".join(out)


def _points_apart(text: str) -> str:
    """`text` with a line for each numbered point, where points follow each other in one line, as in a chat:
    they count from 1, behind a mark or an "and", and are no days of a month."""
    text = f" {text}"
    found = list(_INLINE_POINT().finditer(text))
    counted = [int(each[1]) for each in found] == list(range(1, len(found) + 1))
    dated = any(skeleton(each[2]) in word_lists().months for each in found)
    return _INLINE_POINT().sub(r"\n\1. ", text) if counted and len(found) > 1 and not dated else text


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs up to the reasons, line-end hyphens resolved."""
    plain = _HYPHENATED.sub("", text.replace("\r\n", "\n").replace("\xad", ""))
    for block in re.split(r"\n\s*\n", plain):
        lines: list[str] = []
        for line in block.strip().split("\n"):
            if _REASONS().match(line):
                yield "\n".join(lines)
                return
            lines.append(line)
        yield "\n".join(lines)


def _points(block: str) -> Iterator[str]:
    """The numbered or dashed points of a paragraph; lines without a sign go on with the point before."""
    point: list[str] | None = None
    for line in block.split("\n"):
        sign = _POINT.match(line)
        if sign:
            yield from _enough(point)
            point = [line[sign.end() :]]
        elif point is not None:
            point.append(line)
    yield from _enough(point)


def _of_point(point: str, language: str) -> list[str]:
    """The sentences of a point; all of it where only one of them says enough."""
    found = [point[start:end] for start, end in sentences(point, language)]
    return found if all(len(each.split()) >= _LEAST_WORDS for each in found) else [point]


def _enough(lines: Sequence[str] | None) -> Iterator[str]:
    text = without_tail(" ".join(" ".join(lines or ()).split()))
    if len(text.split()) >= 2:
        yield text


def _without_stop(block: str) -> str:
    """A paragraph without a stop, as people type, if it says enough and only leads into nothing."""
    text = " ".join(_POINT.sub("", block).split())
    told = len(text.split()) >= LEAST_WORDS and not text.endswith(":") and not _SALUTATION().match(text)
    return text if told else ""


def _sentences(block: str, language: str) -> Iterator[str]:
    """The sentences of a paragraph that are neither heading, formula nor salutation."""
    text = " ".join(block.split())
    sign = _POINT.match(text)
    text = text[sign.end() :] if sign else text
    if _SALUTATION().match(text):
        return
    for start, end in sentences(text, language):
        sentence = text[start:end]
        if len(sentence.split()) >= _LEAST_WORDS and sentence.rstrip("\"'“”»«")[-1:] in ".!?;":
            yield sentence


def _shortened(text: str) -> str:
    return " ".join(text.split()[:_MOST_WORDS])
