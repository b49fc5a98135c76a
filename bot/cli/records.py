"""The command `why`."""

from typing import Annotated

import typer

from bot.cli.options import ConfigOption, DataOption, JsonOption
from bot.cli.output import print_json, say
from bot.cli.running import DONE, finish
from bot.i18n import Texts
from bot.recording import explain
from bot.settings import load
from bot.why import record_text, why_json
from bot.wiring import records


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("why")(why)


def why(
    trace: Annotated[str, typer.Argument(help="The answer's trace, as `ask` shows it.")],
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show how an answer came about: question, search, passages, model, what was rejected, citations."""

    async def body() -> int:
        settings = load(data=data, config=config).settings
        async with records(settings) as (journal, library):
            found = await explain(trace, journal, library)
        if json_output:
            print_json(why_json(found.record, found.standing))
        else:
            texts = Texts(settings.language or found.record.language)
            say("\n\n".join(record_text(found.record, texts, found.standing)))
        return DONE

    finish(body(), json_output)
