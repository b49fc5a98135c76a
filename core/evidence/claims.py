"""Whether the quotes of a claim carry its figures, dates and negations."""

import re
from collections.abc import Iterable, Sequence

from core.evidence.guards import word_lists
from core.evidence.quantities import Quantity, dates, quantities
from core.evidence.skeleton import skeleton

_CLAUSE = re.compile(r"(?<=[.!?;:])\s+")
_STEM = 5
_LEAST_SHARED = 2


def unsupported(claim: str, quotes: Sequence[str], language: str | None = None) -> list[str]:
    """What `claim` says and none of `quotes` does, as written: numbers with their unit, dates, negations.

    Also "not: ..." with the clause of a quote that denies what the claim affirms. `language` (ISO 639-1)
    is the claim's, for reading its numbers; quotes may be in another one. Empty means supported.
    """
    return [*_numbers(claim, quotes, language), *_dates(claim, quotes), *_negations(claim, quotes)]


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


def _negations(claim: str, quotes: Sequence[str]) -> list[str]:
    lists = word_lists()
    denying = lists.negations | lists.rejections
    claimed = _words(claim)
    denied = [word for word in claimed if skeleton(word) in lists.negations]
    clauses = [clause for quote in quotes for clause in _CLAUSE.split(quote)]
    if denied:
        supported = any(_denies(clause, denying) for clause in clauses)
        return [] if supported else denied
    if any(skeleton(word) in denying for word in claimed):
        return []
    nearest = _nearest_clause(claimed, clauses)
    if nearest is not None and _denies(nearest, lists.negations):
        return [f"not: {nearest}"]
    return []


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
