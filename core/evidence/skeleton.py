"""The skeleton of a text: what remains if case, punctuation, spacing and typography are ignored."""

import unicodedata
from functools import lru_cache

from core.domain.pages import Word
from core.evidence.raised import RAISED_DIGITS, copied, plain, with_marks

_INVISIBLE_MARKS = [0x34F, *range(0xFE00, 0xFE10)]  # grapheme joiner, variation selectors: category M


class _LettersDigitsMarks(dict[int, int | None]):
    """A `str.translate` table that keeps letters, digits and combining marks, filled as it is used."""

    def __missing__(self, code: int) -> int | None:
        kept = code if unicodedata.category(chr(code))[0] in "LNM" else None
        self[code] = kept
        return kept


_KEEP = _LettersDigitsMarks(dict.fromkeys([*map(ord, RAISED_DIGITS), *_INVISIBLE_MARKS]))


def skeleton(text: str) -> str:
    """The skeleton of a text: NFKC, case folded, only letters, digits and marks (Unicode categories L, N, M).

    Raised digits that are footnote marks are dropped: NFKC (UAX #15) would turn them into numbers, as it
    would turn an acute accent used as a quotation mark into a combining one. Exponents stay, as plain digits
    (`core.evidence.raised`). Spaces are removed, so hyphenation, ligatures, quotes and dashes make no
    difference.
    """
    if text.isascii():
        return text.lower().translate(_KEEP)
    folded = unicodedata.normalize("NFKC", plain(text).translate(_KEEP)).casefold()
    return unicodedata.normalize("NFKC", folded.translate(_KEEP))


@lru_cache(maxsize=65536)
def written_skeleton(text: str, note_chars: int = 0) -> str:
    """Skeleton of a word of a page whose last `note_chars` characters are a footnote mark, without the mark;
    empty for mere punctuation."""
    return skeleton(with_marks(text, note_chars))


@lru_cache(maxsize=65536)
def copied_skeleton(text: str, note_chars: int = 0) -> str:
    """Like `written_skeleton`, for the word as copied from a PDF reader: with the digits of a footnote mark
    after it."""
    return skeleton(copied(with_marks(text, note_chars)))


def word_skeleton(word: Word) -> str:
    """Skeleton of a page's word without its footnote marks."""
    return written_skeleton(word.text, word.note_chars)
