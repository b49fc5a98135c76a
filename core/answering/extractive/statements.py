"""Whether a stretch of a passage makes a statement: a heading only names a topic, while a rule or a promise
commits somebody.

A question about a topic is close to anything that repeats its words, which headings and rhetoric do best. The
answer is the sentence that says what will, shall or may be.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from core.domain.passages import Passage, PassageKind
from core.evidence.exact import MIN_CHARACTERS
from core.evidence.skeleton import skeleton
from core.evidence.text import is_led_row
from core.language.patterns import pattern, words
from core.language.stated import holds_number
from core.library.chunking.prose import SEPARATOR

LEAST_WORDS = 8
"""Minimum words of a stretch that says what somebody wants; fewer are a slogan."""

_HEADING_WORDS = 14
_HEADINGS_IN_A_ROW = 2
_ENDS = re.compile(r"(?:[!?;:,…–—]|(?<!\d)\.|\.(?!\d))[\"'”“»«’)\]¹²³\d\s]*$")
"""A full stop between two digits is part of a date."""
_NUMBERING = re.compile(r"^\W*(?:\d{1,3}|[A-Z]|[IVX]{1,5})(?:\.\d{1,3})*[.)]?\s")
_NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s")
_LIST_SIGN = re.compile(r"^\s*(?:[^\w\s\"'„“»«‚(§]|[a-z]\s)")
_LINE = re.compile(r"[^\n]+")
_CELL = re.compile(r"(?:^|; )([^;:\n]{1,80}): ")
_WORD = re.compile(r"[^\W\d_]+")
_INFINITIVE = pattern("{commitments.infinitives}", re.IGNORECASE)
_FORMALITY = pattern("{commitments.formalities}", re.IGNORECASE)
_TO_FILL_IN = pattern(
    r"^\W*\[\s*(?:{commitments.to_fill_in})|:\s*\[\s*(?:{commitments.to_fill_in})[^\[\]]*\]?\W*$",
    re.IGNORECASE,
)
_MEASURE = pattern(r"^\W*(?:{commitments.measures})", re.IGNORECASE)
_FORMALITY_WORDS = 40
"""A longer sentence says something else as well."""
_CONTACT = re.compile(
    r"(?<![(\w])(?:https?://|www\.)\w|\w@\w+[\w.-]*\.\w{2,}|\b(?:tel|fon|fax|phone|telefon)\b\W{0,3}[+(]?\d{2}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\S*[@/]\S*|\bwww\.\S+", re.IGNORECASE)
_HOUSE = re.compile(r",\s*(?:[A-ZÄÖÜ]\S*\s+){0,3}\d{1,5}\b|\b\d{5}\s+[A-ZÄÖÜ]")
_STOPPED = re.compile(r"[.!?][\"'”“»«’)]*$")
_VERB = re.compile(r"\b[^\W\d_A-ZÄÖÜ][^\W\d_]{3,}")
"""A lower-case word that is not just a particle."""


def commits(sentence: str, *, present: bool = False) -> bool:
    """Whether a sentence says what somebody will do, must, may or may not; with `present` also what "we" do,
    as in "wir heben ... an", which may be a promise or a complaint. The words of all languages apply at
    once."""
    said = {word.lower() for word in _WORD.findall(sentence)}
    commit = words("commitments.words") | (words("commitments.speakers") if present else frozenset())
    return not said.isdisjoint(commit) or _INFINITIVE().search(sentence) is not None


def states(sentence: str) -> bool:
    """Whether a sentence demands something or states a number."""
    return commits(sentence, present=True) or holds_number(sentence)


def is_slogan(text: str) -> bool:
    """Whether the shown text is just a few words without a demand, a number, or a reason: "Cash is freedom in
    print." An item that names a measure demands it: "Abolition of the fee"."""
    return len(text.split()) < LEAST_WORDS and not states(text) and not _MEASURE().search(text)


def is_formal(sentence: str) -> bool:
    """Whether a sentence has no substance: the name of its document, who adopted or printed it, an address,
    or instructions for filling in a form."""
    if _TO_FILL_IN().search(sentence):
        return True
    short = len(sentence.split()) <= _FORMALITY_WORDS
    return short and bool(_FORMALITY().search(sentence) or _is_address(sentence))


