"""Commands that set parties or places side by side: compare, motion."""

from pathlib import Path
from typing import Annotated

import typer

from bot.answers.comparisons import Comparisons
from bot.cli.options import (
    AsOfOption,
    CollectionOption,
    ConfigOption,
    DataOption,
    DocumentOption,
    JsonOption,
    OutOption,
    PartyOption,
    TypeOption,
)
from bot.cli.output import OUT, file_lines, print_json, say
from bot.cli.questions import scope_options
from bot.cli.running import DONE, NO, with_services
from bot.presentation.tables import table_text
from bot.presentation.views import comparison_view, motion_view

PlacesOption = Annotated[
    list[str] | None,
    typer.Option("--jurisdiction"),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("compare")(compare)
    app.command("motion")(motion)


def compare(
    question: Annotated[str, typer.Argument()],
    party: PartyOption = None,
    jurisdiction: PlacesOption = None,
    collection: CollectionOption = None,
    document: DocumentOption = None,
    doc_type: TypeOption = None,
    as_of: AsOfOption = None,
    out: OutOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Set parties or places side by side: a row for each, with quotes and pages."""
    options = scope_options(None, party, collection, document, doc_type, as_of)

    async def work(comparisons: Comparisons) -> int:
        made = await comparisons.compare(question, options, jurisdiction or (), out=out)
        if json_output:
            print_json(comparison_view(made))
        else:
            say(table_text(made.table, OUT.width))
            for line in file_lines(made.attached):
                say(line)
            say_table(made.file)
            say(f"(fundstelle why {made.trace})")
        return DONE if made.report.citations else NO

    with_services(data, config, json_output, lambda wired: (wired.comparisons,), work)


def motion(
    motion: Annotated[str, typer.Argument()],
    jurisdiction: Annotated[str, typer.Option("--jurisdiction")],
    mover: Annotated[list[str] | None, typer.Option("--mover")] = None,
    collection: CollectionOption = None,
    as_of: AsOfOption = None,
    out: OutOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show what movers and governing parties have written about a motion's demands."""
    options = scope_options(None, None, collection, None, None, as_of)

    async def work(comparisons: Comparisons) -> int:
        text = await comparisons.motion_text(motion)
        made = await comparisons.motion(text, options, jurisdiction=jurisdiction, movers=mover or (), out=out)
        if json_output:
            print_json(motion_view(made))
        else:
            say(table_text(made.table, OUT.width))
            for line in file_lines(made.attached):
                say(line)
            say_table(made.file)
            say(f"(fundstelle why {made.trace})")
        return DONE if made.report.citations else NO

    with_services(data, config, json_output, lambda wired: (wired.comparisons,), work)


def say_table(table: Path | None) -> None:
    """Where the table was written."""
    if table is not None:
        say(str(table))
