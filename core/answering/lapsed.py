"""Whether a sentence's statement has lapsed by a day, or is not valid yet: a fee up to last year, the one
from next year on, a rule in the past tense; and which headings and columns cover such statements."""

import re
from calendar import monthrange
from collections.abc import Collection, Iterator
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
_OLD = pattern(r"\b(?:{lapsed.old})\b", _I)
_NEW = pattern(r"\b(?:{lapsed.new})\b", _I)
_OLD_RATES = pattern(
    r"\b(?:{lapsed.old})\s+(?:{lapsed.rates})\b|\b(?:{lapsed.rates})\s+(?:{lapsed.old})\b", _I
)
_TIMING = pattern(r"(?<!\w)(?:{lapsed.until}|{lapsed.since}|{lapsed.old}|{lapsed.new})(?!\w)|[\W\d_]+", _I)
_NAME_WORDS = 12
"""Maximum words of a heading that names a time."""


def has_lapsed(text: str, day: date) -> bool:
    """Whether a sentence states something valid until before `day`, or only after it, and nothing valid on
    it; or is in the past tense about a time before it."""
    ends: list[date] = []
    starts: list[date] = []
    days: list[date] = []
    for first, last, before in _times(text):
        if _ENDS().search(before):
            ends.append(last)
        elif _STARTS().search(before):
            starts.append(first)
        days.append(last)
    if any(start <= day and all(start > end for end in ends) for start in starts):
        return bool(_PAST().search(text)) and not _NOW().search(text)
    if ends:
        return max(ends) < day
    if starts:
        return min(starts) > day
    return bool(days) and max(days) < day and bool(_PAST().search(text)) and not _NOW().search(text)


def outdated(names: Collection[str], day: date) -> frozenset[str]:
    """Those of the headings of a document, or of the columns of a table, over statements not valid on `day`:
    they say so, or another one names a later time for the same thing or calls it new."""
    named = {name: [*_times(name)] for name in names if len(name.split()) <= _NAME_WORDS}
    begins = {name: min(first for first, *_ in times) for name, times in named.items() if times}
    about = {name: _about(name, times) for name, times in named.items()}
    found = {name for name in named if has_lapsed(name, day) or _OLD_RATES().search(name)}
    for name in named.keys() - found:
        same = [each for each in named if about[each] == about[name] and each != name]
        tells = about[name] or _STARTS().search(named[name][0][2] if named[name] else "")  # no chronicle
        started = [begins[each] for each in same if begins.get(each, date.max) <= day]
        other = name in begins and any(begin > begins[name] or begins[name] > day for begin in started)
        renewed = _OLD().search(name) and any(_NEW().search(each) for each in same)
        if (tells and other) or renewed:
            found.add(name)
    return frozenset(found)


def _about(name: str, times: Collection[tuple[date, date, str]]) -> str:
    """What a name says apart from the time."""
    for each in dates(name) if times else ():
        name = name.replace(each.text, " ")
    return _TIMING().sub(" ", name).casefold().strip()


def day_asked(question: str, today: date) -> date | None:
    """The day on which an answer to a question has to be valid: the end of the period that it names, None if
    it asks about the past without naming one."""
    if times := [*_times(question)]:
        return max(last for _, last, _ in times)
    return None if _ASKED().search(question) else today


def asks_of_the_past(question: str) -> bool:
    """Whether a question names a time or asks about the past, so that lapsed statements may answer it."""
    return bool(_ASKED().search(question) or any(True for _ in _times(question)))


def _times(text: str) -> Iterator[tuple[date, date, str]]:
    """The first and last day of each period that a text names, with the words before it."""
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
