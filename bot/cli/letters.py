"""The command `letters`."""

from collections.abc import Mapping
from typing import Annotated

import typer

from bot.cli.frame import CommandContext, command
from bot.cli.output import print_json, say
from bot.cli.running import DONE
from bot.delivery.dead_letters import ADVICE, name_of, retry
from bot.presentation.record_views import DeadLetterView
from bot.wiring.services import SystemClock, records
from core.domain.journal import DeadLetter

WHY: Mapping[str, str] = {
    "delivery.chat_open": "others than invited members can read the chat now; close it before you try again",
    "platform.not_configured": "its platform is not in the settings; configure it before you try again",
    "delivery.not_entitled": "the chat is not entitled to it any more; see [[chat]] in the settings",
}
"""What an error means for whoever decides, where its key does not say it."""


@command("letters")
async def letters(
    context: CommandContext,
    *,
    again: Annotated[str | None, typer.Option("--retry", metavar="LETTER")] = None,
) -> int:
    """List what could not be answered or sent, beside a running bot too, and try one again."""
    async with records(context.settings()) as (journal, _):
        if again is not None:
            await retry(again, journal, SystemClock())
        found = await journal.dead_letters()
    if context.json:
        rows = [DeadLetterView.showing(letter, letter=name_of(letter)) for letter in found]
        print_json({"retried": again, "letters": rows})
        return DONE
    if again is not None:
        say(f"{again} is tried again, by the bot that serves or at its next start")
    if not found:
        say("no dead letters")
        return DONE
    for letter in found:
        tried = f"tried {letter.attempts} times, since {letter.at:%Y-%m-%d %H:%M} UTC"
        say(f"{name_of(letter)}  {letter.platform}  {letter.error}  ({tried})")
        say(f"    {advice(letter)}")
    return DONE


def advice(letter: DeadLetter) -> str:
    """What became of it, and what to do."""
    said = ADVICE.get(letter.state, letter.state)
    return f"{said}: {WHY[letter.error]}" if letter.error in WHY else said


COMMANDS = (letters,)
