"""Logs that nobody can be found in: no secrets, no personal data, no words of a question.

Whoever reads logs is seldom allowed to know who asked what. An exception's message often holds what it
choked on, so a traceback says where and which kind of error, never its message.
"""

import logging
import re
import sys
import traceback
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TextIO
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr

from core.answering.personal_data import redacted
from core.errors import FailedElsewhere, FundstelleError

HIDDEN = "[secret]"
_SHORTEST_SECRET = 6
_TOKEN = re.compile(
    r"\b(?:sk|pk|rk)-[\w-]{16,}|\bxox[a-z]-[\w-]{10,}|\bxapp-[\w-]{10,}|\bsyt_\w{10,}|\b\d{6,}:[\w-]{30,}"
    r"|\bBearer\s+[\w.~+/=-]{8,}|(?<=://)[^\s/@:]+:[^\s/@]+(?=@)",
    re.IGNORECASE,
)
"""Keys of model providers, tokens of Slack, Matrix and Telegram, authorisation headers, passwords in URLs."""


class DiscreetFormatter(logging.Formatter):
    """One line per record and the frames of a traceback, cleaned. `hide` adds values to leave out."""

    def __init__(self) -> None:
        super().__init__()
        self._secrets: list[str] = []

    def hide(self, values: Iterable[str]) -> None:
        """Never show any of `values`; very short ones would blank out ordinary words and are skipped."""
        known = {value for value in values if len(value) >= _SHORTEST_SECRET}
        self._secrets = sorted(known.union(self._secrets), key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """The record as it may be kept."""
        lines = [f"{record.levelname} {record.name}: {_message(record)}"]
        if record.exc_info and record.exc_info[1] is not None:
            lines += _trace(record.exc_info[1])
        return self._cleaned("\n".join(lines))

    def _cleaned(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return redacted(_TOKEN.sub(HIDDEN, text))


def install(stream: TextIO) -> None:
    """Log warnings and worse to `stream`, discreetly; uncaught errors as well."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(DiscreetFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught


def hide(settings: BaseModel) -> None:
    """Keep the secrets of `settings` out of the installed logs."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, DiscreetFormatter):
            handler.formatter.hide(secrets_of(settings))


def secrets_of(settings: object) -> Iterator[str]:
    """Every secret in a tree of settings; of a URL its password, too."""
    if isinstance(settings, SecretStr):
        value = settings.get_secret_value()
        yield value
        yield (urlsplit(value).password or "") if "://" in value else ""
    elif isinstance(settings, BaseModel):
        for name in type(settings).model_fields:
            yield from secrets_of(getattr(settings, name))
    elif isinstance(settings, tuple | list):
        for item in settings:
            yield from secrets_of(item)


def _message(record: logging.LogRecord) -> str:
    """The record's words; exceptions among them by kind. asyncio writes an exception's message behind the
    first line."""
    if isinstance(record.args, tuple):
        record = logging.makeLogRecord(
            {**record.__dict__, "args": tuple(_told(argument) for argument in record.args)}
        )
    message = record.getMessage()
    return message.partition("\n")[0] if record.name == "asyncio" else message


def _told(argument: object) -> object:
    return _kind(argument) if isinstance(argument, BaseException) else argument


def _kind(error: BaseException) -> str:
    name = error.kind if isinstance(error, FailedElsewhere) else type(error).__name__
    if isinstance(error, FundstelleError):
        return f"{name} {error.key}"
    if isinstance(error, OSError) and error.strerror:
        return f"{name} {error.strerror}"
    return name


def _trace(error: BaseException) -> list[str]:
    """Where `error` was raised and what caused it, innermost last."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    lines = [*_trace(cause), "which led to:"] if cause is not None else []
    lines += [line.rstrip("\n") for line in traceback.format_tb(error.__traceback__)]
    if isinstance(error, FailedElsewhere):
        lines += ["where, in another process:", *(line.rstrip("\n") for line in error.frames)]
    lines.append(_kind(error))
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            lines += _trace(inner)
    return lines


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        logging.getLogger("fundstelle").critical("stopped by an error", exc_info=(kind, error, trace))
