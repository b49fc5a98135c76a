"""Commands that run or check the whole: demo, chat, doctor, settings."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.demo import DEMO_FOLDER, run_demo
from bot.cli.options import ConfigOption, DataOption, JsonOption
from bot.cli.output import print_json, say, table
from bot.cli.running import DONE, NO, finish, with_services
from bot.presentation.record_views import CheckedView
from bot.service.console import ConsoleChat, at_keyboard
from bot.service.diagnosis import diagnose
from bot.service.serving import Server
from bot.settings.tree import load, shown
from bot.wiring.probes import PROBES


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("demo")(demo)
    app.command("chat")(chat)
    app.command("serve")(serve_command)
    app.command("doctor")(doctor)
    app.command("settings")(settings)


def demo(
    folder: Annotated[Path | None, typer.Option("--data")] = None,
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
    chat_id: Annotated[str, typer.Option("--chat")] = "console",
    out: Annotated[Path | None, typer.Option("--out")] = None,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Talk to the bot here, with the commands and the conversation of a group chat."""

    async def work(here: ConsoleChat) -> int:
        await here.run()
        return DONE

    folder = out or Path(tempfile.mkdtemp(prefix="fundstelle-chat-"))
    with_services(
        data,
        config,
        False,
        lambda wired: (wired.console_chat(chat_id, folder, say),),
        work,
        adapted=partial(at_keyboard, chat=chat_id),
    )


def serve_command(data: DataOption = None, config: ConfigOption = None) -> None:
    """Serve the configured chat platforms, and health over HTTP, until stopped."""

    async def work(server: Server) -> int:
        await server.run(say)
        return DONE

    with_services(data, config, False, lambda wired: (wired.server,), work)


def doctor(data: DataOption = None, config: ConfigOption = None, json_output: JsonOption = False) -> None:
    """Check settings, models and stores, and say what to do about each problem."""

    async def body() -> int:
        checks = await diagnose(data, config, PROBES)
        if json_output:
            print_json({"checks": [CheckedView.showing(check) for check in checks]})
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
