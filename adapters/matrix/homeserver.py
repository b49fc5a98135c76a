"""Calls to the homeserver that nio has no method for, and those whose answers it shortens; and what goes
wrong with a homeserver, translated once.

Source of the codes: Matrix client-server specification 1.15, "Standard error response". nio returns errors
as response objects and raises its own and aiohttp's exceptions.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import quote

import aiohttp
from aiohttp import ClientResponse
from nio import AsyncClient, ErrorResponse
from nio.exceptions import (
    EncryptionError,
    GroupEncryptionError,
    OlmTrustError,
    ProtocolError,
    TransferCancelledError,
    VerificationError,
)

from core.errors import LONGEST_WAIT_S, Broken, FundstelleError, Refused, Unavailable

TIMEOUT_S = 60.0
CLIENT = "/_matrix/client/v3"
MEDIA = "/_matrix/client/v1/media"

Json = dict[str, Any]


T = TypeVar("T")

RETRY_AFTER_S = 5.0
"""Used if the homeserver does not say when to retry."""

TOKEN_CODES = frozenset({"M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_USER_LOCKED"})
FORBIDDEN_CODES = frozenset({"M_FORBIDDEN", "M_GUEST_ACCESS_FORBIDDEN", "M_UNAUTHORIZED", "M_USER_SUSPENDED"})
GONE_CODES = frozenset({"M_NOT_FOUND", "M_NOT_YET_UPLOADED"})
LARGE_CODES = frozenset({"M_TOO_LARGE"})
BUSY_CODES = frozenset({"M_LIMIT_EXCEEDED"})

LIBRARY_ERRORS = (
    aiohttp.ClientError,
    OSError,  # TimeoutError is one
    ProtocolError,
    OlmTrustError,
    VerificationError,
    EncryptionError,
    GroupEncryptionError,
    TransferCancelledError,
)


SOFT = "soft_logout"
"""In the values of the error: the token has run out, the device and its keys stay (specification 1.15, "Soft
logout")."""


def of_code(
    code: object, *, status: int | None = None, retry_after_ms: object = None, soft: bool = False
) -> FundstelleError:
    """The error for a homeserver's `errcode` and HTTP status; 5xx and unreadable answers may pass."""
    code = code if isinstance(code, str) else None
    if code in BUSY_CODES or status == 429:
        wait_s = RETRY_AFTER_S
        if isinstance(retry_after_ms, int) and not isinstance(retry_after_ms, bool):
            wait_s = max(min(retry_after_ms, 1000 * LONGEST_WAIT_S) / 1000, 0.1)
        return Unavailable("platform.busy", "the homeserver limits the rate", retry_after_s=wait_s)
    if code in TOKEN_CODES:
        detail = f"the homeserver does not accept the access token ({code})"
        return Broken("platform.token", detail, **({SOFT: 1} if soft else {}))
    if code in FORBIDDEN_CODES:
        return Refused("chat.forbidden", f"the bot may not do this in the room ({code})")
    if code in GONE_CODES:
        return Refused("chat.gone", f"the homeserver does not find it ({code})")
    if code in LARGE_CODES:
        return Refused("chat.too_large", "larger than the homeserver takes")
    if status is None or status >= 500 or code is None:
        return Unavailable("platform.unreachable", f"the homeserver failed (HTTP {status})", RETRY_AFTER_S)
    return Broken("platform.failed", f"the homeserver refused a call: {code} (HTTP {status})")


def of_response(response: ErrorResponse) -> FundstelleError:
    """The error for one of nio's error objects."""
    transport = response.transport_response
    status = None if transport is None else transport.status
    return of_code(response.status_code, status=status, retry_after_ms=response.retry_after_ms)


def of_exception(error: Exception) -> FundstelleError:
    """The error for an exception in LIBRARY_ERRORS. Its text may contain ids and is left out."""
    name = type(error).__name__
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientConnectorSSLError):
        return Broken("platform.failed", f"the homeserver's certificate is not accepted ({name})")
    if isinstance(error, aiohttp.InvalidURL):
        return Broken("platform.failed", "the homeserver's address is no URL")
    if isinstance(error, aiohttp.ClientError | OSError | GroupEncryptionError | EncryptionError):
        return Unavailable("platform.unreachable", f"no answer from the homeserver ({name})", RETRY_AFTER_S)
    if isinstance(error, TransferCancelledError):
        return Unavailable("platform.unreachable", "the transfer was cut off", RETRY_AFTER_S)
    return Broken("platform.failed", f"the Matrix library refused ({name})")


@contextmanager
def translating() -> Iterator[None]:
    """Let none of the library's exceptions through."""
    try:
        yield
    except LIBRARY_ERRORS as error:
        raise of_exception(error) from error


def checked(response: T | ErrorResponse) -> T:
    """The response, unless it is one of nio's error objects."""
    if isinstance(response, ErrorResponse):
        raise of_response(response)
    return response


def path(*parts: str) -> str:
    """A path of the client API with every part quoted."""
    return "/".join((CLIENT, *(quote(part, safe="") for part in parts)))


class Homeserver:
    """JSON calls with the client's session and token; errors come translated."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def call(self, method: str, address: str, body: Json | None = None) -> Any:
        """The homeserver's response to a JSON call: an object or a list of objects."""
        status, answer = await self.attempt(method, address, body)
        if status >= 400 or not isinstance(answer, dict | list):
            raise refusal(status, answer)
        return answer

    async def attempt(self, method: str, address: str, body: Json | None = None) -> tuple[int, Any]:
        """HTTP status and response, whatever they are; None if it is not JSON."""
        with translating():
            async with asyncio.timeout(TIMEOUT_S):
                response = await self.opened(method, address, body)
                async with response:
                    try:
                        return response.status, await response.json()
                    except ValueError:
                        return response.status, None

    async def opened(self, method: str, address: str, body: Json | None = None) -> ClientResponse:
        """The response with its body unread: the caller closes it and translates exceptions."""
        headers = {"Content-Type": "application/json"}
        if self._client.access_token:
            headers["Authorization"] = f"Bearer {self._client.access_token}"
        data = None if body is None else json.dumps(body)
        response: ClientResponse = await self._client.send(method, address, data, headers, timeout=TIMEOUT_S)
        return response


def refusal(status: int, answer: Any) -> Exception:
    """The error for an answer with an error status."""
    body = answer if isinstance(answer, dict) else {}
    return of_code(
        body.get("errcode"),
        status=status,
        retry_after_ms=body.get("retry_after_ms"),
        soft=body.get(SOFT) is True,
    )
