"""`fundstelle move` and `fundstelle migrate`: the database to another place, and to another schema."""

from typing import Annotated

import typer

from bot.cli.frame import CommandContext, command
from bot.cli.language import told
from bot.cli.output import print_json, say
from bot.cli.running import DONE
from bot.wiring.transfers import migrated, move_database


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


@command("migrate", alone=True)
async def migrate(context: CommandContext) -> int:
    """Bring the database to this version after an update, keeping it as it was beforehand."""
    found = await migrated(await context.library_settings())
    if context.json:
        kept = str(found.kept) if found.kept else None
        print_json({"from": found.before, "to": found.now, "backup": kept})
    elif found.kept is None:
        say(told("cli.not_migrated", now=found.now))
    else:
        say(told("cli.migrated", before=found.before, now=found.now, kept=found.kept))
    return DONE


def _told(table: str, done: int, tables: int) -> None:
    say(f"{done + 1}/{tables} {table}")


COMMANDS = (move, migrate)
