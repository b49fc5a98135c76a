"""Command line options that several commands share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.calling import ALONE
from bot.cli.language import told
from bot.library.scoping import ScopeOptions


def _folder(value: str) -> Path:
    """The named folder; an empty name, as from an unset variable, would mean the current one."""
    if not value.strip():
        raise typer.BadParameter("name a folder; the current one is `.`")
    return Path(value)


DataOption = Annotated[Path | None, typer.Option("--data", metavar="<path>", parser=_folder)]
ConfigOption = Annotated[Path | None, typer.Option("--config")]
JsonOption = Annotated[bool, typer.Option("--json")]
LocalOption = Annotated[bool, typer.Option(ALONE)]
AnswererOption = Annotated[str | None, typer.Option()]
BatchOption = Annotated[Path | None, typer.Option("--batch")]
OutOption = Annotated[Path | None, typer.Option("--out")]
JurisdictionOption = Annotated[str | None, typer.Option("--jurisdiction")]
PartyOption = Annotated[list[str] | None, typer.Option("--party")]
CollectionOption = Annotated[list[str] | None, typer.Option("--collection")]
DocumentOption = Annotated[list[str] | None, typer.Option("--document")]
TypeOption = Annotated[str | None, typer.Option("--type")]
AsOfOption = Annotated[str | None, typer.Option("--as-of")]


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options that several commands share, read as one value: names with their annotations, and what makes
    the value of those that the command has."""

    options: Mapping[str, object]
    made: Callable[..., object]


def check_answerer(answerer: str | None) -> None:
    """Raises typer.BadParameter for an unknown answerer."""
    from core.answering.forms import EXTRACTIVE, LLM

    if answerer not in (None, EXTRACTIVE, LLM):
        raise typer.BadParameter(told("cli.no_answerer", name=answerer))


def day(text: str | None) -> date | None:
    """A date option. Raises typer.BadParameter unless it is an ISO date."""
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no time zone
    except ValueError:
        raise typer.BadParameter(told("cli.no_date", text=repr(text))) from None


def scope_options(
    *,
    jurisdiction: str | None = None,
    party: list[str] | None = None,
    collection: list[str] | None = None,
    document: list[str] | None = None,
    doc_type: str | None = None,
    as_of: str | None = None,
) -> ScopeOptions:
    """A scope as the command line gave it. Raises typer.BadParameter."""
    return ScopeOptions(
        jurisdiction=jurisdiction,
        parties=tuple(party or ()),
        collections=tuple(collection or ()),
        documents=tuple(document or ()),
        doc_type=doc_type,
        as_of=day(as_of),
    )


def scoped(*names: str) -> OptionGroup:
    """The options of a scope that have these names."""
    known = {
        "jurisdiction": JurisdictionOption,
        "party": PartyOption,
        "collection": CollectionOption,
        "document": DocumentOption,
        "doc_type": TypeOption,
        "as_of": AsOfOption,
    }
    return OptionGroup({name: known[name] for name in names or known}, scope_options)


ScopeArgument = Annotated[ScopeOptions, scoped()]
