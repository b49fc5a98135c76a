"""The first line of an answer: the amount, time or number that a question asks for, taken from the quote.

Nothing is written here. What is shown is a piece of a quote, of the kind that was asked for, in a sentence
that names what was asked about, and the only one of its kind there: where several could be meant, or the
sentence denies, compares or looks back, nothing is said.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from core.domain.answers import Citation, FirstWords
from core.language.patterns import pattern
from core.language.sentences import sentences
from core.language.terms import held, terms

_FIGURE = r"\d+(?:[.,\s]\d{3})*(?:[.,]\d{1,2})?(?![\d.,]*\d)"
_NUMBER = rf"(?<![\w.,/§-])(?:{_FIGURE}|(?:{{amounts.small}})(?!\w))"
_BOUND = r"(?:\b(?:{amounts.bounds})\s+){0,2}"
_UNIT = r"(?:(?:{amounts.spans})\b|(?-i:[A-ZÄÖÜ])[^\W\d_]+)"
_PER = rf"(?:\s*(?:/\s?|\b(?:{{amounts.per}})\s+){_UNIT}(?:\s(?:{{amounts.joining}})\s{_UNIT})?)?"


class Kind(Enum):
    """What an answer is, by how it is stated."""

    MONEY = (
        _BOUND
        + rf"(?:[€$£₹]\s?{_FIGURE}(?:\s?(?:{{amounts.scales}})\b)?|{_NUMBER}\s?(?:(?:{{amounts.scales}})\s)?"
        + r"\s?(?:€|\$|£|₹|(?:{amounts.currencies})\b))"
        + _PER
    )
    SHARE = _BOUND + _NUMBER + r"\s?(?:%|(?:{amounts.percent})\b)"
    AGE = (
        _BOUND
        + rf"(?:\b(?:{{amounts.age_named}})\s+)?(?:{_NUMBER}\.?\s(?:{{amounts.age_stated}})\b|(?<=age of )"
        rf"{_NUMBER}(?:\syears)?)"
    )
    SPAN = _BOUND + _NUMBER + r"(?:\s[^\W\d_]{4,12}(?:e|en|er))?\s(?:{amounts.spans})\b" + _PER
    DAY = (
        r"(?:\b(?:{amounts.by_day})\s+)?(?:(?<!\w)(?:\d{1,2}(?:\.|st|nd|rd|th)?\s(?:of\s)?)?(?:{dates.months}),?\s(?:\d{1,2},\s)?"
        r"(?:19|20)\d\d|(?<![\w.,/§-])\d{1,2}\.?\s(?:{dates.months})\b|(?<![\w.,/§-])(?:19|20)\d\d(?![\w.,/-]*\d))"
    )


_READ = {kind: pattern(kind.value, re.IGNORECASE) for kind in Kind}
_ASKED = (
    (pattern(r"\b(?:{amounts.share_wanted})\b", re.IGNORECASE), (Kind.SHARE,)),
    (pattern(r"\b(?:{amounts.age_asked})\b", re.IGNORECASE), (Kind.AGE,)),
    (pattern(r"\b(?:{amounts.span_wanted})\b", re.IGNORECASE), (Kind.SPAN,)),
    (pattern(r"\b(?:{amounts.day_wanted})\b", re.IGNORECASE), (Kind.DAY, Kind.SPAN)),
    (pattern(r"\b(?:{amounts.sum_wanted})\b", re.IGNORECASE), (Kind.MONEY,)),
    (pattern(r"", re.IGNORECASE), (Kind.MONEY, Kind.SHARE)),
)
"""How each kind is asked for; the first that fits a question for a number."""

_WANTED = pattern(r"\b(?:{amounts.wanted})\b", re.IGNORECASE)
_COUNTED = pattern(r"\b(?:{amounts.count_wanted})\s+(?P<what>[^\W\d_]+)", re.IGNORECASE)
_COUNT = pattern(_BOUND + _NUMBER + r"(?P<words>(?:\s[^\W\d_]+){1,3})", re.IGNORECASE)
_RANGE = pattern(rf"{_NUMBER}\.?\s?(?:(?:{{amounts.joining}})\b|[-–/])\s?$", re.IGNORECASE)
"""What stands before the second of two amounts."""

_CHANGE = pattern(r"(?:{amounts.changing})\s", re.IGNORECASE)
_CHANGE_WANTED = pattern(r"\b(?:{amounts.changing})\s+(?:{amounts.wanted})", re.IGNORECASE)
_MEASURED = pattern(r"\s(?:{amounts.measured_from})\b", re.IGNORECASE)
"""Behind an amount that is counted from another one ("5 per cent above the base rate")."""

_UNSURE = pattern(r"\b(?:{amounts.unsure})\b", re.IGNORECASE)
_FIGURES = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for: kinds, or how many of `what` (a stem)."""

    kinds: tuple[Kind, ...] = ()
    what: str = ""


