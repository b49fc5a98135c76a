"""Printing: JSON on standard output, tables and progress for people, logs on standard error."""

from __future__ import annotations

import io
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.cli.terminal import terminal

if TYPE_CHECKING:
    from rich.progress import TaskID

    from bot.presentation.attachments import Attached
    from core.library.formats import Report


def print_json(value: Any, *, indent: int | None = None) -> None:
    """Print a result, or something containing results, as one JSON document, on one line or indented. Raises
    ValueError or RecursionError if it cannot be JSON; then nothing is printed."""
    from bot.presentation.views.encoding import encoded

    current = terminal()
    file = current.out.file
    text = current.as_named(
        encoded(value, ensure_ascii=False, indent=indent), partial(_spelt, ensure_ascii=False)
    )
    try:
        text.encode(getattr(file, "encoding", None) or "utf-8")
    except UnicodeEncodeError:  # a lone surrogate, or a terminal with a limited character set
        text = current.as_named(encoded(value, indent=indent), _spelt)
    file.write(text + "\n")
    file.flush()


def _spelt(path: str, **options: bool) -> str:
    """The value as JSON."""
    from bot.presentation.views.encoding import encoded

    return encoded(path, **options)[1:-1]


def escape_what_cannot_be_shown() -> None:
    """Make a stream write characters missing from its encoding as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str = "") -> None:
    """Print a line for people."""
    current = terminal()
    current.out.print(current.as_named(text), markup=False)


def file_lines(attached: Mapping[str, Attached]) -> list[str]:
    """Lines saying where the pages of citations were written."""
    return [f"[{label}] {', '.join(str(path) for path in each.files)}" for label, each in attached.items()]


def complain(text: str) -> None:
    """Print a line on standard error."""
    current = terminal()
    current.err.print(current.as_named(text), markup=False)


def listing(title: str, rows: Iterable[Sequence[str]]) -> None:
    """Print lines for people, one per row: its name, then its values. On a terminal lines are wrapped between
    words; in a pipe a row is one line."""
    out = terminal().out
    say(title)
    for name, *facts in rows:
        line = " · ".join([name, *filter(None, facts)])
        say(wrapped(line, out.width) if out.is_terminal else line)


def wrapped(line: str, width: int, indent: str = "    ") -> str:
    """A line wrapped to `width` characters, between words only."""
    return textwrap.fill(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table for people."""
    from rich.table import Table

    shown = Table(title=title, title_justify="left")
    for column in columns:
        shown.add_column(column, overflow="fold")
    for row in rows:
        shown.add_row(*(cell.replace("[", r"\[") for cell in row))
    terminal().out.print(shown)


EVERY_S = 10.0
"""Minimum seconds between lines about the same document without a terminal."""


class ProgressLines:
    """Progress as lines, without a terminal: one when a document is begun, then one now and then. `write`
    gets them, `now` is in seconds."""

    def __init__(self, write: Callable[[str], None], now: Callable[[], float]) -> None:
        self._write = write
        self._now = now
        self._file = ""
        self._told = 0.0

    def __call__(self, file: str, stage: str, done: int, total: int) -> None:
        """Report a step (see `Report`)."""
        now = self._now()
        if file != self._file or (now - self._told >= EVERY_S and done < total):
            self._file, self._told = file, now
            self._write(f"{stage} {file} {done}/{total}")


@contextmanager
def progress(enabled: bool) -> Iterator[Report | None]:
    """Progress bars on a terminal for long work, one per file and stage; lines if standard error is not a
    terminal."""
    console = terminal().err
    if not enabled:
        yield None
        return
    if not console.is_terminal:
        yield ProgressLines(complain, time.monotonic)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        tasks: dict[tuple[str, str], TaskID] = {}

        def report(file: str, stage: str, done: int, total: int) -> None:
            key = (file, stage)
            if key not in tasks:
                tasks[key] = bars.add_task(f"{stage} {file}", total=total)
            bars.update(tasks[key], completed=done, total=total, visible=done < total)

        yield report
