"""Trying again, in one place: nio's own loops have no end and are switched off."""

import logging

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_random_exponential

from core.errors import FundstelleError, Unavailable

LONGEST_WAIT_S = 60.0

log = logging.getLogger(__name__)


def until_available() -> AsyncRetrying:
    """Try until it is no longer Unavailable, with growing pauses; other errors go through."""
    return AsyncRetrying(
        retry=retry_if_exception_type(Unavailable), wait=_wait_s, before_sleep=_say, reraise=True
    )


def _wait_s(state: RetryCallState) -> float:
    """What the homeserver asked for, at least a growing pause, a minute at most."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after_s if isinstance(error, Unavailable) and error.key == "platform.busy" else 0.0
    pause = wait_random_exponential(multiplier=0.5, max=LONGEST_WAIT_S)(state)
    return min(max(asked, pause), LONGEST_WAIT_S)


def _say(state: RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome else None
    log.warning("receiving is tried again: %s", error.detail if isinstance(error, FundstelleError) else "")
