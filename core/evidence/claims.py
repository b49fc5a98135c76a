"""Whether the quotes of a claim carry its figures, dates and negations."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from core.evidence.contrasts import mild_denials, without_bounds
from core.evidence.guards import WordLists, word_lists
from core.evidence.quantities import Quantity, dates, quantities
from core.evidence.skeleton import skeleton

_CLAUSE = re.compile(r"(?<=[.!?])\s+(?![a-z\u00df-\u00ff]|\d+[°)])|(?<=[;:])\s+")
_NAME_WITH_DIGITS = re.compile(r"\b(?:\d+[A-Z][A-Z0-9]*|[A-Z]{1,4}-?\d+[A-Z]?)\b")
"""A name such as 18F, G7 or CO2, in which the digits count nothing."""
_PART = re.compile(r",\s")
_STEM = 5
_NEARLY, _NEARLY_ALL = 0.5, 0.85
"""Share of a claim's stems in a part of a sentence, and in a whole quote, from which on they say the same."""


def unsupported(
    claim: str, quotes: Sequence[str], language: str | None = None, written: Sequence[str] = ()
) -> list[str]:
    """What `claim` says and none of `quotes` does, as written: numbers with their unit, dates, negations.

    Also "not: ..." with the clause of a quote that denies what the claim affirms. `language` (ISO 639-1)
    is the claim's, `written` those of the quotes, for reading their numbers and denials ("dont" denies in
    English only); all languages count where they are not known. Empty means supported.
    """
    lists = word_lists(language) if language else word_lists()
    unbounded = [without_bounds(text) for text in (claim, *quotes)]
    negations = _negations(unbounded[0], unbounded[1:], lists, word_lists(*written))
    names = _NAME_WITH_DIGITS.findall(claim)
    foreign = [name for name in names if not any(name in quote for quote in quotes)]
    counted = _NAME_WITH_DIGITS.sub(" ", claim)
    return [*_numbers(counted, quotes, language), *foreign, *_dates(claim, quotes), *negations]


def _numbers(claim: str, quotes: Sequence[str], language: str | None) -> list[str]:
    given = [quantity for quote in quotes for quantity in quantities(quote)]
    years = {date.year for quote in quotes for date in dates(quote)}
    return [
        quantity.text
        for quantity in quantities(claim, language)
        if not _given(quantity, given) and not (quantity.unit == "" and quantity.values & years)
    ]


def _given(quantity: Quantity, given: Iterable[Quantity]) -> bool:
    """Whether a quote has the quantity; "half" is 50 %, and "once" counts nothing."""
    if quantity.values == {1} and not quantity.unit:
        return True
    mine = _as_share(quantity)
    return any(mine[0] == unit and mine[1] & values for unit, values in map(_as_share, given))


def _as_share(quantity: Quantity) -> tuple[str, frozenset[Fraction]]:
    """Unit and values, a fraction being a percentage."""
    if not quantity.unit and all(0 < value < 1 for value in quantity.values):
        return "%", frozenset(value * 100 for value in quantity.values)
    return quantity.unit, quantity.values


def _dates(claim: str, quotes: Sequence[str]) -> list[str]:
    given = [date for quote in quotes for date in dates(quote)]
    return [date.text for date in dates(claim) if not any(date.stated_by(other) for other in given)]


def _negations(claim: str, quotes: Sequence[str], lists: WordLists, quoted: WordLists) -> list[str]:
    """Denials of one side only, where claim and quote say nearly the same otherwise: what is put in other
    words denies in other words, too ("nobody but", "needs a permit")."""
    claimed = _words(claim)
    denied = [word for word in claimed if skeleton(word) in lists.negations and not _is_mild(word)]
    parts = [part for quote in quotes for clause in _CLAUSE.split(quote) for part in _PART.split(clause)]
    nearest = _nearest_part(claimed, quotes, _NEARLY_ALL) or _nearest_part(claimed, parts, _NEARLY)
    if nearest is None:
        return []
    if denied:
        denying = quoted.negations | quoted.rejections
        affirmed = [word for word in claimed if word not in denied]
        alike = _nearest_part(affirmed, quotes, _NEARLY_ALL) is not None
        return denied if alike and not any(_denies(quote, denying) for quote in quotes) else []
    if any(skeleton(word) in lists.negations | lists.rejections for word in claimed):
        return []
    return [f"not: {nearest}"] if _denies(nearest, quoted.negations - mild_denials()) else []


def _is_mild(word: str) -> bool:
    """Whether `word` denies a circumstance only ("without"), which other words can say as well."""
    return skeleton(word) in mild_denials()


def _denies(clause: str, words: frozenset[str]) -> bool:
    return any(skeleton(word) in words for word in _words(clause))


def _nearest_part(claimed: Sequence[str], parts: Sequence[str], least: float) -> str | None:
    """The text that shares most word stems with the claim; None where that is less than the share `least`."""
    stems = _stems(claimed)
    best = max(parts, key=lambda part: len(stems & _stems(_words(part))), default=None)
    if best is None or len(stems & _stems(_words(best))) < least * len(stems):
        return None
    return best


def _stems(words: Iterable[str]) -> set[str]:
    return {skeleton(word)[:_STEM] for word in words if len(skeleton(word)) >= _STEM}


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text)
