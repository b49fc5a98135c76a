"""Whether the quotes of a claim support its figures, dates and negations."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from core.evidence.contrasts import (
    clause_borders,
    depends,
    mild_denials,
    patterns,
    poles,
    restricts,
    without_bounds,
)
from core.evidence.guards import WordLists, word_lists
from core.evidence.quantities import Quantity, dates, quantities
from core.evidence.skeleton import skeleton

_NAME_WITH_DIGITS = re.compile(r"\b(?:\d+[A-Z][A-Z0-9]*|[A-Z]{1,4}-?\d+[A-Z]?)\b")
"""A name such as 18F, G7 or CO2, whose digits are no quantity."""
_STEM = 5
_NEARLY, _NEARLY_ALL = 0.5, 0.85
"""The share of a claim's stems that a clause, or a whole quote, must contain to count as saying the same."""
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
"""Numbers that readers may count themselves: the items of a list, one of so many."""
_PER_CENT, _POINTS = "%", "pp"
_MULTIPLIED = {
    "half": {(_PER_CENT, Fraction(50))},
    "double": {(_PER_CENT, Fraction(100)), (_PER_CENT, Fraction(200)), ("", Fraction(2))},
    "triple": {(_PER_CENT, Fraction(200)), (_PER_CENT, Fraction(300)), ("", Fraction(3))},
}
_FRACTION = re.compile(r"(zwei|drei)(drittel|viertel)(?=mehrheit|stunde)", re.IGNORECASE)
_OF_A_SHARE = re.compile(
    r"\s*(?:of )?(?:an? |one |eines |de |d['’]un )(?:per ?cent(?:age point)?|prozent(?:punkt)?|point)",
    re.IGNORECASE,
)
"""Behind a fraction: "a quarter of a percentage point"."""
_ARTICLE = re.compile(r"^\s*(?:an?|une?|eine\w?)\s")
_WORD = re.compile(r"\s*[^\W\d_]")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity with its values per unit: "%" for shares, "seconds" or "months" for durations."""

    quantity: Quantity
    readings: frozenset[tuple[str, Fraction]]

    @property
    def lasts(self) -> bool:
        """Whether it is a duration."""
        return any(unit in (_SECONDS, _MONTHS) for unit, _ in self.readings)


def _amounts(text: str, language: str | None) -> list[Amount]:
    """The amounts of `text`, in `language` (ISO 639-1; None: any), in order."""
    text = _FRACTION.sub(r"\1 \2 ", text)
    found = quantities(text, language)
    read = []
    for number, quantity in enumerate(found):
        after = text[quantity.span[1] :]
        follows = found[number + 1] if number + 1 < len(found) else None
        if share := _OF_A_SHARE.match(after):
            quantity = replace(
                quantity,
                unit=_POINTS if "punkt" in share[0].lower() or "point" in share[0].lower() else _PER_CENT,
            )
        units = {quantity.unit}
        if not quantity.unit and follows and _shares_unit(after, follows, quantity, language or ""):
            units.add(follows.unit)
        if (
            not quantity.unit and number and not _WORD.match(after)
        ):  # "90 million euros for A, for B 30 million"
            units.add(found[number - 1].unit)
        read.append(Amount(quantity, frozenset(_readings(quantity, units, after, language or ""))))
    return read


def _carried(claimed: Amount, given: Sequence[Amount]) -> bool:
    """Whether one of `given` equals `claimed`, two of them combine to it, or it is a small number in words
    that a reader may have counted ("into four parts")."""
    counted = not claimed.quantity.unit and not _DIGIT.search(claimed.quantity.text)
    if counted and max(claimed.quantity.values) <= _COUNTED and not claimed.lasts:
        return True
    return any(claimed.readings & one.readings for one in given) or bool(claimed.readings & _made_up(given))


def _readings(
    quantity: Quantity, units: Iterable[str], after: str, language: str
) -> Iterator[tuple[str, Fraction]]:
    word = " ".join(_ARTICLE.sub("", after).split()[:1]).strip(".,;:")
    for value in quantity.values:
        yield from ((unit, value) for unit in units)
        if not quantity.unit:
            yield from _unitless(quantity, value)
            yield from (
                (_LENGTHS[name][0], value * _LENGTHS[name][1])
                for name in poles("period", word, language)
                if name in _LENGTHS
            )
            if patterns("afternoon", "")["words"].match(after.lstrip()) and value <= _HALF_DAY:
                yield "", value + _HALF_DAY


def _unitless(quantity: Quantity, value: Fraction) -> Iterator[tuple[str, Fraction]]:
    """The values of a number without a unit: a fraction is a percentage; in words, "third" is both one of
    three and the one after the second."""
    if value.denominator > 1 or value == 1:
        yield _PER_CENT, value * 100
    if value and not _DIGIT.search(quantity.text) and (value.numerator == 1 or value <= _COUNTED):
        yield "", 1 / value
        if value > 1:
            yield _PER_CENT, 100 / value


def _shares_unit(after: str, follows: Quantity, quantity: Quantity, language: str) -> bool:
    """Whether a number shares the unit of the next one: "20 to 30 percent"."""
    between = after[: follows.span[0] - quantity.span[1]]
    return patterns("listing", language)["words"].match(between.lstrip()) is not None


def _made_up(given: Sequence[Amount]) -> set[tuple[str, Fraction]]:
    """The differences between the amounts, and the shares of one in another."""
    made = {(_PER_CENT, 100 - v) for amount in given for unit, v in amount.readings if unit == _PER_CENT}
    for one, other in combinations({reading for amount in given for reading in amount.readings}, 2):
        (unit, value), (second, count) = one, other
        if unit == second and unit not in (_SECONDS, _MONTHS):
            made |= {(_POINTS if unit == _PER_CENT else unit, abs(value - count)), (unit, value + count)}
        for share, of, whole in ((one, second, count), (other, unit, value)):
            if share[0] == _PER_CENT and of == _POINTS:
                made |= {(_PER_CENT, share[1] + whole), (_PER_CENT, share[1] - whole)}
            elif share[0] == _PER_CENT and of not in (_PER_CENT, _POINTS):
                made.add((of, whole * share[1] / 100))
    return made


def unsupported(
    claim: str, quotes: Sequence[str], language: str | None = None, written: Sequence[str] = ()
) -> list[str]:
    """What `claim` says but none of `quotes` does, as written: numbers with their unit, dates, negations.

    Also "not: ..." with the clause of a quote that denies what the claim affirms. `language` (ISO 639-1) is
    the claim's and `written` those of the quotes, for interpreting their numbers and denials ("dont" denies
    only in English); if unknown, all languages apply. Empty means supported.
    """
    lists = word_lists(language) if language else word_lists()
    unbounded = [without_bounds(text) for text in (claim, *quotes)]
    negations = _negations(claim, unbounded[0], unbounded[1:], lists, word_lists(*written))
    names = _NAME_WITH_DIGITS.findall(claim)
    foreign = [name for name in names if not any(name in quote for quote in quotes)]
    counted = _NAME_WITH_DIGITS.sub(" ", claim)
    return [*_numbers(counted, quotes, language), *foreign, *_dates(claim, quotes), *negations]


def _numbers(claim: str, quotes: Sequence[str], language: str | None) -> list[str]:
    given = [amount for quote in quotes for amount in _amounts(quote, None)]
    multiplied = {
        reading
        for quote in quotes
        for name in poles("multiplied", quote, "")
        for reading in _MULTIPLIED[name]
    }
    years = {date.year for quote in quotes for date in dates(quote)}
    return [
        one.quantity.text
        for one in _amounts(claim, language)
        if not _carried(one, given)
        and not one.readings & multiplied
        and not (one.quantity.unit == "" and one.quantity.values & years)
    ]


def _dates(claim: str, quotes: Sequence[str]) -> list[str]:
    given = [date for quote in quotes for date in dates(quote)]
    return [date.text for date in dates(claim) if not any(date.stated_by(other) for other in given)]


def _negations(
    written: str, claim: str, quotes: Sequence[str], lists: WordLists, quoted: WordLists
) -> list[str]:
    """Denials on one side only, if claim and quote otherwise say nearly the same: a paraphrase may also
    paraphrase the denial ("nobody but", "needs a permit")."""
    claimed = _words(claim)
    denied = [word for word in claimed if skeleton(word) in lists.negations and not _is_mild(word)]
    if denied and any(map(_is_mild, claimed)):  # "not without" affirms
        return []
    if denied:
        denying = quoted.negations | quoted.rejections
        affirmed = [word for word in claimed if word not in denied]
        alike = _nearest_part(affirmed, quotes, _NEARLY_ALL) is not None
        return denied if alike and not any(_denies(q, denying) or restricts(q) for q in quotes) else []
    if any(skeleton(word) in lists.negations | lists.rejections for word in claimed) or restricts(written):
        return []
    parts = [part for quote in quotes for part in clause_borders()[0].split(quote) if not depends(part)]
    nearest = _nearest_part(claimed, parts, _NEARLY)
    if not nearest or "forbidden" in poles("opposites.permission", nearest, ""):  # "not forbidden" affirms
        return []
    return [f"not: {nearest}"] if _denies(nearest, quoted.negations - mild_denials()) else []


def _is_mild(word: str) -> bool:
    """Whether `word` merely denies a circumstance ("without"), which can be said in other words."""
    return skeleton(word) in mild_denials()


def _denies(clause: str, words: frozenset[str]) -> bool:
    return any(skeleton(word) in words for word in _words(clause))


def _nearest_part(claimed: Sequence[str], parts: Sequence[str], least: float) -> str | None:
    """The text that shares the most word stems with the claim; None if the share is below `least`."""
    stems = _stems(claimed)
    best = max(parts, key=lambda part: len(stems & _stems(_words(part))), default=None)
    if best is None or len(stems & _stems(_words(best))) < least * len(stems):
        return None
    return best


def _stems(words: Iterable[str]) -> set[str]:
    return {skeleton(word)[:_STEM] for word in words if len(skeleton(word)) >= _STEM}


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text)
