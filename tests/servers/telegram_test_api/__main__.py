"""The npm package telegram-test-api, a Bot API server of others, behind a shim.

`python -m tests.servers.telegram_test_api` writes one line of JSON with its address and token, then serves
until its standard input ends. Calls go on to the package as they are, but for what it lacks:

- setMyCommands, sendChatAction and setMessageReaction are taken here and change nothing;
- sendDocument and sendMediaGroup go on as a sendMessage for each file, with the caption as text, so that the
  package numbers and keeps them; the contents stay here;
- getUpdates waits as long as it is asked to; the package answers at once;
- /control/calls and /control/file are for the tests; people's side is the package's own.

Where its answers are not as Telegram documents them, they are put right: seconds for milliseconds, objects
for the call's JSON repeated, `true` for null, `is_bot` of the bot, `chat_instance` of a pressed button. It
knows no edits: what a person says with `edits`, the number of what it replaces, comes as `edited_message`.
"""

import asyncio
import json
import socket
import sys
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

TOKEN = "123456:not-checked"
INSTALLED = Path(__file__).parents[3] / "build" / "node" / "telegram_test_api"
PROGRAM = Path(__file__).with_name("server.js")
TAKEN = ("setMyCommands", "sendChatAction", "setMessageReaction")
KEPT = ("chat_id", "reply_parameters", "reply_markup")
POLL_EVERY_S = 0.05
Json = dict[str, Any]


class Shim:
    """Between the bot and the package at `behind`."""

    def __init__(self, behind: str, session: aiohttp.ClientSession) -> None:
        self._behind = behind
        self._session = session
        self._calls: list[Json] = []
        self._files: dict[str, bytes] = {}

    async def bot(self, request: web.Request) -> web.Response:
        """A call of the Bot API."""
        method = request.match_info["method"]
        own = getattr(self, f"_{method}", None)
        body = b"" if own is not None else await request.read()
        form = dict(request.query) | dict(await request.post())
        self._calls.append({"method": method, "values": _plain(form)})
        if own is not None:
            return web.json_response({"ok": True, "result": await own(form)})
        if method in TAKEN:
            return web.json_response({"ok": True, "result": True})
        headers = {"Content-Type": request.headers["Content-Type"]} if body else {}
        async with self._session.request(
            request.method, f"{self._behind}{request.path_qs}", data=body, headers=headers
        ) as answer:
            said = await answer.json()
            return web.json_response(_documented(method, said), status=answer.status)

    async def _sendDocument(self, form: Json) -> Json:  # noqa: N802 - the method's name
        described = form | {"caption_entities": json.loads(form.get("caption_entities", "[]"))}
        return await self._with_file(form, described, form["document"])

    async def _sendMediaGroup(self, form: Json) -> list[Json]:  # noqa: N802
        album = {"media_group_id": f"album-{len(self._calls)}"}
        media = json.loads(form["media"])
        files = [form[item["media"].removeprefix("attach://")] for item in media]
        return [
            await self._with_file(form, item | album, file) for item, file in zip(media, files, strict=True)
        ]

    async def _with_file(self, form: Json, described: Json, file: web.FileField) -> Json:
        number, content = f"file-{len(self._files)}", file.file.read()
        self._files[number] = content
        document = {"file_id": number, "file_unique_id": number, "file_name": file.filename}
        message = {
            "text": described.get("caption", ""),
            "entities": described.get("caption_entities", []),
            "document": document | {"file_size": len(content)},
        }
        message |= {name: form[name] for name in KEPT if name in form}
        message |= {name: described[name] for name in ("media_group_id",) if name in described}
        async with self._session.post(f"{self._behind}/bot{TOKEN}/sendMessage", json=message) as answer:
            sent: Json = _documented("sendMessage", await answer.json())["result"]
        return sent | {"caption": sent.pop("text"), "caption_entities": sent.pop("entities")}

    async def _getUpdates(self, form: Json) -> list[Json]:  # noqa: N802
        loop = asyncio.get_running_loop()
        until = loop.time() + float(form.get("timeout", 0))
        while True:
            async with self._session.post(
                f"{self._behind}/bot{TOKEN}/getUpdates", data=_plain(form)
            ) as answer:
                updates = _documented("getUpdates", await answer.json())["result"]
            if updates or loop.time() >= until:
                return list(updates)
            await asyncio.sleep(POLL_EVERY_S)

    async def people(self, request: web.Request) -> web.Response:
        """A call of the package for people, as it is."""
        async with self._session.post(f"{self._behind}{request.path}", json=await request.json()) as answer:
            return web.json_response(await answer.json(), status=answer.status)

    async def steer(self, request: web.Request) -> web.Response:
        """What the tests ask for."""
        if request.match_info["verb"] == "calls":
            return web.json_response(self._calls)
        return web.Response(body=self._files[(await request.json())["file_id"]])


def _documented(method: str, answer: Json) -> Json:
    result = answer.get("result")
    if method == "getMe":
        result = {"is_bot": True, **answer["result"]}
    elif method == "getUpdates":
        result = [_update(update) for update in answer["result"]]
    elif method == "sendMessage" and answer.get("ok"):
        result = {name: _object(value) for name, value in answer["result"].items()}
        result["date"] //= 1000
    elif answer.get("ok") and result is None:
        result = True
    return {**answer, "result": result}


def _object(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) and value.startswith("{") else value


def _update(update: Json) -> Json:
    if "callback_query" in update:
        return update | {"callback_query": {"chat_instance": "1", **update["callback_query"]}}
    message = dict(update["message"])
    if "edits" not in message:
        return update
    message |= {"message_id": message.pop("edits"), "edit_date": message["date"]}
    return {"update_id": update["update_id"], "edited_message": message}


def _plain(form: Json) -> Json:
    return {name: value for name, value in form.items() if isinstance(value, str)}


def _free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        port: int = opened.getsockname()[1]
        return port


async def serve() -> None:
    port, pipe = _free_port(), asyncio.subprocess.PIPE
    node = await asyncio.create_subprocess_exec(
        "node", PROGRAM, str(port), cwd=INSTALLED, stdin=pipe, stdout=pipe
    )
    assert node.stdin is not None
    assert node.stdout is not None
    assert await node.stdout.readline() == b"ready\n", "it did not start; its error is printed above"
    async with aiohttp.ClientSession() as session:
        await _serve(Shim(f"http://127.0.0.1:{port}", session))
    node.stdin.close()
    await node.wait()


async def _serve(shim: Shim) -> None:
    app = web.Application(client_max_size=50 * 1024 * 1024)
    app.router.add_route("*", "/bot{token}/{method}", shim.bot)
    app.router.add_post("/control/{verb}", shim.steer)
    app.router.add_post("/{people}", shim.people)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    sys.stdout.write(json.dumps({"address": address, "token": TOKEN}) + "\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(serve())
