"""Commands that run or check the whole: demo, chat, doctor, settings."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO, cast

import typer

from bot.answers.questions import Questions
from bot.cli.called import Calls
from bot.cli.frame import DONE, FAILED, CollectionOption, Command, CommandContext, JsonOption, command, finish
from bot.cli.library import receipt_line
from bot.cli.output import file_lines, listing, print_json, say
from bot.cli.terminal import terminal, texts, told
from bot.library.intake import IngestOptions
from bot.library.scoping import DEFAULT_COLLECTIONS, ScopeOptions
from bot.presentation.attachments import Attacher
from bot.presentation.i18n import ENGLISH
from bot.presentation.presenter import Presenter
from bot.presentation.views.answers import AnswerView, answer_view
from bot.presentation.views.encoding import Json
from bot.presentation.views.records import CheckedView
from bot.service.capacity import CONSTANTS, MOST_PASSAGES
from bot.service.capacity import capacity as capacity_of
from bot.service.checks import State
from bot.service.console import at_keyboard
from bot.service.serving_lease import ServingRole
from bot.settings.tree import load
from bot.wiring.services import opened
from bot.wiring.transfers import migrated
from core.errors import Broken


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
    ) as services:
        await services.run()
        return DONE


@command("serve", prints_json=False, alone=True, founds=True)
async def serve_command(
    context: CommandContext, *, role: Annotated[ServingRole, typer.Option("--role")] = ServingRole.ALL
) -> int:
    """Serve the configured chat platforms, and health over HTTP, until stopped."""
    settings = await context.library_settings()
    if role is ServingRole.ALL:
        await migrated(settings)  # it has exclusive use of the database
    while True:
        async with context.services(
            lambda wired: (wired.serving(role), wired.beside, wired.running)
        ) as picked:
            server, beside, bot = picked
            running = context.process.loaded(context.data, context.config)
            calls = Calls(root=context.root, running=running, config=context.config, beside=beside, bot=bot)
            await server.run(say, calls.listening)
            if not server.begins_again:
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


@command("capacity", alone=True, founds=True)
async def capacity(
    context: CommandContext,
    *,
    passages: Annotated[int, typer.Option("--passages", min=1, max=MOST_PASSAGES)],
    questions: Annotated[int, typer.Option("--questions-per-hour", min=1, max=1_000_000)] = 60,
) -> int:
    """Say what a library of a given size and number of questions takes, from measured constants."""
    needed = capacity_of(passages, questions)
    if context.json:
        constants = {name: asdict(constant) for name, constant in CONSTANTS.items()}
        print_json({"capacity": asdict(needed), "constants": constants})
        return DONE
    for name, value in asdict(needed).items():
        if name != "extrapolated":
            shown = f"{value:,}" if isinstance(value, int | float) else value
            say(f"{told(f'capacity.{name}')}: {shown}")
    if needed.extrapolated:
        what = ", ".join(told(f"capacity.of_{name}") for name in needed.extrapolated)
        say(told("capacity.extrapolated", what=what))
    say(told("capacity.measured"))
    return DONE


# `fundstelle demo`: the example library, real questions, and the highlighted pages.

DEMO_FOLDER = "fundstelle-demo-"


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question with what it shows."""

    question: str
    jurisdiction: str | None
    shows: str


async def run_demo(folder: Path, say: Callable[[str], None] | None) -> Json:
    """Build and ingest the example library in `folder`, ask its questions, write pages to `folder`/pages.
    Configured stores stay untouched: it is not part of anybody's library. `say` gets lines for people, or
    None for silence."""
    tell = say or (lambda _: None)
    manifest = await asyncio.to_thread(_build, folder / "library")
    questions = read_demo(manifest.with_name("demo.toml"))
    tell(told("cli.demo_library", folder=manifest.parent))
    async with opened(load(data=folder / "data").settings.with_own_stores()) as wired:
        async for receipt in wired.intake.ingest([], IngestOptions(), manifest):
            tell(receipt_line(receipt))
        asking = DemoAsking(wired.questions, wired.attacher, wired.presenter, tell)
        answers = [await asking.ask(item, n, folder) for n, item in enumerate(questions, start=1)]
    pages = folder / "pages"
    tell(told("cli.demo_pages", folder=pages, data=shlex.quote(str(folder / "data")), program=program()))
    return {"folder": str(folder), "answers": answers}


def program() -> str:
    """What to type to run this program: its name if the shell finds it by that, else its path."""
    running = Path(sys.argv[0]).absolute()
    found = shutil.which(running.name)
    return running.name if found and Path(found).samefile(running) else shlex.quote(str(running))


@dataclass(frozen=True, slots=True)
class DemoAsking:
    """Asks the demo's questions and prints the answers."""

    questions: Questions
    attacher: Attacher
    presenter: Presenter
    tell: Callable[[str], None]

    async def ask(self, item: DemoQuestion, number: int, folder: Path) -> AnswerView:
        """The answer to one of them; its pages go to `folder`/pages."""
        answer = await self.questions.ask(item.question, ScopeOptions(jurisdiction=item.jurisdiction))
        attached = await self.attacher.attach(answer.citations, folder / "pages", prefix=f"q{number}-")
        place = f" --jurisdiction {item.jurisdiction}" if item.jurisdiction else ""
        self.tell(f"\n{'=' * 100}\n{number}. {item.question}{place}   ({item.shows})\n")
        self.tell(self.presenter.answer_text(answer))
        for line in file_lines(attached):
            self.tell(line)
        return answer_view(answer, attached, self.presenter)


def read_demo(file: Path) -> list[DemoQuestion]:
    """The demo's questions."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    return [DemoQuestion(row["question"], row.get("jurisdiction"), row["shows"]) for row in rows]


def _build(folder: Path) -> Path:
    try:
        from examples.build import build
    except ModuleNotFoundError as error:
        detail = f"the example library is not installed ({error}); run the demo from a clone with `make demo`"
        raise Broken("demo.missing", detail) from error
    return build(folder)


@command("mcp", prints_json=False)
async def mcp(context: CommandContext, *, collection: CollectionOption = None) -> int:
    """Serve search, ask, verify, page, compare and documents to an assistant on this machine."""
    from bot.mcp.tools import Caller, Lines, serve

    current = terminal()
    out = cast(BinaryIO, current.out.file.buffer)  # type: ignore[attr-defined]

    def write(content: bytes) -> None:
        out.write(content)
        out.flush()

    caller = Caller(collections=tuple(collection or DEFAULT_COLLECTIONS))
    async with context.services(lambda wired: (wired.mcp_tools, wired.questions)) as (tools, questions):
        await questions.warm_up()
        await serve(tools.server(lambda _: caller), Lines(current.read, write))
    return DONE


COMMANDS = (Command("demo", demo, alone=True), chat, serve_command, doctor, settings, capacity, mcp)
