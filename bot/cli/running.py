"""Running a command: settings, the wired App, and errors as messages and exit statuses."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, NoReturn

import typer

from bot import logs
from bot.app import App
from bot.cli.output import complain, print_json
from bot.settings import Loaded, load
from bot.wiring import opened
from core.errors import Broken, FundstelleError, Refused, Unavailable

DONE, NO, USAGE, FAILED = 0, 1, 2, 3

_USAGE_KEYS = (
    "scope.",
    "document.",
    "page.",
    "batch.",
    "questions.",
    "manifest.",
    "references.",
    "answerer.",
    "variant.",
    "file.missing",
)


def with_app(
    data: Path | None, config: Path | None, json_output: bool, work: Callable[[App, Loaded], Awaitable[int]]
) -> NoReturn:
    """Run `work` with the wired App and end with its exit status."""

    async def body() -> int:
        loaded = load(data=data, config=config)
        async with opened(loaded.settings) as app:
            return await work(app, loaded)

    finish(body(), json_output)


def finish(body: Coroutine[Any, Any, int], json_output: bool) -> NoReturn:
    """Run `body`; errors become a message and exit status 1 (no), 2 (usage) or 3 (failed)."""
    logs.install(sys.stderr)
    try:
        status = asyncio.run(body)
    except FundstelleError as error:
        status = failed(error, json_output)
    except KeyboardInterrupt:
        complain("stopped")
        status = FAILED
    raise typer.Exit(status)


def failed(error: FundstelleError, json_output: bool) -> int:
    """Report an error; its exit status."""
    message = error.detail or error.key
    if json_output:
        print_json({"error": {"code": error.key, "message": message}})
    complain(f"{error.key}: {message}" if isinstance(error, Broken) else message)
    return status_of(error)


def status_of(error: FundstelleError) -> int:
    """2 for what the command line got wrong, 1 for a refusal, 3 for what failed."""
    if isinstance(error, Broken | Unavailable):
        return FAILED
    if isinstance(error, Refused) and error.key.startswith(_USAGE_KEYS):
        return USAGE
    return NO
