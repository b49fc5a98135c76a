"""The word-by-word differences between an alleged quote and the source."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from fractions import Fraction

from core.evidence.dictionary import is_inflected, is_misspelling, without_accents
from core.evidence.guards import is_guarded, is_negation
from core.evidence.quantities import quantities
from core.evidence.skeleton import skeleton
from core.evidence.tokens import CLOSING
from core.evidence.wording import word_keys
from core.language.identification import detect
from core.language.patterns import words as listed
from core.language.sentences import sentences

MOST_WORDS = 600
"""Maximum words of either text; longer comparisons take too long, and nobody reads them."""

QUOTATION_MARKS = '"„“”«»'

_STOPS = (".", "!", "?")
_AROUND = ".,;:!?()[]…" + QUOTATION_MARKS

ALMOST, ALMOST_SHARE = 3, 0.3
"""How many words, and what share of the source's words, may differ in an almost correct quote."""


class ChangeKind(StrEnum):
    """Whether a difference affects the meaning: other words do; the same words written differently (spelling,
    hyphens, endings, articles) do not."""

    NEGATION = "negation"
    NUMBER = "number"
    WORD = "word"
    SPELLING = "spelling"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Words of the `source`, and those `claimed` in their place; None if they are the same."""

    source: str
    claimed: str | None = None

    @property
    def words(self) -> int:
        """The number of differing words."""
        return 0 if self.claimed is None else max(len(self.claimed.split()), len(self.source.split()))


def changes(claimed: str, source: str) -> tuple[Piece, ...]:
    """`source` in pieces, from where the quote begins in it to where it ends; no pieces if it is too long.
    Punctuation around the alleged words is ignored."""
    ours, theirs = claimed.strip(f" {QUOTATION_MARKS}").split(), source.split()
    if max(len(ours), len(theirs)) > MOST_WORDS:
        return ()
    ours_say, theirs_say = word_keys(ours), word_keys(theirs)
    matcher = SequenceMatcher(None, _or_word(ours_say, ours), _or_word(theirs_say, theirs), autojunk=False)
    found = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        same = tag == "equal" or not "".join((*ours_say[i1:i2], *theirs_say[j1:j2]))
        words = theirs[j1:j2] if same else _within_sentence(theirs, j1, j2)
        found.append(Piece(source=" ".join(words), claimed=None if same else " ".join(ours[i1:i2])))
    return tuple(piece for piece in found if piece.source or piece.claimed)


def changes_in(claimed: str, source: str, sentence: str | None) -> tuple[Piece, ...]:
    """Like `changes`, but covers more of the whole `sentence` around `source` if a number or a denial differs
    and more of the alleged words are in that sentence, so that each is compared with its counterpart."""
    found = changes(claimed, source)
    before, own, behind = (sentence or "").partition(source)
    if not own:
        return found
    wider = (
        _without_edges(changes(claimed, first + source + last), front=bool(first), back=bool(last))
        for first, last in (("", behind), (before, ""), (before, behind))
        if first or last
    )
    most = max([found, *wider], key=_standing)
    return most if set(kinds(most)) - {ChangeKind.WORD} else found


def kinds(pieces: Sequence[Piece]) -> tuple[ChangeKind, ...]:
    """The kinds of difference, most serious first."""
    found = set()
    for piece in pieces:
        if piece.claimed is None:
            continue
        ours, theirs = ([skeleton(word) for word in side.split()] for side in (piece.claimed, piece.source))
        if sum(map(is_negation, ours)) != sum(map(is_negation, theirs)):
            found.add(ChangeKind.NEGATION)
        elif piece.claimed and piece.source and _numbers(piece.claimed) != _numbers(piece.source):
            found.add(ChangeKind.NUMBER)
        elif _is_otherwise_written(piece.claimed.split(), piece.source.split()):
            found.add(ChangeKind.SPELLING)
        else:
            found.add(ChangeKind.WORD)
    return tuple(kind for kind in ChangeKind if kind in found)


def is_almost_right(pieces: Sequence[Piece]) -> bool:
    """Whether a reader would call the quote nearly right: few words differ, and only in how they are
    written."""
    return _differs_little(pieces) and kinds(pieces) == (ChangeKind.SPELLING,)


def is_reworded(pieces: Sequence[Piece]) -> bool:
    """Whether few words differ, none of them a number or a denial, as in indirect speech."""
    changed = {ChangeKind.NEGATION, ChangeKind.NUMBER}.intersection(kinds(pieces))
    return _differs_little(pieces) and not changed


def _differs_little(pieces: Sequence[Piece]) -> bool:
    differing = sum(piece.words for piece in pieces)
    words = sum(len(piece.source.split()) for piece in pieces)
    return 0 < differing <= ALMOST and differing <= ALMOST_SHARE * words


def _is_otherwise_written(claimed: Sequence[str], source: Sequence[str]) -> bool:
    """Whether the words are the same apart from articles, spelling, joining or inflection."""
    articles = listed("names.articles")
    ours, theirs = ([word for word in side if skeleton(word) not in articles] for side in (claimed, source))
    one, other = ("".join(without_accents(skeleton(word)) for word in side) for side in (ours, theirs))
    if one == other:
        return True
    return len(ours) == len(theirs) and all(map(_is_same_word, ours, theirs))


def _is_same_word(claimed: str, source: str) -> bool:
    """Whether two written words are the same word, misspelt or with another ending."""
    one, other = skeleton(claimed), skeleton(source)
    if without_accents(one) == without_accents(other) or is_misspelling(one, other):
        return True
    guarded = any(is_guarded(word.lower()) for word in (claimed, source))
    return not guarded and is_inflected(claimed.strip(_AROUND), source.strip(_AROUND))


def is_another(claimed: str, pieces: Sequence[Piece]) -> bool:
    """Whether at most two fifths of the alleged words are in the source, so that it is another sentence."""
    return bool(pieces) and 5 * _standing(pieces) <= 2 * len(claimed.split())


def _standing(pieces: Sequence[Piece]) -> int:
    """How many of the alleged words are in the source."""
    return sum(len(piece.source.split()) for piece in pieces if piece.claimed is None)


def _without_edges(pieces: Sequence[Piece], *, front: bool, back: bool) -> tuple[Piece, ...]:
    """The pieces without source words before the first or after the last matching one: those were only
    candidates, and the alleged words there do not stand for them."""
    cut = list(pieces)
    for edge, wide in ((0, front), (-1, back)):
        if wide and cut and cut[edge].claimed is not None:
            cut[edge] = Piece(source="", claimed=cut[edge].claimed)
    return tuple(piece for piece in cut if piece.source or piece.claimed)


def _or_word(keys: Sequence[str], words: Sequence[str]) -> list[str]:
    return [key or word for key, word in zip(keys, words, strict=True)]


def _numbers(text: str) -> tuple[list[frozenset[Fraction]], list[str]]:
    """The numbers in `text`, in figures and in words, and the words that contain digits or are symbols."""
    keys = word_keys(text.split())
    figures = [key for key in keys if key and (any(map(str.isdigit, key)) or not any(map(str.isalnum, key)))]
    return [each.values for each in quantities(text)], figures


def _within_sentence(words: Sequence[str], start: int, end: int) -> Sequence[str]:
    """The differing source words at the edges, without those of the previous or next sentence."""
    piece = list(words[start:end])
    if (start and end < len(words)) or not any(word.rstrip(CLOSING).endswith(_STOPS) for word in piece[:-1]):
        return piece
    text = " ".join(words)
    ends = [len(text[:stop].split()) for _, stop in sentences(text, detect(text)[0])]
    inside = [at for at in ends if start < at < end]
    if not inside:
        return piece
    return words[inside[-1] : end] if start == 0 else words[start : inside[0]]
