"""French numbers in words, of France, Belgium and Switzerland: "soixante-dix", "septante", "nonante-neuf"."""

import re
from collections.abc import Sequence

_WORDS = "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
_UNITS = {word: value for value, word in enumerate(_WORDS.split(), start=1)} | {"une": 1}
_TENS = {
    "vingt": 20,
    "trente": 30,
    "quarante": 40,
    "cinquante": 50,
    "soixante": 60,
    "septante": 70,
    "huitante": 80,
    "octante": 80,
    "nonante": 90,
}
_HUNDRED = frozenset({"cent", "cents"})
_SCALES = {"mille": 1000, "million": 10**6, "millions": 10**6, "milliard": 10**9, "milliards": 10**9}
_ALONE = frozenset({"un", "une", "six", "sept", "cent", "cents", *_SCALES})
_TOGETHER = frozenset({"six", "cent", "cents"})
"""Words of other languages too, alone and with each other."""
WORDS = frozenset({*_UNITS, *_TENS, *_HUNDRED, *_SCALES, "zéro", "et", "vingts"})
_ORDINAL = re.compile(r"(.{2,}?)i[eè]mes?")
_STEMS = {"quatr": "quatre", "cinqu": "cinq", "neuv": "neuf", "mill": "mille"} | {
    word[:-1]: word for word in (*_UNITS, *_TENS) if word.endswith("e") and word != "une"
}


def number(words: Sequence[str]) -> tuple[int, int]:
    """Value and length in words of the number at the beginning of `words` (small letters); (0, 0) where there
    is none. An ordinal at the end counts as its number ("soixante-dixième"); "un" and "une" alone are
    articles."""
    words = [_cardinal(word) if at else word for at, word in enumerate(words)]
    if words[:1] == ["zéro"]:
        return 0, 1
    total, at = 0, 0
    largest = 10**12
    while at < len(words):
        value, used = _below_thousand(words, at)
        scale = _SCALES.get(words[at + used]) if at + used < len(words) else None
        if scale is None or scale >= largest:
            total, at = total + value, at + used
            break
        total, at, largest = total + max(value, 1) * scale, at + used + 1, scale
    return (0, 0) if words[:at] in (["un"], ["une"]) else (total, at)


def is_ambiguous(words: Sequence[str]) -> bool:
    """Whether no word of a number is French alone: "six cents" may be a price in English."""
    return _TOGETHER.issuperset(words) or (len(words) == 1 and words[0] in _ALONE)


def _cardinal(word: str) -> str:
    found = _ORDINAL.fullmatch(word)
    return _STEMS.get(found[1], found[1]) if found else word


def _below_thousand(words: Sequence[str], at: int) -> tuple[int, int]:
    value, used = _below_hundred(words, at)
    if value < 10 and _word(words, at + used) in _HUNDRED and value != 1:
        rest, more = _below_hundred(words, at + used + 1)
        return max(value, 1) * 100 + rest, used + 1 + more
    return value, used


def _below_hundred(words: Sequence[str], at: int) -> tuple[int, int]:
    first, second = _word(words, at), _word(words, at + 1)
    if first == "quatre" and second in ("vingt", "vingts"):
        rest, used = _below_twenty(words, at + 2)
        return 80 + rest, 2 + used
    if first in _TENS:
        joint = 2 if second == "et" and _word(words, at + 2) in ("un", "une", "onze") else 1
        rest, used = _below_twenty(words, at + joint)
        if rest >= 10 and first not in ("soixante",):
            rest, used = 0, 0
        return (_TENS[first] + rest, joint + used) if used else (_TENS[first], 1)
    return _below_twenty(words, at)


def _below_twenty(words: Sequence[str], at: int) -> tuple[int, int]:
    value, following = _UNITS.get(_word(words, at), 0), _UNITS.get(_word(words, at + 1), 0)
    if value == 10 and 7 <= following <= 9:
        return 10 + following, 2
    return value, 1 if value else 0


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""
