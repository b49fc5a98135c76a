"""Retries calls that raised Unavailable; the only place that does so."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, stop_never
from tenacity import wait_random_exponential as exponential

from core.errors import LONGEST_WAIT_S, Unavailable

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
"""Bounds of the pauses, unless the other side asks for longer ones."""

T = TypeVar("T")
_LOG = logging.getLogger(__name__)


async def until_available(
    doing: str,
    call: Callable[[], Awaitable[T]],
    *,
    attempts: int = 0,
    patience_s: float = LONGEST_WAIT_S,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> T:
    """The result of `call`, repeated until it no longer raises Unavailable; other errors propagate. Pauses
    grow randomly and are never shorter than requested. The error is raised after `attempts` attempts (0:
    never), or if it asks for more than `patience_s`. `doing` is for the log."""

    def say(state: RetryCallState) -> None:
        error = _error(state)
        _LOG.warning("%s: %s, again in %.0f s", doing, error and error.key, state.upcoming_sleep)

    async def once() -> T:
        return await call()

    retrying = AsyncRetrying(
        stop=stop_after_attempt(attempts) if attempts else stop_never,
        wait=_pause_s,
        retry=retry_if_exception(lambda e: isinstance(e, Unavailable) and e.retry_after_s <= patience_s),
        before_sleep=say,
        sleep=sleep,
        reraise=True,
    )
    return await retrying(once)


def _pause_s(state: RetryCallState) -> float:
    error = _error(state)
    growing = exponential(multiplier=FIRST_PAUSE_S, max=LONGEST_PAUSE_S)(state)
    return max(growing, error.retry_after_s if error else 0.0)


def _error(state: RetryCallState) -> Unavailable | None:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, Unavailable) else None
