"""The date that a document prints of itself: "Stand: 12. März 2025", "adopted on May 3, 2024", "2025"."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache

from core.language.languages import every
from core.language.patterns import pattern

_LONGEST_LINE = 400
"""Characters of a line that a date is looked for in."""
_ALONE = 6
"""Words of a line that a date stands in by itself ("Berlin, 12 May 2025"): running text has more."""
_CUE = pattern(r"(?i)\b(?:{dates.cues})\b")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_ISO = re.compile(r"(?<!\d)((?:19|20)\d{2})-(\d{2})-(\d{2})(?!\d)")
_POINTED = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d{2})(?!\d)")


@dataclass(frozen=True, slots=True)
class PrintedDate:
    """A day as far as it is printed: `written` is 2025-03-12, 2025-03 or 2025, and `day` the first one
    that this may mean."""

    day: date
    written: str


def date_of(title: str, lines: Iterable[str]) -> PrintedDate | None:
    """When a document says that it is of: by its title; by a line that says so ("Stand", "adopted"); by the
    one day that stands in a line of its own; else by the one year of its title."""
    named = _only(dates_in(title))
    if named is not None and len(named.written) > len("2025"):
        return named
    said, alone = [], []
    for line in lines:
        found = dates_in(line)
        if found and _CUE().search(line[:_LONGEST_LINE]):
            said += found
        elif len(line.split()) <= _ALONE:
            alone += found
    days = [each for each in alone if len(each.written) > len("2025")]
    return (said[0] if said else None) or _only(days) or named or _only(_years(title))


def dates_in(line: str) -> list[PrintedDate]:
    """The days and months that `line` prints, the fullest first."""
    line = line[:_LONGEST_LINE]
    days = [_day(*map(int, match.groups())) for match in _ISO.finditer(line)]
    days += [_day(int(year), int(month), int(day)) for day, month, year in _POINTED.findall(line)]
    months: list[PrintedDate | None] = []
    for number, month in enumerate(_months(), start=1):
        for match in month.finditer(line):
            day = match["before"] or match["behind"]
            found = _day(int(match["year"]), number, int(day) if day else None)
            (days if day else months).append(found)
    return [each for each in (*days, *months) if each is not None]


def _years(title: str) -> list[PrintedDate]:
    return [PrintedDate(date(int(year), 1, 1), year) for year in _YEAR.findall(title)]


def _only(found: Iterable[PrintedDate]) -> PrintedDate | None:
    """The one date there is; None where there is none, or several that differ."""
    unique = {each.written: each for each in found}
    return next(iter(unique.values())) if len(unique) == 1 else None


def _day(year: int, month: int, day: int | None) -> PrintedDate | None:
    """None for a day that no calendar has."""
    try:
        first = date(year, month, day or 1)
    except ValueError:
        return None
    return PrintedDate(first, f"{first:%Y-%m-%d}" if day else f"{first:%Y-%m}")


@cache
def _months() -> tuple[re.Pattern[str], ...]:
    """A day of each month of the year, or the month itself, in the words of every language."""
    names = zip(*(language.dates.months for language in every()), strict=True)
    return tuple(
        re.compile(
            rf"(?i)(?:(?<!\d)(?P<before>\d{{1,2}})(?:\.|st|nd|rd|th|er)?\s+(?:of\s+)?)?"
            rf"\b(?:{'|'.join(same)})\.?,?\s+"
            rf"(?:(?P<behind>\d{{1,2}})(?:st|nd|rd|th)?,\s+)?(?P<year>(?:19|20)\d{{2}})(?!\d)"
        )
        for same in names
    )
