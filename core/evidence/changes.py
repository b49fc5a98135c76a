"""The word-by-word differences between an alleged quote and the source."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from core.evidence.dictionary import is_inflected, is_misspelling, without_accents
from core.evidence.guards import is_guarded, is_negation
from core.evidence.quantities import quantities
from core.evidence.skeleton import BULLETS, CROSSES, RAISED_DIGITS, TICKS, plain, skeleton
from core.evidence.text import CLOSING
from core.language.identification import detect
from core.language.patterns import words as listed
from core.language.sentences import sentences

# What two texts must have in common to say the same: their letters, figures and meaningful signs.
#
# A skeleton drops every sign. Between two versions of a text "1,5" and "15", "-5" and "5", "<= 5" and ">=
# 5", "100 €" and "100 %", "10 20" and "1020" are changes. Quotation marks, ligatures, soft hyphens, hyphens
# of words, points and commas of sentences, list signs and the kind of a dash, apostrophe or space are not.


_DASHES = "‐‑‒–—―−﹣－⁻"
_APOSTROPHES = "’‘ʼ´`‛＇"
_UNIFIED = (
    dict.fromkeys(map(ord, _DASHES), "-")
    | dict.fromkeys(map(ord, _APOSTROPHES), "'")
    | dict.fromkeys(map(ord, "∼˜～"), "~")
    | {0x66A: "%", 0x2236: ":", 0x2215: "/", 0x2044: "/", 0x02C2: "<", 0x02C3: ">"}
    | dict.fromkeys(map(ord, RAISED_DIGITS))
)
_TYPED = (("<=", "≤"), (">=", "≥"), ("!=", "≠"), ("+/-", "±"))
_VULGAR = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
_TELLING = frozenset("%‰‱§&@#/^°′″") | TICKS | CROSSES
_NOT_TELLING = frozenset("|¬") | BULLETS
_BETWEEN_DIGITS = frozenset(".,':-·∙⋅•*")
_OPENING = frozenset("([{\"'„“”‚‘«»›‹")
_GROUPED = re.compile(r"(?<![\d.,'])\d{1,3}(?: \d{3})+(?!\d)")
_NEEDLESS_SPACE = re.compile(r"(?<!\d) | (?!\d)")


def wording(words: Sequence[str]) -> str:
    """What consecutive `words` say: the same for two texts that differ only in typography."""
    text = _GROUPED.sub(lambda found: found[0].replace(" ", ""), " ".join(word_keys(words)))
    return _NEEDLESS_SPACE.sub("", text)


def word_keys(words: Sequence[str]) -> list[str]:
    """For each of `words`, what it says in its position; "" for one that says nothing, like a dash."""
    bare = [_unified(word) for word in words]
    keys = []
    for at, text in enumerate(bare):
        before, after = bare[at - 1] if at else "", bare[at + 1] if at + 1 < len(bare) else ""
        keys.append(_kept(text, before, after, is_minus="−" in words[at]))
    return keys


@lru_cache(maxsize=65536)
def _unified(word: str) -> str:
    if word.isascii():
        text = word.lower()
    else:
        text = plain(_VULGAR.sub(" ", word), "^").translate(_UNIFIED)
        text = unicodedata.normalize("NFKC", text).casefold().translate(_UNIFIED)
    for typed, sign in _TYPED:
        text = text.replace(typed, sign)
    return "".join(character for character in text if character == " " or not _is_invisible(character))


def _is_invisible(character: str) -> bool:
    return (
        unicodedata.category(character)[0] in "CZ"
        or "\ufe00" <= character <= "\ufe0f"
        or character == "\u034f"
    )


def _kept(text: str, before: str, behind: str, *, is_minus: bool) -> str:
    if text.isalnum():
        return text
    if text and not text.strip("-:"):
        return text[0] if _stands_between(text[0], before, behind, is_minus=is_minus) else ""
    return "".join(
        character
        for at, character in enumerate(text)
        if _tells(character) or (character in _BETWEEN_DIGITS and _belongs(text, at, behind))
    )


def _stands_between(sign: str, before: str, after: str, *, is_minus: bool) -> bool:
    """Whether a stand-alone dash or colon belongs to figures: a range, a ratio, a minus."""
    if not _begins_with_figure(after):
        return False
    return before[-1:].isdigit() or (sign == "-" and (is_minus or bool(before)))


def _begins_with_figure(text: str) -> bool:
    return text.lstrip("".join(_OPENING))[:1].isdigit() or unicodedata.category(text[:1] or " ") == "Sc"


def _tells(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in "$%&@#/^+<=>~ "
    if character in _TELLING:
        return True
    category = unicodedata.category(character)
    if category[0] in "LNM":
        return True
    return (
        category in ("Sc", "Sm") and character not in _NOT_TELLING and not "\u2190" <= character <= "\u21ff"
    )


def _belongs(text: str, at: int, behind: str) -> bool:
    """Whether the point, comma, colon, apostrophe or dash at `at` belongs to a figure."""
    before, after = text[at - 1] if at else "", text[at + 1] if at + 1 < len(text) else ""
    if before.isdigit():
        return after.isdigit() or (text[at] == "-" and not after and behind[:1].isdigit())
    if at and before not in _OPENING and unicodedata.category(before) not in ("Sc", "Sm"):
        return False
    is_amount = after.isdigit() or (after in (".", ",") and text[at + 2 : at + 3].isdigit())
    if text[at] == "-":
        return is_amount or unicodedata.category(after or " ") == "Sc"
    return text[at] in ".," and after.isdigit()


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
    before, own, after = (sentence or "").partition(source)
    if not own:
        return found
    wider = (
        _without_edges(changes(claimed, first + source + last), front=bool(first), back=bool(last))
        for first, last in (("", after), (before, ""), (before, after))
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
