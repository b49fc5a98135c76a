"""Errors as results show them: by their key, and what nobody expected by a trace in the log."""

import logging
import uuid
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TypeVar

from bot.presentation.result_json import Json
from core.errors import FundstelleError

UNEXPECTED = "error.unexpected"

T = TypeVar("T")

_LOG = logging.getLogger(__name__)


def error_json(error: Exception) -> Json:
    """The error of a result. What nobody expected is logged with its trace."""
    if isinstance(error, FundstelleError):
        return {"code": error.key, "message": error.detail or error.key}
    trace = uuid.uuid4().hex
    _LOG.error("an unexpected error, trace %s", trace, exc_info=error)
    kind = type(error).__name__
    return {"code": UNEXPECTED, "message": f"something went wrong here ({kind}); the log names it by {trace}"}


@dataclass(frozen=True, slots=True)
class Failures:
    """What went wrong with single items of many, which have no other result: {"id", "error"}."""

    rows: list[Json] = field(default_factory=list)

    async def tried(self, name: str, work: Awaitable[T]) -> T | None:
        """What `work` comes to; None where it fails, which is noted under the item's `name`."""
        try:
            return await work
        except Exception as error:
            self.rows.append({"id": name, "error": error_json(error)})
            return None
