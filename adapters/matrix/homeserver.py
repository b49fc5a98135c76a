"""Calls to the homeserver that nio has no method for, and those whose answers it shortens."""

import asyncio
import json
from typing import Any
from urllib.parse import quote

from aiohttp import ClientResponse
from nio import AsyncClient

from adapters.matrix.errors import SOFT, of_code, translating

TIMEOUT_S = 60.0
CLIENT = "/_matrix/client/v3"
MEDIA = "/_matrix/client/v1/media"

Json = dict[str, Any]


def path(*parts: str) -> str:
    """A path of the client API with every part quoted."""
    return "/".join((CLIENT, *(quote(part, safe="") for part in parts)))


class Homeserver:
    """JSON calls with the client's session and token; errors come translated."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def call(self, method: str, address: str, body: Json | None = None) -> Any:
        """What the homeserver answers to a JSON call: an object, or a list of them."""
        status, answer = await self.attempt(method, address, body)
        if status >= 400 or not isinstance(answer, dict | list):
            raise refusal(status, answer)
        return answer

    async def attempt(self, method: str, address: str, body: Json | None = None) -> tuple[int, Any]:
        """HTTP status and answer, whatever they are; None for what is no JSON."""
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
