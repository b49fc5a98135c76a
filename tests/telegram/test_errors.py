"""Errors of the Telegram library become ours, all of them, and carry no secret along."""

import inspect

import httpx
import pytest
import telegram.error
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    PassportDecryptionError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from adapters.telegram.errors import may_have_arrived, translated, translated_sending, translation
from core.errors import Broken, FundstelleError, Refused, Unavailable

TOKEN = "7000001:AAsecretsecretsecretsecretsecret123"

CASES: list[tuple[TelegramError, type[FundstelleError], str]] = [
    (RetryAfter(7), Unavailable, "platform.busy"),
    (ChatMigrated(-1001), Refused, "chat.moved"),
    (Forbidden("Forbidden: bot was kicked from the group chat"), Refused, "chat.left"),
    (Forbidden("Forbidden: bot was blocked by the user"), Refused, "chat.left"),
    (Forbidden("Forbidden: not enough rights to send text messages"), Refused, "chat.forbidden"),
    (BadRequest("Chat not found"), Refused, "chat.left"),
    (BadRequest("Message to edit not found"), Refused, "chat.gone"),
    (BadRequest("Message can't be deleted for everyone"), Refused, "chat.cannot_delete"),
    (BadRequest("Message thread not found"), Refused, "chat.topic_gone"),
    (BadRequest("Topic_closed"), Refused, "chat.topic_gone"),
    (BadRequest("Have no rights to send a message"), Refused, "chat.forbidden"),
    (BadRequest("Chat_admin_required"), Refused, "chat.forbidden"),
    (BadRequest("Channel_private"), Refused, "chat.left"),
    (BadRequest("File is too big"), Refused, "upload.too_large"),
    (BadRequest("Wrong file_id or the file is temporarily unavailable"), Refused, "upload.gone"),
    (BadRequest("Message is too long"), Refused, "chat.rejected"),
    (NetworkError("Request Entity Too Large (413)"), Refused, "chat.too_large"),
    (NetworkError("Bad Gateway"), Unavailable, "platform.unreachable"),
    (TimedOut(), Unavailable, "platform.unreachable"),
    (InvalidToken(f"The token `{TOKEN}` was rejected by the server."), Broken, "platform.token"),
    (Conflict("terminated by other getUpdates request"), Broken, "platform.conflict"),
    (EndPointNotFound("sendMessage"), Broken, "platform.outdated"),
    (PassportDecryptionError("never asked for"), Broken, "platform.unexpected"),
    (TelegramError("Invalid server response"), Broken, "platform.unexpected"),
]


@pytest.mark.parametrize(("error", "kind", "key"), CASES)
def test_each_error_has_its_translation(error: TelegramError, kind: type[FundstelleError], key: str) -> None:
    ours = translation(error)
    assert (type(ours), ours.key) == (kind, key)
    assert ours.detail


def test_the_translation_is_complete() -> None:
    known = {error for error in vars(telegram.error).values() if inspect.isclass(error)}
    assert {error for error in known if issubclass(error, Exception)} == {type(error) for error, *_ in CASES}


def test_a_wait_that_is_asked_for_is_handed_on() -> None:
    ours = translation(RetryAfter(7))
    assert isinstance(ours, Unavailable)
    assert ours.retry_after_s == 7


@pytest.mark.parametrize("error", [case[0] for case in CASES])
def test_nothing_of_the_original_goes_along(error: TelegramError) -> None:
    with pytest.raises(FundstelleError) as caught, translated():
        raise error
    assert TOKEN not in f"{caught.value} {caught.value.detail} {caught.value.values}"
    assert caught.value.__suppress_context__
    assert caught.value.__cause__ is None


BROKEN_CONNECTIONS = [
    (httpx.ConnectError(""), False),
    (httpx.ConnectTimeout(""), False),
    (httpx.PoolTimeout(""), False),
    (httpx.UnsupportedProtocol(""), False),
    (httpx.ReadTimeout(""), True),
    (httpx.ReadError(""), True),
    (httpx.WriteError(""), True),
    (httpx.WriteTimeout(""), True),
    (httpx.RemoteProtocolError(""), True),
]


@pytest.mark.parametrize(("cause", "uncertain"), BROKEN_CONNECTIONS)
def test_it_is_told_whether_a_message_may_have_arrived(cause: httpx.HTTPError, uncertain: bool) -> None:
    error = NetworkError("x")
    error.__cause__ = cause
    assert may_have_arrived(error) is uncertain
    with pytest.raises(Unavailable) as caught, translated_sending():
        raise error
    assert caught.value.key == ("platform.uncertain" if uncertain else "platform.unreachable")


def test_an_answer_of_the_server_is_certain() -> None:
    assert not may_have_arrived(NetworkError("Bad Gateway"))
