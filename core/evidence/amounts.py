"""Whether the amounts of a text are carried by those of another, counted or written in other words.

"Two weeks" are 14 days, a third child is the "dritte", "20 instead of 30 percent" leaves out a unit, and who
reads "from 23 to 25 percent" may speak of two points more.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from core.evidence.contrasts import patterns, poles
from core.evidence.quantities import Quantity, quantities

_SECONDS, _MONTHS = "seconds", "months"
_LENGTHS = {
    "minute": (_SECONDS, 60),
    "hour": (_SECONDS, 3600),
    "day": (_SECONDS, 86400),
    "week": (_SECONDS, 7 * 86400),
    "month": (_MONTHS, 1),
    "quarter": (_MONTHS, 3),
    "year": (_MONTHS, 12),
}
_HALF_DAY = 12
_COUNTED = 10
"""What people may count themselves: the items of a list, one of so many."""
_PER_CENT, _POINTS = "%", "pp"
_FRACTION = re.compile(r"(zwei|drei)(drittel|viertel)(?=mehrheit|stunde)", re.IGNORECASE)
_ARTICLE = re.compile(r"^\s*(?:an?|une?|eine\w?)\s")
_WORD = re.compile(r"\s*[^\W\d_]")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity with its values per unit: "%" for what is a share, "seconds" or "months" for a time."""

    quantity: Quantity
    readings: frozenset[tuple[str, Fraction]]

    @property
    def lasts(self) -> bool:
        """Whether it counts a time."""
        return any(unit in (_SECONDS, _MONTHS) for unit, _ in self.readings)


def amounts(text: str, language: str | None) -> list[Amount]:
    """The amounts of `text`, in `language` (ISO 639-1; None: any), in order."""
    text = _FRACTION.sub(r"\1 \2 ", text)
    found = quantities(text, language)
    read = []
    for number, quantity in enumerate(found):
        behind = text[quantity.span[1] :]
        follows = found[number + 1] if number + 1 < len(found) else None
        units = {quantity.unit}
        if not quantity.unit and follows and _shares_unit(behind, follows, quantity, language or ""):
            units.add(follows.unit)
        if (
            not quantity.unit and number and not _WORD.match(behind)
        ):  # "90 million euros for A, for B 30 million"
            units.add(found[number - 1].unit)
        read.append(Amount(quantity, frozenset(_readings(quantity, units, behind, language or ""))))
    return read


def carried(claimed: Amount, given: Sequence[Amount]) -> bool:
    """Whether one of `given` is `claimed`, two of them make it up, or it is a small number in words that a
    reader may have counted himself ("into four parts")."""
    counted = not claimed.quantity.unit and not _DIGIT.search(claimed.quantity.text)
    if counted and max(claimed.quantity.values) <= _COUNTED and not claimed.lasts:
        return True
    return any(claimed.readings & one.readings for one in given) or bool(claimed.readings & _made_up(given))


def _readings(
    quantity: Quantity, units: Iterable[str], behind: str, language: str
) -> Iterator[tuple[str, Fraction]]:
    word = " ".join(_ARTICLE.sub("", behind).split()[:1]).strip(".,;:")
    for value in quantity.values:
        yield from ((unit, value) for unit in units)
        if not quantity.unit:
            yield from _unitless(quantity, value)
            yield from (
                (_LENGTHS[name][0], value * _LENGTHS[name][1]) for name in poles("period", word, language)
            )
            if patterns("afternoon", "")["words"].match(behind.lstrip()) and value <= _HALF_DAY:
                yield "", value + _HALF_DAY


def _unitless(quantity: Quantity, value: Fraction) -> Iterator[tuple[str, Fraction]]:
    """A fraction is a percentage; in words, "third" is one of three and the one behind the second."""
    if value.denominator > 1 or value == 1:
        yield _PER_CENT, value * 100
    if value and not _DIGIT.search(quantity.text) and (value.numerator == 1 or value <= _COUNTED):
        yield "", 1 / value
        if value > 1:
            yield _PER_CENT, 100 / value


def _shares_unit(behind: str, follows: Quantity, quantity: Quantity, language: str) -> bool:
    """Whether a number has the unit of the one behind it: "20 to 30 percent"."""
    between = behind[: follows.span[0] - quantity.span[1]]
    return patterns("listing", language)["words"].match(between.lstrip()) is not None


def _made_up(given: Sequence[Amount]) -> set[tuple[str, Fraction]]:
    """What two of the amounts differ by, and what a share of another is."""
    made = {(_PER_CENT, 100 - v) for amount in given for unit, v in amount.readings if unit == _PER_CENT}
    for one, other in combinations({reading for amount in given for reading in amount.readings}, 2):
        (unit, value), (second, count) = one, other
        if unit == second and unit not in (_SECONDS, _MONTHS):
            made |= {(_POINTS if unit == _PER_CENT else unit, abs(value - count)), (unit, value + count)}
        for share, of, whole in ((one, second, count), (other, unit, value)):
            if share[0] == _PER_CENT and of not in (_PER_CENT, _POINTS):
                made.add((of, whole * share[1] / 100))
    return made
