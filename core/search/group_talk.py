"""Talk in a group: what is meant for the bot, and what people say to each other.

The platforms tell who is named and whose message is replied to; where they tell nothing, in a thread in which
the bot takes part, the form and the words decide (`core.search.talk_signals`). What is left alone
can always be asked again with the bot's name; what was answered unasked cannot be taken back.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.language.patterns import pattern
from core.search.chatter import chatter
from core.search.talk_signals import TalkBefore, folded, says, signals, weighed, without

FROM = 0.1
RIGHT_AFTER = -0.5
"""Logarithms of the odds from which on a line is answered: any; one of who asked the bot last, nobody having
spoken since."""

READ = 0.9
"""Share of what a reader of talk says in the odds of a line, beside what its signals say."""

READ_FROM = 1.5
"""From which odds on a line is answered that a reader has read with what was said before it."""

REPLIED_FROM = 0.5
"""From which odds on a reply to the bot is answered that a reader has read: who replies to the bot asks it
something more often than not."""
MAY_CHOOSE = 2
"""Words of a reply that may choose or confirm something ("Rente", "die zweite")."""

_AT_SOMEBODY = re.compile(r"(?<![\w.])@\w")
_TO_SOMEBODY = re.compile(r"^(?:@\S+[\s,:]*)+")
_GREETINGS = pattern(r"(?:{group_talk.openings}|{small_talk.hello})\b")
_REQUESTS = pattern("{group_talk.requests}")
_REMARKS = "{group_talk.remarks}"
_LITTLE_WORDS = (
    r"\b(?:{group_talk.particles}|{group_talk.negations}|{group_talk.times}|{group_talk.speakers})\b"
)
_SPOKEN_OF = pattern(r"^(?:{group_talk.third_person})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardLine:
    """A line of a group. `text` comes without the bot's name; `before_name` is what stood in front of that,
    None where the bot is not named. `names_others`: somebody else is mentioned. `in_thread`: it stands in a
    thread in which the bot has written; `before`: what was said there, None where nobody knows; `read`: what
    a reader of talk says of it."""

    text: str
    before_name: str | None = None
    names_others: bool = False
    replies_to_bot: bool = False
    replies_to_other: bool = False
    in_thread: bool = False
    before: TalkBefore | None = None
    read: float | None = None


_FIELDS = re.compile(
    r"\s*(?:\b\w{2,20}\s?=\s?(?:[\"'„“][^\"'“”]{1,200}[\"'“”]|[^\s\"'„“=]{1,200})(?:\s+|$))+"
)
"""Nothing but a document's fields ("jurisdiction=de-nw"), which correct a receipt."""


def is_for_bot(line: HeardLine) -> bool:
    """Whether the bot has to answer `line`."""
    others = _names_others(line)
    if line.before_name is not None:
        if not _words_of(line.before_name):
            return not _is_spoken_of(line.text)
        return is_plain_question(line.text) if others else not is_remark(line.text)
    if others:
        return False
    if line.replies_to_bot:
        return not is_remark(line.text) and _may_ask(line)
    if not line.in_thread or line.replies_to_other:
        return False
    return is_plain_question(line.text, line.before, line.read) or _FIELDS.fullmatch(line.text) is not None


def turns_on_words(line: HeardLine) -> bool:
    """Whether nothing but the words of `line` tells whether it asks the bot something."""
    told = line.before_name is not None or line.replies_to_other or _names_others(line)
    return (line.in_thread or line.replies_to_bot) and not told


def _names_others(line: HeardLine) -> bool:
    return line.names_others or _AT_SOMEBODY.search(line.text) is not None


def is_remark(text: str) -> bool:
    """Whether `text`, said to the bot, comments and asks nothing."""
    said = folded(text)
    return chatter(said) is None and says(_REMARKS, said) and not _REQUESTS().search(said)


def beside_remarks(text: str) -> str:
    """What `text` says, folded, beside its remarks and the little words of talk."""
    return without(_LITTLE_WORDS, without(_REMARKS, folded(text)))


def is_plain_question(text: str, before: TalkBefore | None = None, read: float | None = None) -> bool:
    """Whether `text`, said to nobody in particular, asks what a library answers; `read`: the odds of a
    reader of talk."""
    told = _TO_SOMEBODY.sub("", text)
    found = signals(told, before)
    if found["small_talk"] or folded(told).endswith("!"):
        return False
    if read is not None:
        if before is None:
            return not found["remark"] and _odds(found, read) > FROM
        return _odds(found, read) > READ_FROM  # whoever knows the talk before tells remarks better than rules
    if found["after_talk_elliptic"]:  # "bis wann?" asks who spoke last
        return False
    if found["requests"] and not found["after_talk"]:
        return True
    return not found["remark"] and weighed(found) > odds_needed(before)


def _may_ask(line: HeardLine) -> bool:
    """Whether `line`, a reply to the bot, may ask it something. What is plainly said about its answer does
    not; small talk, a word or two and fields of a document may, and whatever is said where nobody knows the
    talk before."""
    if line.read is None or line.before is None or len(line.text.split()) <= MAY_CHOOSE:
        return True
    if _FIELDS.fullmatch(line.text) or chatter(folded(line.text)) is not None:
        return True
    return _odds(signals(line.text, line.before), line.read) > REPLIED_FROM


def _odds(found: Mapping[str, bool], read: float) -> float:
    """The logarithm of the odds that a line is for the bot, by its signals and by its reader."""
    return READ * read + (1 - READ) * weighed(found)


def odds_needed(before: TalkBefore | None) -> float:
    """The logarithm of the odds from which on a line is answered."""
    return RIGHT_AFTER if before is not None and before.by_asker and not before.talk else FROM


def _is_spoken_of(text: str) -> bool:
    """Whether what stands behind the bot's name is said about it."""
    said = folded(text)
    return bool(_SPOKEN_OF().match(said)) and not said.endswith("?")


def _words_of(before: str) -> str:
    """What is said in front of the bot's name beside greetings and signs."""
    return re.sub(r"[\W_]+", "", _GREETINGS().sub("", folded(before)))
