"""Errors of the homeserver and of the library, translated completely."""

import inspect
import ssl
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import aiohttp
import nio
import nio.exceptions
import pytest
from nio import ErrorResponse

from adapters.matrix.homeserver import (
    LIBRARY_ERRORS,
    RETRY_AFTER_S,
    checked,
    of_code,
    of_exception,
    of_response,
    translating,
)
from core.errors import Broken, FundstelleError, Refused, Unavailable


def exceptions_of(module: ModuleType) -> Iterator[type[Exception]]:
    for _, found in inspect.getmembers(module, inspect.isclass):
        wanted = issubclass(found, Exception) and not issubclass(found, Warning)
        if wanted and found.__module__.startswith(module.__name__.split(".")[0]):
            yield found


def made(kind: type[Exception]) -> Exception:
    error = kind.__new__(kind)
    error.args = ("@ann:example.org syt_secret",)
    return error


TRANSLATED = [
    kind
    for kind in [*exceptions_of(nio.exceptions), *exceptions_of(aiohttp), TimeoutError, ssl.SSLError]
    if issubclass(kind, LIBRARY_ERRORS)
]


@pytest.mark.parametrize("kind", TRANSLATED)
def test_every_exception_of_the_library_is_translated(kind: type[Exception]) -> None:
    with pytest.raises(FundstelleError) as caught, translating():
        raise made(kind)
    assert "ann" not in caught.value.detail
    assert "secret" not in caught.value.detail


def test_no_exception_of_a_request_is_left_out() -> None:
    """All of nio's; of aiohttp's all but those of websockets and of its own streams' ends."""
    left = {*exceptions_of(nio.exceptions), *exceptions_of(aiohttp)} - set(TRANSLATED)
    assert {kind.__name__ for kind in left} <= {"EofStream", "WebSocketError", "WSMessageTypeError"}


@pytest.mark.parametrize(
    ("code", "status", "kind", "key"),
    [
        ("M_LIMIT_EXCEEDED", 429, Unavailable, "platform.busy"),
        (None, 429, Unavailable, "platform.busy"),
        ("M_UNKNOWN_TOKEN", 401, Broken, "platform.token"),
        ("M_MISSING_TOKEN", 401, Broken, "platform.token"),
        ("M_USER_DEACTIVATED", 403, Broken, "platform.token"),
        ("M_FORBIDDEN", 403, Refused, "chat.forbidden"),
        ("M_NOT_FOUND", 404, Refused, "chat.gone"),
        ("M_TOO_LARGE", 413, Refused, "chat.too_large"),
        ("M_UNKNOWN", 500, Unavailable, "platform.unreachable"),
        (None, 502, Unavailable, "platform.unreachable"),
        (None, 404, Unavailable, "platform.unreachable"),
        ("M_BAD_JSON", 400, Broken, "platform.failed"),
        ("ORG.EXAMPLE.NEW", 400, Broken, "platform.failed"),
    ],
)
def test_codes(code: str | None, status: int, kind: type[FundstelleError], key: str) -> None:
    error = of_code(code, status=status)
    assert type(error) is kind
    assert error.key == key


def test_the_homeserver_says_when_to_come_back() -> None:
    error = of_code("M_LIMIT_EXCEEDED", status=429, retry_after_ms=1500)
    assert isinstance(error, Unavailable)
    assert error.retry_after_s == 1.5
    silent = of_code("M_LIMIT_EXCEEDED", status=429, retry_after_ms="!room")  # type: ignore[arg-type]
    assert isinstance(silent, Unavailable)
    assert silent.retry_after_s == RETRY_AFTER_S


def error_classes() -> list[type[ErrorResponse]]:
    found: list[type[ErrorResponse]] = []
    left: list[Any] = [ErrorResponse]
    while left:
        kind = left.pop()
        found.append(kind)
        left += kind.__subclasses__()
    return found


@pytest.mark.parametrize("kind", error_classes())
def test_every_error_object_is_translated(kind: type[ErrorResponse]) -> None:
    response = kind.__new__(kind)
    response.message, response.status_code = "@ann:example.org", "M_FORBIDDEN"
    response.retry_after_ms, response.soft_logout = None, False
    response.transport_response = SimpleNamespace(status=403)
    with pytest.raises(Refused) as refused:
        checked(response)
    assert "ann" not in refused.value.detail
    assert of_response(response).key == "chat.forbidden"


def test_answers_go_through() -> None:
    assert checked("an answer") == "an answer"


def test_a_certificate_is_the_operators_matter() -> None:
    error = of_exception(made(aiohttp.ClientConnectorCertificateError))
    assert isinstance(error, Broken)
    assert isinstance(of_exception(made(aiohttp.ServerDisconnectedError)), Unavailable)
    assert isinstance(of_exception(TimeoutError()), Unavailable)
    assert isinstance(of_exception(made(nio.LocalProtocolError)), Broken)
