"""The demands of a motion: its numbered points, else its sentences.

The text is data: it is split and searched, and nothing in it is followed as an instruction.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.domain.pages import Page
from core.evidence.guards import word_lists
from core.evidence.skeleton import skeleton
from core.language.patterns import pattern
from core.language.sentences import sentences

LIMIT = 12
"""Maximum demands considered; for a motion with more, the report says how many were left out."""

_REASONS = pattern(r"^\W*(?:{motions.reasons})\b[^.!?]{0,40}(?::|$)", re.IGNORECASE)
_POINT = re.compile(r"^\s*(?:\(?(?:\d{1,2}|[a-h]|[ivx]{1,4})[.)]\)?|[-–•▪*])\s+(?=\S)")
_INLINE_POINT = pattern(
    r"(?:^|(?<=[.:;,!?])|(?<=[.!?][\"”“»])|(?<=\w)(?:[ \t]+(?:{motions.conjunctions})|(?=[ \t]+\d{1,2}\))))"
    r"[ \t]+\(?(\d{1,2})[.)][ \t]+(?=[„\"“«(]?([^\W\d_]+))",
    re.IGNORECASE,
)
"""A point within a line, and its first word; points at the start of a line are not included."""
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
    """What a motion demands: its points sentence by sentence if it has at least two, else the sentences of
    its text; joined demands are separated if both say enough. Reasons, headings and the salutation are not
    included, nor are formulas before a demand. Each is at most 60 words long."""
    blocks = list(_blocks(_points_apart(_REASONS_INLINE().sub("\n", text))))
    points = [point for block in blocks for point in _points(block)]
    whole = (
        [each for point in points for each in _of_point(point, language)]
        if len(points) > 1
        else [each for block in blocks for each in _sentences(block, language)]
        or [block for block in map(_without_stop, blocks) if block]
    )
    parts = (_without_opening(part) for each in whole for part in _clauses(each))
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
    """`text` with a line for each numbered point if several are in one line, as in a chat: they count from 1,
    follow punctuation or an "and", and are not days of a month."""
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
    """The numbered or dashed points of a paragraph; lines without a sign continue the previous point."""
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
    """The sentences of a point; all of it if only one of them says enough."""
    found = [point[start:end] for start, end in sentences(point, language)]
    return found if all(len(each.split()) >= _LEAST_WORDS for each in found) else [point]


def _enough(lines: Sequence[str] | None) -> Iterator[str]:
    text = _TAIL().sub("", " ".join(" ".join(lines or ()).split()))
    if len(text.split()) >= 2:
        yield text


def _without_stop(block: str) -> str:
    """A paragraph without a full stop, as people type, if it says enough and is not just a lead-in."""
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


# Splitting one sentence of a motion: its opening, and the demands that it joins.

LEAST_WORDS = 3
"""Minimum words of a demand that shares a sentence with others."""

_OPENING = pattern(r"^\s*(?:{motions.openings})\s*", re.IGNORECASE)
_MOST_OPENINGS = 4
_ELIDED = re.compile(r"['’].*")
_JOINED = pattern(r"\s*;\s*|\s+(?:{motions.joining})\s+", re.IGNORECASE)
_AND = r"(?:\s*,\s*(?:(?:{motions.conjunctions})\s+)?|\s+(?:{motions.conjunctions})\s+)"
_FURTHER = pattern(rf"{_AND}(?=({{motions.further}}))", re.IGNORECASE)
_AND_MORE = pattern(_AND, re.IGNORECASE)
_NEW_CLAUSE = pattern(r"[A-ZÄÖÜ]|(?:{motions.articles})\b")
_LISTED = pattern(rf"{_AND}(?=(?:{{motions.articles}})\s)", re.IGNORECASE)
_DEMANDING = pattern(r"\b(?:{motions.demanding})\b(?![,:])", re.IGNORECASE)
_LAST_VERB = pattern(r"\b(?:{motions.last_verbs}|{motions.infinitives})$")
_INFINITIVE = pattern(r"\b(?:{motions.infinitives})$")
_BETWEEN = pattern(r"\s*,?\s+(?:{motions.conjunctions})\s+", re.IGNORECASE)
_VERB = pattern(r"\b(?:{motions.verbs})\b", re.IGNORECASE)
_TAIL = pattern(r"\s*[,;]?(?:\s+(?:{motions.conjunctions}))?\s*$", re.IGNORECASE)


def _without_opening(text: str) -> str:
    """`text` without the formulas that lead into a demand ("The council may resolve:"); unchanged if too
    little would be left."""
    for _ in range(_MOST_OPENINGS):
        shorter = _OPENING().sub("", text, count=1)
        if shorter == text or len(shorter.split()) < 2:
            break
        text = shorter
    return text


def _clauses(sentence: str) -> list[str]:
    """The demands that a sentence joins, if each has enough words: after semicolons and "as well as",
    repeated conjunctions ("that ..., that ..."), infinitives at the end of a clause, in lists of what "we
    demand", and between two main clauses."""
    parts = [sentence]
    for cuts, least in _WAYS:
        parts = [each for part in parts for each in _apart(part, cuts(part), least)]
    return parts


