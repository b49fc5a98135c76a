"""Running a command: settings, the services it uses, and errors as messages and exit statuses."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from bot.cli.language import texts, told
from bot.cli.output import complain, escape_what_cannot_be_shown, print_json
from core.errors import Broken, FundstelleError, Refused, Unavailable

if TYPE_CHECKING:
    from bot.presentation.i18n import Texts

DONE, NO, USAGE, FAILED = 0, 1, 2, 3

STARTING_S = 3.0
"""Seconds in which a command may load what it needs."""

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
    "person.",
)


def finish(body: Coroutine[Any, Any, int], json_output: bool) -> NoReturn:
    """Run `body`; errors become a message and exit status 1 (no), 2 (usage) or 3 (failed). Unexpected errors
    are reported with a trace that the log contains, never just a traceback."""
    from bot.wiring import logs

    logs.install(sys.stderr)
    escape_what_cannot_be_shown()
    try:
        status = asyncio.run(_begun(body))
    except typer.BadParameter:  # which Typer reports
        raise
    except Exception as error:
        status = failed(error, json_output)
    except KeyboardInterrupt:
        complain(told("cli.stopped"))
        status = FAILED
    raise typer.Exit(status)


async def _begun(body: Coroutine[Any, Any, int]) -> int:
    """`body`, with garbage collected again once a command that lasts has its imports behind it."""
    asyncio.get_running_loop().call_later(STARTING_S, _collect_again)
    return await body


def _collect_again() -> None:
    gc.freeze()
    gc.enable()


def failed(error: Exception, json_output: bool) -> int:
    """Report an error; its exit status."""
    from bot.presentation.views.problems import problem

    said = problem(error)
    if json_output:
        print_json({"error": said})
    message = in_own_words(error, texts()) or said.message
    complain(f"{said.code}: {message}" if isinstance(error, Broken) else message)
    return status_of(error)


def in_own_words(error: Exception, words: Texts) -> str:
    """An error in the terminal's language, unless that is the language of its detail, which is more
    informative."""
    from bot.presentation.presenter import error_text

    if words.language == "en" or not isinstance(error, FundstelleError):
        return ""
    return error_text(error, words)


def status_of(error: Exception) -> int:
    """The exit status: 2 for a usage error, 1 for a refusal, 3 for a failure."""
    if isinstance(error, Broken | Unavailable) or not isinstance(error, FundstelleError):
        return FAILED
    if isinstance(error, Refused) and error.key.startswith(_USAGE_KEYS):
        return USAGE
    return NO
