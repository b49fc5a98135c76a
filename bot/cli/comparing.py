"""Commands that set parties or places side by side: compare, motion."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.frame import CommandContext, command, print_help_lines
from bot.cli.options import OutOption, scoped
from bot.cli.output import file_lines, print_json, say
from bot.cli.running import DONE, NO
from bot.cli.terminal import terminal
from bot.library.scoping import ScopeOptions
from bot.presentation.attachments import Attached, Attacher
from bot.presentation.results import Tabled
from bot.presentation.wording.comparisons import comparison_view, motion_view
from bot.presentation.wording.tables import table_text
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport

PlacesOption = Annotated[list[str] | None, typer.Option("--jurisdiction")]


@command("compare")
async def compare(
    context: CommandContext,
    *,
    question: Annotated[str, typer.Argument()],
    jurisdiction: PlacesOption = None,
    scope: Annotated[ScopeOptions, scoped("party", "collection", "document", "doc_type", "as_of")],
    all_quotes: Annotated[bool, typer.Option("--all")] = False,
    out: OutOption = None,
) -> int:
    """Set parties or places side by side: a row for each, with quotes and pages."""
    async with context.services(
        lambda wired: (wired.comparisons, wired.attacher, wired.questions, wired.presenter)
    ) as (comparisons, attacher, questions, presenter):
        place = replace(scope, jurisdiction=next(iter(jurisdiction or ()), None))
        if (helped := await questions.in_distress(question, place)) is not None:
            return print_help_lines(context, helped, presenter, _NO_ROWS)
        made = await comparisons.compare(question, scope, jurisdiction or (), all_quotes=all_quotes)
        files = await _written(made, attacher, out)
        print_json(comparison_view(made, *files)) if context.json else _say(made, *files)
        return DONE if made.report.citations else NO


@command("motion")
async def motion(
    context: CommandContext,
    *,
    motion: Annotated[str, typer.Argument()],
    jurisdiction: Annotated[str, typer.Option("--jurisdiction")],
    mover: Annotated[list[str] | None, typer.Option("--mover")] = None,
    scope: Annotated[ScopeOptions, scoped("collection", "as_of")],
    others: Annotated[bool, typer.Option("--all")] = False,
    out: OutOption = None,
) -> int:
    """Show what movers and governing parties have written about a motion's demands."""
    async with context.services(
        lambda wired: (wired.comparisons, wired.attacher, wired.questions, wired.presenter)
    ) as (comparisons, attacher, questions, presenter):
        place = replace(scope, jurisdiction=jurisdiction)
        if (helped := await questions.in_distress(motion, place)) is not None:
            return print_help_lines(context, helped, presenter, {**_NO_DEMANDS, "jurisdiction": jurisdiction})
        text = await comparisons.motion_text(motion, seen=context.process.path)
        made = await comparisons.motion(
            text, scope, jurisdiction=jurisdiction, movers=mover or (), others=others
        )
        files = await _written(made, attacher, out)
        print_json(motion_view(made, *files)) if context.json else _say(made, *files)
        return DONE if made.report.citations else NO


_NO_ROWS: Mapping[str, object] = {"rows": [], "table": None}
_NO_DEMANDS: Mapping[str, object] = {**_NO_ROWS, "demands": [], "omitted": 0, "government": None}


async def _written(
    made: Tabled[Comparison] | Tabled[MotionReport], attacher: Attacher, out: Path | None
) -> tuple[dict[str, Attached], Path | None]:
    """The pages by label and the table, in `out`."""
    attached = await attacher.attach(made.report.citations, out)
    return attached, await attacher.table(made.table, out, made.stem) if out else None


def _say(
    made: Tabled[Comparison] | Tabled[MotionReport], attached: Mapping[str, Attached], file: Path | None
) -> None:
    say(table_text(made.table, terminal().out.width))
    for line in file_lines(attached):
        say(line)
    if file is not None:
        say(str(file))
    say(f"(fundstelle why {made.trace})")


COMMANDS = (compare, motion)
