"""Errors as the command line shows them: by their key, and what nobody expected by a trace in the log."""

import logging
import uuid

from bot.rendering import Json
from core.errors import FundstelleError

UNEXPECTED = "error.unexpected"

_LOG = logging.getLogger(__name__)


def error_json(error: Exception) -> Json:
    """The error of a result. What nobody expected is logged with its trace."""
    if isinstance(error, FundstelleError):
        return {"code": error.key, "message": error.detail or error.key}
    trace = uuid.uuid4().hex
    _LOG.error("an unexpected error, trace %s", trace, exc_info=error)
    kind = type(error).__name__
    return {"code": UNEXPECTED, "message": f"something went wrong here ({kind}); the log names it by {trace}"}
