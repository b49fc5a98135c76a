"""Requests to the Bot API: rate limits, and which responses to trust."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

from telegram.constants import FloodLimit
from telegram.error import NetworkError, RetryAfter
from telegram.ext import AIORateLimiter
from telegram.request import HTTPXRequest

from adapters.telegram.errors import seconds

LONGEST_WAIT_S = 1.0
"""Longer waits are not done here: the outbox sends other parts meanwhile."""

WINDOW_S = 60.0
_MANY_CHATS = 1000

_Result = bool | dict[str, Any] | list[dict[str, Any]]


# Requests to the Bot API whose responses are checked before the library takes them for Telegram's.

TOO_LARGE = 413
"""Sent by Telegram's servers in front of the Bot API, with a page of their own."""


class BotApiRequest(HTTPXRequest):
    """Every answer of the Bot API is an object with "ok" (core.telegram.org/bots/api#making-requests); files
    come by GET. The library only looks at the status: a proxy's page with 401 would look like an unknown
    token, one with 403 like a chat the bot was removed from."""

    async def do_request(self, url: str, method: str, *more: Any, **other: Any) -> tuple[int, bytes]:
        """Raises NetworkError for responses from intermediaries."""
        status, payload = await super().do_request(url, method, *more, **other)
        expected = method != "POST" and status < 400
        if not (expected or status == TOO_LARGE or _is_answer(payload)):
            raise NetworkError(f"this is no answer of the Bot API's ({status})")
        return status, payload


def _is_answer(payload: bytes) -> bool:
    try:
        found = json.loads(payload)
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("ok"), bool)


class GroupPace:
    """Messages of the last minute per group. `limit` is the maximum."""

    def __init__(self, limit: int = FloodLimit.MESSAGES_PER_MINUTE_PER_GROUP) -> None:
        self._limit = limit
        self._sent: dict[int, deque[float]] = {}

    def wait(self, chat: int, messages: int, now: float) -> float:
        """Seconds until `messages` more may be shown in `chat`; 0 counts them as shown at `now`."""
        sent = self._recent(chat, now)
        excess = len(sent) + min(messages, self._limit) - self._limit
        if excess > 0:
            return sent[excess - 1] + WINDOW_S - now
        sent.extend([now] * messages)
        return 0.0

    def _recent(self, chat: int, now: float) -> deque[float]:
        if len(self._sent) > _MANY_CHATS:
            self._sent = {key: sent for key, sent in self._sent.items() if sent[-1] > now - WINDOW_S}
        sent = self._sent.setdefault(chat, deque())
        while sent and sent[0] <= now - WINDOW_S:
            sent.popleft()
        return sent


class PatientRateLimiter(AIORateLimiter):
    """30 requests/s in all and 20 messages/min in a group (core.telegram.org/bots/faq), for what shows a
    message: questions about chats and files and the typing sign do not use the pace up.

    The library's limiter lets the caller wait for a group's turn, and sits "too many requests" out as long
    as Telegram says, with all chats waiting. Here both end in RetryAfter.
    """

    def __init__(self) -> None:
        super().__init__(group_max_rate=0, group_time_period=0, max_retries=0)
        self._groups = GroupPace()

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, _Result]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> _Result:
        """One request within the rate limit; retried once after a short wait."""

        async def once() -> _Result:
            if not _shows(endpoint):
                return await callback(*args, **kwargs)
            self._take_turn(data)
            limited = super(PatientRateLimiter, self).process_request
            return await limited(callback, args, kwargs, endpoint, data, rate_limit_args)

        try:
            return await once()
        except RetryAfter as refusal:
            if seconds(refusal) > LONGEST_WAIT_S:
                raise
            await asyncio.sleep(seconds(refusal))
            return await once()

    def _take_turn(self, data: dict[str, Any]) -> None:
        chat = data.get("chat_id")
        if not isinstance(chat, int) or chat > 0:
            return
        wait = self._groups.wait(chat, len(data.get("media", "x")), asyncio.get_running_loop().time())
        if wait:
            raise RetryAfter(timedelta(seconds=wait))


def _shows(endpoint: str) -> bool:
    return endpoint.startswith(("send", "edit")) and endpoint != "sendChatAction"
