"""Figures of a text: its numbers with separators and sign, currency and comparison symbols, in order."""

import re
import unicodedata
from collections.abc import Sequence

from core.evidence.raised import RAISED_DIGITS, plain

_INVISIBLE = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, *map(ord, RAISED_DIGITS)))
_UNIFIED = (
    dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
    | dict.fromkeys(map(ord, "∼～˜"), "~")
    | dict.fromkeys(map(ord, "≃≅"), "≈")
    | dict.fromkeys(map(ord, "’‘ʼ´`"), "'")
    | {0x2044: "/", 0xFF05: "%", 0xFE6A: "%", 0x2215: "/"}
)
_TYPED = (("<=", "≤"), (">=", "≥"))
_DATE = re.compile(r"(?<![\d.])(\d{1,2})\.\s(\d{1,2})\.\s?(?=\d{2,4}(?!\d))")
_GROUPED = re.compile(r"(?<![\d.,'])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\d])")
_THOUSANDS = re.compile(
    r"(?P<whole>[1-9]\d{0,2}(?P<mark>[.'])\d{3}(?:(?P=mark)\d{3})*)(?P<rest>(?!(?P=mark))[.,]\d+)?"
)
_NOT_SPACE = re.compile(r"\S")
_CURRENCY = "$¢£¤¥֏؋৲৳฿៛₠-⃀﷼﹩＄￠￡￥￦"
BOUND_BEFORE = re.compile(rf"[\[(]?(?:[<>]=|[≤≥≠≈≃≅≮≯<±~∼{_CURRENCY}])")
"""A word that says something of the number behind it; ">" alone may open an item."""
SIGN_BEHIND = re.compile(rf"[%‰‱°{_CURRENCY}]")
_TOKEN = re.compile(
    r"(?P<power>(?<=\d)\^[-+]?\d+)"
    rf"|(?P<number>(?:(?<![\w.,])[.,])?\d+(?:[.,:']\d+|\s?/\s?\d+)*\+?|[¼-¾⅐-⅞])"
    rf"|(?P<always>[%‰‱{_CURRENCY}≤≥≠≈≮≯])"
    r"|(?P<beside>[<>=±°~])"
)


def typed(text: str) -> str:
    """`text` with the signs of comparison for what is typed in their place (">=")."""
    for written, sign in _TYPED:
        text = text.replace(written, sign)
    return text


def figures(text: str) -> tuple[str, ...]:
    """Numbers (`10.000`, `-5`, `3/4`, `½`), `%`, currency and comparison symbols of `text` in order.

    Digits of every script count as themselves, dashes and apostrophes of every kind are one; white
    space around `/`, signs of a range and symbols does not matter. An exponent is one with its sign (`10⁶`
    and `10^6` are `10`, `^6`); other raised digits are footnote marks.
    """
    text = typed(plain(text).translate(_INVISIBLE).translate(_UNIFIED))
    text = _DATE.sub(r"\1.\2.", text)
    text = _GROUPED.sub(lambda match: re.sub(r"\s", "", match[0]), text)
    found: list[str] = []
    behind = 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if match["number"]:
            found.extend(_sign(text, match.start(), text[behind : match.start()] if behind else None))
            token = "".join(unicodedata.normalize("NFKC", token).split())
            behind = match.end()
        elif match["beside"] and not _beside_number(text, match):
            continue
        found.append(unicodedata.normalize("NFKC", token).replace("\u2044", "/").replace("~", "≈"))
    return tuple(found)


def same_figures(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether figures are the same, thousands parted in one ("1.000", "1.000,50") and not in the
    other ("1000", "1000,50")."""
    return one == other or (len(one) == len(other) and all(map(_same_number, one, other)))


def _same_number(one: str, other: str) -> bool:
    if one == other:
        return True
    parted, plain_one = (one, other) if len(one) > len(other) else (other, one)
    grouped = _THOUSANDS.fullmatch(parted)
    return grouped is not None and re.sub(r"\D", "", grouped["whole"]) + (grouped["rest"] or "") == plain_one


def _sign(text: str, start: int, between: str | None) -> list[str]:
    """The sign before the number at `start`, or the dash of the range whose start it follows."""
    if between is not None and between.strip() == "-":
        return ["-"]
    sign = text[start - 1 : start]
    before = _last_before(text, start - 1)
    spaced = text[start - 2 : start - 1].isspace() or not before.isalnum()
    return [sign] if sign and sign in "+-±" and spaced and not before.isdigit() else []


def _beside_number(text: str, match: re.Match[str]) -> bool:
    if match.group() == "°":
        return _last_before(text, match.start()).isdigit()
    if match.group() == "~":
        return text[match.end() : match.end() + 1].isdigit()
    after = _NOT_SPACE.search(text, match.end())
    before = _last_before(text, match.start())
    return (after is not None and after[0].isdigit()) or (match.group() != ">" and before.isdigit())


def _last_before(text: str, end: int) -> str:
    """The last character before `end` that is not white space; "" if there is none. Looks at no more than the
    white space in between, which only the two signs on either side of it share."""
    at = end - 1
    while at >= 0 and text[at].isspace():
        at -= 1
    return text[at] if at >= 0 else ""
