"""What is remembered of the talk in threads: who said what in which order, and what of it was for the bot.

Only the last few lines of a thread, in memory, and nothing is written down: after a restart the words of a
line decide alone until the bot is asked again.
"""

import logging
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.errors import FundstelleError
from core.ports.reading import TalkReader
from core.recent import Recent
from core.search.group_talk import HeardLine, is_for_bot, turns_on_words
from core.search.talk_signals import TalkBefore

_LOG = logging.getLogger(__name__)

MOST_THREADS = 5_000
MOST_TURNS = 12
"""Lines of a thread; before those it does not matter who spoke."""

MOST_CHARACTERS = 400
"""Of a line; more is not remembered."""

TOLD_TURNS, TOLD_CHARACTERS = 10, 160
"""Lines that a reader is told, and characters of each."""

TO_BOT = "> bot: "
"""What a reader is told in front of a line that replies to the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkTurn:
    """A line that somebody said. `message` is its id, `asked`: it was for the bot; `text`: how it begins."""

    message: str
    speaker: str
    at: datetime
    asked: bool = False
    text: str = ""


def told(turns: Sequence[TalkTurn], speaker: str) -> str:
    """What was said before a line of `speaker`, as a reader of talk is told it: the last few lines, "me"
    before those of the same person, letters before those of others, "> bot" behind who asked the bot."""
    names = {speaker: "me"}
    lines = []
    for each in turns[-TOLD_TURNS:]:
        name = names.setdefault(each.speaker, chr(ord("A") + len(names) - 1))
        said = " ".join(each.text.split())[:TOLD_CHARACTERS].strip()
        lines.append(f"{name}{' > bot' if each.asked else ''}: {said}")
    return " | ".join(lines)


class ThreadTalk:
    """Decides what is for the bot by what was said before in the same thread (chat and thread). `reader` has
    a say where nothing but the words can tell."""

    def __init__(self, reader: TalkReader | None = None) -> None:
        self._reader = reader
        self._threads = Recent[tuple[str, str], list[TalkTurn]](MOST_THREADS)

    def before(self, thread: tuple[str, str], turn: TalkTurn) -> TalkBefore | None:
        """What was said before `turn`; None where nothing is remembered."""
        turns = self._earlier(thread, turn)
        if not turns:
            return None
        asked = max((number for number, each in enumerate(turns) if each.asked), default=-1)
        return TalkBefore(
            by_asker=asked >= 0 and turns[asked].speaker == turn.speaker,
            talk=any(each.speaker != turn.speaker for each in turns[asked + 1 :]),
        )

    async def is_for_bot(self, thread: tuple[str, str], turn: TalkTurn, line: HeardLine) -> bool:
        """Whether the bot has to answer `line`, the words of `turn`, which is remembered. A line that comes
        again, or is edited, keeps its place."""
        line = replace(line, before=self.before(thread, turn))
        if self._reader is not None and turns_on_words(line):
            before = self.told(thread, turn)
            self.heard(thread, replace(turn, text=line.text))  # what comes meanwhile is said after it
            said = (TO_BOT if line.replies_to_bot else "") + line.text[:MOST_CHARACTERS]
            line = replace(line, read=await self._odds(self._reader, before, said))
        addressed = is_for_bot(line)
        kept = line.text if addressed or line.in_thread else ""  # what people say elsewhere is not kept
        self.heard(thread, replace(turn, asked=addressed, text=kept))
        return addressed

    def told(self, thread: tuple[str, str], turn: TalkTurn) -> str:
        """What was said before `turn`, as a reader is told it."""
        return told(self._earlier(thread, turn), turn.speaker)

    def heard(self, thread: tuple[str, str], turn: TalkTurn) -> None:
        """Remember `turn`, and how it begins."""
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
        """What the reader says; None where it cannot: then the signals decide alone."""
        try:
            return await reader.odds(before, line)
        except FundstelleError as error:
            _LOG.warning("nobody reads whom talk is for: %s", error.key)
            return None

    def _earlier(self, thread: tuple[str, str], turn: TalkTurn) -> list[TalkTurn]:
        turns = self._threads.get(thread, [])
        return turns[: _place(turns, turn)]


def _place(turns: Sequence[TalkTurn], turn: TalkTurn) -> int:
    """Where `turn` stands among `turns`, behind all where it is new."""
    return next((n for n, each in enumerate(turns) if each.message == turn.message), len(turns))
