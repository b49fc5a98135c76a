"""Reports: parties or places side by side (`compare`, `motion`), what a section cites (`references`), and
the summaries of topics."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bot.answers.references import Listed, Referenced
from bot.answers.reports import Summarising
from bot.cli.frame import (
    DONE,
    NO,
    AnswererOption,
    CollectionOption,
    CommandContext,
    OutOption,
    ScopeArgument,
    check_answerer,
    command,
    print_help_lines,
    scoped,
)
from bot.cli.output import file_lines, print_json, say
from bot.cli.terminal import terminal, texts, told
from bot.library.scoping import ScopeOptions
from bot.presentation.attachments import Attached, Attacher
from bot.presentation.phrases import page_names
from bot.presentation.presenter import Presenter
from bot.presentation.results import Tabled
from bot.presentation.views.records import ReferencesView
from bot.presentation.views.reports import ListedSummaryView
from bot.presentation.wording.comparisons import comparison_view, motion_view, table_text
from bot.presentation.wording.summaries import ShownSummary, summary_view
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.domain.rich_text import joined, plain
from core.library.references import label

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
    """Compare parties or places side by side: a row for each, with quotes and pages."""
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


ReferenceArgument = Annotated[str, typer.Argument(metavar="ID")]


@command("new")
async def new(
    context: CommandContext,
    *,
    topic: Annotated[str, typer.Argument()],
    scope: ScopeArgument,
    out: OutOption = None,
    answerer: AnswererOption = None,
) -> int:
    """Summarise a topic and keep the summary; without evidence nothing is kept."""
    check_answerer(answerer)

    async with context.services(
        lambda wired: (wired.summaries, wired.attacher, wired.questions, wired.presenter)
    ) as (summaries, attacher, questions, presenter):
        if (helped := await questions.in_distress(topic, scope)) is not None:
            return print_help_lines(context, helped, presenter, _NOTHING_KEPT)
        shown = await summaries.new(topic, scope, answerer=answerer)
        attached = await attacher.attach(shown.citations, out)
        _print(summaries, presenter, shown, attached, json_output=context.json)
        return DONE if shown.kept else NO


_NOTHING_KEPT: Mapping[str, object] = {
    **{"id": None, "number": None, "topic": None, "made_at": None, "prompt": None},
    **{"stale": False, "changes": []},
}
"""The fields of a summary without content."""


@command("list")
async def list_(context: CommandContext, *, collection: CollectionOption = None) -> int:
    """List the summaries, newest first; --collection only those that draw on nothing else."""
    async with context.services(lambda wired: (wired.summaries, wired.presenter)) as (summaries, presenter):
        listed = await summaries.list(collection)
        if context.json:
            print_json({"summaries": [ListedSummaryView.showing(item) for item in listed]})
            return DONE
        say("\n".join(summaries.texts.listing(listed, presenter.texts(texts().language))))
        return DONE


@command("show")
async def show(context: CommandContext, *, summary: ReferenceArgument, out: OutOption = None) -> int:
    """Show a summary word for word as it was made, and which of its sources have changed since."""
    async with context.services(lambda wired: (wired.summaries, wired.attacher, wired.presenter)) as services:
        summaries, attacher, presenter = services
        shown = await summaries.show(summary)
        attached = await attacher.attach(shown.citations, out)
        _print(summaries, presenter, shown, attached, json_output=context.json)
        return DONE


@command("remove")
async def remove(context: CommandContext, *, summary: ReferenceArgument) -> int:
    """Forget a summary with its quotes."""
    async with context.services(lambda wired: wired.summaries) as summaries:
        removed = await summaries.remove(summary)
        name = f"{removed.topic.name} #{removed.number}"
        message = told("cli.summary_removed", name=name, id=removed.id)
        print_json({"removed": removed.id}) if context.json else say(message)
        return DONE


def _print(
    summaries: Summarising,
    presenter: Presenter,
    shown: ShownSummary,
    attached: Mapping[str, Attached],
    *,
    json_output: bool,
) -> None:
    if json_output:
        print_json(summary_view(shown, presenter, attached))
        return
    say(plain(joined(summaries.texts.blocks(shown, presenter.texts(shown.summary.language)), "\n\n")))
    for line in file_lines(attached):
        say(line)


@command("references")
async def references(
    context: CommandContext,
    *,
    section: Annotated[str, typer.Argument()],
    scope: Annotated[ScopeOptions, scoped("document", "jurisdiction", "collection", "as_of")],
    depth: Annotated[int, typer.Option("--depth", min=1, max=2)] = 1,
) -> int:
    """List what a section cites, what cites it, and what implements it."""
    async with context.services(lambda wired: wired.references) as references:
        found = await references.of(section, scope, depth=depth)
        if context.json:
            print_json(ReferencesView.showing(section=section, provisions=found))
        elif not found:
            say(told("cli.no_section", section=section))
        for item in () if context.json else found:
            _show(item)
        return DONE if found else NO


def _show(item: Referenced) -> None:
    title = f", {item.section.title}" if item.section and item.section.title else ""
    document = item.provision.edition.document.fields.title
    say(f"{label(item.provision)}{title} ({document}, {_pages(item)})")
    for name, rows in (
        ("cli.implemented_by", item.implemented_by),
        ("cli.cited_by", item.cited_by),
        ("cli.cites", item.cites),
    ):
        for row in rows:
            say(f"  {told(name)} {_line(row)}")
    for lost in item.unresolved:
        named = f" ({lost.reference.name})" if lost.reference.name else ""
        say(f"  {told('cli.leads_nowhere')}: {label(lost.target)}{named}")


def _line(row: Listed) -> str:
    title = f" {row.section.title}" if row.section and row.section.title else ""
    path = f"  [{' -> '.join(row.trail)}]" if len(row.trail) > 2 else ""
    return f"{label(row.end)}{title}, {row.end.edition.document.fields.title}, {_pages(row)}{path}"


def _pages(row: Referenced | Listed) -> str:
    return page_names(row.pages, row.printed, texts()) or told("cli.no_page")


COMMANDS = (compare, motion, references)
SUMMARY_COMMANDS = (new, list_, show, remove)
