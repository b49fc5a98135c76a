"""The log: set up before anything else, and again when the settings are known. Its lines identify nobody: no
secrets, no personal data, no words of a question. People who read logs are seldom allowed to know who asked
what. An exception's message often contains the value that caused it, so a traceback gives the location and
kind of an error, never its message. Repeated lines, as in an outage, become one line, and a second one with
their number. Lines count as the same if only their numbers differ. The first is written at once; the others
are counted and reported when it is over, or every quarter of an hour.
"""

import json
import logging
import re
import sys
import time
import traceback
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import TextIO
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr

from bot.settings.sections import LogSettings
from bot.telemetry import current_trace, traced
from core.domain.ids import TraceId
from core.errors import FailedElsewhere, FundstelleError

__all__ = ["HIDDEN", "apply", "hide", "install", "secrets_of", "tell_repeats"]

OURS = ("fundstelle", "bot", "core", "adapters", "migrations")
"""The loggers that the level applies to. Library messages below warnings may name people or contain
tokens."""

REPEATS_S = 60.0
"""Seconds between two checks for counts that are due."""

QUIET_S = 120.0
"""Seconds without a repetition after which it counts as over: pauses between two attempts are shorter."""

SUMMED_S = 900.0
"""Seconds after which the count is reported while it continues."""

_MOST = 1000
"""Maximum number of distinct lines remembered."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

HIDDEN = "[secret]"
_SHORTEST_SECRET = 6
_TOKEN = re.compile(
    r"\b(?:sk|pk|rk)-[\w-]{16,}|\bxox[a-z]-[\w-]{10,}|\bxapp-[\w-]{10,}|\bsyt_\w{10,}|\b\d{6,}:[\w-]{30,}"
    r"|\bBearer\s+[\w.~+/=-]{8,}|(?<=://)[^\s/@:]+:[^\s/@]+(?=@)",
    re.IGNORECASE,
)
"""Keys of model providers, tokens of Slack, Matrix and Telegram, authorisation headers, passwords in URLs."""


class DiscreetFormatter(logging.Formatter):
    """One line per record and the frames of a traceback, cleaned; with `as_json` an object on one line.
    `hide` adds values to leave out."""

    def __init__(self) -> None:
        super().__init__()
        self.as_json = False
        self._secrets: list[str] = []

    def hide(self, values: Iterable[str]) -> None:
        """Never show any of `values`; very short ones would blank out ordinary words and are skipped."""
        known = {value for value in values if len(value) >= _SHORTEST_SECRET}
        self._secrets = sorted(known.union(self._secrets), key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """The record as it may be stored, with the answer it belongs to."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        message, trace = self._cleaned(message_of(record)), current_trace()
        error = record.exc_info[1] if record.exc_info else None
        frames = [self._cleaned(line) for line in _frames(error)] if error else []
        if not self.as_json:
            answer = f" [{trace}]" if trace else ""
            return "\n".join([f"{time} {record.levelname} {record.name}{answer}: {message}", *frames])
        entry: dict[str, object] = {"time": time, "level": record.levelname.lower(), "logger": record.name}
        entry |= {"trace": trace} if trace else {}
        entry |= {"message": message}
        entry |= {"traceback": frames} if frames else {}
        return json.dumps(entry, ensure_ascii=False)

    def _cleaned(self, text: str) -> str:
        from core.answering.personal_data import redacted

        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return redacted(_TOKEN.sub(HIDDEN, text))


def message_of(record: logging.LogRecord) -> str:
    """The record's text; exceptions in it by kind. asyncio writes an exception's message after the first
    line."""
    if isinstance(record.args, tuple):
        record = logging.makeLogRecord(
            {**record.__dict__, "args": tuple(_safe_argument(argument) for argument in record.args)}
        )
    message = record.getMessage()
    return message.partition("\n")[0] if record.name == "asyncio" else message


def _safe_argument(argument: object) -> object:
    return kind_of(argument) if isinstance(argument, BaseException) else argument


def kind_of(error: BaseException) -> str:
    """The kind of an error, without its message."""
    name = error.kind if isinstance(error, FailedElsewhere) else type(error).__name__
    if isinstance(error, FundstelleError):
        return f"{name} {error.key}"
    if isinstance(error, OSError) and error.strerror:
        return f"{name} {error.strerror}"
    return name


