"""How fast we may write: the library's limiter for messages, short waits obeyed, long ones handed back."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Any

from telegram.error import RetryAfter
from telegram.ext import AIORateLimiter

from adapters.telegram.errors import seconds

MAX_RETRIES = 2
"""Further tries after "too many requests"; then the outbox decides."""

LONGEST_WAIT_S = 5.0
"""Longer waits are not sat out here: nobody may be kept from sending elsewhere."""

_Result = bool | dict[str, Any] | list[dict[str, Any]]


class PatientRateLimiter(AIORateLimiter):
    """30 requests/s in all and 20 messages/min in a group (core.telegram.org/bots/faq), for what shows a
    message: questions about chats and files and the typing sign do not use the pace up.

    The library's own retries wait as long as Telegram says, be it an hour, and hold up all chats meanwhile.
    """

    def __init__(self) -> None:
        super().__init__(max_retries=0)

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, _Result]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> _Result:
        """One request, at its pace."""

        async def once() -> _Result:
            if not _shows(endpoint):
                return await callback(*args, **kwargs)
            return await super(PatientRateLimiter, self).process_request(
                callback, args, kwargs, endpoint, data, rate_limit_args
            )

        for tries in itertools.count():
            try:
                return await once()
            except RetryAfter as refusal:
                if tries == MAX_RETRIES or seconds(refusal) > LONGEST_WAIT_S:
                    raise
                await asyncio.sleep(seconds(refusal))
        raise AssertionError  # itertools.count has no end


def _shows(endpoint: str) -> bool:
    return endpoint.startswith(("send", "edit")) and endpoint != "sendChatAction"
