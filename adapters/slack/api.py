"""The Web API with bounded waits, our own errors, and persistent connections.

Errors of the Slack libraries are translated here, once.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
from slack_bolt.error import BoltError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.headers import retry_after
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.message_keys import ErrorKey

API = "https://slack.com/api/"
LONGEST_WAIT_S = 2.0
"""Longer waits are not done here: the outbox sends other parts meanwhile."""

PAGE = 200
_TIMEOUT = aiohttp.ClientTimeout(total=60, connect=15)
Json = dict[str, Any]
Method = Callable[..., Awaitable[AsyncSlackResponse]]


# Errors of the Slack libraries, translated once into ours.
#
# Slack names what was wrong by a word (docs.slack.dev/reference/methods, "Errors" of each method). From
# Slack's or the library's texts, only that word and the missing scope go into our details: the library's
# messages contain whole responses from Slack, and Socket Mode addresses contain a ticket.

RETRY_S = 1.0
BUSY_S = 30.0
"""How long to wait if Slack asks to wait without saying how long."""

LIBRARY_ERRORS = (SlackClientError, BoltError, aiohttp.ClientError, TimeoutError, OSError)

_NEVER_SENT = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.InvalidURL)
_BUSY = frozenset({"ratelimited", "rate_limited", "rate_limit_exceeded", "message_limit_exceeded"})
_PASSING = frozenset(
    {"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"}
)
_TOKEN = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "access_denied"}
    | {"org_login_required", "ekm_access_denied", "team_access_not_granted", "two_factor_setup_required"}
)
_PERMISSION = frozenset({"missing_scope", "no_permission", "not_allowed_token_type"})
_REFUSED: Mapping[ErrorKey, set[str]] = {
    "chat.left": {"channel_not_found", "not_in_channel", "user_not_in_channel", "user_not_found"}
    | {"method_not_supported_for_channel_type"},
    "chat.gone": {"message_not_found", "thread_not_found", "cant_update_message", "edit_window_closed"},
    "chat.cannot_delete": {"cant_delete_message", "compliance_exports_prevent_deletion"},
    "chat.forbidden": {"restricted_action", "restricted_action_read_only_channel", "is_archived"}
    | {"restricted_action_thread_only_channel", "restricted_action_non_threadable_channel"}
    | {"cannot_reply_to_message", "ekm_access_denied", "messages_tab_disabled", "no_dual_broadcast"},
    "chat.too_large": {"msg_too_long", "msg_blocks_too_long", "file_too_large", "post_size_limit"},
    "upload.gone": {"file_not_found", "file_deleted"},
}
_KEYS = {word: key for key, words in _REFUSED.items() for word in words}
_ADVICE = {
    "chat.left": "the app is not in the channel: somebody must /invite it",
    "chat.gone": "the message does not exist any more",
    "chat.cannot_delete": "the rules of the workspace keep the app from deleting the message",
    "chat.forbidden": "the app may not write there: the channel is archived or restricts who may post",
    "chat.too_large": "Slack finds the message or file too large",
    "upload.gone": "Slack does not have the file any more: it must be sent again",
}


@dataclass(frozen=True, slots=True)
class SlackFailure:
    """What Slack's response says about a failure. `needed` names scopes, `wait_s` is Retry-After."""

    status: int
    word: str
    needed: str = ""
    wait_s: float | None = None


@contextmanager
def translated() -> Iterator[None]:
    """Raise errors of the library as ours; the original is cut off."""
    try:
        yield
    except LIBRARY_ERRORS as error:
        raise translation(error) from None


@contextmanager
def translated_sending() -> Iterator[None]:
    """The same around a call that shows something; reports if it is unknown whether it arrived."""
    try:
        yield
    except LIBRARY_ERRORS as error:
        raise (_uncertain() if may_have_arrived(error) else translation(error)) from None


def translation(error: BaseException) -> FundstelleError:
    """Our error for one of the library."""
    if isinstance(error, SlackApiError):
        return _answered(said(error))
    if isinstance(error, (aiohttp.ClientError, TimeoutError, OSError)):
        return _unreachable(type(error).__name__)
    return Broken("platform.unexpected", f"unexpected error of the Slack library ({type(error).__name__})")


def may_have_arrived(error: BaseException) -> bool:
    """Whether a request that failed with `error` may nevertheless have been carried out."""
    if isinstance(error, SlackApiError):
        found = said(error)
        unsaid = found.status >= 500 or found.word in _PASSING or not found.word
        return not _is_busy(found) and unsaid
    if isinstance(error, _NEVER_SENT):
        return False
    return isinstance(error, (aiohttp.ClientError, TimeoutError, OSError))


def said(error: SlackApiError) -> SlackFailure:
    """The failure reported by Slack; the library passes on its own responses as well as raw HTTP ones."""
    response = error.response
    data: Any = getattr(response, "data", None)
    data = data if isinstance(data, dict) else {}
    word = data.get("error")
    status = getattr(response, "status_code", None) or getattr(response, "status", None) or 0
    return SlackFailure(
        status=int(status),
        word=word if isinstance(word, str) else "",
        needed=str(data.get("needed", "")),
        wait_s=_seconds(getattr(response, "headers", None) or {}),
    )


