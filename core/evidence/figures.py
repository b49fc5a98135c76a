"""The figures of a text: numbers with separators and sign, currency and comparison symbols, in order."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from core.evidence.skeleton import RAISED_DIGITS, plain

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
_PLAIN_NUMBER = re.compile(r"\d+(?:[.,']\d+)*")
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}")
"""Digits grouped in thousands, or the Indian way."""
_POINT_FOR_DECIMALS = "en"
_NOT_SPACE = re.compile(r"\S")
_CURRENCY = "$¢£¤¥֏؋৲৳฿៛₠-⃀﷼﹩＄￠￡￥￦"
BOUND_BEFORE = re.compile(rf"[\[(]?(?:[<>]=|[≤≥≠≈≃≅≮≯<±~∼{_CURRENCY}])")
"""A word that modifies the following number; ">" alone may open an item."""
SIGN_BEHIND = re.compile(rf"[%‰‱°{_CURRENCY}]")
_TOKEN = re.compile(
    r"(?P<power>(?<=\d)\^[-+]?\d+)"
    rf"|(?P<number>(?:(?<![\w.,])[.,])?\d+(?:[.,:']\d+|\s?/\s?\d+)*\+?|[¼-¾⅐-⅞])"
    rf"|(?P<always>[%‰‱{_CURRENCY}≤≥≠≈≮≯])"
    r"|(?P<beside>[<>=±°~])"
)


def typed(text: str) -> str:
    """`text` with real comparison signs in place of typed ones (">=")."""
    for written, sign in _TYPED:
        text = text.replace(written, sign)
    return text


def figures(text: str) -> tuple[str, ...]:
    """Numbers (`10.000`, `-5`, `3/4`, `½`), `%`, currency and comparison symbols of `text` in order.

    Digits of different scripts differ, dashes and apostrophes of all kinds are the same; white space around
    `/`, range signs and symbols does not matter. An exponent includes its sign (`10⁶` and `10^6` are `10`,
    `^6`); other raised digits are footnote marks.
    """
    text = typed(plain(text).translate(_INVISIBLE).translate(_UNIFIED))
    text = _DATE.sub(r"\1.\2.", text)
    text = _GROUPED.sub(lambda match: re.sub(r"\s", "", match[0]), text)
    found: list[str] = []
    after = 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if match["number"]:
            found.extend(_sign(text, match.start(), text[after : match.start()] if after else None))
            token = "".join(unicodedata.normalize("NFKC", token).split())
            after = match.end()
        elif match["beside"] and not _beside_number(text, match):
            continue
        found.append(unicodedata.normalize("NFKC", token).replace("\u2044", "/").replace("~", "≈"))
    return tuple(found)


def same_figures(source: Sequence[str], claimed: Sequence[str], language: Callable[[], str]) -> bool:
    """Whether figures are the same regardless of separators: "1.000,50", "1,000.50" and "1000.50". The
    `language` of the document decides what "1.234" is."""
    if source == claimed:
        return True
    return len(source) == len(claimed) and all(
        one == other or _same_number(one, other, language())
        for one, other in zip(source, claimed, strict=True)
    )


def _same_number(one: str, other: str, language: str) -> bool:
    value = _digits(one, language)
    return value is not None and value == _digits(other, language)


def _digits(number: str, language: str) -> tuple[str, str] | None:
    """The digits of a number before and after its decimal sign; None if it is not such a number."""
    if not _PLAIN_NUMBER.fullmatch(number):
        return None
    grouped = "'" in number
    bare = number.replace("'", "")
    signs = [sign for sign in bare if sign in ".,"]
    if not signs:
        return bare, ""
    decimal = signs[-1]
    whole, _, rest = bare.rpartition(decimal)
    if len(set(signs)) == 1:
        ambiguous = _GROUPS.fullmatch(bare) is not None and not grouped
        if len(signs) > 1:
            return (re.sub(r"[.,]", "", bare), "") if ambiguous else None
        if ambiguous and (decimal == ",") == (language == _POINT_FOR_DECIMALS):
            return whole + rest, ""
        return whole, rest
    parted = whole.replace("," if decimal == "." else ".", "")
    return (parted, rest) if _GROUPS.fullmatch(whole) and parted.isdigit() else None


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
    """The last non-space character before `end`; "" if there is none. Scans only the white space in between,
    which no more than two signs share."""
    at = end - 1
    while at >= 0 and text[at].isspace():
        at -= 1
    return text[at] if at >= 0 else ""
