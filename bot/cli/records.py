"""The commands about records: `why` and `feedback`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import ConfigOption, DataOption, JsonOption
from bot.cli.output import print_json, say
from bot.cli.running import DONE, finish
from bot.feedback import candidates, judged, judged_json
from bot.i18n import Texts
from bot.recording import explain
from bot.settings import load
from bot.why import record_text, why_json
from bot.wiring import records
from core.errors import Broken


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("why")(why)
    app.command("feedback")(feedback)


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


def feedback(
    export: Annotated[
        Path | None, typer.Option("--export", help="Write candidate rows for a question set (JSON lines).")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """List what people thought of answers, and export their questions for an evaluation."""

    async def body() -> int:
        async with records(load(data=data, config=config).settings) as (journal, library):
            found = await judged(journal)
            rows = await candidates(found, library)
        if export is not None:
            lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            write_text(export, lines)
        if json_output:
            print_json({"feedback": [judged_json(item) for item in found], "exported": len(rows)})
            return DONE
        for row in map(judged_json, found):
            question = row["question"] or "(the text is gone)"
            say(f"{row['at'][:16]}  {row['verdict']:<10}  {row['trace']}  {question}")
        if export is not None:
            say(f"{len(rows)} rows written to {export}; say what is right where answerable is null")
        return DONE

    finish(body(), json_output)


def write_text(path: Path, text: str) -> None:
    """Write a file. Raises Broken if that cannot be."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        detail = f"cannot write {path}: {error}; choose another --export"
        raise Broken("out.unwritable", detail) from error
