"""Whether the quotes of a claim carry its figures, dates and negations."""

import re
from collections.abc import Iterable, Sequence

from core.evidence.contrasts import mild_denials, without_bounds
from core.evidence.guards import WordLists, word_lists
from core.evidence.quantities import Quantity, dates, quantities
from core.evidence.skeleton import skeleton

_CLAUSE = re.compile(r"(?<=[.!?])\s+(?![a-z\u00df-\u00ff]|\d+[°)])|(?<=[;:])\s+")
_NAME_WITH_DIGITS = re.compile(r"\b(?:\d+[A-Z][A-Z0-9]*|[A-Z]{1,4}-?\d+[A-Z]?)\b")
"""A name such as 18F, G7 or CO2, in which the digits count nothing."""
_STEM = 5
_LEAST_SHARED = 2


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
    return any(quantity.unit == other.unit and quantity.values & other.values for other in given)


def _dates(claim: str, quotes: Sequence[str]) -> list[str]:
    given = [date for quote in quotes for date in dates(quote)]
    return [date.text for date in dates(claim) if not any(date.stated_by(other) for other in given)]


def _negations(claim: str, quotes: Sequence[str], lists: WordLists, quoted: WordLists) -> list[str]:
    denying = quoted.negations | quoted.rejections
    claimed = _words(claim)
    denied = [word for word in claimed if skeleton(word) in lists.negations and not _is_mild(word)]
    clauses = [clause for quote in quotes for clause in _CLAUSE.split(quote)]
    if denied:
        supported = any(_denies(clause, denying) for clause in clauses)
        return [] if supported else denied
    if any(skeleton(word) in lists.negations | lists.rejections for word in claimed):
        return []
    nearest = _nearest_clause(claimed, clauses)
    if nearest is not None and _denies(nearest, quoted.negations - mild_denials()):
        return [f"not: {nearest}"]
    return []


def _is_mild(word: str) -> bool:
    """Whether `word` denies a circumstance only ("without"), which other words can say as well."""
    return skeleton(word) in mild_denials()


def _denies(clause: str, words: frozenset[str]) -> bool:
    return any(skeleton(word) in words for word in _words(clause))


def _nearest_clause(claimed: Sequence[str], clauses: Sequence[str]) -> str | None:
    """The clause that shares most word stems with the claim; the only one there is; else None."""
    stems = _stems(claimed)
    best = max(clauses, key=lambda clause: len(stems & _stems(_words(clause))), default=None)
    if best is None or (len(clauses) > 1 and len(stems & _stems(_words(best))) < _LEAST_SHARED):
        return None
    return best


def _stems(words: Iterable[str]) -> set[str]:
    return {skeleton(word)[:_STEM] for word in words if len(skeleton(word)) >= _STEM}


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text)
