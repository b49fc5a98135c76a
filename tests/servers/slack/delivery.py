"""How events reach the app: by Socket Mode, or signed over HTTP; again where nobody acknowledges."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import random
import time
import uuid
from typing import Any
from urllib.parse import urlencode

import aiohttp
from aiohttp import web

from tests.servers.slack.world import APP, BOT_USER, SECRET, TEAM, Json

ACK_S = 0.6
"""Slack waits 3 seconds; tests have less time, measurements have not."""


class Delivery:
    """Delivers one payload after the other. `address` of the app: signed HTTP instead of Socket Mode."""

    def __init__(self) -> None:
        self.sockets: list[web.WebSocketResponse] = []
        self.address = ""
        self.tries = 5
        self.ack_s = ACK_S
        self.held: list[Json] | None = None
        self.dropping = 0
        self.events: list[Json] = []
        self.answers: dict[str, Any] = {}
        self.bad_acks: list[str] = []
        self._waiting: dict[str, tuple[bool, asyncio.Event]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def event(self, event: Json, event_id: str) -> None:
        """Tell of an event, once it is acknowledged or given up."""
        payload = {
            "token": "verification",
            "team_id": TEAM,
            "api_app_id": APP,
            "event": event,
            "type": "event_callback",
            "event_id": event_id,
            "event_time": int(time.time()),
            "authorizations": [{"team_id": TEAM, "user_id": BOT_USER, "is_bot": True}],
            "is_ext_shared_channel": False,
        }
        if self.dropping:
            self.dropping -= 1
            return
        self.events.append(payload)
        if self.held is not None:
            self.held.append(payload)
        else:
            self._start(self._deliver("events_api", payload, tries=self.tries))

    def release(self, seed: int | None) -> None:
        """Let go what was held back, in another order for a `seed`."""
        held, self.held = self.held or [], None
        self._all(held, seed)

    def again(self, copies: int, seed: int | None) -> None:
        """Everything so far once more."""
        self._all([payload for payload in self.events for _ in range(copies)], seed)

    def _all(self, payloads: list[Json], seed: int | None) -> None:
        if seed is not None:
            random.Random(seed).shuffle(payloads)
        for payload in payloads:
            self._start(self._deliver("events_api", payload, tries=self.tries))

    async def command(self, payload: Json) -> Any:
        """A slash command: Slack tells it once, and the person reads what comes back."""
        return await self._once("slash_commands", payload)

    async def interaction(self, payload: Json) -> Any:
        """A pressed button, told once."""
        return await self._once("interactive", payload)

    async def _once(self, kind: str, payload: Json) -> Any:
        key = uuid.uuid4().hex
        await self._deliver(kind, payload, tries=1, key=key)
        return self.answers.get(key)

    async def _deliver(self, kind: str, payload: Json, *, tries: int, key: str = "") -> None:
        envelope = str(uuid.uuid4())
        for attempt in range(tries):
            acknowledged, answer = await self._send(kind, payload, envelope, attempt)
            if acknowledged:
                if key:
                    self.answers[key] = answer
                return
            if not self.sockets and not self.address:
                await asyncio.sleep(self.ack_s)

    async def _send(self, kind: str, payload: Json, envelope: str, attempt: int) -> tuple[bool, Any]:
        if self.address:
            return await self._post(kind, payload, attempt)
        return await self._push(kind, payload, envelope, attempt)

    async def _push(self, kind: str, payload: Json, envelope: str, attempt: int) -> tuple[bool, Any]:
        takes_payload = kind != "events_api"
        acknowledged = asyncio.Event()
        self._waiting[envelope] = (takes_payload, acknowledged)
        message: Json = {"type": kind, "envelope_id": envelope, "payload": payload}
        message["accepts_response_payload"] = takes_payload
        if kind == "events_api":
            message |= {"retry_attempt": attempt, "retry_reason": "timeout" if attempt else ""}
        for socket in self.sockets[-1:]:
            with contextlib.suppress(ConnectionResetError):  # gone a moment ago: nobody acknowledges it
                await socket.send_str(json.dumps(message))
        try:
            async with asyncio.timeout(self.ack_s if takes_payload is False else 3):
                await acknowledged.wait()
        except TimeoutError:
            return False, None
        return True, self.answers.pop(envelope, None)

    def acknowledge(self, text: str) -> None:
        """What the app sends over the socket: nothing but acknowledgements."""
        answer = json.loads(text)
        takes_payload, acknowledged = self._waiting.get(answer.get("envelope_id", ""), (True, None))
        if acknowledged is None or set(answer) - {"envelope_id", "payload"}:
            self.bad_acks.append("not an acknowledgement of something delivered")
        elif answer.get("payload") and not takes_payload:
            self.bad_acks.append("an event takes no response payload")
        else:
            self.answers[answer["envelope_id"]] = answer.get("payload")
            acknowledged.set()

    async def _post(self, kind: str, payload: Json, attempt: int) -> tuple[bool, Any]:
        content, body = encoded(kind, payload)
        headers = {"Content-Type": content} | signed(body)
        if attempt:
            headers |= {"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": "http_error"}
        try:
            timeout = aiohttp.ClientTimeout(total=3)
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(self.address, data=body, headers=headers) as response,
            ):
                text = await response.text()
                is_json = response.content_type == "application/json"
                answer = json.loads(text) if text and is_json else text or None
                if response.status != 200:
                    await asyncio.sleep(self.ack_s)
                return response.status == 200, answer
        except (aiohttp.ClientError, TimeoutError):
            await asyncio.sleep(self.ack_s)
            return False, None

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End everything that is under way."""
        for task in [*self._tasks]:
            task.cancel()
        for socket in [*self.sockets]:
            await socket.close()


def encoded(kind: str, payload: Json) -> tuple[str, bytes]:
    """Content type and body: events come as JSON, commands as a form, interactions as JSON in a form."""
    if kind == "events_api":
        return "application/json", json.dumps(payload).encode()
    form = payload if kind == "slash_commands" else {"payload": json.dumps(payload)}
    return "application/x-www-form-urlencoded", urlencode(form).encode()


def signed(body: bytes, *, secret: str = SECRET, age_s: int = 0) -> dict[str, str]:
    """Headers of a signed request (docs.slack.dev/authentication/verifying-requests-from-slack)."""
    at = str(int(time.time()) - age_s)
    digest = hmac.new(secret.encode(), b"v0:" + at.encode() + b":" + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": f"v0={digest}"}
