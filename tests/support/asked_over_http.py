"""The HTTP interface of a small world, called without a network."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from bot.http.endpoint import HttpEndpoint
from core.domain.access import AccessToken, TokenRole, token_digest
from tests.support.world import NOW, World


class Asked:
    """A client with a token, and without one."""

    def __init__(self, world: World, client: httpx.AsyncClient) -> None:
        self.world = world
        self.client = client
        self.secret = ""

    async def token(
        self, *collections: str, role: TokenRole = TokenRole.READER, per_minute: int = 1000
    ) -> str:
        """The secret of a new token, which is used from now on."""
        self.secret = f"fst_{'-'.join(collections)}{role}{per_minute}"
        token = AccessToken(
            name=self.secret[4:],
            role=role,
            collections=collections,
            per_minute=per_minute,
            created_at=NOW,
            expires_at=None,
        )
        await self.world.app.access.add(token, token_digest(self.secret))
        return self.secret

    async def ask(
        self, method: str, path: str, headers: Mapping[str, str] = {}, **more: Any
    ) -> httpx.Response:
        """A request with the token."""
        said = {"Authorization": f"Bearer {self.secret}"} | headers
        return await self.client.request(method, path, headers=said, **more)

    async def post(self, path: str, **body: object) -> httpx.Response:
        """A JSON request with the token."""
        return await self.ask("POST", path, json=body)


@asynccontextmanager
async def asked_over_http(world: World) -> AsyncIterator[Asked]:
    """The endpoint of `serve` over `world`."""
    measures = world.app.measures
    endpoint = HttpEndpoint(
        standing=measures.lookout.look, exposition=measures.exposition, mounts=world.app.http_mounts
    )
    transport = httpx.ASGITransport(endpoint.application(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://bot.example") as client:
        yield Asked(world, client)
