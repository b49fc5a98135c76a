"""Lines of the log that nobody can be found in: no secrets, no personal data, no words of a question.

Whoever reads logs is seldom allowed to know who asked what. An exception's message often holds what it
choked on, so a traceback says where and which kind of error, never its message.
"""

import json
import logging
import re
import traceback
from collections.abc import Iterable
from datetime import UTC, datetime

from bot.telemetry import current_trace
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
    """One line per record and the frames of a traceback, cleaned; with `as_json` an object on one line.
    `hide` adds values to leave out."""

    def __init__(self, *, as_json: bool = False) -> None:
        super().__init__()
        self.as_json = as_json
        self._secrets: list[str] = []

    def hide(self, values: Iterable[str]) -> None:
        """Never show any of `values`; very short ones would blank out ordinary words and are skipped."""
        known = {value for value in values if len(value) >= _SHORTEST_SECRET}
        self._secrets = sorted(known.union(self._secrets), key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """The record as it may be kept, with the answer it belongs to."""
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
    """The record's words; exceptions among them by kind. asyncio writes an exception's message behind the
    first line."""
    if isinstance(record.args, tuple):
        record = logging.makeLogRecord(
            {**record.__dict__, "args": tuple(_told(argument) for argument in record.args)}
        )
    message = record.getMessage()
    return message.partition("\n")[0] if record.name == "asyncio" else message


def _told(argument: object) -> object:
    return kind_of(argument) if isinstance(argument, BaseException) else argument


def kind_of(error: BaseException) -> str:
    """What an error is, without its message."""
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
