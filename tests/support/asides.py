"""Stretches of pages with list signs and line numbers, as honest people copy them."""

import random
from collections.abc import Callable, Mapping, Sequence

from core.domain.pages import Page, Word

_HYPHENS = ("-", "\u00ad", "\u2010", "\u2011")

Copyist = Callable[[random.Random, Sequence[Word]], str]


def stretches(chance: random.Random, page: Page, *, words: tuple[int, int] = (15, 40)) -> list[Word] | None:
    """Neighbouring words of `page` that begin and end with text and have something else between; None if a
    draw yields none."""
    length = chance.randint(*words)
    if len(page.words) < length:
        return None
    at = chance.randrange(len(page.words) - length + 1)
    drawn = list(page.words[at : at + length])
    while drawn and not drawn[0].is_text:
        drawn.pop(0)
    while drawn and not drawn[-1].is_text:
        drawn.pop()
    before = [word for word in page.words[:at] if word.is_text][-1:]
    if any(word.text.endswith(_HYPHENS) for word in (*before, *drawn[-1:])):
        return None  # half a word
    letters = sum(c.isalpha() for word in drawn if word.is_text for c in word.text)
    return drawn if letters > 60 and not all(word.is_text for word in drawn) else None


def text_of(words: Sequence[Word]) -> str:
    """The text as people read it."""
    return " ".join(word.text for word in words if word.is_text)


def _changed(chance: random.Random, words: Sequence[Word]) -> str:
    sign = chance.choice(["-", "•", "–", "*", "·", "▪"])
    return " ".join(sign if word.bullet else word.text for word in words if not word.furniture)


COPYISTS: Mapping[str, Copyist] = {
    "signs and numbers left out": lambda _, words: text_of(words),
    "signs and numbers kept": lambda _, words: " ".join(word.text for word in words),
    "signs changed": _changed,
    "sign before it": lambda chance, words: f"{chance.choice('•-▪*–►')} {text_of(words)}",
}
"""Variants that must verify, and show only the text."""
