"""Errors of python-telegram-bot, translated once into ours.

Telegram describes errors in prose; the phrases are those of the Bot API server
(github.com/tdlib/telegram-bot-api, telegram-bot-api/Client.cpp) and of the API behind it. No description, URL
or id goes into our details: the library's messages may hold the token.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import httpx
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
