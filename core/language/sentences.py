"""Splitting running text into sentences.

Sentences are shown as quotes, so a wrong split is visible. The splitter examines what precedes and follows
every full stop, question mark and exclamation mark; statutes' very long sentences are cut at clause markers.
It uses only rules and lists: the same text always gives the same sentences. Lines are separate sentences
(headings, list items): callers join the lines of a paragraph first.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from core.language.languages import every, of
from core.language.patterns import pattern
from core.language.words import SentenceWords

LONG_SENTENCE_WORDS = 80
"""Sentences above this many words are cut at clause markers."""

_MIN_PIECE_WORDS = 8
_LOOKAHEAD = 150
_LOOKBEHIND = 1000
"""A bracket opened further back will not close soon."""
_LONGEST_WORD = 64
"""No abbreviation and no list number is longer."""

_LINE = re.compile(r"[^\n]+")
_STOP = re.compile(
    r"(?:(?<![.!?…])[.!?…]++[)\]\"'“”»«’‘]*+(?=\s))"  # a full stop, its closing marks, white space
    r"|(?<=\S)(?=\s[•▪●■►▶➔➢✓✔◦‣]\s)"  # a list sign inside a line
)
_NOT_SPACE = re.compile(r"\S")
_NEXT = re.compile(r"\s*+([\"'„“”»«‚‘’(\[]*+)(\S?)(\w*+)")
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxlIVXL]{1,6})(?:\.\d{1,3}){0,9}[.)\]]{1,2}")
_SPACED_ABBREVIATION = re.compile(r"(?:\b[A-Za-zÄÖÜäöü]{1,3}\.\s?){1,4}$")
_ORDINAL = re.compile(r"\d{1,3}|\d{1,2}\.\d{1,2}|[IVXL]{1,6}")
_CLAUSE = pattern(
    r"(?<=[;:,—–.-])\s+(?=\(?(?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2}|[A-H])\)\s)"
    r"|(?<=[:;.—-])\s+(?=(?:{sentences.provisos})\b)"
)
_SEMICOLON = re.compile(r"(?<=;)\s+")


def sentences(text: str, language: str) -> list[tuple[int, int]]:
    """The (start, end) ranges of the sentences of `text`, in order, without the white space around them.

    A newline always ends a sentence. A `language` without rules is treated as English. Every character that
    is not white space belongs to exactly one range; cuts fall on white space.
    """
    rules = of(language).sentences
    found: list[tuple[int, int]] = []
    for line in _LINE.finditer(text):
        for start, end in _cut(text, line.start(), line.end(), rules):
            found.extend(_clauses(text, start, end))
    return found


@cache
def abbreviations() -> frozenset[str]:
    """Abbreviations of every language, casefolded, without spaces and without the last full stop."""
    return frozenset().union(*(each.sentences.never_last | each.sentences.seldom_last for each in every()))


@cache
def openers() -> frozenset[str]:
    """Words of every language that begin a sentence if capitalised after a number."""
    return frozenset(word.capitalize() for each in every() for word in each.sentences.openers)


def word_count(text: str) -> int:
    """Words of `text`, as separated by white space."""
    return len(text.split())


def _cut(text: str, start: int, end: int, rules: SentenceWords) -> Iterator[tuple[int, int]]:
    """Sentences of one line."""
    first = _NOT_SPACE.search(text, start, end)
    begin = first.start() if first else end
    for stop in _STOP.finditer(text, start, end):
        if stop.end() > begin and _ends_sentence(text, begin, stop.start(), stop.end(), end, rules):
            yield from _trimmed(text, begin, stop.end())
            following = _NOT_SPACE.search(text, stop.end(), end)
            begin = following.start() if following else end
    yield from _trimmed(text, begin, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    if left < len(piece):
        yield start + left, start + len(piece.rstrip())


def _ends_sentence(text: str, begin: int, stop: int, after: int, end: int, rules: SentenceWords) -> bool:
    """Whether the stop at `stop` (its closing marks end at `after`) ends the sentence that started at
    `begin`."""
    follows = _NEXT.match(text, after, end)
    if stop == after:  # list sign
        return True
    if follows is None or not follows[2]:
        return True
    if _goes_on(follows) or _inside_brackets(text, begin, after):
        return False
    if text[stop] != "." or text[stop : stop + 2] == "..":
        return True
    if _ENUMERATOR.fullmatch(text, begin, stop + 1):
        return False
    return _full_stop_ends(text[max(begin, stop - _LONGEST_WORD) : stop], follows, rules)


def _goes_on(follows: re.Match[str]) -> bool:
    """Whether the sentence continues: a lower-case letter or punctuation, but no clause marker such as
    `a)`."""
    first = follows[2]
    if first.islower():
        return follows.string[follows.end() : follows.end() + 1] != ")" or len(follows[3]) > 3
    return not (first.isalnum() or first in "§€$#•▪●■►▶➔➢✓✔◦‣-–—*→_[(" or first in "\"'„“”»«‚‘’")


def _inside_brackets(text: str, begin: int, after: int) -> bool:
    """Whether a bracket opened in this sentence closes soon."""
    opened = text.rfind("(", max(begin, after - _LOOKBEHIND), after)
    if opened < 0 or text.find(")", opened, after) >= 0:
        return False
    closing = text.find(")", after, after + _LOOKAHEAD)
    return closing >= 0 and "(" not in text[after:closing]


def _full_stop_ends(before: str, follows: re.Match[str], rules: SentenceWords) -> bool:
    """Whether a single full stop after `before`, the last characters of the sentence, ends it, a capital or a
    number following."""
    opener = (follows[2] + follows[3]).casefold() in rules.openers and follows[2].isupper()
    word = _without_elision(_word(before), rules)
    if word in rules.never_last:
        return False
    if word in rules.seldom_last:
        return opener
    if _ORDINAL.fullmatch(_last(before)):
        return opener or (rules.numbers_end and not _last(before).isalpha())
    if len(word) == 1 and word.isalpha():
        return opener and not _last(before).islower()
    return True


def _without_elision(word: str, rules: SentenceWords) -> str:
    front, _, rest = word.replace("’", "'").partition("'")
    return rest if front in rules.elisions else word


def _last(before: str) -> str:
    return "" if before[-1:].isspace() or not before else before.split()[-1].lstrip("([{\"'„“»«‚‘/")


def _word(before: str) -> str:
    """The word before the stop, casefolded; spaced abbreviations ("z. B") as one word."""
    last = _last(before)
    if len(last) <= 3 and (spaced := _SPACED_ABBREVIATION.search(before[: -len(last)][-16:] if last else "")):
        joined = (re.sub(r"\s", "", spaced[0]) + last).casefold()
        if joined in abbreviations():
            return joined
    return last.casefold()


def _clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentence itself, or its clauses if it is too long to be a quote."""
    if word_count(text[start:end]) <= LONG_SENTENCE_WORDS:
        return [(start, end)]
    pieces = _split_at(_CLAUSE(), text, start, end)
    return [
        piece
        for first, last in pieces
        for piece in (
            _split_at(_SEMICOLON, text, first, last)
            if word_count(text[first:last]) > LONG_SENTENCE_WORDS
            else [(first, last)]
        )
    ]


def _split_at(marker: re.Pattern[str], text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Pieces between the markers, packed up to the length of a long sentence."""
    cuts = [start, *(match.end() for match in marker.finditer(text, start, end)), end]
    pieces: list[tuple[int, int]] = []
    for first, last in pairwise(cuts):
        begin = pieces[-1][0] if pieces else first
        small = pieces and word_count(text[slice(*pieces[-1])]) < _MIN_PIECE_WORDS
        if pieces and (small or word_count(text[begin:last]) <= LONG_SENTENCE_WORDS):
            pieces[-1] = (begin, last)
        else:
            pieces.append((first, last))
    return [piece for first, last in pieces for piece in _trimmed(text, first, last)]