def _seconds(headers: Any) -> float | None:
    wait = headers.get("Retry-After")
    return None if wait is None else retry_after(wait, BUSY_S)


def _is_busy(found: SlackFailure) -> bool:
    return found.status == 429 or found.word in _BUSY


def _answered(found: SlackFailure) -> FundstelleError:
    if _is_busy(found):
        wait = BUSY_S if found.wait_s is None else found.wait_s
        return Unavailable("platform.busy", "Slack asks to wait", retry_after_s=wait)
    if found.word in _TOKEN:
        return Broken(
            "platform.token", f"Slack does not take the token ({found.word}): install the app again"
        )
    if found.word in _PERMISSION:
        scopes = found.needed or "a scope"
        return Broken("platform.permission", f"the app lacks {scopes}: add it and install the app again")
    if found.word in _KEYS:
        key = _KEYS[found.word]
        return Refused(key, _ADVICE[key])
    # Slack itself reports errors with status 200
    if found.word in _PASSING or found.status >= 400 or not found.word:
        return _unreachable(found.word if found.word in _PASSING else f"status {found.status}")
    return Refused("chat.rejected", f"Slack refused the request ({found.word})")


def _uncertain() -> Unavailable:
    return Unavailable("platform.uncertain", "the connection broke before Slack said whether it arrived")


def _unreachable(why: str) -> Unavailable:
    return Unavailable(
        "platform.unreachable",
        f"Slack cannot be reached ({why}): look at the network, the proxy and [slack] api_base",
        retry_after_s=RETRY_S,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackAccount:
    """The app in its workspace. `user` is its user's id, `bot` the id that its messages carry."""

    user: str
    bot: str
    name: str
    team: str
    enterprise: str = ""


class ShortWaits(AsyncRateLimitErrorRetryHandler):
    """Retries once after a short wait requested by Slack; longer ones are left to the caller."""

    async def _can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        limited = await super()._can_retry_async(state=state, request=request, response=response, error=error)
        return limited and response is not None and _wait(response) <= LONGEST_WAIT_S


def _wait(response: HttpResponse) -> float:
    named = {name.lower(): value for name, value in response.headers.items()}
    return retry_after(next(iter(named.get("retry-after", ())), None), LONGEST_WAIT_S + 1)


class SlackApi:
    """Calls of the Web API with the bot's token. `base` names another server; it ends before the method."""

    def __init__(self, *, token: str, base: str, logger: logging.Logger) -> None:
        self.web = AsyncWebClient(
            token=token,
            base_url=base or API,
            retry_handlers=[ShortWaits(max_retry_count=1)],  # none that repeats a call that may have arrived
            logger=logger,
        )
        self.base = base
        self._token = token
        self._session: aiohttp.ClientSession | None = None
        self._me: SlackAccount | None = None
        self._asking = asyncio.Lock()

    @property
    def session(self) -> aiohttp.ClientSession:
        """The persistent connections; only call this in the event loop."""
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(timeout=_TIMEOUT, trust_env=True)
            self.web.session = self._session
        return self._session

    @property
    def authorization(self) -> dict[str, str]:
        """The header with the token."""
        return {"Authorization": f"Bearer {self._token}"}

    async def private_chat(self, user: str | None) -> str:
        """The channel of the bot's private chat with somebody."""
        opened = await self.call(self.web.conversations_open, users=user)
        return str(opened["channel"]["id"])

    async def call(self, method: Method, **arguments: Any) -> Json:
        """Slack's response to a query, or to a request that may be repeated."""
        _ = self.session
        with translated():
            return await _answer(method, arguments)

    async def show(self, method: Method, **arguments: Any) -> Json:
        """Slack's response to a request that shows something to people. Raises
        Unavailable("platform.uncertain") if the outcome is unknown."""
        _ = self.session
        with translated_sending():
            return await _answer(method, arguments)

    async def pages(
        self,
        method: Method,
        key: str,
        *,
        most: int = 10,
        call: Callable[..., Awaitable[Json]] | None = None,
        **arguments: Any,
    ) -> AsyncIterator[Json]:
        """The entries `key` of at most `most` pages, each asked for by `call` (by itself: `self.call`)."""
        call, cursor = call or self.call, None
        for _ in range(most):
            found = await call(method, limit=PAGE, cursor=cursor, **arguments)
            for entry in found.get(key, []):
                yield entry
            cursor = found.get("response_metadata", {}).get("next_cursor")
            if not cursor:
                return

    async def me(self) -> SlackAccount:
        """The account of the token, requested once."""
        async with self._asking:
            if self._me is None:
                found = await self.call(self.web.auth_test)
                self._me = SlackAccount(
                    user=found["user_id"],
                    bot=found.get("bot_id", ""),
                    name=found.get("user", ""),
                    team=found["team_id"],
                    enterprise=found.get("enterprise_id") or "",
                )
            return self._me

    async def close(self) -> None:
        """End the connections."""
        if self._session is not None:
            await self._session.close()


async def _answer(method: Method, arguments: Json) -> Json:
    try:
        response = await method(**arguments)
    except (AttributeError, UnicodeDecodeError):  # the library takes any text with status 200 for an object
        raise aiohttp.ClientPayloadError("this is no answer of Slack's") from None
    return response.data if isinstance(response.data, dict) else {}
