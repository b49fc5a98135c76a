"""The order of sub-divisions: (1) before (1a) before (2), (iv) before (v), (h) before (i) before (j)."""

import re
from collections.abc import Iterable, Sequence

from core.library.references import roman_value

_NUMBER = re.compile(r"([0-9]+)\s?([a-z]*)")
_ROMAN = re.compile(r"(?=[ivxl])((?:xl|l?x{0,3})(?:ix|iv|v?i{0,3}))([a-z]?)")
_LATIN = ("", "bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "decies")
_NUMERIC, _ALPHABETIC = 0, 1

_Rank = tuple[int, int, tuple[int, int, str]]
"""Kind of the label, its number, and what was inserted behind that."""


def starts_behind(path: Sequence[str], wanted: Sequence[str], known: Iterable[Sequence[str]]) -> bool:
    """Whether what starts with the sub-division `path` starts behind all of `wanted`, or beside it where
    their labels are of different kinds. `known` are the paths of the whole section: whether (i) is a letter
    or a number shows in what stands beside it."""
    for depth, (one, other) in enumerate(zip(path, wanted, strict=False)):
        if one == other:
            continue
        above = tuple(wanted[:depth])
        beside = {each[depth] for each in known if len(each) > depth and tuple(each[:depth]) == above}
        roman = _counts_in_roman({*beside, other})
        mine, theirs = _rank(one, roman=roman), _rank(other, roman=roman)
        return mine[0] != theirs[0] or mine > theirs
    return len(path) > len(wanted)


def _counts_in_roman(labels: Iterable[str]) -> bool:
    """Whether the labels of a list are Roman numbers. Single letters alone do not say, and are in the same
    order either way: i, v, x."""
    labels = [label for label in labels if not _NUMBER.fullmatch(label)]
    return all(map(_ROMAN.fullmatch, labels)) and any(len(label) > 1 for label in labels)


def _rank(label: str, *, roman: bool) -> _Rank:
    if number := _NUMBER.fullmatch(label):
        return _NUMERIC, int(number[1]), _inserted(number[2])
    if roman and (numeral := _ROMAN.fullmatch(label)):
        return _NUMERIC, roman_value(numeral[1]), _inserted(numeral[2])
    return _ALPHABETIC, 0, (len(label), 0, label)


def _inserted(suffix: str) -> tuple[int, int, str]:
    """The place of what was put in behind a number: 1, 1a, 1b, 1aa; 1, 1bis, 1ter."""
    if suffix in _LATIN:
        return 0, _LATIN.index(suffix), ""
    return len(suffix), 0, suffix
