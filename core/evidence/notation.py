"""Dates, times, amounts and umlauts written otherwise: "1 January" for "1. 1.", "EUR" for "€"."""

import re
from collections.abc import Collection, Iterator

from core.evidence.dictionary import with_umlauts
from core.evidence.quantities import dated

_DAY = re.compile(r"(?<![\d.,])(\d{1,2})\.\s?(\d{1,2})\.(?!\s?\d)")
_WORD = re.compile(r"[^\W\d_]+")
_MONTHS, _HOURS, _MINUTES = 12, 24, 60
_TIME = re.compile(r"(?<![\d.,:])(\d{1,2})[.:](\d{2})(?![\d.,:]\d|\d)")
_BY_THE_CLOCK = re.compile(
    r"(?:\b(?:um|ab|von|bis|zwischen|at|from|until|till|between|to|de|dès|à)\s|[-–]\s?)$"
    r"|^\s?(?:Uhr|h\b|[ap]m\b|[ap]\.\s?m|[-–]\s?\d)"
)
_RANGE = re.compile(r"(?<=\d)(?:\s?[-–]\s?|\s(?:bis|to|à)\s)(?=\d)")
_TIMES = re.compile(r"(?<=\d)\s?[x×*]\s?(?=\d)")
_WRITTEN = {
    "euro": r"€|EUR\b|[Ee]uros?\b",
    "percent": r"%|Prozent\b|per\s?cent\b|pour\s?cent\b|v\.\s?H\.",
    "hour": r"Std\.|Stunden?\b",
    "minute": r"Min\.|Minuten?\b",
    "metre": r"m\b(?![²³/])|Meter\b",
    "square_metre": r"m²|qm\b|Quadratmeter\b",
    "kilometre": r"km\b(?![²/])|Kilometer\b",
    "kilogram": r"kg\b|Kilogramm\b",
    "million": r"Mio\.?(?!\w)|Millionen\b",
    "milliard": r"Mrd\.?(?!\w)|Milliarden\b",
}
_UNITS = re.compile(
    r"(?:(?<=\d)|(?<=\d\s)|(?<=Mio\.\s)|(?<=Mrd\.\s)|(?<=Mio\s)|(?<=Mrd\s)|(?<=Millionen\s)|(?<=Milliarden\s))(?:"
    + "|".join(f"(?P<{name}>{forms})" for name, forms in _WRITTEN.items())
    + ")"
)


def in_notation_of(source: str, text: str) -> str:
    """`text` with the dates, times, amounts and umlauts that `source` writes otherwise as written
    there."""
    words = set(_WORD.findall(source))
    text = _WORD.sub(lambda word: _with_umlauts(word[0], words), text)
    theirs: dict[tuple[object, ...], str] = {}
    for key, (first, end) in _written(source):
        theirs.setdefault(key, source[first:end])
    for key, (first, end) in sorted(_written(text), key=lambda each: each[1], reverse=True):
        if (other := theirs.get(key)) and other != text[first:end]:
            text = text[:first] + other + text[end:]
    return text


def _with_umlauts(word: str, words: Collection[str]) -> str:
    """`word` with "ü" for "ue" and the like if only that is one of `words`."""
    other = with_umlauts(word)
    return other if other in words and word not in words else word


def _written(text: str) -> Iterator[tuple[tuple[object, ...], tuple[int, int]]]:
    """What may be written otherwise in `text`: what it says, and where it stands; none of them overlap."""
    taken: list[tuple[int, int]] = []
    for key, (first, end) in _all(text):
        if not any(first < other[1] and other[0] < end for other in taken):
            taken.append((first, end))
            yield key, (first, end)


def _all(text: str) -> Iterator[tuple[tuple[object, ...], tuple[int, int]]]:
    for date, match in dated(text):
        yield ("date", date.day, date.month, date.year), match.span()
    for match in _DAY.finditer(text):
        if int(match[2]) <= _MONTHS:
            yield ("date", int(match[1]), int(match[2]), 0), match.span()
    for match in _TIME.finditer(text):
        hour, minute = int(match[1]), int(match[2])
        told = ":" in match[0] or any(map(_BY_THE_CLOCK.search, (text[: match.start()], text[match.end() :])))
        if told and hour <= _HOURS and minute < _MINUTES:
            yield ("time", hour, minute), match.span()
    for match in _UNITS.finditer(text):
        yield (match.lastgroup,), match.span(match.lastgroup or 0)
    for match in _TIMES.finditer(text):
        yield ("times",), match.span()
    for match in _RANGE.finditer(text):
        yield ("range",), match.span()