def asked_for(question: str, language: str) -> Asked | None:
    """The one number, amount or time that `question` asks for; None for any other question."""
    wanted = [*_WANTED().finditer(question)]
    if len(wanted) != 1:
        return None
    if counted := _COUNTED().search(question):
        unit = next((kind for kind in Kind if _READ[kind]().fullmatch(f"10 {counted['what']}")), None)
        what = next(iter(terms(counted["what"], language)), "")
        return Asked((unit,)) if unit else Asked(what=what) if what else None
    return next(Asked(kinds) for fits, kinds in _ASKED if fits().search(question))


def first_words(
    question: str, language: str, topic: frozenset[str], citations: Sequence[Citation], *, sure: bool
) -> FirstWords | None:
    """The words that answer `question`, which is about the terms `topic`, of the carrying words of the first
    quote, where no other one states another thing of its kind; None where that is not certain. Unless the
    quotes are `sure` to answer, their sentences have to name the topic."""
    asked = asked_for(question, language)
    if asked is None or len({item.edition.document.fields.parties for item in citations}) != 1:
        return None
    stated = [(item, found) for item in citations if (found := _stated(item, asked, language))]
    if not stated or stated[0][0] is not citations[0]:
        return None
    said = {" ".join(item.quote.text[slice(*where)].casefold().split()) for item, where in stated}
    item, (start, end) = stated[0]
    words = item.quote.text[start:end]
    told = not set(_FIGURES.findall(words)).isdisjoint(_FIGURES.findall(question))
    about = terms(item.quote.text, language)
    named = sure or any(held(term, about) for term in topic)
    changes = _CHANGE().match(words) and not _CHANGE_WANTED().search(question)
    if len(said) > 1 or told or not named or changes:
        return None
    return FirstWords(label=item.label, text=words, start=start, end=end)


def _stated(item: Citation, asked: Asked, language: str) -> tuple[int, int] | None:
    """Where the only thing of the kind that is asked for stands in the carrying words of a quote."""
    text = item.quote.text
    found = list[tuple[int, int]]()
    for begin, stop in item.key_words or ((0, len(text)),):
        for first, last in sentences(text[begin:stop], language):
            sentence = text[begin + first : begin + last]
            here = _found(sentence, asked, language)
            parts = any(
                _RANGE().search(sentence, 0, start) or _MEASURED().match(sentence, end) for start, end in here
            )
            if here and (parts or _UNSURE().search(sentence)):
                return None
            found += [(begin + first + start, begin + first + end) for start, end in here]
    return found[0] if len(found) == 1 else None


def _found(sentence: str, asked: Asked, language: str) -> list[tuple[int, int]]:
    """Where `sentence` states what is asked for."""
    if not asked.what:
        return [hit.span() for kind in asked.kinds for hit in _READ[kind]().finditer(sentence)]
    found = []
    for hit in _COUNT().finditer(sentence):
        behind = re.finditer(r"\S+", sentence[hit.start("words") : hit.end()])
        named = next((word for word in behind if held(asked.what, terms(word[0], language))), None)
        found += [(hit.start(), hit.start("words") + named.end())] if named else []
    return found
