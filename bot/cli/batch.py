"""Batch mode: one JSON object per input line, one JSON line of result each, in input order."""

import codecs
import json
import math
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import date
from pathlib import Path
from textwrap import shorten
from typing import Any

from bot.cli.output import print_json
from bot.library.scoping import ScopeOptions
from bot.presentation.views.encoding import View
from bot.presentation.views.problems import FailureView, problem
from core.errors import Refused

Row = dict[str, Any]
Id = str | int | float | None

LONGEST_ID = 1000
"""Maximum characters of an id."""

LONGEST_NAME = 100
"""Maximum bytes of an id used as a file name prefix: names have at most 255."""

LONGEST_SHOWN = 100
"""Maximum characters of a bad value repeated in its error."""

LARGEST = 1_000_000
"""Maximum page number."""

PREFIX = "\0prefix"
"""Key under which a row carries the prefix of its file names; it is not read from the line's JSON."""

_NOT_IN_NAMES = frozenset("/\\")


async def run(file: Path, work: Callable[[Row], Awaitable[View]]) -> int:
    """Do `work` on every line of `file`; errors in a line are reported and the batch continues. Returns the
    exit status: 0, or 1 if a line had an error."""
    failed = 0
    prefixes: set[str] = set()
    for number, line in enumerate(read_lines(file), start=1):
        if line.strip():
            failed += not await _one(line, number, work, prefixes)
    return 1 if failed else 0


async def _one(line: bytes, number: int, work: Callable[[Row], Awaitable[View]], prefixes: set[str]) -> bool:
    """Print the result of a line; returns whether it has one. `prefixes` of earlier lines are not reused."""
    row_id: Id = None
    try:
        row = parse(line, number)
        row_id = id_of(row)
        row[PREFIX] = _prefix(row_id, number, prefixes)
        prefixes.add(row[PREFIX].casefold())
        print_json({"id": row_id, **(await work(row)).json_object})
    except Exception as error:
        print_json(FailureView(id=row_id, error=problem(error)))
        return False
    return True


def read_lines(file: Path) -> list[bytes]:
    """Lines of `file`. A line ends where JSON Lines says so, not at every character that may separate lines
    in a text. Raises Refused if it cannot be read."""
    try:
        return file.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n")
    except OSError as error:
        raise Refused("batch.unreadable", f"cannot read {file}: {error}") from error


def parse(line: bytes, number: int) -> Row:
    """The JSON object on a line. Raises Refused("batch.bad_line")."""
    try:
        row = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise Refused("batch.bad_line", f"line {number} is not UTF-8: {error}") from None
    except RecursionError:
        raise Refused("batch.bad_line", f"line {number} is nested too deeply") from None
    except ValueError as error:  # including numbers with more digits than Python parses
        raise Refused("batch.bad_line", f"line {number} is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise Refused("batch.bad_line", f"line {number} is no JSON object")
    return row


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number in JSON")


def id_of(row: Row) -> Id:
    """The id of a row. Raises Refused for a list or an object, and for one that is too long."""
    found = row.get("id")
    if found is None or (isinstance(found, str | int) and len(str(found)) <= LONGEST_ID):
        return found
    if isinstance(found, float) and math.isfinite(found):
        return found
    raise Refused("batch.bad_value", f"id is a text or a number of at most {LONGEST_ID} characters")


def _prefix(said: Id, number: int, taken: Collection[str]) -> str:
    """The prefix that distinguishes a line's files: its id, else its number; with its number as well if an
    earlier line has the same id, in any letter case."""
    name = str(number if said is None else said)
    while name.casefold() in taken:
        name += f"-line{number}"
    return name


def files_prefix(row: Row) -> str:
    """The prefix of a row's file names. Raises Refused if its id cannot be part of a file name."""
    prefix = str(row.get(PREFIX, row.get("id")))
    if not prefix.isprintable() or set(prefix) & _NOT_IN_NAMES or len(prefix.encode()) > LONGEST_NAME:
        detail = f"with --out, id begins the names of files: at most {LONGEST_NAME} bytes, no / and no \\"
        raise Refused("batch.bad_value", detail)
    return f"{prefix}-"


def text_of(row: Row, *names: str) -> str:
    """The first of `names` that the row has, as text. Raises Refused if there is none."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str):
            return value
        if value is not None:
            raise Refused("batch.bad_value", f"{name} is a text, not {_shown(value)}")
    raise Refused("batch.missing_key", f"the line needs {' or '.join(names)} as text")


def number_of(row: Row, name: str, most: int = LARGEST) -> int | None:
    """A whole number of the row from 1 on, or None. Raises Refused for anything else."""
    value = row.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most):
        return value
    raise Refused("batch.bad_value", f"{name} is a whole number from 1 to {most}, not {_shown(value)}")


def scope_options(row: Row, base: ScopeOptions) -> ScopeOptions:
    """Scope options of a line; what it leaves out comes from the command line."""
    return ScopeOptions(
        jurisdiction=optional_text(row, "jurisdiction") or base.jurisdiction,
        parties=_texts(row, "party") or base.parties,
        collections=_texts(row, "collection") or base.collections,
        documents=_texts(row, "document") or base.documents,
        doc_type=optional_text(row, "type") or base.doc_type,
        as_of=_day(row, "as_of") or base.as_of,
        chat_jurisdiction=base.chat_jurisdiction,
    )


def optional_text(row: Row, name: str) -> str | None:
    """A text of the row, or None. Raises Refused for anything else."""
    value = row.get(name)
    if value is None or isinstance(value, str):
        return value or None
    raise Refused("batch.bad_value", f"{name} is a text, not {_shown(value)}")


def choice_of(row: Row, name: str, choices: Sequence[str]) -> str | None:
    """One of `choices`, or None. Raises Refused for anything else."""
    value = optional_text(row, name)
    if value is not None and value not in choices:
        raise Refused("batch.bad_value", f"{name} is {' or '.join(choices)}, not {_shown(value)}")
    return value


def _shown(value: object) -> str:
    """A bad value as repeated in its error."""
    try:
        return shorten(repr(value), LONGEST_SHOWN, placeholder=" ...")
    except RecursionError:
        return "that"


def _texts(row: Row, name: str) -> tuple[str, ...]:
    value = row.get(name)
    if value is None:
        return ()
    values = value if isinstance(value, list) else [value]
    if all(isinstance(item, str) for item in values):
        return tuple(item for item in values if item)
    raise Refused("batch.bad_value", f"{name} is a text or a list of texts, not {_shown(value)}")


def _day(row: Row, name: str) -> date | None:
    text = optional_text(row, name)
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise Refused("batch.bad_value", f"{name} is a date YYYY-MM-DD, not {_shown(text)}") from None