def _is_address(sentence: str) -> bool:
    """Whether a line is just contact details: signs of these, and no word of a sentence."""
    if _CONTACT.search(sentence):
        return len(_VERB.findall(_ADDRESS.sub(" ", sentence))) <= 1
    return bool(_HOUSE.search(sentence)) and not (_STOPPED.search(sentence) or _VERB.search(sentence))


def ends(line: str) -> bool:
    """Whether a line has a mark at its end, as sentences and items of a list do, and headings do not."""
    return _ENDS.search(line) is not None


def headings(text: str, *, numbers: bool = False, cover: bool = False) -> list[tuple[int, int]]:
    """The (start, end) ranges of the lines of a passage that are headings: at most two short lines in a row
    without a mark at their end, above a line that has one; any number of them if `text` begins with a
    `cover`. Items of a list and lines that state an amount are not headings; with `numbers`, and on a cover,
    lines that contain a number may be."""
    found: list[tuple[int, int]] = []
    row: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        on_cover = cover and (row[0][0] if row else start) == 0
        if _only_names(line, numbers=numbers or on_cover):
            row.append((start, start + len(line)))
        else:
            few = len(row) <= _HEADINGS_IN_A_ROW or on_cover
            if few and not _LIST_SIGN.match(line):
                # a numbered line above the next number is a list item, not its heading
                next_point = _NUMBERED.match(line)
                found += [each for each in row if not (next_point and _NUMBERED.match(text[each[0] :]))]
            row = []
        start += len(line) + 1
    return found


@lru_cache(maxsize=512)
def rows(text: str) -> tuple[tuple[int, int], ...]:
    """The (start, end) ranges of the rows of a list or a spreadsheet, each of which stands for itself: lines
    with an amount behind dots ("pen .... 2"), or that name their cells as another line does ("Item: pen;
    price: 2"). A row too short to prove is joined with the next one."""
    lines = [(found.start(), found.end(), _CELL.findall(found[0])) for found in _LINE.finditer(text)]
    often = Counter(name for _, _, names in lines for name in set(names))
    made: list[tuple[int, int]] = []
    for start, end, names in lines:
        if sum(often[each] > 1 for each in names) <= 1 and not is_led_row(text[start:end]):
            continue
        if made and made[-1][1] + 1 == start and _is_too_short(text, *made[-1]):
            made[-1] = (made[-1][0], end)
        else:
            made.append((start, end))
    if len(made) > 1 and made[-2][1] + 1 == made[-1][0] and _is_too_short(text, *made[-1]):
        made[-2:] = [(made[-2][0], made[-1][1])]
    return tuple(made)


def _is_too_short(text: str, start: int, end: int) -> bool:
    return len(skeleton(text[start:end])) < MIN_CHARACTERS


def stands_alone(part: tuple[int, int], passage: Passage) -> bool:
    """Whether a part of a passage is the row of a table or of a spreadsheet."""
    return passage.kind is PassageKind.TABLE or part in rows(passage.text)


def headings_over(passage: Passage) -> list[tuple[int, tuple[str, ...]]]:
    """The headings over the text of a passage, each with the offset where it ends; consecutive ones without
    text between them count as one."""
    found = [(0, tuple(passage.heading.split(SEPARATOR)[1:]))]
    for start, end in headings(passage.text, numbers=True, cover=passage.ordinal == 0):
        row = found.pop()[1] if len(found) > 1 and not passage.text[found[-1][0] : start].strip() else ()
        found.append((end, (*row, passage.text[start:end])))
    return found


def ranges_under(passage: Passage, names: frozenset[str]) -> tuple[tuple[int, int], ...]:
    """The (start, end) ranges of the text of a passage under one of the headings `names`."""
    over = headings_over(passage)
    ends = [*(end for end, _ in over[1:]), len(passage.text)]
    return tuple(
        (start, end) for (start, row), end in zip(over, ends, strict=True) if not names.isdisjoint(row)
    )


def heading_at(over: Sequence[tuple[int, tuple[str, ...]]], start: int) -> tuple[str, ...]:
    """The headings directly above the text at `start`."""
    return next(names for end, names in reversed(over) if end <= start)


def _only_names(line: str, *, numbers: bool) -> bool:
    short = 0 < len(line.split()) <= _HEADING_WORDS
    says = _ENDS.search(line) or _LIST_SIGN.match(line)
    return short and not says and (numbers or not holds_number(_NUMBERING.sub("", line)))
