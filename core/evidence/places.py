"""What to compare to see whether the numbers of a claim stand where its quotes have them: the words around each
number, in the claim and in the quotes, of any language. Vectors compare them (`core/answering/generated/relation.py`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.evidence.contradictions import Placed, QuotedText, placed, stems_in_order
from core.evidence.contrasts import clause_borders

_ENOUGH_STEMS = 3
"""Minimum number of stems around a number to tell by them alone what it counts."""
_WORDS_TOGETHER = 2


@dataclass(frozen=True, slots=True)
class Places:
    """Pairs of texts that are to be more alike, together, than the `turned` ones."""

    stated: tuple[tuple[str, str], ...]
    turned: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A number and the words around it without those around its neighbours."""

    number: Placed
    words: str
    alone: bool
    """Whether it has enough words of its own."""


def places(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[Places]:
    """For each number of `claim` in one place of `quotes`: that place against those of others of its kind; for
    each two such numbers: their places against each other's."""
    given = [piece for quote in quotes for piece in _pieces(quote.text, quote.language)]
    found, compared = [], []
    for mine in _pieces(claim, language):
        equal = [piece for piece in given if mine.number.equals(piece.number)]
        if len(equal) != 1:
            continue
        own = equal[0]
        found.append((mine, own))
        compared += [
            Places(((mine.words, own.words),), ((mine.words, other.words),))
            for other in given
            if other is not own and other.number.counts_like(mine.number) and mine.alone and own.alone and other.alone
        ]
    for (one, its), (other, others) in combinations(found, 2):
        if its is not others and its.number.counts_like(others.number):
            compared.append(
                Places(
                    ((one.words, its.words), (other.words, others.words)),
                    ((one.words, others.words), (other.words, its.words)),
                )
            )
    return compared


def _pieces(text: str, language: str) -> Iterator[_Piece]:
    numbers = placed(text, language)
    spans = [number.quantity.span for number in numbers]
    for at, (number, (start, end)) in enumerate(zip(numbers, spans, strict=True)):
        before = spans[at - 1][1] if at else 0
        behind = spans[at + 1][0] if at + 1 < len(spans) else len(text)
        left, right = text[before:start], text[end:behind]
        near = [side for side, other in ((left, at), (right, at + 1 < len(spans))) if other]
        if at:
            left = clause_borders()[0].split(left)[-1]
        if at + 1 < len(spans):
            right = clause_borders()[0].split(right)[0]
        words = f"{left} {right}".strip()
        apart = all(len(side.split()) > _WORDS_TOGETHER for side in near)
        yield _Piece(number, words, apart and len(stems_in_order(words)) >= _ENOUGH_STEMS)
