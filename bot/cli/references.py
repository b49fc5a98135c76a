"""The command `references`."""

from typing import Annotated

import typer

from bot.answers.references import Listed, Referenced, References
from bot.cli.options import (
    AsOfOption,
    CollectionOption,
    ConfigOption,
    DataOption,
    DocumentOption,
    JsonOption,
    JurisdictionOption,
    day,
)
from bot.cli.output import print_json, say
from bot.cli.running import DONE, NO, with_services
from bot.library.scoping import ScopeOptions
from bot.presentation.record_views import ReferencesView
from core.library.references import label


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("references")(references)


def references(
    section: Annotated[str, typer.Argument()],
    document: DocumentOption = None,
    jurisdiction: JurisdictionOption = None,
    collection: CollectionOption = None,
    as_of: AsOfOption = None,
    depth: Annotated[int, typer.Option("--depth", min=1, max=2)] = 1,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """List what a section cites, what cites it, and what implements it."""
    options = ScopeOptions(
        jurisdiction=jurisdiction,
        collections=tuple(collection or ()),
        documents=tuple(document or ()),
        as_of=day(as_of),
    )

    async def work(references: References) -> int:
        found = await references.of(section, options, depth=depth)
        if json_output:
            print_json(ReferencesView.showing(section=section, provisions=found))
        elif not found:
            say(f"no document has {section}")
        for item in () if json_output else found:
            _show(item)
        return DONE if found else NO

    with_services(data, config, json_output, lambda wired: (wired.references,), work)


def _show(item: Referenced) -> None:
    title = f", {item.section.title}" if item.section and item.section.title else ""
    document = item.provision.edition.document.fields.title
    say(f"{label(item.provision)}{title} ({document}, {_pages(item.pages)})")
    for name, rows in (
        ("implemented by", item.implemented_by),
        ("cited by", item.cited_by),
        ("cites", item.cites),
    ):
        for row in rows:
            say(f"  {name} {_line(row)}")
    for lost in item.unresolved:
        named = f" ({lost.reference.name})" if lost.reference.name else ""
        say(f"  leads nowhere: {label(lost.target)}{named}")


def _line(row: Listed) -> str:
    title = f" {row.section.title}" if row.section and row.section.title else ""
    path = f"  [{' -> '.join(row.trail)}]" if len(row.trail) > 2 else ""
    return f"{label(row.end)}{title}, {row.end.edition.document.fields.title}, {_pages(row.pages)}{path}"


def _pages(pages: tuple[int, ...]) -> str:
    if not pages:
        return "no page"
    return f"p. {pages[0]}" if len(pages) == 1 else f"p. {pages[0]}-{pages[-1]}"