Cut = tuple[int, int]
"""The joint between two demands: the character range between them."""


def _apart(sentence: str, cuts: Iterable[Cut], least: int) -> list[str]:
    """`sentence` split at the cuts that leave enough words on both sides."""
    parts, start = [], 0
    for first, end in cuts:
        if min(len(sentence[start:first].split()), len(sentence[end:].split())) >= least:
            parts.append(sentence[start:first])
            start = end
    return [part.strip(" ,") for part in (*parts, sentence[start:])]


def _joints(sentence: str) -> list[Cut]:
    return [match.span() for match in _JOINED().finditer(sentence)]


def _conjunctions(sentence: str) -> Iterator[Cut]:
    """Cuts before a conjunction that already occurred in the sentence."""
    for match in _FURTHER().finditer(sentence):
        if _first_word(match[1]) in map(_first_word, sentence[: match.start()].split()):
            yield match.span()


def _first_word(text: str) -> str:
    """The first word in lower case, with elisions resolved ("d'ouvrir": "de")."""
    return _ELIDED.sub("e", text.lower().split()[0], count=1)


def _infinitives(sentence: str) -> list[Cut]:
    """Cuts after verbs at the end of their clauses, if the sentence also ends with one."""
    if not _ends_with_verb(sentence):
        return []
    found = (match.span() for match in _AND_MORE().finditer(sentence))
    return [cut for cut in found if _is_behind_verb(sentence[: cut[0]], sentence[cut[1] :])]


def _listed(sentence: str) -> Sequence[Cut]:
    """Cuts between the things that "we demand", if there are at least three."""
    found = [match.span() for match in _LISTED().finditer(sentence)]
    verb = _DEMANDING().search(sentence)
    return found if verb and len(found) > 1 and verb.end() < found[0][0] else ()


def _main_clauses(sentence: str) -> Sequence[Cut]:
    """Cuts between clauses that each have a verb of demanding."""
    cuts = [match.span() for match in _BETWEEN().finditer(sentence)]
    edges = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(sentence)]
    demanding = all(_VERB().search(sentence, start, end) for start, end in zip(*edges, strict=True))
    return cuts if demanding else ()


def _is_behind_verb(before: str, after: str) -> bool:
    """Whether a clause ends: with an unmistakable infinitive, or before a word that only begins a clause."""
    if _OPENING().fullmatch(f"{before},"):
        return False
    sure = _INFINITIVE().search(before) is not None
    return sure or bool(_ends_with_verb(before) and _NEW_CLAUSE().match(after))


def _ends_with_verb(text: str) -> bool:
    return _LAST_VERB().search(text.rstrip(" .!?\"'“”»«")) is not None


_WAYS: tuple[tuple[Callable[[str], Iterable[Cut]], int], ...] = (
    (_joints, LEAST_WORDS),
    (_conjunctions, LEAST_WORDS),
    (_infinitives, 2),
    (_listed, LEAST_WORDS),
    (_main_clauses, LEAST_WORDS),
)
"""The ways demands are joined, each with the minimum number of words per demand."""
