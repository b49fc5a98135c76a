"""Servers that others wrote for Node.js, installed by `make test-servers`."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

from tests.support.repository import ROOT
from tests.support.served import Served

QUESTION = "Auf wie viel will die Liste Leuchtturm den Mindestlohn anheben?"
QUOTE = "15.50 thalers an hour"
MILLERS = "Wer soll nach Ansicht der Windmüller bestimmen, was Beschäftigte wenigstens verdienen?"
COMMISSION = "Den Mindestlohn legt eine unabhängige Kommission fest, und dabei soll es bleiben."
"""Questions of the example library, and what answers them."""


def installed(name: str) -> Path:
    """The folder of tests/servers/NAME."""
    return ROOT / "build" / "node" / name


def missing(name: str) -> str:
    """Why it cannot run here; empty where it can."""
    if which("node") is None:
        return "Node.js is not installed: sudo apt-get install nodejs npm && make test-servers"
    there = (installed(name) / ".installed").exists()
    return "" if there else f"{name} is not installed: run `make test-servers`"


@contextmanager
def serving(data: Path, folder: Path, settings: str) -> Iterator[str]:
    """`fundstelle serve` on a copy of `data` in `folder`; what it says when it is ready. It ends without a
    dead letter and without an error in its log."""
    copy = shutil.copytree(data, folder / "data", symlinks=True)
    common = 'open = true\nlanguage = "de"\n[http]\nport = 0\n[limits]\nuser_per_minute = 1000\n'
    (copy / "fundstelle.toml").write_text(common + settings)
    with Served(copy) as bot:
        yield asyncio.run(bot.ready())
        assert bot.dead == 0, bot.log
    assert "ERROR" not in bot.log, bot.log
