"""Section numbers with several parts: "§ 60-200", "Article L. 121-1", "Rule 5.2", "5.1.1 General"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from core.library.chunking.numbering import NOT_A_HEAD, Mark
from core.library.lines import Line

_PARTS = r"\d{1,4}(?:[.-]\d{1,4}[a-z]?){1,5}"
_CODE = rf"(?:[LRDA]\.?\s?\*{{0,2}}\s?)?{_PARTS}|[LRDA]\.?\s?\d{{1,4}}"
_WORDS = {
    "art": r"(?:Article|ARTICLE|Artikel|Art\.?)",
    "par": "§",
    "section": r"(?:Section|SECTION|Sec\.)",
    "rule": "(?:Rule|RULE)",
    "regulation": "(?:Regulation|REGULATION)",
    "clause": "(?:Clause|CLAUSE)",
    "number": r"(?:Ziffer|Ziff\.|Nr\.)",
}
_NAMED = (
    (
        "art",
        re.compile(rf"(?:Article|ARTICLE|Artikel|Art\.?)\s*(?P<number>{_CODE})(?![\w-])[.:]?(?P<rest>.*)"),
    ),
    *(
        (kind, re.compile(rf"{word}\s*(?P<number>{_PARTS})(?![\w-])[.:]?(?P<rest>.*)"))
        for kind, word in _WORDS.items()
    ),
)
_BARE = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,4})\.?\s+(?:[-–—]\s+)?(?P<rest>[A-ZÄÖÜÉÈÀÇ„“\"(].*)")
_FIRST, _LEAST, _SHARE, _BACK = 3, 3, 0.6, 60
_STEP = 3
_SAME = 0.98
_QUALITY = 1.6


@dataclass(frozen=True, slots=True)
class _Head:
    mark: Mark
    key: tuple[int, ...]


def composite_sequence(lines: Sequence[Line], own_kind: str, *, bare: bool) -> list[Mark]:
    """The heads with multi-part numbers, if these are the document's sections; `bare`: include those without
    a word such as "Article". Empty if there are none."""
    found = [_longest(_heads(lines, kind, pattern)) for kind, pattern in _NAMED]
    best = max(found, key=len)
    if best or not bare:
        return best
    chain = _longest(_as_large(_heads(lines, own_kind, _BARE), lines))
    deep = sum(len(head.key) > 1 for head in _heads_of(chain))
    starts = chain and chain[0].number <= _FIRST
    return chain if starts and deep >= _LEAST and 2 * deep >= len(chain) else []


def _as_large(heads: list[_Head], lines: Sequence[Line]) -> list[_Head]:
    """`heads` without single numbers set smaller than multi-part ones, which are list items."""
    sizes = [lines[head.mark.line].size for head in heads if len(head.key) > 1]
    least = _SAME * median(sizes) if sizes else 0.0
    return [head for head in heads if len(head.key) > 1 or lines[head.mark.line].size >= least]


def _heads_of(chain: Sequence[Mark]) -> list[_Head]:
    return [_Head(mark, _key(mark.whole, [])) for mark in chain]


def _heads(lines: Sequence[Line], kind: str, pattern: re.Pattern[str]) -> list[_Head]:
    found: list[_Head] = []
    orders: list[str] = []
    for at, line in enumerate(lines):
        match = pattern.match(line.text)
        if match is None:
            continue
        number, rest = " ".join(match["number"].split()), match["rest"].strip()
        if rest and (NOT_A_HEAD.match(rest) or (rest.endswith((",", ";")) and pattern is not _BARE)):
            continue
        key = _key(number, orders)
        first = key[1] if kind == "art" and number[0].isalpha() else key[0]
        mark = Mark(at, kind, first, "", rest, _QUALITY, named=pattern is not _BARE, whole=number)
        found.append(_Head(mark, key))
    return found


def _key(number: str, orders: list[str]) -> tuple[int, ...]:
    """Sort key for numbers; letters before them ("L.", "R.") are in order of first appearance."""
    parts = tuple(int(each) for each in re.findall(r"\d+", number))
    if not number[0].isalpha():
        return parts
    if number[0] not in orders:
        orders.append(number[0])
    return (orders.index(number[0]), *parts)


def _longest(heads: Sequence[_Head]) -> list[Mark]:
    """The longest consecutively numbered sequence of heads; empty if it is short or omits most heads."""
    lengths = [1] * len(heads)
    before = [-1] * len(heads)
    for at, head in enumerate(heads):
        for other in range(max(0, at - _BACK), at):
            if lengths[other] + 1 > lengths[at] and _follows(heads[other], head):
                lengths[at], before[at] = lengths[other] + 1, other
    if not heads:
        return []
    at = max(range(len(heads)), key=lengths.__getitem__)
    chain = []
    while at >= 0:
        chain.append(heads[at].mark)
        at = before[at]
    enough = len(chain) >= _LEAST and len(chain) >= _SHARE * len(heads)
    return chain[::-1] if enough else []


def _follows(one: _Head, other: _Head) -> bool:
    if one.mark.named:
        return one.key < other.key
    if one.key >= other.key:
        return False
    same = next((n for n, (a, b) in enumerate(zip(one.key, other.key, strict=False)) if a != b), len(one.key))
    if same == len(one.key):  # 5 -> 5.1
        return len(other.key) == same + 1 and other.key[same] <= 1
    return len(other.key) == same + 1 and other.key[same] - one.key[same] <= _STEP
