"""What to compare to see whether the numbers of a claim stand where its quotes have them.

That is the words around each number, in any two languages; `core/answering/generated/judge.py` compares
their vectors.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.evidence.contradictions import Placed, QuotedText, placed, stems_in_order
from core.evidence.contrasts import clause_borders
from core.language.sentences import sentences

_ENOUGH_STEMS = 3
"""Minimum number of stems around a number to tell by them alone what it counts."""
_WORDS_TOGETHER = 2


@dataclass(frozen=True, slots=True)
class Places:
    """Pairs of texts that are to be more alike, together, than the `turned` ones."""

    stated: tuple[tuple[str, str], ...]
    turned: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Piece:
    """A number and the words around it without those around its neighbours."""

    number: Placed
    words: str
    alone: bool
    """Whether it has enough words of its own."""
    sentence: str
    beside: tuple[str, ...]
    """Its sentence, and the others of the same quote that say enough, without their numbers."""


def places(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[Places]:
    """For each number of `claim` that the quotes have once, its place against those of others of its kind and
    its sentence against the others; for each two such numbers, their places against each other's."""
    given = [piece for quote in quotes for piece in _pieces(quote)]
    found, compared = [], []
    for mine in _pieces(QuotedText(text=claim, language=language)):
        equal = [piece for piece in given if mine.number.equals(piece.number)]
        if len(equal) != 1:
            continue
        own = equal[0]
        found.append((mine, own))
        if mine.alone:
            others = [piece for piece in given if piece is not own and piece.number.counts_like(mine.number)]
            apart = [piece.words for piece in others if piece.alone and own.alone]
            compared += [Places(((mine.words, own.words),), ((mine.words, words),)) for words in apart]
            compared += [
                Places(((mine.words, own.sentence),), ((mine.words, sentence),)) for sentence in own.beside
            ]
    for (one, its), (other, theirs) in combinations(found, 2):
        if its is not theirs and its.number.counts_like(theirs.number):
            compared.append(
                Places(
                    ((one.words, its.words), (other.words, theirs.words)),
                    ((one.words, theirs.words), (other.words, its.words)),
                )
            )
    return compared


def _pieces(quote: QuotedText) -> Iterator[_Piece]:
    text, language = quote.text, quote.language
    numbers = placed(text, language)
    spans = [number.quantity.span for number in numbers]
    told = sentences(text, language)
    for at, (number, (start, end)) in enumerate(zip(numbers, spans, strict=True)):
        left = text[spans[at - 1][1] if at else 0 : start]
        right = text[end : spans[at + 1][0] if at + 1 < len(spans) else None]
        near = [left] * (at > 0) + [right] * (at + 1 < len(spans))
        if at:
            left = clause_borders()[0].split(left)[-1]
        if at + 1 < len(spans):
            right = clause_borders()[0].split(right)[0]
        words = f"{left} {right}".strip()
        own = [_without(text, span, spans) for span in told if span[0] <= start < span[1]]
        beside = [_without(text, span, spans) for span in told if not span[0] <= start < span[1]]
        yield _Piece(
            number=number,
            words=words,
            alone=all(len(side.split()) > _WORDS_TOGETHER for side in near) and _says_enough(words),
            sentence=" ".join(own),
            beside=tuple(filter(_says_enough, beside)),
        )


def _says_enough(words: str) -> bool:
    return len(stems_in_order(words)) >= _ENOUGH_STEMS


def _without(text: str, sentence: tuple[int, int], numbers: Sequence[tuple[int, int]]) -> str:
    """The sentence without its numbers."""
    at, stop = sentence
    kept = []
    for start, end in numbers:
        if at <= start < stop:
            kept.append(text[at:start])
            at = end
    return " ".join([*kept, text[at:stop]]).strip()
