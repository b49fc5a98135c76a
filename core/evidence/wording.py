"""What two texts must have in common to say the same: their letters, figures and meaningful signs.

A skeleton drops every sign. Between two versions of a text "1,5" and "15", "-5" and "5", "<= 5" and ">= 5",
"100 €" and "100 %", "10 20" and "1020" are changes. Quotation marks, ligatures, soft hyphens, hyphens of
words, points and commas of sentences, list signs and the kind of a dash, apostrophe or space are not.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from core.evidence.raised import RAISED_DIGITS, plain
from core.evidence.signs import BULLETS, CROSSES, TICKS

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
        before, behind = bare[at - 1] if at else "", bare[at + 1] if at + 1 < len(bare) else ""
        keys.append(_kept(text, before, behind, is_minus="−" in words[at]))
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


def _stands_between(sign: str, before: str, behind: str, *, is_minus: bool) -> bool:
    """Whether a stand-alone dash or colon belongs to figures: a range, a ratio, a minus."""
    if not _begins_with_figure(behind):
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
