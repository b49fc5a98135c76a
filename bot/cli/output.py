"""Printing: JSON on standard output, tables and progress for people, logs on standard error."""

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from bot.presentation.attachments import Attached
from bot.presentation.views import encoded
from core.library.formats import Report

OUT = Console(highlight=False, soft_wrap=True)
ERR = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """One JSON document on one line, of a result or of what holds results. Raises ValueError or
    RecursionError for what is no JSON; then nothing is printed."""
    text = encoded(value, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # half a character, or a terminal that has few
        text = encoded(value)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def escape_what_cannot_be_shown() -> None:
    """From now on what a stream's encoding lacks is written as an escape, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str = "") -> None:
    """A line for people."""
    OUT.print(text, markup=False)


def file_lines(attached: Mapping[str, Attached]) -> list[str]:
    """Where the pages of citations were written."""
    return [f"[{label}] {', '.join(str(path) for path in each.files)}" for label, each in attached.items()]


def complain(text: str) -> None:
    """A line on standard error."""
    ERR.print(text, markup=False)


def table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """A table for people."""
    shown = Table(title=title, title_justify="left")
    for column in columns:
        shown.add_column(column, overflow="fold")
    for row in rows:
        shown.add_row(*(cell.replace("[", r"\[") for cell in row))
    OUT.print(shown)


@contextmanager
def progress(enabled: bool) -> Iterator[Report | None]:
    """Bars on a terminal for long work, one per file and stage; nothing where output is no terminal."""
    if not enabled or not ERR.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=ERR, transient=True) as bars:
        tasks: dict[tuple[str, str], TaskID] = {}

        def report(file: str, stage: str, done: int, total: int) -> None:
            key = (file, stage)
            if key not in tasks:
                tasks[key] = bars.add_task(f"{stage} {file}", total=total)
            bars.update(tasks[key], completed=done, total=total, visible=done < total)

        yield report
