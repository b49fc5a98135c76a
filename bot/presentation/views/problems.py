"""Errors in results: by key, and unexpected ones by a trace in the log."""

import logging
import uuid
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TypeVar

from bot.presentation.views.documents import ProblemView
from bot.presentation.views.encoding import View
from core.errors import FundstelleError

UNEXPECTED = "error.unexpected"

T = TypeVar("T")

_LOG = logging.getLogger(__name__)


class FailureView(View):
    """The error of one item among many, by its `id`."""

    id: str | int | float | None
    error: ProblemView


def problem(error: Exception) -> ProblemView:
    """The error of a result. Unexpected errors are logged with their trace."""
    if isinstance(error, FundstelleError):
        return ProblemView(code=error.key, message=error.detail or error.key)
    trace = uuid.uuid4().hex
    _LOG.error("an unexpected error, trace %s", trace, exc_info=error)
    kind = type(error).__name__
    message = f"something went wrong here ({kind}); the log names it by {trace}"
    return ProblemView(code=UNEXPECTED, message=message)


@dataclass(frozen=True, slots=True)
class Failures:
    """Errors of single items among many that have no other result."""

    rows: list[FailureView] = field(default_factory=list)

    async def tried(self, name: str, work: Awaitable[T]) -> T | None:
        """What `work` comes to; None where it fails, which is noted under the item's `name`."""
        try:
            return await work
        except Exception as error:
            self.rows.append(FailureView(id=name, error=problem(error)))
            return None
