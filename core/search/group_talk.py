"""Conversation in a group: which messages are meant for the bot, and which are between people.

The platforms report who is mentioned and whose message is replied to; if they report nothing, in a thread in
which the bot takes part, a reader of talk decides. An ignored question can be asked again with the bot's
name; an unwanted answer cannot be undone.
"""

import logging
import re
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.errors import FundstelleError
from core.language.patterns import pattern
from core.ports.models import TalkReader
from core.recent import Recent
from core.registry.names import fold

READ_FROM = 1.8
"""Log-odds above which a line read together with the preceding ones is answered."""

ALONE_FROM = 0.1
"""The same if the preceding lines are unknown."""

REPLIED_FROM = 0.7
"""The same for a reply to the bot: replies to it ask something more often than not."""
MAY_CHOOSE = 2
"""Maximum words of a reply that may choose or confirm something ("Rente", "die zweite")."""

_AT_SOMEBODY = re.compile(r"(?<![\w.])@\w")
_GREETINGS = pattern(r"\b(?:{small_talk.openings}|{small_talk.hello})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkBefore:
    """What was said in a thread before a line. `by_asker`: the line is from the person who last asked the
    bot; `talk`: somebody else has spoken since."""

    by_asker: bool
    talk: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardLine:
    """A line in a group. `text` omits the bot's name; `before_name` is the text before that name, None if the
    bot is not named. `names_others`: somebody else is mentioned. `in_thread`: it is in a thread in which the
    bot has written; `before`: what was said there, None if unknown; `read`: the score by a reader of talk.
    `asked_back`: the bot has just asked its author something."""

    text: str
    before_name: str | None = None
    names_others: bool = False
    replies_to_bot: bool = False
    replies_to_other: bool = False
    in_thread: bool = False
    before: TalkBefore | None = None
    read: float | None = None
    asked_back: bool = False


_FIELDS = re.compile(
    r"\s*(?:\b\w{2,20}\s?=\s?(?:[\"'„“][^\"'“”]{1,200}[\"'“”]|[^\s\"'„“=]{1,200})(?:\s+|$))+"
)
"""Matches text with only a document's fields ("jurisdiction=de-nw"), which correct a receipt."""


def is_for_bot(line: HeardLine) -> bool:
    """Whether `line` is addressed to the bot; whether it is more than thanks or a remark is decided
    elsewhere."""
    others = _names_others(line)
    if line.before_name is not None:
        return not others or not _words_of(line.before_name)
    if others:
        return False
    if line.replies_to_bot:
        return _may_ask(line)
    if not line.in_thread or line.replies_to_other:
        return False
    if line.asked_back and len(line.text.split()) <= MAY_CHOOSE:
        return True
    return _asks(line) or _FIELDS.fullmatch(line.text) is not None


def calls_bot(line: HeardLine) -> bool:
    """Whether `line` names the bot or replies to it, and is not also addressed to somebody else."""
    return (line.before_name is not None or line.replies_to_bot) and not _names_others(line)


def turns_on_words(line: HeardLine) -> bool:
    """Whether only the words of `line` show if it asks the bot something."""
    told = line.before_name is not None or line.replies_to_other or _names_others(line)
    return (line.in_thread or line.replies_to_bot) and not told


def _names_others(line: HeardLine) -> bool:
    return line.names_others or _AT_SOMEBODY.search(line.text) is not None


def _asks(line: HeardLine) -> bool:
    """Whether `line`, addressed to nobody in particular, asks the bot something according to a reader of
    talk; without one only lines naming the bot or replying to it do."""
    if line.read is None or line.text.rstrip().endswith("!"):
        return False
    return line.read > (ALONE_FROM if line.before is None else READ_FROM)


def _may_ask(line: HeardLine) -> bool:
    """Whether `line`, a reply to the bot, may ask it something. A plain comment on its answer does not; a
    word or two and document fields may, and so may anything if the preceding talk is unknown."""
    if line.read is None or line.before is None or len(line.text.split()) <= MAY_CHOOSE:
        return True
    return line.read > REPLIED_FROM or _FIELDS.fullmatch(line.text) is not None


def _words_of(before: str) -> str:
    """The words before the bot's name other than greetings, other names and punctuation."""
    return re.sub(r"@\S+|[\W_]+", "", _GREETINGS().sub("", fold(before)))


# What is remembered about threads: who said what in which order, and what was for the bot.
#
# Only the last few lines of a thread are kept, in memory, and never stored: after a restart only the words of
# a line decide until the bot is asked again.

_LOG = logging.getLogger(__name__)

MOST_THREADS = 5_000
MOST_TURNS = 12
"""Maximum number of lines remembered per thread; who spoke earlier does not matter."""

MOST_CHARACTERS = 400
"""Maximum number of characters remembered per line."""

TOLD_TURNS, TOLD_CHARACTERS = 10, 160
"""Number of lines given to a reader, and characters of each."""

TO_BOT = "> bot: "
"""What a reader sees before a line that replies to the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkTurn:
    """A line of conversation. `message` is its id, `asked`: it was for the bot; `text`: its beginning."""

    message: str
    speaker: str
    at: datetime
    asked: bool = False
    text: str = ""


def told(turns: Sequence[TalkTurn], speaker: str) -> str:
    """What was said before a line of `speaker`, in the form for a reader of talk: the last few lines, with
    "me" before those of the same person, letters before those of others, and "> bot" after the name of
    whoever asked the bot."""
    names = {speaker: "me"}
    lines = []
    for each in turns[-TOLD_TURNS:]:
        name = names.setdefault(each.speaker, chr(ord("A") + len(names) - 1))
        text = " ".join(each.text.split())[:TOLD_CHARACTERS].strip()
        lines.append(f"{name}{' > bot' if each.asked else ''}: {text}")
    return " | ".join(lines)


class ThreadTalk:
    """Decides what is for the bot from what was said before in the same thread (chat and thread). `reader` is
    consulted if only the words can tell."""

    def __init__(self, reader: TalkReader | None = None) -> None:
        self.reader = reader
        self._threads = Recent[tuple[str, str], list[TalkTurn]](MOST_THREADS)
        self._asking = Recent[tuple[str, str], bool](MOST_THREADS)

    def wrote(self, thread: tuple[str, str], *, asks: bool) -> None:
        """Note that the bot wrote in a thread; `asks`: it asked the person it answered something."""
        self._asking[thread] = asks

    def before(self, thread: tuple[str, str], turn: TalkTurn) -> TalkBefore | None:
        """What was said before `turn`; None if nothing is remembered."""
        turns = self._earlier(thread, turn)
        if not turns:
            return None
        asked = max((number for number, each in enumerate(turns) if each.asked), default=-1)
        return TalkBefore(
            by_asker=asked >= 0 and turns[asked].speaker == turn.speaker,
            talk=any(each.speaker != turn.speaker for each in turns[asked + 1 :]),
        )

    async def is_for_bot(self, thread: tuple[str, str], turn: TalkTurn, line: HeardLine) -> bool:
        """Whether the bot has to answer `line`, the words of `turn`; remembers the turn. A repeated or edited
        line keeps its place."""
        line = replace(line, before=self.before(thread, turn), asked_back=self._asks(thread, turn))
        if self.reader is not None and turns_on_words(line):
            before = self.told(thread, turn)
            self.heard(thread, replace(turn, text=line.text))  # lines arriving meanwhile come after it
            text = (TO_BOT if line.replies_to_bot else "") + line.text[:MOST_CHARACTERS]
            line = replace(line, read=await self._odds(self.reader, before, text))
        addressed = is_for_bot(line)
        kept = line.text if addressed or line.in_thread else ""  # conversation elsewhere is not kept
        self.heard(thread, replace(turn, asked=addressed, text=kept))
        return addressed

    def told(self, thread: tuple[str, str], turn: TalkTurn) -> str:
        """What was said before `turn`, in the form for a reader."""
        return told(self._earlier(thread, turn), turn.speaker)

    def heard(self, thread: tuple[str, str], turn: TalkTurn) -> None:
        """Remember `turn` and its beginning."""
        turn = replace(turn, text=turn.text[:MOST_CHARACTERS])
        turns = self._threads.get(thread, [])
        place = _place(turns, turn)
        if place < len(turns):
            turns[place] = replace(turn, at=turns[place].at)
        else:
            insort(turns, turn, key=lambda each: each.at)
        self._threads[thread] = turns[-MOST_TURNS:]

    def taken_back(self, thread: tuple[str, str], message: str) -> None:
        """Forget the words of a line that its author has deleted."""
        turns = self._threads.get(thread, [])
        turns[:] = [replace(each, text="") if each.message == message else each for each in turns]

    async def _odds(self, reader: TalkReader, before: str, line: str) -> float | None:
        """The reader's odds; None if unavailable."""
        try:
            return await reader.odds(before, line)
        except FundstelleError as error:
            _LOG.warning("nobody reads whom talk is for: %s", error.key)
            return None

    def _asks(self, thread: tuple[str, str], turn: TalkTurn) -> bool:
        """Whether the bot is waiting for a reply from the speaker of `turn`: nobody has spoken since it asked
        them."""
        last = self._earlier(thread, turn)[-1:]
        return self._asking.get(thread, False) and all(
            each.asked and each.speaker == turn.speaker for each in last
        )

    def _earlier(self, thread: tuple[str, str], turn: TalkTurn) -> list[TalkTurn]:
        turns = self._threads.get(thread, [])
        return turns[: _place(turns, turn)]


def _place(turns: Sequence[TalkTurn], turn: TalkTurn) -> int:
    """The position of `turn` among `turns`, at the end if it is new."""
    return next((n for n, each in enumerate(turns) if each.message == turn.message), len(turns))
