"""The log: set up before anything else, and once more when the settings are known."""

import logging
import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TextIO
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr

from bot.settings.sections import LogSettings
from bot.wiring.log_lines import HIDDEN, DiscreetFormatter
from bot.wiring.log_repeats import SparingHandler

__all__ = ["HIDDEN", "apply", "hide", "install", "secrets_of", "tell_repeats"]

OURS = ("fundstelle", "bot", "core", "adapters", "migrations")
"""The loggers that the level is for. What libraries have to say below warnings may name people or hold
tokens."""

REPEATS_S = 60.0
"""Seconds between two looks for counts that are due."""


def install(stream: TextIO) -> None:
    """Log warnings and worse to `stream`, discreetly; uncaught errors as well."""
    handler = SparingHandler(stream)
    handler.setFormatter(DiscreetFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught


def apply(settings: LogSettings) -> None:
    """Level and format from now on."""
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
    """Write how often lines were repeated that are over now."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, SparingHandler):
            handler.tell(time.time())


def _formatters() -> Iterator[DiscreetFormatter]:
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, DiscreetFormatter):
            yield handler.formatter


def secrets_of(settings: object) -> Iterator[str]:
    """Every secret in a tree of settings; of a URL its password, too."""
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
