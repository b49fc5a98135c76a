"""Dead letters: messages that could not be handled, parts of replies that could not be sent."""

from core.domain.journal import DeadLetter, Mailbox
from core.errors import Refused
from core.ports.clock import Clock
from core.ports.journal import Journal


def name_of(letter: DeadLetter) -> str:
    """What `--retry` takes."""
    return f"{letter.box.value}:{letter.id}"


async def retry(name: str, journal: Journal, clock: Clock) -> None:
    """Have a dead letter tried again, by a process that serves or the next one. Raises
    Refused("letters.unknown") where there is none, or its content has gone with its term."""
    box, _, number = name.partition(":")
    known = box in {each.value for each in Mailbox} and number.isdecimal()
    if not known or not await journal.revive(Mailbox(box), int(number), at=clock.now()):
        detail = f"there is no dead letter {name!r} that can be tried again; `fundstelle letters` lists them"
        raise Refused("letters.unknown", detail, name=name)
