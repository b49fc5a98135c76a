"""The language of a question. Questions are short, so doubtful ones are decided by dictionaries and by the
documents in scope."""

import re
from collections import Counter
from collections.abc import Sequence

from core.domain.documents import Edition
from core.evidence.dictionary import languages
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.language.languages import every
from core.question.usual_words import names_subject
from core.registry.names import NAMELESS, fold, replaced, tokens

_SENTENCE, _SURE_OF_SENTENCES = 6, 0.95
"""Minimum words and probability for a text to need no dictionary."""
_SURE, _LIKELY = 0.8, 0.6
"""Probability that suffices if no dictionary has any of the words, and between dictionaries that have equally
many."""
FIRST = ("de", "en")
"""The languages that most people write: a doubtful text is taken for one of them."""

_READ = 2000
"""Maximum characters used to detect a language."""

_WORD = re.compile(r"[^\W\d_]{3,}")


def question_language(question: str, fallback: str, names: Sequence[tuple[int, int]] = ()) -> str:
    """ISO 639-1 code of the question's language among the supported ones; `fallback` if in doubt. `names`
    (start, end) are left out: the name of a party or place says nothing about the asker's language.

    With few words, letters alone are misleading ("Tempolimit" looks French): then the language whose
    dictionary has most of them wins; among several, the only one with a subject of that name ("abortion"
    exists in two languages). Greetings and thanks are in the language whose word lists contain them.
    """
    if small := small_talk_languages(question):
        return fallback if fallback in small else detect(question, among=small)[0]
    question = replaced(question, names, NAMELESS)[:_READ]
    is_sentence = len(question.split()) >= _SENTENCE
    known = [] if is_sentence else _knowing_most(question)
    if len(known) == 1:
        return known[0]  # the letter model takes a third of a second to load
    language, probability = detect(question)
    if is_sentence and probability >= _SURE_OF_SENTENCES:
        return language
    known = known or _knowing_most(question)
    if not known:
        return language if probability >= _SURE else fallback
    if len(known) == 1:
        return known[0]
    naming = [each for each in known if names_subject(question, each)]
    if len(naming) == 1:
        return naming[0]
    if language in known and probability >= _LIKELY:
        return language
    return fallback if fallback in known else known[0]


def spoken_language(text: str, fallback: str = "") -> str:
    """Like `question_language`, for a person's own words in a chat; in doubt `fallback`, else one of
    `FIRST`."""
    return question_language(text, fallback or detect(text[:_READ], among=FIRST)[0])


def _knowing_most(question: str) -> list[str]:
    """The languages whose dictionaries have the most words of `question`."""
    words = {skeleton(word) for word in _WORD.findall(question)}
    count = Counter(code for word in words for code in languages(word))
    most = max(count.values(), default=0)
    return sorted(code for code in count if count[code] == most)


def prevailing_language(editions: Sequence[Edition]) -> str:
    """The language of most `editions`; English if there are none."""
    languages = [edition.document.fields.language for edition in editions]
    return max(sorted(set(languages)), key=languages.count, default="en")


_SMALL_TALK = ("greeting", "thanks", "bye", "fillers", "thankful")
_SMALL_TALK_CHARACTERS = 200
"""Maximum characters of greetings and thanks."""


def small_talk_languages(text: str) -> tuple[str, ...]:
    """The languages whose small talk covers most of the words of `text`; none if it is not small talk, or too
    long."""
    if len(text) > _SMALL_TALK_CHARACTERS:
        return ()
    words = {word.folded for word in tokens(fold(text).replace("’", "'"))}
    own = {
        each.tag: words & frozenset[str]().union(*(getattr(each.small_talk, field) for field in _SMALL_TALK))
        for each in every()
    }
    if not words or words - frozenset[str]().union(*own.values()):
        return ()
    most = max(map(len, own.values()))
    return tuple(tag for tag, known in own.items() if len(known) == most)
