"""Command line options that several commands share."""

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

DataOption = Annotated[
    Path | None,
    typer.Option("--data"),
]
ConfigOption = Annotated[Path | None, typer.Option("--config")]
JsonOption = Annotated[bool, typer.Option("--json")]
BatchOption = Annotated[Path | None, typer.Option("--batch")]
OutOption = Annotated[Path | None, typer.Option("--out")]
JurisdictionOption = Annotated[str | None, typer.Option("--jurisdiction")]
PartyOption = Annotated[list[str] | None, typer.Option("--party")]
CollectionOption = Annotated[list[str] | None, typer.Option("--collection")]
DocumentOption = Annotated[list[str] | None, typer.Option("--document")]
TypeOption = Annotated[str | None, typer.Option("--type")]
AsOfOption = Annotated[str | None, typer.Option("--as-of")]


def day(text: str | None) -> date | None:
    """A date option. Raises typer.BadParameter for what is no ISO date."""
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no time zone
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no date; write YYYY-MM-DD") from None
