"""Commands that run or check the whole: demo, chat, doctor, settings."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.called import Calls
from bot.cli.demo import DEMO_FOLDER, run_demo
from bot.cli.frame import Command, CommandContext, command
from bot.cli.language import texts, told
from bot.cli.options import JsonOption
from bot.cli.output import listing, print_json, say
from bot.cli.running import DONE, FAILED, finish
from bot.cli.terminal import terminal
from bot.presentation.i18n import ENGLISH
from bot.presentation.views import CheckedView
from bot.service import at_keyboard
from bot.service.checks import State
from bot.settings import load
from bot.wiring.transfers import migrated


def demo(
    folder: Annotated[Path | None, typer.Option("--data")] = None, json_output: JsonOption = False
) -> None:
    """Ingest the example library, ask it questions, and write the highlighted pages."""
    target = folder or Path(tempfile.mkdtemp(prefix=DEMO_FOLDER))

    async def body() -> int:
        result = await run_demo(target, None if json_output else say)
        if json_output:
            print_json(result)
        return DONE

    finish(body(), json_output)


@command("chat", prints_json=False, alone=True, founds=True)
async def chat(
    context: CommandContext,
    *,
    chat_id: Annotated[str, typer.Option("--chat")] = "console",
    out: Annotated[Path | None, typer.Option("--out")] = None,
) -> int:
    """Talk to the bot here, with the commands and the conversation of a group chat."""
    folder = out or Path(tempfile.mkdtemp(prefix="fundstelle-chat-"))
    async with context.services(
        lambda wired: wired.console_chat(chat_id, folder, say, bold=terminal().emphasises),
        adapted=partial(at_keyboard, chat=chat_id),
    ) as here:
        await here.run()
        return DONE


@command("serve", prints_json=False, alone=True, founds=True)
async def serve_command(context: CommandContext) -> int:
    """Serve the configured chat platforms, and health over HTTP, until stopped."""
    await migrated(await context.library_settings())  # who serves has the database to itself
    async with context.services(lambda wired: (wired.server, wired.beside, wired.running)) as picked:
        server, beside, bot = picked
        running = context.process.loaded(context.data, context.config)
        calls = Calls(root=context.root, running=running, config=context.config, beside=beside, bot=bot)
        await server.run(say, calls.listening)
        return DONE


@command("doctor", founds=True)
async def doctor(context: CommandContext) -> int:
    """Check settings, models and stores, and say what to do about each problem."""
    checks = await context.process.diagnosed(
        context.data, context.config, ENGLISH if context.json else texts()
    )
    if context.json:
        print_json({"checks": [CheckedView.showing(check) for check in checks]})
    else:
        say("\n".join(line for check in checks for line in check.lines))
    return FAILED if any(check.state is State.FAIL for check in checks) else DONE


@command("settings", alone=True, founds=True)
async def settings(context: CommandContext) -> int:
    """Print all settings with value, origin and meaning; secrets stay hidden."""
    rows = load(data=context.data, config=context.config).rows
    if context.json:
        names = ("name", "value", "origin", "description")
        print_json({"settings": [dict(zip(names, row, strict=True)) for row in rows]})
    else:
        listing(
            told("cli.settings"),
            (
                (f"{name} = {value}", meaning, "" if origin == "default" else origin)
                for name, value, origin, meaning in rows
            ),
        )
    return DONE


COMMANDS = (Command("demo", demo, alone=True), chat, serve_command, doctor, settings)
