"""The command `letters`."""

from collections.abc import Mapping
from typing import Annotated

import typer

from bot.cli.frame import CommandContext, command
from bot.cli.language import told
from bot.cli.output import print_json, say
from bot.cli.running import DONE
from bot.presentation.views.records import DeadLetterView
from bot.wiring.services import records
from core.domain.journal import DeadLetter, Mailbox
from core.errors import Refused
from core.ports.clock import Clock
from core.ports.journal import Journal

WHY: Mapping[str, str] = {
    "delivery.chat_open": "cli.letter_chat_open",
    "platform.not_configured": "cli.letter_platform",
    "delivery.not_entitled": "cli.letter_not_entitled",
}
"""Explanations of errors for the operator, if the key is not self-explanatory."""


def letter_name(letter: DeadLetter) -> str:
    """What `--retry` takes."""
    return f"{letter.box.value}:{letter.id}"


async def retry_letter(name: str, journal: Journal, clock: Clock) -> None:
    """Have a dead letter tried again, by a process that serves or the next one. Raises
    Refused("letters.unknown") where there is none, or its content has gone with its term."""
    box, _, number = name.partition(":")
    known = box in {each.value for each in Mailbox} and number.isdecimal()
    if not known or not await journal.revive(Mailbox(box), int(number), at=clock.now()):
        detail = f"there is no dead letter {name!r} that can be tried again; `fundstelle letters` lists them"
        raise Refused("letters.unknown", detail, name=name)


@command("letters")
async def letters(
    context: CommandContext, *, again: Annotated[str | None, typer.Option("--retry", metavar="LETTER")] = None
) -> int:
    """List what could not be answered or sent, beside a running bot too, and try one again."""
    async with records(await context.library_settings()) as kept:
        if again is not None:
            await retry_letter(again, kept.journal, kept.clock)
        found = await kept.journal.dead_letters()
    if context.json:
        rows = [DeadLetterView.showing(letter, letter=letter_name(letter)) for letter in found]
        print_json({"retried": again, "letters": rows})
        return DONE
    if again is not None:
        say(told("cli.letter_again", letter=again))
    if not found:
        say(told("cli.no_letters"))
        return DONE
    for letter in found:
        tried = told("cli.letter_tried", count=letter.attempts, time=f"{letter.at:%Y-%m-%d %H:%M}")
        say(f"{letter_name(letter)}  {letter.platform}  {letter.error}  ({tried})")
        say(f"    {advice(letter)}")
    return DONE


def advice(letter: DeadLetter) -> str:
    """The outcome, and what to do."""
    said = told(f"cli.letter_{letter.state}")
    return f"{said}: {told(WHY[letter.error])}" if letter.error in WHY else said


COMMANDS = (letters,)
