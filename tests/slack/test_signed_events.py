"""Events over HTTP: only Slack's, only fresh ones, acknowledged when they are kept."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

import pytest

from adapters.slack.platform import SlackPlatform
from bot.http.endpoint import HttpEndpoint, listening
from core.domain.messages import Button, MessageKind, Outgoing
from core.errors import Unavailable
from tests.servers.slack.delivery import encoded, signed
from tests.support.chat_harness import RecordingInbox, eventually
from tests.support.slack_harness import BOT, platform
from tests.support.slack_server import SlackServer
from tests.support.world import World

CHALLENGE = {"type": "url_verification", "challenge": "3eZbrw1aB", "token": "x"}
MESSAGE = {"type": "message", "channel": "D1", "channel_type": "im", "user": "U1", "text": "What?"}
EVENT = {"type": "event_callback", "event_id": "Ev1", "event": MESSAGE | {"ts": "1700000000.000100"}}


class Served:
    """The adapter behind the endpoint of `serve`."""

    def __init__(self, server: SlackServer) -> None:
        self.server = server
        self.inbox = RecordingInbox()
        self.platform = platform(server, app_token="", signing_secret=server.signing_secret)

    async def receive(self, content: dict[str, object], **more: object) -> tuple[int, str]:
        kind, body = encoded("events_api", content)
        return await self.platform.receive({"Content-Type": kind} | signed(body, **more), body)  # type: ignore[arg-type]


@pytest.fixture
async def served(server: SlackServer) -> AsyncIterator[Served]:
    found = Served(server)
    running = asyncio.create_task(found.platform.run(found.inbox))
    measures = World().app.measures
    endpoint = HttpEndpoint(
        standing=measures.lookout.look, exposition=measures.exposition, events=found.platform.receive
    )
    listened = listening(endpoint, "127.0.0.1", 0)
    port = await listened.__aenter__()
    await server.do("delivery", address=f"http://127.0.0.1:{port}/slack/events")

    async def begun() -> bool:
        return found.inbox.saved is not None

    await eventually(begun)
    try:
        yield found
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        await listened.__aexit__(None, None, None)
        await found.platform.close()


async def test_a_question_a_command_and_a_button_come_in(served: Served) -> None:
    chat = await served.server.do("chat", kind="group")
    said = await served.server.do("say", chat=chat, text=f"<@{BOT}> What?")
    message = await served.inbox.next()
    assert (message.text, message.ref.thread) == ("What?", said)
    rows = ((Button(label="Useful", command="useful"),),)
    (shown,) = await served.platform.send(Outgoing(key="k-0", to=message.ref, text="So.", buttons=rows))
    await served.server.do("press", chat=chat, message=shown, value="useful")
    assert (await served.inbox.next(MessageKind.BUTTON)).text == "useful"
    back = await served.server.do("command", chat=chat, command="/jurisdiction", text="de-nw")
    assert back == {"response_type": "in_channel"}
    assert served.inbox.messages[-1].text == "/jurisdiction de-nw"


async def test_what_could_not_be_kept_comes_again(served: Served) -> None:
    chat = await served.server.do("chat", kind="im")
    served.inbox.broken = True
    await served.server.do("say", chat=chat, text="Kept?")
    await asyncio.sleep(0.2)
    served.inbox.broken = False
    assert (await served.inbox.next()).text == "Kept?"
    await served.server.do("again", copies=4, seed=3)
    await served.server.do("say", chat=chat, text="Once?")
    await served.inbox.next(after=1)
    assert [message.text for message in served.inbox.messages] == ["Kept?", "Once?"]


async def test_slack_is_shown_that_the_address_is_ours(served: Served) -> None:
    assert await served.receive(CHALLENGE) == (200, "3eZbrw1aB")


async def test_what_is_not_acknowledged_is_not_taken_as_done(served: Served) -> None:
    served.inbox.broken = True
    assert (await served.receive(EVENT))[0] == 503
    served.inbox.broken = False
    assert (await served.receive(EVENT))[0] == 200
    assert len(served.inbox.messages) == 1


@pytest.mark.parametrize("more", [{"secret": "another"}, {"age_s": 301}, {"age_s": -301}])
async def test_forged_and_stale_requests_are_refused(served: Served, more: dict[str, object]) -> None:
    assert (await served.receive(EVENT, **more))[0] == 401
    assert served.inbox.messages == []


async def test_a_replay_within_the_window_is_taken_once(served: Served) -> None:
    for age_s in (0, 100, 290):
        assert (await served.receive(EVENT, age_s=age_s))[0] == 200
    assert len(served.inbox.messages) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"X-Slack-Signature": "v0=00"},
        {"X-Slack-Signature": "v0=ü"},
        {"X-Slack-Signature": ""},
        {"X-Slack-Request-Timestamp": "soon"},
        {"X-Slack-Request-Timestamp": ""},
        {"X-Slack-Request-Timestamp": "1"},
    ],
)
async def test_changed_headers_are_refused(served: Served, change: dict[str, str]) -> None:
    body = json.dumps(EVENT).encode()
    headers = {"Content-Type": "application/json"} | signed(body)
    assert (await served.platform.receive(headers | change, body))[0] == 401
    for name in change:
        assert (await served.platform.receive({k: v for k, v in headers.items() if k != name}, body))[
            0
        ] == 401


async def test_a_changed_body_is_refused(served: Served) -> None:
    body = json.dumps(EVENT).encode()
    headers = {"Content-Type": "application/json"} | signed(body)
    for position in range(0, len(body), 7):
        changed = body[:position] + bytes([body[position] ^ 1]) + body[position + 1 :]
        assert (await served.platform.receive(headers, changed))[0] == 401
    assert served.inbox.messages == []


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[1]", b"payload=%7B", b"null", b""])
async def test_signed_nonsense_stops_nobody(served: Served, body: bytes) -> None:
    headers = {"Content-Type": "application/json"} | signed(body)
    status, _ = await served.platform.receive(headers, body)
    assert status in (200, 400, 401)
    assert (await served.receive(EVENT))[0] == 200
    assert len(served.inbox.messages) == 1


async def test_before_it_is_served_slack_has_to_wait(server: SlackServer) -> None:
    early = Served(server)
    with pytest.raises(Unavailable):
        await early.receive(EVENT)
    await early.platform.close()


async def test_without_a_secret_nothing_is_taken(server: SlackServer) -> None:
    socket: SlackPlatform = platform(server)
    body = json.dumps(EVENT).encode()
    assert (await socket.receive(signed(body, secret=""), body))[0] == 404
    await socket.close()
