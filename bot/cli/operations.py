"""Commands that run or check the whole: demo, chat, evaluate, doctor, settings."""

import html
import json
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from bot.app import App
from bot.chatting import chat_loop
from bot.cli.library import write
from bot.cli.options import ConfigOption, DataOption, JsonOption
from bot.cli.output import print_json, progress, say, table
from bot.cli.running import DONE, NO, finish, with_app
from bot.demo import DEMO_FOLDER, run_demo
from bot.diagnosis import diagnose
from bot.evaluating import observe, rates, report, report_page
from bot.settings import Loaded, load, shown
from core.errors import Refused
from core.evaluation.questions import read_questions


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("demo")(demo)
    app.command("chat")(chat)
    app.command("evaluate")(evaluate)
    app.command("doctor")(doctor)
    app.command("settings")(settings)


def demo(
    folder: Annotated[
        Path | None, typer.Option("--data", help="Scratch folder; default: a new temporary one.")
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Ingest the example library, ask it questions, and write the highlighted pages."""
    target = folder or Path(tempfile.mkdtemp(prefix=DEMO_FOLDER))

    async def body() -> int:
        result = await run_demo(target, None if json_output else say)
        if json_output:
            print_json(result)
        return DONE

    finish(body(), json_output)


def chat(
    chat_id: Annotated[str, typer.Option("--chat", help="Id of the chat in the settings.")] = "console",
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the highlighted pages.")] = None,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Talk to the bot here, with the commands and the conversation of a group chat."""

    async def work(app: App, loaded: Loaded) -> int:
        await chat_loop(
            app, loaded.settings, chat_id, out or Path(tempfile.mkdtemp(prefix="fundstelle-chat-"))
        )
        return DONE

    with_app(data, config, False, work)


def evaluate(
    questions: Annotated[Path, typer.Argument(help="Question set, JSON lines.")],
    report_file: Annotated[
        Path | None, typer.Option("--report", help="Write the report here (.html, else JSON).")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Measure search and answers on a question set."""

    async def work(app: App, _: Loaded) -> int:
        items = read_questions(read_text(questions))
        with progress(not json_output) as bars:
            tick = (lambda done, total: bars("questions", "ask", done, total)) if bars else _quiet
            result = report(await observe(app, items, tick))
        if report_file is not None:
            page = report_page(result, html.escape(questions.name))
            text = page if report_file.suffix in (".html", ".htm") else json.dumps(result, indent=1)
            write(report_file, text.encode())
        if json_output:
            print_json(result)
            return DONE
        rows = [
            [
                name,
                f"{rate['value']:.1%}",
                f"{rate['hits']} of {rate['of']}",
                f"{rate['low']:.0%}-{rate['high']:.0%}",
            ]
            for name, rate in rates(result)
        ]
        table(f"{questions.name}: {result['questions']} questions", ["measure", "rate", "n", "95 %"], rows)
        seconds = result["seconds"]
        say(f"MRR {result['search']['mrr']:.3f}; seconds median {seconds['median']}, p95 {seconds['p95']}")
        return DONE

    with_app(data, config, json_output, work)


def doctor(data: DataOption = None, config: ConfigOption = None, json_output: JsonOption = False) -> None:
    """Check settings, models and stores, and say what to do about each problem."""

    async def body() -> int:
        checks = await diagnose(data, config)
        if json_output:
            rows = [
                {"name": check.name, "ok": check.ok, "found": check.found, "advice": check.advice}
                for check in checks
            ]
            print_json({"checks": rows})
        else:
            for check in checks:
                say(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.found}")
                if check.advice:
                    say(f"     -> {check.advice}")
        return DONE if all(check.ok for check in checks) else NO

    finish(body(), json_output)


def settings(data: DataOption = None, config: ConfigOption = None, json_output: JsonOption = False) -> None:
    """Print all settings with value, origin and meaning; secrets stay hidden."""

    async def body() -> int:
        rows = shown(load(data=data, config=config))
        if json_output:
            names = ("name", "value", "origin", "description")
            print_json({"settings": [dict(zip(names, row, strict=True)) for row in rows]})
        else:
            table("settings", ["name", "value", "origin", "meaning"], [list(row) for row in rows])
        return DONE

    finish(body(), json_output)


def read_text(file: Path) -> str:
    """Text of a file. Raises Refused if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("file.missing", f"cannot read {file}: {error}") from error


def _quiet(done: int, total: int) -> None:
    """Progress that nobody sees."""
