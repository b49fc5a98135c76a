"""Titles of sections and of the levels above them: chapters, parts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from core.evidence.text import Vocabulary
from core.library.chunking.numbering import Mark, opens_level
from core.library.chunking.text import Line, flow

_MAX_TITLE_LINES = 3
_MAX_TITLE_WORDS = 30
_MAX_HIERARCHY_WORDS = 40
_NOTE_DISTANCE = 60.0
_DASH_TITLE = re.compile(
    r"(?P<title>[^.;:(]{3,200}?)\s*(?:[.:]\s?[-–—―]+|[-–—―]{1,2}\s?(?=\()|[-–—―]\s*$|[:.]\s*(?=\(\s?1\s?\))|[:.]\s*$)"
)
_CITATION = re.compile(r"\d{1,3} of \d{4}\W*")
_GERMAN_ORDINALS = (
    r"(?:Erst|Zweit|Dritt|Viert|Fünft|Sechst|Siebt|Siebent|Acht|Neunt|Zehnt|Elft|Zwölft)(?:er|es)|\d{1,2}\."
)
_DIVISION = re.compile(
    r"(?P<word>PART|CHAPTER|TITLE|BOOK|DIVISION|SECTION|SUB-?SECTION|Part|Chapter|Title|Book|Division|Section|"
    r"PARTIE|CHAPITRE|TITRE|LIVRE|Partie|Chapitre|Titre|Livre|"
    r"TEIL|KAPITEL|ABSCHNITT|UNTERABSCHNITT|TITEL|BUCH|Teil|Kapitel|Abschnitt|Unterabschnitt|Titel|Buch)"
    r"\s*[-–—:.]?\s*(?:[IVXLC]{1,7}(?:er)?|\d{1,3}|[A-Z])[A-Z]?\b[.:]?(?P<title>.*)"
)
_GERMAN_DIVISION = re.compile(
    rf"(?:{_GERMAN_ORDINALS})\s+(?P<word>Teil|Kapitel|Abschnitt|Unterabschnitt|Titel|Buch)\b(?P<title>.*)",
    re.IGNORECASE,
)
_ROMAN_DIVISION = re.compile(r"[IVX]{1,6}[a-z]?\.\s+(?P<title>[A-ZÄÖÜ].*)")
_RANKS = {
    "book": 0, "buch": 0, "part": 1, "teil": 1, "title": 2, "division": 3, "chapter": 3, "kapitel": 3,
    "livre": 0, "partie": 0, "titre": 2, "chapitre": 3, "roman": 3,
    "section": 4, "abschnitt": 4, "subsection": 5, "unterabschnitt": 5, "titel": 6,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Title:
    """A section's title; `after` is the index of the first line that is not part of it, `rest` what follows
    the title on its own line; `quoted`: the title is part of the running text."""

    text: str
    after: int
    rest: str
    quoted: bool = True


def title_of(lines: Sequence[Line], mark: Mark, end: int) -> Title:
    """The title of the section that begins with `mark` and ends before line `end`."""
    if mark.named:
        return _named_title(lines, mark, end)
    if not mark.rest:
        return _title_below(lines, mark, end)
    text, at = mark.rest, mark.line + 1
    for _ in range(_MAX_TITLE_LINES):
        if match := _DASH_TITLE.match(text):
            rest = text[match.end() :].strip()
            stopped = text.endswith(".") and at > mark.line + 1
            if stopped and (short := _short_title(lines, mark, end)).text:
                return short  # the full stop found is that of the section's first sentence
            return Title(match["title"].strip(), at, rest)
        if at >= end or opens_level(lines[at].text) or len(text.split()) > _MAX_TITLE_WORDS:
            break
        text, at = f"{text} {lines[at].text}".strip(), at + 1
    return _short_title(lines, mark, end)


def _short_title(lines: Sequence[Line], mark: Mark, end: int) -> Title:
    """A title without a mark at its end: a short line of its own."""
    at = mark.line + 1
    alone = at < end and (opens_level(lines[at].text) or lines[at].text[0].isupper())
    if alone and mark.rest and not opens_level(mark.rest) and mark.rest[0].isupper():
        short = lines[mark.line].x1 < lines[mark.line].x0 + 0.8 * (lines[at].x1 - lines[at].x0)
        if (short or opens_level(lines[at].text)) and len(mark.rest.split()) <= _MAX_TITLE_WORDS / 2:
            return Title(mark.rest.strip(" .:-–—"), at, "")
    return Title("", mark.line + 1, mark.rest)


def _named_title(lines: Sequence[Line], mark: Mark, end: int) -> Title:
    """The title after "Article 12" or "§ 12": the rest of the line or the short lines below."""
    rest = mark.rest.strip(" .:-–—")
    if rest and not opens_level(rest):
        match = _DASH_TITLE.match(rest)
        if match:
            return Title(match["title"].strip(), mark.line + 1, rest[match.end() :].strip())
        if len(rest.split()) <= _MAX_TITLE_WORDS / 2:
            return Title(rest.strip("()[] "), mark.line + 1, "")
        return Title("", mark.line + 1, rest)
    if rest:
        return Title("", mark.line + 1, rest)
    return _title_below(lines, mark, end)


def _title_below(lines: Sequence[Line], mark: Mark, end: int) -> Title:
    taken: list[str] = []
    at = mark.line + 1
    while at < end and len(taken) < _MAX_TITLE_LINES and _titleish(lines, at, end, mark.line):
        taken.append(lines[at].text)
        at += 1
    if at >= end or (at < end and lines[at].text[0].islower()):  # ran into running text
        return Title("", mark.line + 1, "")
    return Title(" ".join(taken), at, "")


def _titleish(lines: Sequence[Line], at: int, end: int, head: int) -> bool:
    text = lines[at].text
    if opens_level(text) or text[-1] in ".;:," or len(text.split()) > _MAX_TITLE_WORDS / 2:
        return False
    narrow = lines[at].x1 - lines[at].x0 < 0.8 * max(
        line.x1 - line.x0 for line in lines[head : min(end + 1, head + 40)]
    )
    return narrow or (at + 1 < end and bool(opens_level(lines[at + 1].text)))


def margin_titles(
    lines: Sequence[Line], chain: Sequence[Mark], margin: Sequence[Line], vocabulary: Vocabulary
) -> dict[int, str]:
    """Titles printed beside the text, by index of the section's first line."""
    cited = [line for line in margin if not _CITATION.fullmatch(line.text)]
    by_page = {page: list(group) for page, group in groupby(cited, key=lambda line: line.page)}
    found: dict[int, str] = {}
    for page, group in groupby(chain, key=lambda mark: lines[mark.line].page):
        marks = list(group)
        notes = _notes(by_page.get(page, []))
        for i, mark in enumerate(marks):
            note = notes[i] if len(notes) == len(marks) else _nearest(notes, lines[mark.line])
            if note is not None:
                found[mark.line] = flow(note, vocabulary).text.strip(" .")
    return found


