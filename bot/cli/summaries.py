"""The commands `summary new`, `list`, `show` and `remove`."""

from typing import Annotated

import typer

from bot.answers.app import App
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
from bot.cli.output import print_json, say
from bot.cli.questions import scope_options
from bot.cli.running import DONE, NO, with_app
from bot.presentation.summary_json import listed_json, summary_json
from bot.presentation.summary_texts import ShownSummary
from bot.settings.tree import Loaded
from core.answering.asker import EXTRACTIVE, LLM

ReferenceArgument = Annotated[
    str, typer.Argument(help="The summary's id, or its topic and number: 'rents #2'.", metavar="ID")
]

group = typer.Typer(no_args_is_help=True, help="Summaries of topics: numbered, kept, with their sources.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(group, name="summary")


@group.command("new")
def new(
    topic: Annotated[str, typer.Argument(help="The topic: a few words; commas list its parts.")],
    jurisdiction: JurisdictionOption = None,
    party: PartyOption = None,
    collection: CollectionOption = None,
    document: DocumentOption = None,
    doc_type: TypeOption = None,
    as_of: AsOfOption = None,
    out: OutOption = None,
    answerer: Annotated[
        str | None,
        typer.Option(
            help="extractive: verbatim quotes only; llm: the configured model writes. Default: llm where"
            " there is a model."
        ),
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Summarise a topic and keep the summary; without evidence nothing is kept."""
    if answerer not in (None, EXTRACTIVE, LLM):
        raise typer.BadParameter(f"--answerer is {EXTRACTIVE} or {LLM}, not {answerer}")
    options = scope_options(jurisdiction, party, collection, document, doc_type, as_of)

    async def work(app: App, _: Loaded) -> int:
        shown = await app.summaries.new(topic, options, answerer=answerer, out=out)
        _print(app, shown, json_output)
        return DONE if shown.kept else NO

    with_app(data, config, json_output, work)


@group.command("list")
def list_(
    collection: CollectionOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """List the summaries, newest first; --collection only those that draw on nothing else."""

    async def work(app: App, _: Loaded) -> int:
        listed = await app.summaries.list(collection)
        if json_output:
            print_json({"summaries": [listed_json(item) for item in listed]})
            return DONE
        say("\n".join(app.summaries.list_blocks(listed, app.presenter.texts("en"))))
        return DONE

    with_app(data, config, json_output, work)


@group.command("show")
def show(
    summary: ReferenceArgument,
    out: OutOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show a summary word for word as it was made, and which of its sources have changed since."""

    async def work(app: App, _: Loaded) -> int:
        _print(app, await app.summaries.show(summary, out=out), json_output)
        return DONE

    with_app(data, config, json_output, work)


@group.command("remove")
def remove(
    summary: ReferenceArgument,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Forget a summary with its quotes."""

    async def work(app: App, _: Loaded) -> int:
        gone = await app.summaries.remove(summary)
        name = f"{gone.topic.name} #{gone.number}"
        print_json({"removed": gone.id}) if json_output else say(f"removed {name} (summary {gone.id})")
        return DONE

    with_app(data, config, json_output, work)


def _print(app: App, shown: ShownSummary, json_output: bool) -> None:
    if json_output:
        print_json(summary_json(shown, app.presenter))
        return
    say("\n\n".join(app.summaries.blocks(shown, app.presenter.texts(shown.summary.language))))
    for label, files in shown.attached.items():
        say(f"[{label}] {', '.join(str(path) for path in files.files)}")
