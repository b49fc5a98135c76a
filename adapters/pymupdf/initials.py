"""The large first letter of a paragraph belongs to its word. Pure; runs in the worker.

Files set it as a text of its own, before, behind or amid the lines beside it. It is found by its size, and
its word by where that stands: right of it, on the first of the lines that it reaches over.
"""

from collections.abc import Sequence
from typing import NamedTuple

from adapters.pymupdf.characters import WordDraft

MIN_SIZE = 1.6
"""Heights of a line that an initial has at least."""
_NEAR = 0.8
"""Heights of a line between the initial and its word, at most."""
_CLOSE = 0.22
"""The same where the letter may be a word of its own ("A", "I") and the rest is one as well."""
_BELOW = 0.2
_LONE = frozenset("AIOÀYÖ")
_OPENING = "„“\"»«‚‘'("


class _Pair(NamedTuple):
    """Indices of an initial and of the word it stands before, and whether that is the rest of its own."""

    initial: int
    word: int
    is_rest: bool


def with_initials(drafts: Sequence[WordDraft]) -> list[WordDraft]:
    """The words of a page, each initial in its place and with the rest of its word."""
    large = [at for at, draft in enumerate(drafts) if _may_be_initial(drafts, at)]
    pairs = [pair for at in large if (pair := _pair(drafts, at))]
    if not pairs:
        return list(drafts)
    initials = {pair.initial for pair in pairs}
    before = {pair.word: pair for pair in pairs}
    found: list[WordDraft] = []
    for at, draft in enumerate(drafts):
        if at in before:
            initial = drafts[before[at].initial]
            found += [_one(initial, draft)] if before[at].is_rest else [_alone(initial, draft), draft]
        elif at not in initials:
            found.append(draft)
    return found


def _may_be_initial(drafts: Sequence[WordDraft], at: int) -> bool:
    """Whether a word is one capital that no other word of its size stands beside."""
    draft = drafts[at]
    letter = draft.text.strip(_OPENING)
    if len(letter) != 1 or not letter.isupper() or not draft.text.endswith(letter):
        return False
    beside = (each for each in drafts[max(at - 1, 0) : at + 2] if each is not draft)
    return all(MIN_SIZE * _height(each) <= _height(draft) or not _level(each, draft) for each in beside)


def _pair(drafts: Sequence[WordDraft], at: int) -> _Pair | None:
    """The initial with the word to its right on the first line that it reaches over."""
    initial = drafts[at]
    _, y0, x1, y1 = initial.box
    best: tuple[float, float, int] | None = None
    for other, draft in enumerate(drafts):
        height = _height(draft)
        middle = (draft.box[1] + draft.box[3]) / 2
        if other == at or MIN_SIZE * height > y1 - y0 or not y0 - height / 2 <= middle <= y1:
            continue
        gap = draft.box[0] - x1
        if -height / 2 <= gap <= _NEAR * height:
            found = (draft.box[1], gap, other)
            best = min(best, found) if best else found
    if best is None or not _goes_on(initial, drafts, best[2]):
        return None
    word = drafts[best[2]]
    may_be_word = initial.text[-1] in _LONE and len(word.text.strip(".,;:")) > 2
    return _Pair(at, best[2], not may_be_word or best[1] <= _CLOSE * _height(word))


def _goes_on(initial: WordDraft, drafts: Sequence[WordDraft], at: int) -> bool:
    """Whether a sentence that begins with the initial may go on with this word: nothing stands before it."""
    word = drafts[at]
    if not word.text[:1].isalpha() or not (word.text[0].islower() or word.text.isupper()):
        return False
    before = drafts[at - 1] if at else None
    return before in (None, initial) or before.place != word.place or not _left(before, word)


def _left(one: WordDraft, other: WordDraft) -> bool:
    return one.box[2] <= other.box[0] + 1 and _level(one, other)


def _level(one: WordDraft, other: WordDraft) -> bool:
    """Whether they are side by side."""
    return min(one.box[3], other.box[3]) > max(one.box[1], other.box[1])


def _height(draft: WordDraft) -> float:
    return draft.box[3] - draft.box[1]


def _alone(initial: WordDraft, word: WordDraft) -> WordDraft:
    """The initial as a separate word; capitals do not extend below their line, where other lines are."""
    x0, y0, x1, y1 = initial.box
    return initial._replace(box=(x0, y0, x1, y1 - _BELOW * (y1 - y0)), place=word.place)


def _one(initial: WordDraft, word: WordDraft) -> WordDraft:
    """The word with its initial, with the height of its line, since other lines are below."""
    x0, y0, x1, y1 = word.box
    return word._replace(text=initial.text + word.text, box=(min(initial.box[0], x0), y0, x1, y1))
