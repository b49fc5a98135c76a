"""The answer that a question expects: a number, a time, a yes or no."""

import re
from dataclasses import dataclass

from core.language.patterns import pattern
from core.language.stated import holds_number, speaks_of_penalty
from core.question.content import names_only

KEY_WORDS = 5
"""Maximum words of keywords that are not a sentence."""

_NUMBER_WANTED = pattern(r"\b(?:{amounts.wanted})\b", re.IGNORECASE)
_FORMS_WANTED = pattern(r"\b(?:{provisions.forms_wanted})\b", re.IGNORECASE)
_OPEN = pattern(r"\b(?:{amounts.open_questions})\b", re.IGNORECASE)
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
"""How each kind of amount is asked for and stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The answer that a question expects. `openly`: anything said about a topic; `key_words`: only a few
    keywords were typed, as into a search engine; `number`: a number, an amount or a time, matching `amount`
    if a specific kind (age, money, time) is asked for. `forms`: forms or recitals of a law; `penalty`: a
    penalty."""

    openly: bool = False
    key_words: bool = False
    number: bool = False
    amount: re.Pattern[str] | None = None
    forms: bool = False
    penalty: bool = False

    def fits(self, sentence: str) -> float:
        """How well a sentence fits a question for an amount: 0 if it states none or none is wanted, 1 if it
        states one of the kind asked for, else one half."""
        if not self.number or not holds_number(sentence):
            return 0.0
        if self.amount is None:
            return 0.75
        return 1.0 if self.amount.search(sentence) else 0.5


def read_wanted(question: str) -> Wanted:
    """The answer that `question` expects."""
    number = _NUMBER_WANTED().search(question) is not None
    asked = (stated() for wanted, stated in _KINDS if number and wanted().search(question))
    key_words = are_key_words(question)
    return Wanted(
        openly=not number and (key_words or _OPEN().search(question) is not None),
        key_words=key_words,
        number=number,
        amount=next(asked, None),
        forms=_FORMS_WANTED().search(question) is not None,
        penalty=speaks_of_penalty(question),
    )


def are_key_words(question: str) -> bool:
    """Whether it is only a few keywords, as typed into a search engine."""
    return 0 < len(question.split()) <= KEY_WORDS and names_only(question)


def asking_how_much(question: str) -> frozenset[str]:
    """The words asking for a number, an amount or a time ("Wie hoch", "Was kostet")."""
    return frozenset(word for found in _NUMBER_WANTED().finditer(question) for word in found[0].split())
