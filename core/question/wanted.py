"""What a question wants to hear: a number, a time, a yes or no."""

import re

from core.language.patterns import pattern
from core.question.content import names_only

KEY_WORDS = 5
"""Words at most of what is no sentence but key words."""

_NUMBER_WANTED = pattern(r"\b(?:{amounts.wanted})\b", re.IGNORECASE)
_NUMBER_WORDS = pattern(r"\d|\b(?:{amounts.stated})\b", re.IGNORECASE)
_OPEN = pattern(r"\b(?:{amounts.open_questions})\b", re.IGNORECASE)
_NO_AMOUNT = pattern(
    r"^\W*\(?(?:\d{1,3}|[a-z]{1,4})[.)]+\s|(?:§§?|\b(?:{amounts.places_in_text}))\s*\(?\d+(?:\s*\(\w+\))*",
    re.IGNORECASE,
)
"""Numbers that name a place in a text: list marks and references."""

_KINDS = (
    (
        pattern(r"\b(?:{amounts.age_wanted})\b", re.IGNORECASE),
        pattern(r"\b(?:{amounts.age})\b", re.IGNORECASE),
    ),
    (
        pattern(r"\b(?:{amounts.money_wanted})\b", re.IGNORECASE),
        pattern(r"[€$£₹%]|\b(?:{amounts.money})\b", re.IGNORECASE),
    ),
    (
        pattern(r"\b(?:{amounts.time_wanted})\b", re.IGNORECASE),
        pattern(r"\b(?:(?:19|20)\d\d|{amounts.time})\b", re.IGNORECASE),
    ),
)
"""For each kind of amount, how it is asked for and how it is stated."""


def answers_amount(question: str, sentence: str) -> float:
    """How well a sentence fits what a question wants to have counted: 0 where it states no amount or
    none is wanted, 1 where it states one of the kind asked for (age, money, time), else one half."""
    if not wants_number(question) or not holds_number(sentence):
        return 0.0
    for wanted, stated in _KINDS:
        if wanted().search(question):
            return 1.0 if stated().search(sentence) else 0.5
    return 0.75


def asks_openly(question: str) -> bool:
    """Whether the question asks for whatever is said about a topic, not for one thing: in so many words, or
    as key words ("Rente SPD")."""
    openly = _OPEN().search(question) is not None or are_key_words(question)
    return openly and not wants_number(question)


def are_key_words(question: str) -> bool:
    """Whether nothing but a few names is said, as one types them into a search."""
    return 0 < len(question.split()) <= KEY_WORDS and names_only(question)


def wants_number(question: str) -> bool:
    """Whether the question asks for a number, an amount or a time."""
    return _NUMBER_WANTED().search(question) is not None


def asking_how_much(question: str) -> frozenset[str]:
    """The words that ask for a number, an amount or a time ("Wie hoch", "Was kostet")."""
    return frozenset(word for found in _NUMBER_WANTED().finditer(question) for word in found[0].split())


def holds_number(sentence: str) -> bool:
    """Whether a sentence states a number, an amount or a time; list marks and references are none."""
    return _NUMBER_WORDS().search(_NO_AMOUNT().sub(" ", sentence)) is not None
