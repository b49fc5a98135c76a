"""Whether what a sentence states has lapsed on a day, or does not hold yet: a fee up to last year, the one
from next year on, a rule told in the past."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date

from core.evidence.quantities import dates
from core.language.patterns import pattern

_I = re.IGNORECASE
_CUE = r"\W*(?:[\w’']+\W+){0,2}?$"
_ENDS = pattern(r"(?:\b|(?<=’)|(?<='))(?:{lapsed.until})" + _CUE, _I)
_STARTS = pattern(r"(?:\b|(?<=’)|(?<='))(?:{lapsed.since})" + _CUE, _I)
_PAST = pattern(r"\b(?:{lapsed.past})\b", _I)
_ASKED = pattern(r"\b(?:{lapsed.asked})\b", _I)
_NOW = pattern(r"\b(?:{lapsed.now})\b", _I)
_YEAR = re.compile(r"(?<![\d.,/-])(?:19|20)\d\d(?![\d/-]|[.,]\d)")
_LOOKED_BACK = 40


def has_lapsed(text: str, day: date) -> bool:
    """Whether a sentence states what holds up to a time before `day`, or from a time behind it, and nothing
    that holds on it; or tells of a time before it in the past."""
    ends: list[date] = []
    starts: list[date] = []
    told: list[date] = []
    for first, last, before in _times(text):
        if _ENDS().search(before):
            ends.append(last)
        elif _STARTS().search(before):
            starts.append(first)
        told.append(last)
    if any(start <= day and all(start > end for end in ends) for start in starts):
        return bool(_PAST().search(text)) and not _NOW().search(text)
    if ends:
        return max(ends) < day
    if starts:
        return min(starts) > day
    return bool(told) and max(told) < day and bool(_PAST().search(text)) and not _NOW().search(text)


def asks_of_the_past(question: str) -> bool:
    """Whether a question names a time, or asks what was: what has lapsed may be its answer."""
    return bool(_ASKED().search(question) or any(True for _ in _times(question)))


def _times(text: str) -> Iterator[tuple[date, date, str]]:
    """The first and the last day of each time that a text names, with what stands before it."""
    rest = text
    for each in dates(text):
        at = rest.find(each.text)
        if at < 0 or not each.year:
            continue
        before = text[max(0, at - _LOOKED_BACK) : at]
        rest = rest[:at] + "#" * len(each.text) + rest[at + len(each.text) :]
        month = each.month or 1
        first = date(each.year, month, min(max(each.day, 1), monthrange(each.year, month)[1]))
        yield first, first, before
    for found in _YEAR.finditer(rest):
        year = int(found[0])
        yield date(year, 1, 1), date(year, 12, 31), text[max(0, found.start() - _LOOKED_BACK) : found.start()]
