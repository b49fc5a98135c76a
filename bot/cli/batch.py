"""Batch mode: one JSON object per input line, one JSON line of result each, in input order."""

import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from bot.cli.output import print_json
from bot.rendering import Json
from bot.scoping import ScopeOptions
from core.errors import FundstelleError, Refused

Row = dict[str, Any]


async def run(file: Path, work: Callable[[Row], Awaitable[Json]]) -> int:
    """Do `work` on every line of `file`; a bad line is reported and the batch goes on.
    Returns the exit status: 0, or 1 if a line had an error."""
    failed = 0
    for number, line in enumerate(read_lines(file), start=1):
        if not line.strip():
            continue
        row: Row = {}
        try:
            row = parse(line, number)
            result = await work(row)
        except FundstelleError as error:
            failed += 1
            result = {"error": {"code": error.key, "message": error.detail or error.key}}
        print_json({"id": row.get("id"), **result})
    return 1 if failed else 0


def read_lines(file: Path) -> list[str]:
    """Lines of `file`. Raises Refused if it cannot be read as text."""
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("batch.unreadable", f"cannot read {file}: {error}") from error


def parse(line: str, number: int) -> Row:
    """The object of a line. Raises Refused("batch.bad_line")."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise Refused("batch.bad_line", f"line {number} is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise Refused("batch.bad_line", f"line {number} is no JSON object")
    return row


def text_of(row: Row, *names: str) -> str:
    """The first of `names` that the row has, as text. Raises Refused if there is none."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str):
            return value
    raise Refused("batch.missing_key", f"the line needs {' or '.join(names)} as text")


def number_of(row: Row, name: str) -> int | None:
    """A whole number of the row, or None. Raises Refused for anything else."""
    value = row.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise Refused("batch.bad_value", f"{name} is a whole number, not {value!r}")


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
    raise Refused("batch.bad_value", f"{name} is a text, not {value!r}")


def choice_of(row: Row, name: str, choices: Sequence[str]) -> str | None:
    """One of `choices`, or None. Raises Refused for anything else."""
    value = optional_text(row, name)
    if value is not None and value not in choices:
        raise Refused("batch.bad_value", f"{name} is {' or '.join(choices)}, not {value!r}")
    return value


def _texts(row: Row, name: str) -> tuple[str, ...]:
    value = row.get(name)
    if value is None:
        return ()
    values = value if isinstance(value, list) else [value]
    if all(isinstance(item, str) for item in values):
        return tuple(item for item in values if item)
    raise Refused("batch.bad_value", f"{name} is a text or a list of texts, not {value!r}")


def _day(row: Row, name: str) -> date | None:
    text = optional_text(row, name)
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise Refused("batch.bad_value", f"{name} is a date YYYY-MM-DD, not {text!r}") from None
