"""The commands `summary new`, `list`, `show` and `remove`."""

from collections.abc import Mapping
from typing import Annotated

import typer

from bot.answers.summaries import Summarising
from bot.cli.frame import CommandContext, command, print_help_lines
from bot.cli.language import texts, told
from bot.cli.options import AnswererOption, CollectionOption, OutOption, ScopeArgument, check_answerer
from bot.cli.output import file_lines, print_json, say
from bot.cli.running import DONE, NO
from bot.presentation.attachments import Attached
from bot.presentation.presenter import Presenter
from bot.presentation.views.reports import ListedSummaryView
from bot.presentation.wording.summaries import ShownSummary, summary_view
from core.domain.rich_text import joined, plain

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
"""The fields of a summary that there is not."""


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
        gone = await summaries.remove(summary)
        name = f"{gone.topic.name} #{gone.number}"
        said = told("cli.summary_removed", name=name, id=gone.id)
        print_json({"removed": gone.id}) if context.json else say(said)
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


COMMANDS = (new, list_, show, remove)
