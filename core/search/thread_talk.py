"""What is remembered of the talk in threads: who spoke in which order, and what of it was for the bot.

The words are not kept, and nothing is written down: after a restart the words of a line decide alone until
the bot is asked again.
"""

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.recent import Recent
from core.search.group_talk import HeardLine, is_for_bot
from core.search.talk_signals import TalkBefore

MOST_THREADS = 5_000
MOST_TURNS = 12
"""Lines of a thread; before those it does not matter who spoke."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkTurn:
    """A line that somebody said, without its words. `message` is its id, `asked`: it was for the bot."""

    message: str
    speaker: str
    at: datetime
    asked: bool = False


class ThreadTalk:
    """Decides what is for the bot by what was said before in the same thread (chat and thread)."""

    def __init__(self) -> None:
        self._threads = Recent[tuple[str, str], list[TalkTurn]](MOST_THREADS)

    def before(self, thread: tuple[str, str], turn: TalkTurn) -> TalkBefore | None:
        """What was said before `turn`; None where nothing is remembered."""
        turns = self._threads.get(thread, [])
        turns = turns[: _place(turns, turn)]
        if not turns:
            return None
        asked = max((number for number, each in enumerate(turns) if each.asked), default=-1)
        return TalkBefore(
            by_asker=asked >= 0 and turns[asked].speaker == turn.speaker,
            talk=any(each.speaker != turn.speaker for each in turns[asked + 1 :]),
        )

    def is_for_bot(self, thread: tuple[str, str], turn: TalkTurn, line: HeardLine) -> bool:
        """Whether the bot has to answer `line`, the words of `turn`, which is remembered. A line that comes
        again, or is edited, keeps its place."""
        addressed = is_for_bot(replace(line, before=self.before(thread, turn)))
        self.heard(thread, replace(turn, asked=addressed))
        return addressed

    def heard(self, thread: tuple[str, str], turn: TalkTurn) -> None:
        """Remember `turn`."""
        turns = self._threads.get(thread, [])
        place = _place(turns, turn)
        if place < len(turns):
            turns[place] = replace(turn, at=turns[place].at)
        else:
            insort(turns, turn, key=lambda each: each.at)
        self._threads[thread] = turns[-MOST_TURNS:]


def _place(turns: Sequence[TalkTurn], turn: TalkTurn) -> int:
    """Where `turn` stands among `turns`, behind all where it is new."""
    return next((n for n, each in enumerate(turns) if each.message == turn.message), len(turns))