def _notes(margin: Sequence[Line]) -> list[list[Line]]:
    """The marginal notes of a page, from top to bottom."""
    notes: list[list[Line]] = []
    for line in sorted(margin, key=lambda line: line.y0):
        if notes and line.y0 - notes[-1][-1].y0 < 1.6 * line.size and not notes[-1][-1].text.endswith("."):
            notes[-1].append(line)
        else:
            notes.append([line])
    return notes


def _nearest(notes: Sequence[list[Line]], head: Line) -> list[Line] | None:
    near = [note for note in notes if -head.size < note[0].y0 - head.y0 < _NOTE_DISTANCE]
    return min(near, key=lambda note: abs(note[0].y0 - head.y0), default=None)


@dataclass(slots=True)
class Hierarchy:
    """The current parts and chapters."""

    _stack: list[tuple[int, str]] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """Outermost first."""
        return tuple(name for _, name in self._stack)

    def read(self, lines: Sequence[Line], first: int, end: int) -> int:
        """Enter the divisions headed in the last of the lines `first` to `end` (exclusive).

        Returns where they begin: anything before is the section's own text. `end` if there are none.
        """
        start = self._start(lines, first, end)
        if start == end:
            return end
        rank, name = -1, ""
        for line in lines[start:end]:
            found = _rank(line.text)
            if found is None:
                name = f"{name} {line.text}"
                continue
            self._enter(rank, name)
            rank, name = found, line.text
        self._enter(rank, name)
        return start

    def _enter(self, rank: int, name: str) -> None:
        if rank >= 0:
            self._stack = [item for item in self._stack if item[0] < rank] + [(rank, name)]

    def _start(self, lines: Sequence[Line], first: int, end: int) -> int:
        words, start = 0, end
        for at in range(end - 1, first - 1, -1):
            words += len(lines[at].words)
            if words > _MAX_HIERARCHY_WORDS:
                break
            if _rank(lines[at].text) is not None and not lines[at].text.endswith((";", ",")):
                start = at
        return start


def division_name(text: str) -> str:
    """The name of the division headed by a line, without its title: "Teil B"; "" for other lines."""
    if _rank(text) is None:
        return ""
    for pattern in (_DIVISION, _GERMAN_DIVISION, _ROMAN_DIVISION):
        if match := pattern.fullmatch(text):
            return text[: match.start("title")].strip(" .:-–—")
    return ""


def _rank(text: str) -> int | None:
    """The rank of a division's head; None for any other line."""
    if len(text.split()) > _MAX_HIERARCHY_WORDS / 2:
        return None
    for pattern in (_DIVISION, _GERMAN_DIVISION):
        match = pattern.fullmatch(text)
        if match and not match["title"].lstrip(" -–—:.")[:1].islower() and not text.endswith((".", ";", ",")):
            return _RANKS.get(match["word"].casefold().replace("-", ""), 3)
    if _ROMAN_DIVISION.fullmatch(text) and not text.endswith((".", ";", ",", ":")):
        return _RANKS["roman"]
    return None
