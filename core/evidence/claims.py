"""Whether the quotes of a claim carry its figures, dates and negations."""

import re
from collections.abc import Iterable, Sequence

from core.evidence.amounts import amounts, carried
from core.evidence.contrasts import clause_borders, depends, mild_denials, restricts, without_bounds
from core.evidence.guards import WordLists, word_lists
from core.evidence.quantities import dates
from core.evidence.skeleton import skeleton

_NAME_WITH_DIGITS = re.compile(r"\b(?:\d+[A-Z][A-Z0-9]*|[A-Z]{1,4}-?\d+[A-Z]?)\b")
"""A name such as 18F, G7 or CO2, in which the digits count nothing."""
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
    negations = _negations(claim, unbounded[0], unbounded[1:], lists, word_lists(*written))
    names = _NAME_WITH_DIGITS.findall(claim)
    foreign = [name for name in names if not any(name in quote for quote in quotes)]
    counted = _NAME_WITH_DIGITS.sub(" ", claim)
    return [*_numbers(counted, quotes, language), *foreign, *_dates(claim, quotes), *negations]


def _numbers(claim: str, quotes: Sequence[str], language: str | None) -> list[str]:
    given = [amount for quote in quotes for amount in amounts(quote, None)]
    years = {date.year for quote in quotes for date in dates(quote)}
    return [
        one.quantity.text
        for one in amounts(claim, language)
        if not carried(one, given) and not (one.quantity.unit == "" and one.quantity.values & years)
    ]


def _dates(claim: str, quotes: Sequence[str]) -> list[str]:
    given = [date for quote in quotes for date in dates(quote)]
    return [date.text for date in dates(claim) if not any(date.stated_by(other) for other in given)]


def _negations(
    written: str, claim: str, quotes: Sequence[str], lists: WordLists, quoted: WordLists
) -> list[str]:
    """Denials of one side only, where claim and quote say nearly the same otherwise: what is put in other
    words denies in other words, too ("nobody but", "needs a permit")."""
    claimed = _words(claim)
    denied = [word for word in claimed if skeleton(word) in lists.negations and not _is_mild(word)]
    if denied:
        denying = quoted.negations | quoted.rejections
        affirmed = [word for word in claimed if word not in denied]
        alike = _nearest_part(affirmed, quotes, _NEARLY_ALL) is not None
        return denied if alike and not any(_denies(quote, denying) for quote in quotes) else []
    if any(skeleton(word) in lists.negations | lists.rejections for word in claimed) or restricts(written):
        return []
    parts = [part for quote in quotes for part in clause_borders()[0].split(quote) if not depends(part)]
    nearest = _nearest_part(claimed, parts, _NEARLY)
    return [f"not: {nearest}"] if nearest and _denies(nearest, quoted.negations - mild_denials()) else []


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
