"""What is different in an alleged quote, word by word, beside the source's own words."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from fractions import Fraction

from core.evidence.guards import is_negation
from core.evidence.quantities import quantities
from core.evidence.skeleton import skeleton
from core.evidence.tokens import CLOSING

MOST_WORDS = 600
"""Words of either text; comparing longer ones takes long, and nobody reads it."""

QUOTATION_MARKS = '"„“”«»'

ALMOST, ALMOST_SHARE = 3, 0.3
"""Words, and the share of the source's words, that may differ where a quote is almost right."""


class ChangeKind(StrEnum):
    """What a difference does to what is said."""

    NEGATION = "negation"
    NUMBER = "number"
    WORD = "word"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Words of the `source`, and those `claimed` in their place; None where they are the same."""

    source: str
    claimed: str | None = None

    @property
    def words(self) -> int:
        """How many words differ."""
        return 0 if self.claimed is None else max(len(self.claimed.split()), len(self.source.split()))


def changes(claimed: str, source: str) -> tuple[Piece, ...]:
    """`source` in pieces, from where the quote begins in it to where it ends; none where it is too long.
    The marks round the alleged words are none of them."""
    ours, theirs = claimed.strip(f" {QUOTATION_MARKS}").split(), source.split()
    if max(len(ours), len(theirs)) > MOST_WORDS:
        return ()
    matcher = SequenceMatcher(None, list(map(_letters, ours)), list(map(_letters, theirs)), autojunk=False)
    found = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        same = tag == "equal" or not "".join(map(skeleton, (*ours[i1:i2], *theirs[j1:j2])))
        words = theirs[j1:j2] if same else _within_sentence(theirs, j1, j2)
        found.append(Piece(source=" ".join(words), claimed=None if same else " ".join(ours[i1:i2])))
    return tuple(piece for piece in found if piece.source or piece.claimed)


def kinds(pieces: Sequence[Piece]) -> tuple[ChangeKind, ...]:
    """What the differences are, the gravest first."""
    found = set()
    for piece in pieces:
        if piece.claimed is None:
            continue
        ours, theirs = ([skeleton(word) for word in side.split()] for side in (piece.claimed, piece.source))
        if sum(map(is_negation, ours)) != sum(map(is_negation, theirs)):
            found.add(ChangeKind.NEGATION)
        elif piece.claimed and piece.source and _numbers(piece.claimed) != _numbers(piece.source):
            found.add(ChangeKind.NUMBER)
        else:
            found.add(ChangeKind.WORD)
    return tuple(kind for kind in ChangeKind if kind in found)


def is_almost_right(pieces: Sequence[Piece]) -> bool:
    """Whether a reader would call the quote nearly right: few words differ."""
    differing = sum(piece.words for piece in pieces)
    words = sum(len(piece.source.split()) for piece in pieces)
    return 0 < differing <= ALMOST and differing <= ALMOST_SHARE * words


def is_another(claimed: str, pieces: Sequence[Piece]) -> bool:
    """Whether two fifths of the alleged words at most stand in the source: it is another sentence."""
    standing = sum(len(piece.source.split()) for piece in pieces if piece.claimed is None)
    return bool(pieces) and 5 * standing <= 2 * len(claimed.split())


def _letters(word: str) -> str:
    return skeleton(word) or word


def _numbers(text: str) -> tuple[list[frozenset[Fraction]], list[str]]:
    """The numbers of `text`, in figures and in words, and the words that hold figures."""
    figures = [skeleton(word) for word in text.split() if any(character.isdigit() for character in word)]
    return [each.values for each in quantities(text)], figures


def _within_sentence(words: Sequence[str], start: int, end: int) -> Sequence[str]:
    """Differing words of the source at its edges, without those of the sentence before or behind."""
    piece = list(words[start:end])
    ends = [at for at, word in enumerate(piece) if word.rstrip(CLOSING)[-1:] in (".", "!", "?")]
    if ends and start == 0:
        return piece[ends[-1] + 1 :] if ends[-1] + 1 < len(piece) else piece
    if ends and end == len(words):
        return piece[: ends[0] + 1]
    return piece
