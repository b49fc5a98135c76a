"""Talk in a group: what is meant for the bot, and what people say to each other.

The platforms tell who is named and whose message is replied to; where they tell nothing, in a thread in which
the bot takes part, the words decide: only what is plainly a question to a library is one. What is left alone
can always be asked again with the bot's name; what was answered unasked cannot be taken back.
"""

import re
from dataclasses import dataclass
from functools import cache

from core.language.identification import detect
from core.language.languages import every, of
from core.language.patterns import filled, pattern
from core.registry.names import fold
from core.search.chatter import chatter

_AT_SOMEBODY = re.compile(r"(?<![\w.])@\w")
_TO_SOMEBODY = re.compile(r"^(?:@\S+[\s,:]*)+")
_SHORT = 8
"""Words of a question that goes on from the answer before it, at most."""

_PLAIN = 0.9
"""Probability from which on a line is in one language: "du" is somebody in German, an article in French."""

_OPENINGS = pattern(r"^(?:(?:{group_talk.openings})\b[\s,!.:;-]*)+")
_GREETINGS = pattern(r"(?:{group_talk.openings}|{small_talk.hello})\b")
_LEADS = pattern(r"^(?:{follow_ups.leading}) ")
_ASKING = pattern(r"^(?:{group_talk.asking})(?!\w)")
_GOING_ON = pattern(r"^(?:{kinds.follow_up}|{group_talk.going_on})(?!\w)")
_WHEREABOUTS = pattern(r"^(?:{group_talk.whereabouts})\b")
_REQUESTS = pattern("{group_talk.requests}")
_PEOPLE, _REMARKS = "{group_talk.people}", "{group_talk.remarks}"
_SPOKEN_OF = pattern(r"^(?:{group_talk.third_person})\b")
_SUBJECTS = pattern(
    r"(?<!\w)(?:{group_talk.subjects}|{kinds.anaphora}|{kinds.documents}|{kinds.provision})(?!\w)"
    r"|{kinds.penalty}|{kinds.temporal}|{kinds.compare}|{kinds.conflict}|§"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardLine:
    """A line of a group. `text` comes without the bot's name; `before_name` is what stood in front of that,
    None where the bot is not named. `names_others`: somebody else is mentioned. `in_thread`: it stands in a
    thread in which the bot has written."""

    text: str
    before_name: str | None = None
    names_others: bool = False
    replies_to_bot: bool = False
    replies_to_other: bool = False
    in_thread: bool = False


_FIELDS = re.compile(
    r"\s*(?:\b\w{2,20}\s?=\s?(?:[\"'„“][^\"'“”]{1,200}[\"'“”]|[^\s\"'„“=]{1,200})(?:\s+|$))+"
)
"""Nothing but a document's fields ("jurisdiction=de-nw"), which correct a receipt."""


def is_for_bot(line: HeardLine) -> bool:
    """Whether the bot has to answer `line`."""
    others = line.names_others or _AT_SOMEBODY.search(line.text) is not None
    if line.before_name is not None:
        if not _words_of(line.before_name):
            return not _is_spoken_of(line.text)
        return is_plain_question(line.text) if others else not is_remark(line.text)
    if others:
        return False
    if line.replies_to_bot:
        return not is_remark(line.text)
    if not line.in_thread or line.replies_to_other:
        return False
    return is_plain_question(line.text) or _FIELDS.fullmatch(line.text) is not None


def is_remark(text: str) -> bool:
    """Whether `text`, said to the bot, comments and asks nothing."""
    said = _folded(text)
    return chatter(said) is None and _says(_REMARKS, said) and not _REQUESTS().search(said)


def is_plain_question(text: str) -> bool:
    """Whether `text`, said to nobody in particular, asks what a library answers."""
    said = _folded(_TO_SOMEBODY.sub("", text))
    asked = _OPENINGS().sub("", said)
    if not asked or chatter(said) is not None or said.endswith("!"):
        return False
    if _REQUESTS().search(asked):
        return True
    if _says(_PEOPLE, said) or _says(_REMARKS, said):
        return False
    marked = asked.rstrip(".").endswith("?")
    if len(asked.split()) <= _SHORT and (_LEADS().match(asked) or _GOING_ON().match(asked)):
        return marked or not asked.endswith(".")
    asking = _ASKING().match(asked) is not None
    if marked and asking and not _WHEREABOUTS().match(asked):
        return True
    return (marked or asking) and _SUBJECTS().search(asked) is not None


def _says(shape: str, said: str) -> bool:
    language, probability = detect(said)
    return _in_language(shape, language if probability >= _PLAIN else "").search(said) is not None


@cache
def _in_language(shape: str, tag: str) -> re.Pattern[str]:
    """`shape` with the phrases of a language, of every one for ""."""
    return re.compile(filled(shape, [of(tag)] if tag else every()))


def _is_spoken_of(text: str) -> bool:
    """Whether what stands behind the bot's name is said about it."""
    said = _folded(text)
    return bool(_SPOKEN_OF().match(said)) and not said.endswith("?")


def _words_of(before: str) -> str:
    """What is said in front of the bot's name beside greetings and signs."""
    return re.sub(r"[\W_]+", "", _GREETINGS().sub("", _folded(before)))


def _folded(text: str) -> str:
    return fold(text).replace("’", "'").strip()
