"""Requests to the Bot API: their errors, translated once into ours, rate limits, and which answers to trust.

Telegram describes errors in prose; the phrases are those of the Bot API server
(github.com/tdlib/telegram-bot-api, telegram-bot-api/Client.cpp) and of the API behind it. No description, URL
or id goes into our details: the library's messages may hold the token.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import httpx
from telegram.constants import FloodLimit
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)
from telegram.ext import AIORateLimiter
from telegram.request import HTTPXRequest

from adapters.headers import bounded
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.message_keys import ErrorKey

RETRY_S = 1.0
NOT_MODIFIED = "message is not modified"
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
_TOO_LARGE = "request entity too large"

_PHRASES: tuple[tuple[ErrorKey, tuple[str, ...]], ...] = (
    ("chat.gone", ("to edit not found", "to delete not found", "can't be edited")),
    ("chat.gone", ("to be replied not found", "message_id_invalid")),
    ("chat.cannot_delete", ("can't be deleted",)),
    ("chat.topic_gone", ("thread not found", "topic_closed", "topic_deleted", "topic_id_invalid")),
    ("chat.forbidden", ("not enough rights", "have no rights", "administrator rights", "write_forbidden")),
    ("chat.forbidden", ("chat_restricted", "forbidden_for_bots", "chat_send_", "admin_required")),
    ("chat.left", ("chat not found", "user not found", "chat was deactivated")),
    ("chat.left", ("peer_id_invalid", "channel_private")),
    ("upload.too_large", ("file is too big",)),
    ("upload.gone", ("wrong file", "invalid file", "temporarily unavailable", "file_reference")),
)
_ADVICE = {
    "chat.gone": "the message does not exist any more",
    "chat.cannot_delete": "bots can delete their messages for 48 hours, as administrators also later",
    "chat.topic_gone": "the topic was closed or deleted",
    "chat.forbidden": "the bot may not write there: an administrator of the group must allow it",
    "chat.left": "the bot is not in the chat (removed, blocked, or never there)",
    "upload.too_large": "Telegram gives bots files of up to 20 MB",
    "upload.gone": "Telegram does not have the file any more: it must be sent again",
}


@contextmanager
def translated() -> Iterator[None]:
    """Raise errors of the library as ours. The original is cut off: its message may hold the token."""
    try:
        yield
    except TelegramError as error:
        raise translation(error) from None


@contextmanager
def translated_sending() -> Iterator[None]:
    """The same around a call that shows something: where it is unknown whether it arrived, says so."""
    try:
        yield
    except TelegramError as error:
        raise (_uncertain() if may_have_arrived(error) else translation(error)) from None


def translation(error: TelegramError) -> FundstelleError:
    """Our error for one of the library. Every class it knows has its own line or that of its base."""
    if isinstance(error, RetryAfter):
        return Unavailable("platform.busy", "Telegram asks to wait", retry_after_s=seconds(error))
    if isinstance(error, ChatMigrated):
        return Refused("chat.moved", "the group became a supergroup", to=str(error.new_chat_id))
    if isinstance(error, Forbidden):
        return _refused(error, otherwise="chat.left")
    if isinstance(error, BadRequest):
        return _refused(error, otherwise="chat.rejected")
    if isinstance(error, NetworkError):
        return _network(error)
    return _broken(error)


def may_have_arrived(error: TelegramError) -> bool:
    """Whether a request that failed with `error` may have been carried out all the same: the connection
    broke after the request went out, and no answer came."""
    cause = error.__cause__
    return isinstance(cause, httpx.HTTPError) and not isinstance(cause, _NEVER_SENT)


def seconds(error: RetryAfter) -> float:
    """How long Telegram asks to wait."""
    wait = error.retry_after
    return bounded(wait.total_seconds() if isinstance(wait, timedelta) else wait, RETRY_S)


def is_not_modified(error: BadRequest) -> bool:
    """Whether an edit changes nothing, so that the desired state already exists."""
    return NOT_MODIFIED in error.message.lower()


def _uncertain() -> Unavailable:
    return Unavailable("platform.uncertain", "the connection broke before Telegram said whether it arrived")


def _refused(error: TelegramError, *, otherwise: ErrorKey) -> Refused:
    said = error.message.lower()
    key = next((key for key, phrases in _PHRASES if any(phrase in said for phrase in phrases)), otherwise)
    return Refused(key, _ADVICE.get(key, "Telegram refused the request"))


def _network(error: NetworkError) -> FundstelleError:
    if _TOO_LARGE in error.message.lower():
        return Refused("chat.too_large", "Telegram takes files of up to 50 MB from bots")
    cause = type(error.__cause__ or error).__name__
    return Unavailable(
        "platform.unreachable",
        f"Telegram cannot be reached ({cause}): look at the network, the proxy and [telegram] api_base",
        retry_after_s=RETRY_S,
    )


def _broken(error: TelegramError) -> Broken:
    if isinstance(error, InvalidToken):
        return Broken("platform.token", "Telegram does not know the token: take it from @BotFather again")
    if isinstance(error, Conflict):
        return Broken("platform.conflict", "another process receives with the same token: stop it")
    if isinstance(error, EndPointNotFound):
        return Broken("platform.outdated", "the Bot API server does not know a method: update it")
    return Broken("platform.unexpected", f"unexpected error of the Telegram library ({type(error).__name__})")


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
