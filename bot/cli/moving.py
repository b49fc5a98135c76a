"""`fundstelle move`: the library's database from SQLite to PostgreSQL, or back."""

from typing import Annotated

import typer

from bot.cli.options import ConfigOption, DataOption, JsonOption
from bot.cli.output import print_json, say
from bot.cli.running import DONE, finish
from bot.settings.tree import load
from bot.wiring.moving import move_database


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("move")(move)


def move(
    target: Annotated[
        str,
        typer.Option(
            "--to",
            envvar="MOVE_TO_URL",
            show_envvar=False,
        ),
    ],
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Copy the whole database into an empty one and compare them; interrupted, it goes on when run again."""

    async def body() -> int:
        settings = load(data=data, config=config).settings
        rows = await move_database(settings, target, lambda *step: None if json_output else _told(*step))
        if json_output:
            print_json({"tables": rows, "rows": sum(rows.values())})
        else:
            say(f"{sum(rows.values())} rows in {len(rows)} tables are the same in both databases.")
            say("Now set database_url to the new one, then start the bot; the data folder stays as it is.")
        return DONE

    finish(body(), json_output)


def _told(table: str, done: int, tables: int) -> None:
    say(f"{done + 1}/{tables} {table}")
