"""The running bot of a small world, and commands that find it: real processes over a real socket."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from bot.cli.called import Calls
from bot.cli.root import app
from bot.settings.tree import load
from tests.support.served import FUNDSTELLE
from tests.support.world import World, populated

QUESTION = "Was sagt die Uferpartei zum Mindestlohn?"
QUOTE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command wrote, and its exit status."""

    status: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Bot:
    """A listening bot, with its data folder and its world."""

    folder: Path
    world: World
    calls: Calls

    async def begin(
        self, *arguments: str, cwd: Path | None = None, **variables: str
    ) -> asyncio.subprocess.Process:
        """A command in a process of its own. Its settings file is broken: what works has used the socket."""
        return await asyncio.create_subprocess_exec(
            str(FUNDSTELLE),
            *arguments,
            "--data",
            str(self.folder),
            cwd=cwd,
            env=environment(**variables),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def command(self, *arguments: str, cwd: Path | None = None, **variables: str) -> Ended:
        """Run a command until it ends."""
        return await ended(await self.begin(*arguments, cwd=cwd, **variables))


async def ended(process: asyncio.subprocess.Process) -> Ended:
    """Wait for the end; returns what it wrote."""
    out, err = await process.communicate()
    return Ended(process.returncode or 0, out.decode(), err.decode())


def environment(**variables: str) -> dict[str, str]:
    """The environment of a process with English output."""
    left_out = ("FUNDSTELLE_", "LC_", "LANG")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(left_out)}
    return {**kept, "LANG": "C.UTF-8", **variables}


def calls_of(folder: Path, world: World) -> Calls:
    """The listener for commands on `folder`."""
    settings = world.use(load(data=folder).settings).settings
    return Calls(
        root=typer.main.get_command(app),
        running=replace(load(data=folder), settings=settings),
        config=None,
        beside=world.app.beside,
        bot=world.app.running,
    )


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Bot]:
    """A bot that accepts commands while the context lasts."""
    world = await populated()
    calls = calls_of(folder, world)
    (folder / "fundstelle.toml").write_text("no settings [")
    async with calls.listening():
        yield Bot(folder, world, calls)
