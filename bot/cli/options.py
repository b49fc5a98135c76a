"""Command line options that several commands share."""

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

DataOption = Annotated[
    Path | None,
    typer.Option("--data", help="Folder of database, index and models (FUNDSTELLE_DATA)."),
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="Settings file; default fundstelle.toml in the data folder.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
BatchOption = Annotated[
    Path | None, typer.Option("--batch", help="JSON lines with a question (or text, or page) each.")
]
OutOption = Annotated[Path | None, typer.Option("--out", help="Folder for the highlighted pages.")]
JurisdictionOption = Annotated[
    str | None, typer.Option("--jurisdiction", help="Code of a place, such as de-nw.")
]
PartyOption = Annotated[list[str] | None, typer.Option("--party", help="A party; may be repeated.")]
CollectionOption = Annotated[
    list[str] | None, typer.Option("--collection", help="A collection; may be repeated. Default: public.")
]
DocumentOption = Annotated[
    list[str] | None, typer.Option("--document", help="A document (id, title or file); may be repeated.")
]
TypeOption = Annotated[str | None, typer.Option("--type", help="A document type, such as manifesto or act.")]
AsOfOption = Annotated[str | None, typer.Option("--as-of", help="What was valid on this day (YYYY-MM-DD).")]


def day(text: str | None) -> date | None:
    """A date option. Raises typer.BadParameter for what is no ISO date."""
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no time zone
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no date; write YYYY-MM-DD") from None
