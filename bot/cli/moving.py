"""`fundstelle move`: the library's database from SQLite to PostgreSQL, or back."""

from typing import Annotated

import typer

from bot.cli.frame import CommandContext, command
from bot.cli.language import told
from bot.cli.output import print_json, say
from bot.cli.running import DONE
from bot.wiring.transfers import move_database


@command("move", alone=True)
async def move(
    context: CommandContext,
    *,
    target: Annotated[str, typer.Option("--to", envvar="MOVE_TO_URL", show_envvar=False)],
) -> int:
    """Copy the whole database into an empty one and compare them; interrupted, it goes on when run again."""

    settings = await context.library_settings()
    rows = await move_database(settings, target, lambda *step: None if context.json else _told(*step))
    if context.json:
        print_json({"tables": rows, "rows": sum(rows.values())})
    else:
        say(told("cli.moved", rows=sum(rows.values()), tables=len(rows)))
    return DONE


def _told(table: str, done: int, tables: int) -> None:
    say(f"{done + 1}/{tables} {table}")


COMMANDS = (move,)
