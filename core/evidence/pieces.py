"""Sentences, headings and list items in a view: pages themselves only have words, lines and blocks.

A continuation in the next column or on the next page belongs to the sentence, a heading above it does not.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.domain.pages import Word
from core.evidence.harmless import harmless_words
from core.evidence.index import MISSING, DocumentIndex, View
from core.evidence.left_out import leads_into
from core.evidence.skeleton import skeleton
from core.evidence.text import CLOSING, is_led_row, tokens_of
from core.language.languages import tags
from core.language.sentences import abbreviations, openers, sentences

_LONGEST_WORD = 60
STOPS = re.compile(r"(?:[.!?…][\"'”“»«’‘)\]]*|(?<=[^\W\d_]{4}[.!?])\d{1,2})$")
"""End of a sentence; a footnote number may follow the full stop."""
_NAME_WRITTEN_SMALL = re.compile(r"(?:https?://|www\.)|[a-zäöü]{1,4}[A-ZÄÖÜ]\w")
"""Lower-case words that may begin a sentence: a stand-alone address, "eBay"."""

_BULLET = re.compile(r"[^\w\s\"'„“”»«‚‘’()\[\]§&€$£%+…,.;:!?/-]+|[\ue000-\uf8ff]")
_DASH = re.compile(r"[-–—*]")
_ENUMERATOR = re.compile(r"\((?:\d{1,2}|[a-zA-Z]{1,2}|[ivxlIVXL]{1,5})\)|(?:\d{1,3}|[a-z]|[ivxl]{1,5})[.)]")
_BEFORE_ITEM = re.compile(r"(?:[.:;,!?–—-][\"'”“»«’‘)\]]*|;? ?(?:and|or|und|oder))$")
_WORD = re.compile(r"[^\W\d_]{3}")
"""Something a heading has that a number alone in its line ("1.2", "7 (a)") lacks."""
_NUMBERED = re.compile(r"[(\[]?(?:\d{1,2}|[a-zA-Z]|[ivxlIVXL]{1,5})\.")
_OPENING = "„“\"'»«‚‘(["
_SHORT_HEADING = 8
"""Maximum words of a heading in body type, directly above the text."""
_LOOKED_BELOW = 60
_HEADING = 16
"""Upper limit (exclusive) for the words of a heading."""
_CELL_GAP = 0.8
"""Distance between two words of a line where a cell ends, in letter heights."""
_LONGEST_LINE = 150
"""Words of a line, dots among them, that are read."""
_SAME_SIZE = 1.15
_SAME_COLUMN_PT = 4.0
_PARAGRAPH_GAP = 0.6


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, heading or list item: entries of a view, from `first`, where the item's sign is, or from
    `body`, the first word after it."""

    first: int
    body: int
    end: int
    item: bool


def pieces_of(index: DocumentIndex, view: View, low: int, high: int) -> list[Piece]:
    """Sentences of entries `low` to `high`. A sentence ends only where the rules of every language end it;
    one that is too long merely shows more."""
    words = [index.word(view.numbers[entry]) for entry in range(low, high)]
    bodies = _items(index, view, low, words)
    starts, text = _running(index, view, low, words, bodies)
    begun = [_begun(text, starts, language) for language in tags()]
    after = {body for first, body in bodies.items() if body > first}
    firsts = sorted((set.intersection(*begun) - after) | bodies.keys() | {0})
    ends = [*firsts[1:], len(words)]
    return [
        Piece(low + first, low + bodies.get(first, first), low + end, first in bodies)
        for first, end in zip(firsts, ends, strict=True)
    ]


def may_end_before(index: DocumentIndex, view: View, entry: int) -> bool:
    """Whether a sentence may end just before `entry`, even if not by the rules of every language."""
    if not 0 < entry < len(view):
        return True
    left, right = (index.word(view.numbers[at]) for at in (entry - 1, entry))
    begins = right.text.lstrip(_OPENING)[:1]
    if _apart(index, view, entry, left, right) or _below_heading(index, view, entry):
        return True
    if left.text.endswith(":") and right.text == "Provided":  # a proviso is a provision
        return True
    written = plain(left).rstrip(CLOSING)
    counted = (
        entry > 1 and index.word(view.numbers[entry - 2]).text[-1:].isalpha()
    )  # "over 60. No", no "1. The"
    numbered = _NUMBERED.fullmatch(written) and not (
        counted and written[0].isdigit() and right.text in openers()
    )
    known = written.lstrip(_OPENING).rstrip(".").casefold() in abbreviations() or bool(numbered)
    small = begins.islower() and not _NAME_WRITTEN_SMALL.match(right.text.lstrip(_OPENING))
    return bool(STOPS.search(written)) and not known and not small


