"""A strict stand-in for Telegram's Bot API server: `python -m tests.servers.telegram` in its own environment.

Writes one line of JSON with its address and token, then serves until it is terminated or its standard input
ends (so that it never outlives the tests). /bot<token>/<method> and /file/bot<token>/<path> are the Bot
API's, /control/<verb> is for the tests.
"""

import argparse
import asyncio
import json
import sys
import time
from typing import Any

from aiohttp import web

from tests.servers.telegram.api import Api
from tests.servers.telegram.control import Control
from tests.servers.telegram.refusals import Refusal, Violation
from tests.servers.telegram.schema import Upload, checked
from tests.servers.telegram.world import TOKEN, World

MAX_UPLOAD = 50 * 1024 * 1024


class Server:
    """HTTP in front of one world; /control/reset makes another."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.faults: dict[str, list[dict[str, Any]]] = {}
        self.calls: list[dict[str, Any]] = []
        self.world = World()
        self.api = Api(self.world)
        self.control = Control(self.world, self.api, self.faults, self.calls)

    async def bot(self, request: web.Request) -> web.StreamResponse:
        """A call of the Bot API."""
        token, name = request.match_info["token"], request.match_info["method"]
        if token != TOKEN:
            known_form = token.partition(":")[0].isdecimal() and ":" in token
            return _refused(401, "Unauthorized") if known_form else _refused(404, "Not Found")
        record: dict[str, Any] = {"method": name, "violation": False}
        self.calls.append(record)
        fault = self.faults[name].pop(0) if self.faults.get(name) else {"kind": ""}
        if fault["kind"] == "delay":
            await asyncio.sleep(fault["seconds"])
        if fault["kind"] == "refuse":
            return _refused(fault["status"], fault["description"], fault.get("parameters"))
        if fault["kind"] == "hang_up":
            return _hung_up(request)
        answer = await self._answer(request, name, record)
        return _hung_up(request) if fault["kind"] == "lost" else answer

    async def _answer(self, request: web.Request, name: str, record: dict[str, Any]) -> web.Response:
        try:
            call = checked(name, *await _parameters(request))
            record |= {"values": call.values, "files": [upload.name for upload in call.uploads.values()]}
            result = await self.api.call(call)
            record["at"] = time.time()  # when people saw what came of it
            return web.json_response({"ok": True, "result": result})
        except Violation as violation:
            record |= {"violation": True, "why": violation.description}
            return _refused(violation.status, violation.description)
        except Refusal as refusal:
            record |= {"why": refusal.description}
            return _refused(refusal.status, refusal.description, refusal.parameters)

    async def file(self, request: web.Request) -> web.Response:
        """A download."""
        file = self.world.files.get(request.match_info["id"])
        if request.match_info["token"] != TOKEN or file is None:
            return _refused(404, "Not Found")
        return web.Response(body=file.content)

    async def steer(self, request: web.Request) -> web.Response:
        """A verb of the tests."""
        verb = request.match_info["verb"]
        if verb == "reset":
            self.reset()
            return web.json_response(None)
        return web.json_response(await getattr(self.control, verb)(**await request.json()))


async def _parameters(request: web.Request) -> tuple[dict[str, Any], dict[str, Upload]]:
    """Query, form and JSON, as the Bot API takes them."""
    fields: dict[str, Any] = dict(request.query)
    uploads: dict[str, Upload] = {}
    if request.content_type == "application/json":
        return fields | await request.json(), uploads
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            uploads[name] = Upload(value.filename, value.file.read())
        else:
            fields[name] = value
    return fields, uploads


def _refused(status: int, description: str, parameters: dict[str, Any] | None = None) -> web.Response:
    said = {"ok": False, "error_code": status, "description": description}
    return web.json_response(said | ({"parameters": parameters} if parameters else {}), status=status)


def _hung_up(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def serve(port: int) -> None:
    server = Server()
    app = web.Application(client_max_size=MAX_UPLOAD)
    app.router.add_route("*", "/bot{token}/{method}", server.bot)
    app.router.add_get("/file/bot{token}/documents/{id}", server.file)
    app.router.add_post("/control/{verb}", server.steer)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    sys.stdout.write(json.dumps({"address": address, "token": TOKEN}) + "\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    asyncio.run(serve(parser.parse_args().port))
