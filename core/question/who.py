"""Questions about who wants or rejects a thing: "Wer will die Vermögensteuer abschaffen?"."""

import re
from dataclasses import replace
from enum import IntEnum

from core.evidence.contrasts import poles
from core.language.terms import is_function_word, terms
from core.question.subject import Subject, topic_words, without_other_names

_EXPANDING = re.compile(r"\b(?:aus(?:zu)?bau\w*|expand|develop|développ\w+|étendre)\b", re.IGNORECASE)
"""Verbs asking for more of a thing, and so for the thing."""
CLOSING = re.compile(
    r"\b(?:(?:zu|ge)?schlie(?:ß|ss)(?:e|en|t)|geschlossen|stillleg\w+|stilllegen|zurück(?:zu)?bau\w+|abrei(?:ß|ss)\w+"
    r"|close[sd]?(?! (?:to|ties|links|co))|closing|shut|demolish\w*|ferm(?:er|ons|era)|démol\w+)\b",
    re.IGNORECASE,
)
"""Verbs that end a thing that can be closed or torn down."""
CONCLUDED = re.compile(
    r"vertr(?:ag|äg)|abkommen|bündnis|pakt\b|frieden|\behen?\b|vereinbarung|koalition|kompromiss|lücke|gap\b|deal\b",
    re.IGNORECASE,
)
"""Things that exist once they are "closed" (concluded), or are not things."""
_WANTING = re.compile(
    r"\b(?:will|wollen|möchten?|würden?|wants?|would|veu(?:t|lent)|voudrai\w*)\b", re.IGNORECASE
)
_INFINITIVE = {
    "de": re.compile(r"(?<!\bdie )(?<!\bkeine )(?<!\bkeinen )(?<!\bden )\b([a-zäöüß]+n)\W*$"),
    "en": re.compile(r"\b(?:to|would) (?!get rid|do away|bring back|like|see|not)([a-z]+)\b"),
    "fr": re.compile(r"\b(?:veu(?:t|lent)|voudrai\w*) (?:\w+ ){0,2}?(\w+(?:er|ir|re))\b"),
}
"""The verb that says what should happen to a thing."""


_WHICH_PARTY = {
    "welche partei": re.compile(
        r"\b(?:gibt(?:['’ ]?e?s)?|hat) (?:(?:da|es|auch|denn) )*(?:irgend)?(?:ei)?ne partei,? die\b"
        r"|\bwelche (?:der|von (?:den|diesen)) parteien\b|\bwelche von (?:denen|ihnen)\b"
    ),
    "which party": re.compile(
        r"\b(?:which|what) (?:ones? )?of (?:the(?:se)? parties|them)\b|\bwhat part(?:y|ies)\b"
        r"|\b(?:is there |are there )?any(?: of the)? part(?:y|ies) (?:that|which|who)\b"
        r"|\b(?:is|are) there (?:a |some )?part(?:y|ies) (?:that|which|who)\b"
    ),
    "quel parti": re.compile(
        r"\b(?:lequel|laquelle|lesquels) (?:des|de ces) partis\b|\b(?:y a-t-il|il y a) un parti qui\b"
    ),
}
"""Other words for "which party", in lower case."""


class Stance(IntEnum):
    """The stance of a sentence towards a thing. Negating one gives its opposite."""

    AGAINST = -1
    UNKNOWN = 0
    FOR = 1


def asks_who(question: str, language: str) -> bool:
    """Whether `question` asks who wants or rejects something, whatever should happen to it."""
    return bool(poles("asks_who", _which_party(question.casefold()), language))


def _which_party(question: str) -> str:
    for usual, others in _WHICH_PARTY.items():
        question = others.sub(usual, question)
    return question


def asked_for(question: str, language: str) -> Stance:
    """The stance that `question` asks about: wanting a thing or not; UNKNOWN if it is neither, or asks about
    something else happening to it ("verlegen"). Wanting to abolish, close, ban or lower a thing means not
    wanting it."""
    asked = poles("asks_who", _which_party(question.casefold()), language)
    amount = amount_asked(question, language)
    question = _EXPANDING.sub("", question)
    if not asked or poles("degree", question, language):
        return Stance.UNKNOWN
    wanted = Stance.AGAINST if "against" in asked else Stance.FOR
    if amount:
        return Stance(wanted * (1 if amount == {"up"} else -1)) if len(amount) == 1 else Stance.UNKNOWN
    closes = CLOSING.search(question)
    looked = language in _INFINITIVE and not closes and _WANTING.search(question)
    verb = _INFINITIVE[language].search(question) if looked else None
    if (closes and CONCLUDED.search(question)) or (verb and not _is_about_wanting(verb[1], language)):
        return Stance.UNKNOWN
    become = poles("opposites.existence", question.casefold(), language)
    ends = closes or (become or poles("asked_for", question.casefold(), language)) == {"end"}
    bans = "forbidden" in poles("opposites.permission", question.casefold(), language)
    return Stance(wanted * (-1 if bool(ends) != bans else 1))


def amount_asked(question: str, language: str) -> frozenset[str]:
    """ "up" if `question` asks about raising a thing, "down" if about lowering it; empty if about neither."""
    return poles("opposites.amount", _EXPANDING.sub("", question).casefold(), language)


def _is_about_wanting(verb: str, language: str) -> bool:
    return is_function_word(verb, language) or _asks_or_acts(verb, language) or verb in ("see", "sehen")


def is_act(word: str, language: str) -> bool:
    """Whether a word says what happens to a thing, or which side somebody takes."""
    folded = word.casefold()
    return bool(poles("opposites.existence", folded, language) or poles("opposites.side", folded, language))


def thing_asked(content: str, language: str) -> str:
    """The thing that a question is about, without the words that ask for parties or say what should happen to
    it."""
    said = topic_words(without_other_names(content), language)
    return " ".join(word for word in said if not _asks_or_acts(word, language))


def _asks_or_acts(word: str, language: str) -> bool:
    asked = (f"{who} {word.casefold()}" for who in _WHO)
    return (
        not terms(word, language).isdisjoint(_PARTIES)
        or any(poles("asks_who", each, language) for each in asked)
        or bool(poles("asked_for", word.casefold(), language))
        or bool(poles("opposites.permission", word.casefold(), language))
        or bool(poles("opposites.amount", word.casefold(), language))
        or is_act(word, language)
    )


_PARTIES = frozenset({"partei", "parti", "party"})
_WHO = ("wer", "who", "qui")


def with_thing(subject: Subject) -> Subject:
    """`subject` with the thing that is wanted or rejected."""
    thing, said = (thing_asked(text, subject.language) for text in (subject.text, subject.as_said))
    return replace(subject, thing=thing, thing_said=said)
