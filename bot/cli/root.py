"""All commands under one name."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Annotated

import typer

from bot.cli import (
    backups,
    comparing,
    evaluation,
    jobs,
    letters,
    library,
    lifecycle,
    moving,
    operations,
    people,
    questions,
    records,
    references,
    setup,
    summaries,
)
from bot.cli.frame import Command
from bot.cli.language import LocalGroup

app = typer.Typer(name="fundstelle", cls=LocalGroup, no_args_is_help=True, pretty_exceptions_enable=False)


def _version(shown: bool) -> None:
    if shown:
        typer.echo(f"fundstelle {version('fundstelle')}")
        raise typer.Exit


def _add(group: typer.Typer, commands: Iterable[Command]) -> typer.Typer:
    for each in commands:
        group.command(each.name)(each.run)
    return group


@app.callback()
def everywhere(
    show_version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_version)] = False,
) -> None:
    """Answers with the page: verbatim quotes from a library of documents, highlighted on their pages."""


for module in (
    library,
    jobs,
    lifecycle,
    questions,
    comparing,
    references,
    records,
    letters,
    evaluation,
    moving,
    setup,
    operations,
):
    _add(app, module.COMMANDS)
for name, group in (
    ("registry", jobs.REGISTRY_COMMANDS),
    ("summary", summaries.COMMANDS),
    ("backup", backups.COMMANDS),
    ("person", people.COMMANDS),
):
    app.add_typer(_add(typer.Typer(no_args_is_help=True), group), name=name)