def heading_ends_before(index: DocumentIndex, view: View, entry: int) -> bool:
    """Whether `entry` is certainly preceded by a heading: short, without a full stop, and set apart from the
    sentence that begins there."""
    left, right = (index.word(view.numbers[at]) for at in (entry - 1, entry))
    words = harmless_words()
    opens = skeleton(right.text) in words.determiners | words.ourselves
    set_apart = left.block == right.block or opens or _apart(index, view, entry, left, right)
    ended = STOPS.search(left.text) or left.text[-1:] in ":;,"
    return set_apart and not ended and _below_heading(index, view, entry)


def _below_heading(index: DocumentIndex, view: View, entry: int) -> bool:
    """Whether a block or line begins with `entry` and the previous one is as short as a heading, and does not
    end in mid-sentence."""
    left, right = (index.word(view.numbers[at]) for at in (entry - 1, entry))
    if right.text.lstrip(_OPENING)[:1].islower() or (left.block, left.line) == (right.block, right.line):
        return False
    above = [left]
    for at in range(entry - 2, max(entry - 2 - _HEADING, -1), -1):
        word = index.word(view.numbers[at])
        if index.row(view.numbers[at]) != index.row(view.numbers[entry - 1]) or word.block != left.block:
            break
        if left.block == right.block and word.line != left.line:
            break
        above.append(word)
    begins = above[-1].text.lstrip(_OPENING)[:1]
    smaller = _smaller_than(right, left)
    goes_on = skeleton(left.text) in _goes_on_behind() and not smaller
    ends = goes_on or left.text[-1:] in ",;-–—/&(\u00ad"
    numbered = not any(_WORD.search(each.text) and not _sign(each) for each in above)
    if ends or numbered or len(above) >= _HEADING or begins.islower():
        return False
    apart = left.block != right.block or smaller
    return apart or _is_short_line(index, view, entry, above[::-1])


def _is_short_line(index: DocumentIndex, view: View, entry: int, line: Sequence[Word]) -> bool:
    """Whether `line`, just before `entry` in its block, is a heading in body type: it begins where a sentence
    may, the next word would have fitted in it, and it says nothing about the text below ("We reject")."""
    before = entry - len(line) - 1
    left, right = line[-1], index.word(view.numbers[entry])
    if len(line) > _SHORT_HEADING or STOPS.search(left.text) or left.text.endswith(":"):
        return False
    if before >= 0:
        word = index.word(view.numbers[before])
        same = word.block == left.block and index.row(view.numbers[before]) == index.row(view.numbers[entry])
        if same and not STOPS.search(plain(word)):
            return False
    if leads_into(tokens_of((plain(word), False, False) for word in line)) is not None:
        return False
    below = [index.word(view.numbers[at]) for at in range(entry, min(entry + _LOOKED_BELOW, len(view)))]
    edge = max(word.box.x1 for word in below if word.block == left.block)
    height = left.box.y1 - left.box.y0
    return left.box.x1 + (right.box.x1 - right.box.x0) + height < edge and left.box.x0 <= edge


def _smaller_than(text: Word, heading: Word) -> bool:
    one, other = (word.box.y1 - word.box.y0 for word in (text, heading))
    return other > _SAME_SIZE * max(one, 0.1)


@lru_cache(maxsize=1)
def _goes_on_behind() -> frozenset[str]:
    """Words that no heading ends with."""
    words = harmless_words()
    return words.determiners | words.coordinators | words.subordinators | words.restricting


def _running(
    index: DocumentIndex, view: View, low: int, words: Sequence[Word], items: Container[int]
) -> tuple[list[int], str]:
    """The start of each word in the running text, and that text, with a line per paragraph and item."""
    starts, parts, at = [], [], 0
    for i, word in enumerate(words):
        apart = i in items or (i and _apart(index, view, low + i, words[i - 1], word))
        between = "" if not i else "\n" if apart else " "
        written = plain(word)
        starts.append(at + len(between))
        parts.append(between + written)
        at += len(between) + len(written)
    return starts, "".join(parts)


