"""The command `letters`."""

from typing import Annotated

import typer

from bot.cli.options import ConfigOption, DataOption, JsonOption
from bot.cli.output import print_json, say
from bot.cli.running import DONE, finish
from bot.letters import advice, letter_json, name_of, retry
from bot.settings import load
from bot.wiring import SystemClock, records


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("letters")(letters)


def letters(
    again: Annotated[
        str | None, typer.Option("--retry", metavar="LETTER", help="Try this one again, such as outbox:12.")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """List what could not be answered or sent, beside a running bot too, and try one again."""

    async def body() -> int:
        async with records(load(data=data, config=config).settings) as (journal, _):
            if again is not None:
                await retry(again, journal, SystemClock())
            found = await journal.dead_letters()
        if json_output:
            print_json({"retried": again, "letters": [letter_json(letter) for letter in found]})
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

    finish(body(), json_output)
