"""MCP over streamable HTTP, with the tokens of the HTTP interface."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import cast

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.http.endpoint import MAX_BODY
from bot.http.problems import answered_problem, on_error
from bot.http.tokens import Entry
from bot.mcp.tools import Caller, Context, Tools
from core.errors import FundstelleError

_TOKEN = "fundstelle.token"  # noqa: S105 - a key, no secret


class McpOverHttp:
    """An ASGI application: a token is asked for at every request, and no session is kept between them."""

    def __init__(self, tools: Tools, entry: Entry) -> None:
        self._entry = entry
        self._tools = tools
        self._manager: StreamableHTTPSessionManager | None = None
        self.router = SimpleNamespace(lifespan_context=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _: ASGIApp) -> AsyncIterator[None]:
        """Run the SDK's manager, which can run only once."""
        self._manager = StreamableHTTPSessionManager(
            self._tools.server(self._caller),
            json_response=True,
            stateless=True,
            max_request_body_size=MAX_BODY,
            security_settings=TransportSecuritySettings(
                enable_dns_rebinding_protection=False
            ),  # tokens decide
        )
        async with self._manager.run():
            yield
        self._manager = None

    def _caller(self, context: Context) -> Caller:
        """The holder of the token that a request came with."""
        token = cast(Request, context.request).scope[_TOKEN]
        return Caller(
            collections=token.collections, person=self._entry.person(token), place=self._entry.place
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in by its token."""
        if scope["type"] != "http" or self._manager is None:
            return None
        request = Request(scope, receive)
        try:
            token = await self._entry.admit(request.headers, request.client.host if request.client else "")
        except FundstelleError as error:
            response = await on_error(request, error)
            return await response(scope, receive, send)
        if request.method != "POST":  # no session is kept: there is nothing to listen to, and none to end
            detail = "send each message by POST; there are no sessions and no stream to listen to"
            refused = answered_problem(405, "request.invalid", detail, headers={"Allow": "POST"})
            return await refused(scope, receive, send)
        return await self._manager.handle_request({**scope, _TOKEN: token}, receive, send)
