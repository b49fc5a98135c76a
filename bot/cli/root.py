"""All commands under one name."""

import os
from importlib.metadata import version
from typing import Annotated

import typer

from bot.cli import (
    comparing,
    evaluation,
    jobs,
    letters,
    library,
    lifecycle,
    moving,
    operations,
    questions,
    records,
    references,
    summaries,
)
from bot.cli.language import LocalGroup

app = typer.Typer(
    name="fundstelle",
    cls=LocalGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _version(shown: bool) -> None:
    if shown:
        typer.echo(f"fundstelle {version('fundstelle')}")
        raise typer.Exit


@app.callback()
def everywhere(
    show_version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_version)] = False,
) -> None:
    """Answers with the page: verbatim quotes from a library of documents, highlighted on their pages."""


library.register(app)
jobs.register(app)
lifecycle.register(app)
questions.register(app)
comparing.register(app)
references.register(app)
summaries.register(app)
records.register(app)
letters.register(app)
evaluation.register(app)
moving.register(app)
operations.register(app)


def main() -> None:
    """Entry point of the console script. What it writes is for its own user: questions and documents."""
    os.umask(0o077)
    app()
