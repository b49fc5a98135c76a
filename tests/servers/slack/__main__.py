"""A strict stand-in for Slack: `python -m tests.servers.slack`.

Writes one line of JSON with its address, tokens and signing secret, then serves until its standard input
ends (so that it never outlives the tests). /api/<method> is the Web API, /socket is Socket Mode,
/upload/v1/<id> and /files-pri/<...> take and hand out files, /control/<verb> is for the tests.
"""

import argparse
import asyncio
import json
import math
import sys
import time
from typing import Any

from aiohttp import WSMsgType, web

from tests.servers.slack.api import Api
from tests.servers.slack.control import Control
from tests.servers.slack.delivery import Delivery
from tests.servers.slack.refusals import Refusal, Violation
from tests.servers.slack.rules import METHODS, check_scope, checked
from tests.servers.slack.world import APP_TOKEN, BOT_TOKEN, SECRET, World

MAX_UPLOAD = 50 * 1024 * 1024
LOGIN = "<!DOCTYPE html><html><body>Sign in to Slack</body></html>"
Json = dict[str, Any]


class Server:
    """HTTP in front of one workspace; /control/reset makes another."""

    address = ""

    def __init__(self) -> None:
        self.delivery = Delivery()

    async def reset(self) -> None:
        await self.delivery.close()
        self.delivery = Delivery()
        self.faults: dict[str, list[Json]] = {}
        self.calls: list[Json] = []
        self.tickets: set[str] = set()
        self.world = World(self.address)
        self.api = Api(self.world, self._tell)
        self.control = Control(self.world, self.delivery, self.faults, self.calls)

    def _tell(self, event: Json) -> None:
        self.delivery.event(event, f"Ev0{self.world.number()}")

    async def method(self, request: web.Request) -> web.StreamResponse:
        """A call of the Web API."""
        name = request.match_info["method"]
        record: Json = {"method": name, "violation": False}
        self.calls.append(record)
        fault = self.faults[name].pop(0) if self.faults.get(name) else {"kind": ""}
        if fault["kind"] == "delay":
            await asyncio.sleep(fault["seconds"])
        if fault["kind"] == "refuse":
            wait = {"Retry-After": str(fault["wait_s"])} if "wait_s" in fault else {}
            said = {"ok": False, "error": fault.get("error", "ratelimited")}
            return web.json_response(said, status=fault.get("status", 200), headers=wait)
        if fault["kind"] == "page":  # of a proxy that stands between
            return web.Response(text=LOGIN, status=fault["status"], content_type=fault["content"])
        if fault["kind"] == "hang_up":
            return _hung_up(request)
        limit = self.world.limits.get(name)
        if limit is not None and (wait_s := limit.wait_s(self.world.passed_s)):
            record["refused"] = True
            said = {"ok": False, "error": "ratelimited"}
            return web.json_response(said, status=429, headers={"Retry-After": str(math.ceil(wait_s))})
        answer = await self._answer(request, name, record)
        return _hung_up(request) if fault["kind"] == "lost" else answer

    async def _answer(self, request: web.Request, name: str, record: Json) -> web.Response:
        try:
            given = await _arguments(request)
            record["values"] = values = checked(name, given)
            self._check_token(request, name)
            found = self._opened() if name == "apps.connections.open" else self.api.call(name, values)
            record["at"] = time.time()  # when people saw what came of it
        except Violation as violation:
            record |= {"violation": True, "why": violation.why}
            said: Json = {"ok": False, "error": violation.word}
            return web.json_response(said, status=violation.status)
        except Refusal as refusal:
            record["why"] = refusal.word
            return web.json_response({"ok": False, "error": refusal.word, **refusal.more})
        scopes = {"x-oauth-scopes": ",".join(sorted(self.world.scopes))}
        return web.json_response({"ok": True, **found}, headers=scopes)

    def _check_token(self, request: web.Request, name: str) -> None:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if token != (APP_TOKEN if METHODS[name].app else BOT_TOKEN):
            raise Refusal("invalid_auth" if token else "not_authed")
        if METHODS[name].scope in self.world.scopes or METHODS[name].app:
            return
        if METHODS[name].scope not in ("history", "read"):
            check_scope(name, "", self.world.scopes)

    def _opened(self) -> Json:
        ticket = self.world.number()
        self.tickets.add(ticket)
        return {"url": f"{self.address.replace('http', 'ws', 1)}/socket?ticket={ticket}"}

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """Socket Mode; a ticket lets in once."""
        ticket = request.query.get("ticket", "")
        if ticket not in self.tickets:
            return web.Response(status=408)
        self.tickets.discard(ticket)
        socket, delivery = web.WebSocketResponse(), self.delivery
        await socket.prepare(request)
        await socket.send_json({"type": "hello", "num_connections": 1, "connection_info": {}})
        delivery.sockets.append(socket)
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    delivery.acknowledge(message.data)
        finally:
            delivery.sockets.remove(socket)
        return socket

    async def upload(self, request: web.Request) -> web.Response:
        """A file at the address that was handed out for it."""
        record: Json = {"method": "upload", "violation": False}
        self.calls.append(record)
        if "Authorization" in request.headers:
            record |= {"violation": True, "why": "the token is for the Web API and files only"}
        try:
            self.api.receive_upload(request.match_info["id"], await request.read())
        except Violation as violation:
            record |= {"violation": True, "why": violation.why}
            return web.Response(status=400, text=violation.word)
        return web.Response(text="OK - 1")

    async def file(self, request: web.Request) -> web.Response:
        """A download; who has no token gets to see a page for signing in."""
        file = self.world.files.get(request.match_info["id"])
        known = request.headers.get("Authorization") == f"Bearer {BOT_TOKEN}"
        if not known or "files:read" not in self.world.scopes:
            return web.Response(text=LOGIN, content_type="text/html")
        if file is None or file.content is None:
            return web.Response(status=404)
        fault = self.faults["download"].pop(0) if self.faults.get("download") else None
        if fault is not None:
            away = {"Location": f"{self.address}/control/elsewhere"}
            return web.Response(status=fault["status"], headers=away)
        return web.Response(body=file.content, content_type="application/pdf")

    async def respond(self, request: web.Request) -> web.Response:
        """Words at the address of a shortcut: for the person who chose it alone."""
        given: Json = await request.json()
        record: Json = {"method": "respond", "values": given, "violation": False}
        self.calls.append(record)
        if set(given) != {"text", "response_type"} or given["response_type"] != "ephemeral":
            record |= {"violation": True, "why": "a shortcut is answered with words for one person"}
            return web.Response(status=400, text="invalid_payload")
        channel = self.world.channels[request.match_info["chat"]]
        channel.ephemeral.append({"text": given["text"], "ts": self.world.stamp()})
        return web.Response(text="ok")

    async def steer(self, request: web.Request) -> web.Response:
        """A verb of the tests."""
        verb = request.match_info["verb"]
        if verb == "reset":
            await self.reset()
            return web.json_response(None)
        return web.json_response(await getattr(self.control, verb)(**await request.json()))


async def _arguments(request: web.Request) -> Json:
    """Query, form and JSON, as the Web API takes them; the token belongs into the header."""
    given: Json = dict(request.query)
    if request.content_type == "application/json":
        given |= await request.json()
    else:
        given |= dict(await request.post())
    if "token" in given:
        raise Violation("invalid_arguments", "the token belongs into the Authorization header")
    return given


def _hung_up(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def serve(port: int) -> None:
    server = Server()
    app = web.Application(client_max_size=MAX_UPLOAD)
    app.router.add_post("/api/{method}", server.method)
    app.router.add_get("/api/{method}", server.method)
    app.router.add_get("/socket", server.socket)
    app.router.add_post("/upload/v1/{id}", server.upload)
    app.router.add_get("/files-pri/{team}-{id}/download/{name}", server.file)
    app.router.add_post("/response/{chat}", server.respond)
    app.router.add_post("/control/{verb}", server.steer)
    runner = web.AppRunner(app, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    server.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    await server.reset()
    secrets = {"bot_token": BOT_TOKEN, "app_token": APP_TOKEN, "signing_secret": SECRET}
    sys.stdout.write(json.dumps({"address": server.address, **secrets}) + "\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    asyncio.run(serve(parser.parse_args().port))