def _frames(error: BaseException) -> list[str]:
    """Where `error` was raised and what caused it, innermost last."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    lines = [*_frames(cause), "which led to:"] if cause is not None else []
    lines += [line.rstrip("\n") for line in traceback.format_tb(error.__traceback__)]
    if isinstance(error, FailedElsewhere):
        lines += ["where, in another process:", *(line.rstrip("\n") for line in error.frames)]
    lines.append(kind_of(error))
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            lines += _frames(inner)
    return lines


@dataclass(slots=True)
class _Repeated:
    """A line that was written at `told`, and then repeated `count` times until `last` without being
    written."""

    record: logging.LogRecord
    trace: TraceId | None
    told: float
    last: float
    count: int = 0


class SparingHandler(logging.StreamHandler[TextIO]):
    """Writes to a stream, repeated lines only once. Its time is that of the records."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._known: dict[Hashable, _Repeated] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write or count a record."""
        self.tell(record.created)
        key = _key(record)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST:
                self.tell(float("inf"))
            self._known[key] = _Repeated(record, current_trace(), record.created, record.created)
            super().emit(record)
        else:
            known.record, known.last, known.count = record, record.created, known.count + 1

    def tell(self, now: float) -> None:
        """Write the counts that are due at `now`, in seconds since 1970."""
        for key, known in list(self._known.items()):
            quiet = now - known.last > QUIET_S
            if known.count and (quiet or now - known.told > SUMMED_S):
                self._sum_up(known)
            if quiet:
                del self._known[key]

    def _sum_up(self, known: _Repeated) -> None:
        record, seconds = known.record, known.last - known.told
        words = f"{message_of(record)} ({known.count} more of these within {seconds:.0f} s)"
        fields = {"msg": words, "args": None, "exc_info": None, "created": known.last}
        known.told, known.count = known.last, 0
        with traced(known.trace):
            super().emit(logging.makeLogRecord({**record.__dict__, **fields}))

    def close(self) -> None:
        """Write all counts first."""
        self.tell(float("inf"))
        super().close()


def _key(record: logging.LogRecord) -> Hashable:
    error = record.exc_info[1] if record.exc_info else None
    frame = error.__traceback__.tb_lineno if error and error.__traceback__ else 0
    words = _NUMBER.sub("#", message_of(record))
    return record.name, record.levelno, words, error and kind_of(error), frame, current_trace()


def install(stream: TextIO) -> None:
    """Log warnings and worse to `stream`, discreetly; uncaught errors as well."""
    handler = SparingHandler(stream)
    handler.setFormatter(DiscreetFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught


def apply(settings: LogSettings) -> None:
    """Set level and format from now on."""
    level = logging.getLevelNamesMapping()[settings.level.upper()]
    logging.getLogger().setLevel(max(level, logging.WARNING))
    for name in OURS:
        logging.getLogger(name).setLevel(level)
    for formatter in _formatters():
        formatter.as_json = settings.format == "json"


def hide(settings: BaseModel) -> None:
    """Keep the secrets of `settings` out of the installed logs."""
    for formatter in _formatters():
        formatter.hide(secrets_of(settings))


async def tell_repeats() -> None:
    """Write the counts of repeated lines that are over now."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, SparingHandler):
            handler.tell(time.time())


def _formatters() -> Iterator[DiscreetFormatter]:
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, DiscreetFormatter):
            yield handler.formatter


def secrets_of(settings: object) -> Iterator[str]:
    """Every secret in a tree of settings, including passwords in URLs."""
    if isinstance(settings, SecretStr):
        value = settings.get_secret_value()
        yield value
        yield (urlsplit(value).password or "") if "://" in value else ""
    elif isinstance(settings, BaseModel):
        for name in type(settings).model_fields:
            yield from secrets_of(getattr(settings, name))
    elif isinstance(settings, dict):
        yield from secrets_of(list(settings.values()))
    elif isinstance(settings, tuple | list):
        for item in settings:
            yield from secrets_of(item)


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        logging.getLogger("fundstelle").critical("stopped by an error", exc_info=(kind, error, trace))