def _begun(text: str, starts: Sequence[int], language: str) -> set[int]:
    """The words that begin a sentence; the clauses into which very long sentences are split do not count."""
    found, before = set(), 0
    for start, end in sentences(text, language):
        if "\n" in text[before:start] or STOPS.search(text[max(before - 4, 0) : before]):
            found.add(bisect_right(starts, start) - 1)
        before = end
    return found


def _apart(index: DocumentIndex, view: View, entry: int, left: Word, right: Word) -> bool:
    """Whether a paragraph ends between two words: pages are missing, one is set off, the type size changes,
    or a gap is followed by a capital."""
    if MISSING in view.text[view.starts[entry - 1] : view.starts[entry]] or left.set_off is not right.set_off:
        return True
    rows = index.row(view.numbers[entry - 1]), index.row(view.numbers[entry])
    if rows[0] == rows[1] and (_in_next_cell(left, right) or _ends_row(index, view, entry, left, right)):
        return True
    if rows[0] == rows[1] and left.block == right.block:
        return False
    if right.text[:1].islower() or view.cut[entry]:
        return False
    one, other = (word.box.y1 - word.box.y0 for word in (left, right))
    if max(one, other) > _SAME_SIZE * max(min(one, other), 0.1):
        return True
    step = right.box.y0 - left.box.y1
    return rows[0] == rows[1] and step > _PARAGRAPH_GAP * max(one, other)


def _ends_row(index: DocumentIndex, view: View, entry: int, left: Word, right: Word) -> bool:
    """Whether a line ends between two words of a page that is a row with an amount behind dots."""
    if (left.block, left.line) == (right.block, right.line) or right.text[:1].islower():
        return False
    number, page = view.numbers[entry - 1], index.row(view.numbers[entry - 1])
    line = [left.text]
    for before in range(number - 1, number - _LONGEST_LINE, -1):
        if before < 0 or index.row(before) != page:
            break
        word = index.word(before)
        if (word.block, word.line) != (left.block, left.line):
            break
        line.append(word.text)
    return is_led_row(" ".join(reversed(line)))


def _in_next_cell(vote: Word, reason: Word) -> bool:
    """Whether a word begins the cell beside one that has nothing but a vote ("No"): it gives the reason."""
    voted = skeleton(vote.text) in harmless_words().votes and reason.text[:1].isupper()
    height = vote.box.y1 - vote.box.y0
    beside = reason.box.x0 - vote.box.x1 > _CELL_GAP * height and reason.box.y0 < vote.box.y1
    return voted and beside


def _items(index: DocumentIndex, view: View, low: int, words: Sequence[Word]) -> dict[int, int]:
    """Where list items begin, and the first word after each one's sign."""
    found: dict[int, int] = {}
    signs = Counter(_place(word) for at, word in enumerate(words) if _begins_line(words, at) and _sign(word))
    for at, word in enumerate(words):
        number = view.numbers[low + at]
        new_line = _begins_line(words, at)
        if _BULLET.fullmatch(word.text) and not _DASH.fullmatch(word.text) and new_line:
            found[at] = at + 1
        elif (
            at and number != view.numbers[low + at - 1] + 1 and _BULLET.fullmatch(index.word(number - 1).text)
        ):
            found[at] = at  # the sign is not part of the view
        elif at and _sign(word):
            closes = bool(_BEFORE_ITEM.search(words[at - 1].text)) or words[at - 1].block != word.block
            listed = new_line and signs[_place(word)] > 1
            if listed or (closes and (new_line or word.text.startswith("("))):
                found[at] = at + 1
    return found


def _begins_line(words: Sequence[Word], at: int) -> bool:
    return not at or (words[at - 1].block, words[at - 1].line) != (words[at].block, words[at].line)


def _sign(word: Word) -> bool:
    """Whether the word may be a list sign: a dash, "(a)", "1."."""
    return bool(_DASH.fullmatch(word.text) or _ENUMERATOR.fullmatch(word.text))


def _place(word: Word) -> tuple[str, int]:
    """The kind of sign and its distance from the left: they are alike within one list."""
    shape = re.sub(r"\d+", "1", re.sub(r"[a-zA-Z]+", "a", word.text))
    return shape, round(word.box.x0 / _SAME_COLUMN_PT)


def plain(word: Word) -> str:
    """The word without footnote marks; only the end of a very long one."""
    text = word.text[: len(word.text) - word.note_chars] if word.note_chars else word.text
    return text[-_LONGEST_WORD:]
