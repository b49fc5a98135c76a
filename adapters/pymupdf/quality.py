"""Is a page's text fit to be read? Decides who needs OCR. Pure; runs in the worker."""

import re
from collections.abc import Sequence
from typing import Any

from core.domain.pages import PageTrouble, TextSource

MIN_WORDS = 5
"""A page with fewer words and a large image is a scan."""
SCAN_IMAGE_SHARE = 0.5
MAX_UNREADABLE = 0.1
"""Share of replacement, private-use and control characters of a readable text."""
MAX_SINGLES = 0.6
"""Share of one-character words of a readable text, in scripts that put spaces between words."""
MAX_JUMBLED = 0.25
"""Share of words of an OCR layer that mix cases, digits and symbols inside: read in the wrong script."""
_ENOUGH_WORDS = 20

_BAD = "[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd\x00-\x08\x0e-\x1f\x7f-\x9f]"
_UNREADABLE = re.compile(_BAD)
_RUNS = re.compile(f"({_BAD})\\1+")
_JUMBLED = re.compile(r"[a-zß-ÿ][A-ZÀ-Þ]|[A-Za-zÀ-ÿ]\d+[A-Za-zÀ-ÿ]|\w[^\w\s\-‐‑'’./&:,;)(\u00ad@%]\w")
_SINGLE = re.compile(r"[^\W\d_]")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def trouble(text: str, words: Sequence[Any], images: float, source: TextSource) -> PageTrouble | None:
    """What is wrong with a page of `words` that has images over the share `images` of its area."""
    if len(words) < MIN_WORDS and images > SCAN_IMAGE_SHARE:
        return PageTrouble.SCAN
    if not words:
        return PageTrouble.NO_TEXT
    if is_garbled(text) or (source is TextSource.OCR and is_jumbled(text)):
        return PageTrouble.GARBLED
    return None


def is_garbled(text: str) -> bool:
    """Many characters without a meaning, or mostly words of one letter."""
    if not text.isascii() and _is_unreadable(text):
        return True
    words = text.split()
    if len(text) > 4 * len(words):
        return False
    singles = sum(1 for word in words if len(word) == 1 and _SINGLE.match(word))
    return len(words) >= _ENOUGH_WORDS and singles > MAX_SINGLES * len(words) and not _UNSPACED.search(text)


def _is_unreadable(text: str) -> bool:
    """A run of one unreadable character counts once: contents pages have such leaders."""
    letters = "".join(_RUNS.sub(r"\1", text).split())
    return len(_UNREADABLE.findall(letters)) > MAX_UNREADABLE * len(letters)


def is_jumbled(text: str) -> bool:
    """Many words that no language writes: an OCR layer made for another script."""
    words = [word for word in text.split() if len(word) > 2]
    jumbled = sum(1 for word in words if _JUMBLED.search(word))
    return len(words) >= _ENOUGH_WORDS and jumbled > MAX_JUMBLED * len(words)
