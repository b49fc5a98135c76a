"""The Web API with bounded waits, errors of ours, and connections that are kept."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.headers import retry_after
from adapters.slack.errors import translated, translated_sending

API = "https://slack.com/api/"
LONGEST_WAIT_S = 2.0
"""Longer waits are not sat out here: the outbox sends other parts meanwhile."""

PAGE = 200
_TIMEOUT = aiohttp.ClientTimeout(total=60, connect=15)
Json = dict[str, Any]
Method = Callable[..., Awaitable[AsyncSlackResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackAccount:
    """The app in its workspace. `user` is its user's id, `bot` the id that its messages carry."""

    user: str
    bot: str
    name: str
    team: str
    enterprise: str = ""


class ShortWaits(AsyncRateLimitErrorRetryHandler):
    """Tries once more after a short wait that Slack asks for; longer ones are for the caller."""

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
            retry_handlers=[ShortWaits(max_retry_count=1)],  # none that repeats what may have arrived
            logger=logger,
        )
        self.base = base
        self._token = token
        self._session: aiohttp.ClientSession | None = None
        self._me: SlackAccount | None = None
        self._asking = asyncio.Lock()

    @property
    def session(self) -> aiohttp.ClientSession:
        """Connections that are kept; only to be asked for in the event loop."""
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(timeout=_TIMEOUT, trust_env=True)
            self.web.session = self._session
        return self._session

    @property
    def authorization(self) -> dict[str, str]:
        """The header that shows the token."""
        return {"Authorization": f"Bearer {self._token}"}

    async def call(self, method: Method, **arguments: Any) -> Json:
        """What Slack answers to a question, or to a request that may be repeated."""
        _ = self.session
        with translated():
            return await _answer(method, arguments)

    async def show(self, method: Method, **arguments: Any) -> Json:
        """What Slack answers to a request that shows something to people. Raises
        Unavailable("platform.uncertain") where nobody knows whether it does."""
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
        """Who the token is, asked once."""
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
    except (AttributeError, UnicodeDecodeError):  # the library takes every text with status 200 for an object
        raise aiohttp.ClientPayloadError("this is no answer of Slack's") from None
    return response.data if isinstance(response.data, dict) else {}
