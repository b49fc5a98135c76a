"""Errors in results: by key, and unexpected ones by a trace in the log."""

import logging
import re
import uuid
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from bot.presentation.views.documents import ProblemView
from bot.presentation.views.encoding import View
from core.errors import Broken, FundstelleError, NotKnown, Refused, Unavailable

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


OPERATORS = re.compile(
    r"\bfundstelle\b|(?<![\w-])--[a-z]{2,}|\[[a-z]+\] \w|\.toml\b|\bapt-get\b|\bsettings?\b|_url\b",
    re.IGNORECASE,
)
"""Matches details that only operators can use: commands, options and settings."""

_FOR_CALLERS: Mapping[str, str] = {
    "answerer.no_model": "no language model answers here: leave `answerer` out, or ask for extractive",
    "file.needs_office": "files of this kind are not read here: send a PDF or DOCX",
    "model.not_approved": "no language model may read these collections: ask for extractive",
    "ocr.language_missing": "the file is a scan in a language not recognised here: send one with text",
    "ocr.missing": "the file is a scan, and text is not recognised here: send one with text",
}
_OWN = ("token.", "request.", "link.", "server.")
"""Keys of temporary errors whose details tell callers what to do."""

ELSEWHERE = "this cannot be done here as things are set up; who runs the service can tell why"
LATER = "this is not possible at the moment; try again later"
MENDED = "something is wrong here that who runs the service has to mend"


def problem_for_caller(error: Exception) -> ProblemView:
    """The error of a result in words for callers over a network: without anything that only operators know or
    can do."""
    view = problem(error)
    if isinstance(error, Broken):
        return view.model_copy(update={"message": MENDED})
    if isinstance(error, Unavailable) and not error.key.startswith(_OWN):
        return view.model_copy(update={"message": LATER})
    if isinstance(error, Refused) and not isinstance(error, NotKnown):
        return for_caller(view)
    return view


def for_caller(said: ProblemView) -> ProblemView:
    """A refusal in such words."""
    message = _FOR_CALLERS.get(said.code, ELSEWHERE if OPERATORS.search(said.message) else said.message)
    return said.model_copy(update={"message": message})


@dataclass(frozen=True, slots=True)
class Failures:
    """Errors of single items among many that have no other result."""

    rows: list[FailureView] = field(default_factory=list)

    async def tried(self, name: str, work: Awaitable[T]) -> T | None:
        """The result of `work`; None if it fails, which is recorded under the item's `name`."""
        try:
            return await work
        except Exception as error:
            self.rows.append(FailureView(id=name, error=problem(error)))
            return None
