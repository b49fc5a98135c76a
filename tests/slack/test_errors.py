"""Errors of the Slack libraries become ours, all of them, and carry no secret along."""

import inspect

import aiohttp
import pytest
import slack_sdk.errors
from slack_bolt.error import BoltError
from slack_sdk.errors import (
    BotUserAccessError,
    SlackApiError,
    SlackClientConfigurationError,
    SlackClientError,
    SlackClientNotConnectedError,
    SlackObjectFormationError,
    SlackRequestError,
    SlackTokenRotationError,
)
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.api import (
    LIBRARY_ERRORS,
    may_have_arrived,
    translated,
    translated_sending,
    translation,
)
from core.errors import Broken, FundstelleError, Refused, Unavailable

SECRET = "xoxb-1-2-verysecret"


def answer(word: str, status: int = 200, needed: str = "", wait: str = "") -> SlackApiError:
    data = {"ok": False, "error": word} | ({"needed": needed} if needed else {})
    response = AsyncSlackResponse(
        client=AsyncWebClient(token=SECRET),
        http_verb="POST",
        api_url="https://slack.com/api/chat.postMessage",
        req_args={"headers": {"Authorization": SECRET}},
        data=data if word else {},
        headers={"Retry-After": wait} if wait else {},
        status_code=status,
    )
    return SlackApiError(f"failed with {SECRET}", response)


CONNECTION = aiohttp.client_reqrep.ConnectionKey("slack.com", 443, True, True, None, None, None)
CASES: list[tuple[BaseException, type[FundstelleError], str]] = [
    (answer("ratelimited", 429, wait="7"), Unavailable, "platform.busy"),
    (answer("message_limit_exceeded"), Unavailable, "platform.busy"),
    (answer("invalid_auth"), Broken, "platform.token"),
    (answer("token_revoked"), Broken, "platform.token"),
    (answer("missing_scope", needed="files:write"), Broken, "platform.permission"),
    (answer("channel_not_found"), Refused, "chat.left"),
    (answer("not_in_channel"), Refused, "chat.left"),
    (answer("is_archived"), Refused, "chat.forbidden"),
    (answer("message_not_found"), Refused, "chat.gone"),
    (answer("cant_delete_message"), Refused, "chat.cannot_delete"),
    (answer("msg_too_long"), Refused, "chat.too_large"),
    (answer("file_not_found"), Refused, "upload.gone"),
    (answer("invalid_blocks"), Refused, "chat.rejected"),
    (answer("internal_error"), Unavailable, "platform.unreachable"),
    (answer("", 503), Unavailable, "platform.unreachable"),
    (SlackRequestError(SECRET), Broken, "platform.unexpected"),
    (BotUserAccessError(SECRET), Broken, "platform.unexpected"),
    (SlackTokenRotationError(answer("x")), Broken, "platform.unexpected"),
    (SlackClientNotConnectedError(SECRET), Broken, "platform.unexpected"),
    (SlackObjectFormationError(SECRET), Broken, "platform.unexpected"),
    (SlackClientConfigurationError(SECRET), Broken, "platform.unexpected"),
    (SlackClientError(SECRET), Broken, "platform.unexpected"),
    (BoltError(SECRET), Broken, "platform.unexpected"),
    (aiohttp.ClientConnectorError(CONNECTION, OSError(1, SECRET)), Unavailable, "platform.unreachable"),
    (aiohttp.ServerDisconnectedError(), Unavailable, "platform.unreachable"),
    (TimeoutError(), Unavailable, "platform.unreachable"),
    (ConnectionResetError(), Unavailable, "platform.unreachable"),
]


@pytest.mark.parametrize(("error", "kind", "key"), CASES)
def test_each_error_has_its_translation(error: BaseException, kind: type[FundstelleError], key: str) -> None:
    ours = translation(error)
    assert (type(ours), ours.key) == (kind, key)
    assert ours.detail


def test_the_translation_is_complete() -> None:
    known = {error for error in vars(slack_sdk.errors).values() if inspect.isclass(error)}
    covered = {type(error) for error, *_ in CASES}
    assert known <= covered
    assert all(issubclass(error, LIBRARY_ERRORS) for error in known | {BoltError})


def test_a_wait_that_is_asked_for_is_handed_on() -> None:
    ours = translation(answer("ratelimited", 429, wait="7"))
    assert isinstance(ours, Unavailable)
    assert ours.retry_after_s == 7


def test_a_missing_scope_is_named() -> None:
    assert "files:write" in translation(answer("missing_scope", needed="files:write")).detail


@pytest.mark.parametrize("error", [case[0] for case in CASES])
def test_nothing_of_the_original_goes_along(error: BaseException) -> None:
    with pytest.raises(FundstelleError) as caught, translated():
        raise error
    assert SECRET not in f"{caught.value} {caught.value.detail} {caught.value.values}"
    assert caught.value.__suppress_context__
    assert caught.value.__cause__ is None


UNCERTAIN = [
    (aiohttp.ClientConnectorError(CONNECTION, OSError()), False),
    (aiohttp.ConnectionTimeoutError(), False),
    (answer("ratelimited", 429), False),
    (answer("channel_not_found"), False),
    (SlackRequestError(""), False),
    (answer("internal_error"), True),
    (answer("", 502), True),
    (aiohttp.ServerDisconnectedError(), True),
    (aiohttp.ClientOSError(), True),
    (TimeoutError(), True),
]


@pytest.mark.parametrize(("error", "uncertain"), UNCERTAIN)
def test_it_is_told_whether_a_message_may_have_arrived(error: BaseException, uncertain: bool) -> None:
    assert may_have_arrived(error) is uncertain
    with pytest.raises(FundstelleError) as caught, translated_sending():
        raise error
    assert (caught.value.key == "platform.uncertain") is uncertain
