"""The commands `summary new`, `list`, `show` and `remove`."""

from typing import Annotated

import typer

from bot.answers.summaries import Summarising
from bot.cli.options import (
    AsOfOption,
    CollectionOption,
    ConfigOption,
    DataOption,
    DocumentOption,
    JsonOption,
    JurisdictionOption,
    OutOption,
    PartyOption,
    TypeOption,
)
from bot.cli.output import file_lines, print_json, say
from bot.cli.questions import scope_options
from bot.cli.running import DONE, NO, with_services
from bot.presentation.answer_views import ListedSummaryView
from bot.presentation.presenter import Presenter
from bot.presentation.summary_texts import ShownSummary
from bot.presentation.views import summary_view
from core.answering.asker import EXTRACTIVE, LLM

ReferenceArgument = Annotated[str, typer.Argument(metavar="ID")]

group = typer.Typer(no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(group, name="summary")


@group.command("new")
def new(
    topic: Annotated[str, typer.Argument()],
    jurisdiction: JurisdictionOption = None,
    party: PartyOption = None,
    collection: CollectionOption = None,
    document: DocumentOption = None,
    doc_type: TypeOption = None,
    as_of: AsOfOption = None,
    out: OutOption = None,
    answerer: Annotated[
        str | None,
        typer.Option(),
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Summarise a topic and keep the summary; without evidence nothing is kept."""
    if answerer not in (None, EXTRACTIVE, LLM):
        raise typer.BadParameter(f"--answerer is {EXTRACTIVE} or {LLM}, not {answerer}")
    options = scope_options(jurisdiction, party, collection, document, doc_type, as_of)

    async def work(summaries: Summarising, presenter: Presenter) -> int:
        shown = await summaries.new(topic, options, answerer=answerer, out=out)
        _print(summaries, presenter, shown, json_output)
        return DONE if shown.kept else NO

    with_services(data, config, json_output, lambda wired: (wired.summaries, wired.presenter), work)


@group.command("list")
def list_(
    collection: CollectionOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """List the summaries, newest first; --collection only those that draw on nothing else."""

    async def work(summaries: Summarising, presenter: Presenter) -> int:
        listed = await summaries.list(collection)
        if json_output:
            print_json({"summaries": [ListedSummaryView.showing(item) for item in listed]})
            return DONE
        say("\n".join(summaries.list_blocks(listed, presenter.texts("en"))))
        return DONE

    with_services(data, config, json_output, lambda wired: (wired.summaries, wired.presenter), work)


@group.command("show")
def show(
    summary: ReferenceArgument,
    out: OutOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show a summary word for word as it was made, and which of its sources have changed since."""

    async def work(summaries: Summarising, presenter: Presenter) -> int:
        _print(summaries, presenter, await summaries.show(summary, out=out), json_output)
        return DONE

    with_services(data, config, json_output, lambda wired: (wired.summaries, wired.presenter), work)


@group.command("remove")
def remove(
    summary: ReferenceArgument,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Forget a summary with its quotes."""

    async def work(summaries: Summarising) -> int:
        gone = await summaries.remove(summary)
        name = f"{gone.topic.name} #{gone.number}"
        print_json({"removed": gone.id}) if json_output else say(f"removed {name} (summary {gone.id})")
        return DONE

    with_services(data, config, json_output, lambda wired: (wired.summaries,), work)


def _print(summaries: Summarising, presenter: Presenter, shown: ShownSummary, json_output: bool) -> None:
    if json_output:
        print_json(summary_view(shown, presenter))
        return
    say("\n\n".join(summaries.blocks(shown, presenter.texts(shown.summary.language))))
    for line in file_lines(shown.attached):
        say(line)
