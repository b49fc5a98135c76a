"""The skeleton of a text: what remains when case, punctuation, spacing and typography are ignored."""

import unicodedata
from functools import lru_cache

from core.domain.pages import Word

_SUPERSCRIPT_DIGITS = [ord(digit) for digit in "⁰¹²³⁴⁵⁶⁷⁸⁹"]
_INVISIBLE_MARKS = [0x34F, *range(0xFE00, 0xFE10)]  # grapheme joiner, variation selectors: category M


class _LettersDigitsMarks(dict[int, int | None]):
    """A `str.translate` table that keeps letters, digits and combining marks, filled as it is used."""

    def __missing__(self, code: int) -> int | None:
        kept = code if unicodedata.category(chr(code))[0] in "LNM" else None
        self[code] = kept
        return kept


_KEEP = _LettersDigitsMarks(dict.fromkeys([*_SUPERSCRIPT_DIGITS, *_INVISIBLE_MARKS]))


def skeleton(text: str) -> str:
    """NFKC, case folded, letters, digits and marks only (Unicode categories L, N, M).

    Superscript digits are dropped: they are footnote marks, and NFKC (UAX #15) would turn them into
    numbers, as it would turn an acute accent used as a quotation mark into a combining one. Spaces go,
    so hyphenation, ligatures, quotes and dashes make no difference.
    """
    if text.isascii():
        return text.lower().translate(_KEEP)
    folded = unicodedata.normalize("NFKC", text.translate(_KEEP)).casefold()
    return unicodedata.normalize("NFKC", folded.translate(_KEEP))


_cached_skeleton = lru_cache(maxsize=65536)(skeleton)


def word_skeleton(word: Word) -> str:
    """Skeleton of a page's word without its trailing footnote marks; empty for mere punctuation."""
    text = word.text[: len(word.text) - word.note_chars] if word.note_chars else word.text
    return _cached_skeleton(text)
