"""The command `references`."""

from typing import Annotated

import typer

from bot.answers.references import Listed, Referenced
from bot.cli.frame import CommandContext, command
from bot.cli.language import texts, told
from bot.cli.options import scoped
from bot.cli.output import print_json, say
from bot.cli.running import DONE, NO
from bot.library.scoping import ScopeOptions
from bot.presentation.phrases import page_names
from bot.presentation.views.records import ReferencesView
from core.library.references import label


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


COMMANDS = (references,)
