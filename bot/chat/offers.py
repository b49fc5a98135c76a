"""The suggestions in a reply, and the "yes", name or number that accepts one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.chat.command_table import SPECS
from bot.chat.memory import WORDS, ChatMemory, Remembered
from bot.chat.reports import LONGEST_BUTTON
from bot.chat.request import Request
from core.domain.messages import Button, MessageKind, Reply
from core.errors import FundstelleError, NotKnown
from core.ports.journal import Journal
from core.question.followups import corrected, place_asked
from core.question.turns import TurnKind, TurnReader
from core.registry.names import fold

MOST = 9
"""Maximum number of suggestions: with more to choose from, people ask anew."""

MOST_WORDS = 4
"""Maximum words of a message that merely accepts or declines a suggestion."""

_NUMBER = re.compile(r"\W*(?:(?:nr|nummer|no|number|n|numéro|numero)\W*)?(?P<number>\d)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Offered:
    """The suggestions made to the person answered. `asked`: as a question, to which "yes" and "no" are
    answers; any other is accepted only by its number."""

    choices: tuple[Button, ...]
    asked: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """How a message responds to an offer: `command` is the accepted one; if it is empty, none is wanted, or
    the choice is unclear (`which`)."""

    command: str = ""
    which: tuple[Button, ...] = ()


@dataclass(slots=True)
class Offers:
    """The latest offer in each thread, and to each person of a chat outside threads; until the next reply
    there."""

    journal: Journal
    turns: TurnReader
    memory: ChatMemory
    _last: Remembered[Offered] = field(init=False)

    def __post_init__(self) -> None:
        self._last = Remembered(self.memory, "offers", Offered, WORDS)

    def keep(self, request: Request, reply: Reply) -> None:
        """Remember what `reply` offers, and forget the previous offer."""
        offered = Offered(reply.offers or reply.follow_ups, asked=bool(reply.offers))
        for thread in _places(request):
            if offered.choices:
                self._last.put(request.key, thread, value=offered, person=request.person)
            else:
                self._last.drop(request.key, thread)

    async def taken(self, request: Request) -> Taken | None:
        """How a message responds to the offer in its thread or chat; None if it says something else."""
        offered, said = self._offered(request), request.message.text.strip()
        new = request.message.kind is MessageKind.MESSAGE and not request.message.attachments
        if not new or not offered.choices or not 0 < len(said.split()) <= MOST_WORDS or corrected(said):
            return None
        if not await self._is_meant(request, offered):
            return None
        place = int(found["number"]) if (found := _NUMBER.fullmatch(said)) else None
        if offered.asked and place is None:
            place = place_asked(said) or _named(said, offered.choices)
        if place is not None:
            chosen = offered.choices[place - 1 : place] if place else ()
            return Taken(chosen[0].command) if chosen else None
        return await self._answered(said, offered.choices) if offered.asked else None

    async def _answered(self, said: str, choices: Sequence[Button]) -> Taken | None:
        """The response that a "yes" or a "no" to the bot's question means."""
        kind = await self.turns.read(said, asked=True)
        confirms = any(fold(said.strip(" .!")) in words for words in SPECS["yes"].words.values())
        if confirms or kind is TurnKind.YES:
            return Taken(choices[0].command) if len(choices) == 1 else Taken(which=tuple(choices))
        return Taken() if kind is TurnKind.NO else None

    def _offered(self, request: Request) -> Offered:
        """The offer in the message's thread or chat."""
        found = (self._last.get(request.key, thread) for thread in _places(request))
        return next(filter(None, found), Offered((), asked=False))

    async def _is_meant(self, request: Request, offered: Offered) -> bool:
        """Whether a message may be about the offer: not if it replies to another message with buttons of its
        own."""
        message = request.message
        if message.reply_to is None:
            return True
        shown = await self.journal.buttons_of(replace(message.ref, message=message.reply_to))
        commands = {each.command for each in shown}
        return not commands or bool(commands & {each.command for each in offered.choices})


def _places(request: Request) -> tuple[str, ...]:
    """The key under which an offer is remembered: the thread, or the person outside threads."""
    thread, person = request.thread, request.monologue
    return tuple(each for each in (thread, person if thread is None else None) if each is not None)


def _named(said: str, choices: Sequence[Button]) -> int | None:
    """The position, from 1, of the only choice that `said` names."""
    name = fold(said.strip(' .!?"„“'))
    named = [place for place, each in enumerate(choices, 1) if fold(each.label.partition(" (")[0]) == name]
    return named[0] if len(named) == 1 else None


def offering(reply: Reply, choices: Sequence[Button], request: Request) -> Reply:
    """`reply`, which asks whether one of `choices` was meant, with buttons if they are short enough, or
    numbers if there are no buttons."""
    few = tuple(choices[:MOST])
    held = all(len(each.command.encode()) <= LONGEST_BUTTON for each in few)
    tapped = held or not request.stage.capabilities.buttons
    return replace(reply, offers=few, follow_ups=few if tapped else ())


def in_other_words(text: str, error: FundstelleError) -> tuple[Button, ...]:
    """`text`, in which `error` found an unknown name, with each of the names that may have been meant in its
    place; empty if the name is not in it literally."""
    if not isinstance(error, NotKnown) or not error.name or text.count(error.name) != 1:
        return ()
    before, _, behind = text.partition(error.name)
    field = before.endswith("=")  # there a name of several words needs marks
    return tuple(
        Button(label=label, command=f"{before}{_marked(written) if field else written}{behind}")
        for label, written in error.meant.items()
    )


def _marked(written: str) -> str:
    return f'"{written}"' if " " in written else written
