"""The stand-in for Slack refuses what Slack refuses, and loses nothing by itself."""

import asyncio
import json
from typing import Any

import aiohttp
import httpx
import pytest

from tests.servers.slack.delivery import signed
from tests.support.chat_harness import eventually
from tests.support.slack_server import SlackServer
from tests.support.stand_in import as_files

RICH = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": []}]}
NO_UNFURL = {"unfurl_links": False, "unfurl_media": False}
POST = "chat.postMessage"


@pytest.fixture
def chat(server: SlackServer) -> str:
    return str(server.ask("chat", kind="group"))


def rich(*elements: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    section = {"type": "rich_text_section", "elements": list(elements)}
    return [{"type": "rich_text", "elements": [section]} | more]


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def button(**more: Any) -> list[dict[str, Any]]:
    label = {"type": "plain_text", "text": "Useful"}
    return [{"type": "actions", "elements": [{"type": "button", "action_id": "a", "text": label} | more]}]


BAD: dict[str, tuple[str, dict[str, Any], str]] = {
    "unknown argument": (POST, {"text": "x", "colour": "red"}, "no argument colour"),
    "no content": (POST, {}, "neither text nor blocks"),
    "no notification": (POST, {"blocks": rich(text("x"))}, "notifications are empty"),
    "long text": (POST, {"text": "x" * 4001}, "longer than 4,000"),
    "links unfold": (POST, {"text": "x", "unfurl_links": True}, "would unfold"),
    "unfolds unless told": (POST, {"text": "x", "unfurl_links": None}, "would unfold"),
    "parse": (POST, {"text": "x", "parse": "full"}, "parse"),
    "thread as a number": (POST, {"text": "x", "thread_ts": 1700000000.0001}, "thread_ts must be a string"),
    "not a ts": (POST, {"text": "x", "thread_ts": "1700000000"}, "must be a ts"),
    "metadata as text": (POST, {"text": "x", "metadata": "[]"}, "metadata must be an object"),
    "blocks as an object": (POST, {"text": "x", "blocks": {"type": "rich_text"}}, "must be an array"),
    "too many blocks": (POST, {"text": "x", "blocks": rich(text("x")) * 51}, "more than 50"),
    "unknown block": (POST, {"text": "x", "blocks": [{"type": "poem", "text": "x"}]}, ""),
    "block not modelled": (POST, {"text": "x", "blocks": [{"type": "divider"}]}, "not modelled"),
    "long section": (
        POST,
        {"text": "x", "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3001}}]},
        "3000",
    ),
    "empty rich text": (POST, {"text": "x", "blocks": [RICH]}, "not empty"),
    "empty element": (POST, {"text": "x", "blocks": rich(text(""))}, "not an element"),
    "live pipe": (POST, {"text": "x", "blocks": rich({"type": "link", "url": "https://a|b"})}, "link"),
    "plain http": (POST, {"text": "x", "blocks": rich({"type": "link", "url": "http://a"})}, "link"),
    "long blocks": (POST, {"text": "x", "blocks": rich(*[text("x" * 3000)] * 5)}, "12,000"),
    "long block id": (POST, {"text": "x", "blocks": rich(text("x"), block_id="x" * 256)}, "255"),
    "same block id": (POST, {"text": "x", "blocks": rich(text("x"), block_id="a") * 2}, "stands twice"),
    "long label": (
        POST,
        {"text": "x", "blocks": button(text={"type": "plain_text", "text": "x" * 76})},
        "75",
    ),
    "label in markup": (POST, {"text": "x", "blocks": button(text={"type": "mrkdwn", "text": "x"})}, ""),
    "long value": (POST, {"text": "x", "blocks": button(value="x" * 2001)}, "2,000"),
    "no action id": (POST, {"text": "x", "blocks": button(action_id="")}, "action_id"),
    "no user": ("chat.postEphemeral", {"text": "x"}, "needs user"),
    "no ts": ("chat.update", {"text": "x"}, "needs ts"),
    "limit": ("conversations.history", {"limit": 1000}, "limit is 1-999"),
    "limit in words": ("conversations.history", {"limit": "many"}, "limit must be an integer"),
    "no words": (
        "assistant.threads.setStatus",
        {"channel_id": "C1", "thread_ts": "1.000001"},
        "needs status",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_calls_are_refused_and_noted(server: SlackServer, chat: str, case: str) -> None:
    method, arguments, why = BAD[case]
    place = {} if "channel_id" in arguments else {"channel": chat}
    quiet = NO_UNFURL if method == POST else {}
    said = server.call(method, **(place | quiet | arguments)).json()
    assert not said["ok"]
    (violation,) = server.ask("violations", clear=True)
    assert why in violation["why"]


def test_what_is_not_modelled_says_so(server: SlackServer) -> None:
    assert server.call("chat.scheduleMessage", channel="C1").status_code == 501
    assert server.ask("violations", clear=True)


def test_the_token_belongs_into_the_header(server: SlackServer) -> None:
    for query in ({"token": server.bot_token}, {}):
        answer = httpx.post(f"{server.api_base}auth.test", params=query, trust_env=False)
        assert not answer.json()["ok"]
    assert len(server.ask("violations", clear=True)) == 1


@pytest.mark.parametrize(
    ("method", "token", "word"),
    [
        ("auth.test", "xoxb-wrong", "invalid_auth"),
        ("apps.connections.open", "", "invalid_auth"),
        ("auth.test", "app", "invalid_auth"),
    ],
)
def test_each_token_is_for_its_own_methods(server: SlackServer, method: str, token: str, word: str) -> None:
    token = server.app_token if token == "app" else token
    assert server.call(method, token).json()["error"] == word


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "elsewhere": (POST, {"channel": "C404", "text": "x"} | NO_UNFURL, "channel_not_found"),
    "no such message": ("chat.update", {"ts": "1.000001", "text": "x"}, "message_not_found"),
    "nothing to delete": ("chat.delete", {"ts": "1.000001"}, "message_not_found"),
    "no such thread": ("conversations.replies", {"ts": "1.000001"}, "thread_not_found"),
    "no such person": ("chat.postEphemeral", {"user": "U404", "text": "x"}, "user_not_in_channel"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_sound_client_may_run_into_is_no_violation(server: SlackServer, chat: str, case: str) -> None:
    method, arguments, word = REFUSED[case]
    assert server.call(method, **({"channel": chat} | arguments)).json()["error"] == word


def test_a_persons_message_is_theirs(server: SlackServer, chat: str) -> None:
    said = server.ask("say", chat=chat, text="What?")
    for method, word in (("chat.update", "cant_update_message"), ("chat.delete", "cant_delete_message")):
        arguments = {"channel": chat, "ts": said} | ({"text": "x"} if method == "chat.update" else {})
        assert server.call(method, **arguments).json()["error"] == word


def test_a_missing_scope_is_named(server: SlackServer, chat: str) -> None:
    server.ask("revoke", scope="groups:history")
    refused = server.call("conversations.history", channel=chat).json()
    assert (refused["error"], refused["needed"]) == ("missing_scope", "groups:history")


def test_pages_follow_each_other(server: SlackServer, chat: str) -> None:
    for number in range(5):
        server.ask("say", chat=chat, text=str(number))
    seen, cursor = [], None
    while cursor != "":
        page = server.call("conversations.history", channel=chat, limit=2, cursor=cursor).json()
        seen += [message["text"] for message in page["messages"]]
        cursor = page["response_metadata"]["next_cursor"]
    assert seen == ["4", "3", "2", "1", "0"]


def test_history_shows_no_replies_and_metadata_only_when_asked(server: SlackServer, chat: str) -> None:
    metadata = {"event_type": "x", "event_payload": {"key": "k"}}
    root = server.call(POST, channel=chat, text="x", metadata=metadata, **NO_UNFURL).json()["ts"]
    reply = server.call(POST, channel=chat, text="y", thread_ts=root, **NO_UNFURL).json()["ts"]
    (shown,) = server.call("conversations.history", channel=chat).json()["messages"]
    assert (shown["ts"], shown["reply_count"], "metadata" in shown) == (root, 1, False)
    thread = server.call("conversations.replies", channel=chat, ts=root, include_all_metadata=True).json()
    assert [message["ts"] for message in thread["messages"]] == [root, reply]
    assert thread["messages"][0]["metadata"] == metadata
    below = server.call(POST, channel=chat, text="z", thread_ts=reply, **NO_UNFURL).json()
    assert below["error"] == "thread_not_found"


def test_files_are_announced_uploaded_and_completed(server: SlackServer, chat: str) -> None:
    place = server.call("files.getUploadURLExternal", filename="a.pdf", length=4).json()
    early = server.call("files.completeUploadExternal", files=[{"id": place["file_id"]}]).json()
    assert not early["ok"]
    for content in (b"PDF", b"%PDF"):
        httpx.post(place["upload_url"], content=content, trust_env=False)
    files = [{"id": place["file_id"], "title": "A"}]
    done = {"channel_id": chat, "files": files, "blocks": rich(text("x"))}
    assert server.call("files.completeUploadExternal", **done).json()["ok"]
    assert not server.call("files.completeUploadExternal", **done).json()["ok"]
    assert len(server.ask("violations", clear=True)) == 3


def test_the_token_does_not_go_to_an_upload_address(server: SlackServer) -> None:
    place = server.call("files.getUploadURLExternal", filename="a.pdf", length=4).json()
    headers = {"Authorization": f"Bearer {server.bot_token}"}
    httpx.post(place["upload_url"], content=b"%PDF", headers=headers, trust_env=False)
    assert len(server.ask("violations", clear=True)) == 1


def test_a_private_file_shows_strangers_a_page_for_signing_in(server: SlackServer, chat: str) -> None:
    server.ask("say", chat=chat, files=as_files([("a.pdf", b"%PDF")]))
    (identity,) = server.ask("files")
    link = server.call("files.info", file=identity).json()["file"]["url_private_download"]
    page = httpx.get(link, trust_env=False)
    assert (page.status_code, page.headers["content-type"].partition(";")[0]) == (200, "text/html")
    headers = {"Authorization": f"Bearer {server.bot_token}"}
    assert httpx.get(link, headers=headers, trust_env=False).content == b"%PDF"


async def opened(server: SlackServer) -> str:
    answer = await asyncio.to_thread(server.call, "apps.connections.open", server.app_token)
    return str(answer.json()["url"])


async def test_what_is_not_acknowledged_comes_again_with_the_same_ids(server: SlackServer) -> None:
    chat = await server.do("chat", kind="im")
    async with aiohttp.ClientSession() as session, session.ws_connect(await opened(server)) as socket:
        assert (await socket.receive_json())["type"] == "hello"
        await server.do("say", chat=chat, text="What?")
        first, second = await socket.receive_json(timeout=5), await socket.receive_json(timeout=5)
        assert first["payload"] == second["payload"]
        assert first["envelope_id"] == second["envelope_id"]
        assert (first["retry_attempt"], second["retry_attempt"]) == (0, 1)
        await socket.send_json({"envelope_id": first["envelope_id"]})
        with pytest.raises(TimeoutError):
            await socket.receive_json(timeout=1.0)


@pytest.mark.parametrize(
    "answer", [{"envelope_id": "?"}, {"envelope_id": True, "payload": {"text": "x"}}, {}]
)
async def test_wrong_acknowledgements_are_noted(server: SlackServer, answer: dict[str, Any]) -> None:
    chat = await server.do("chat", kind="im")
    async with aiohttp.ClientSession() as session, session.ws_connect(await opened(server)) as socket:
        await socket.receive_json()
        await server.do("say", chat=chat, text="What?")
        envelope = (await socket.receive_json())["envelope_id"]
        known = {"envelope_id": envelope} if answer.get("envelope_id") is True else {}
        await socket.send_json(answer | known)

        async def noted() -> bool:
            return len(await server.do("violations")) == 1

        await eventually(noted)
    await server.do("violations", clear=True)


async def test_a_ticket_lets_in_once(server: SlackServer) -> None:
    url = await opened(server)
    async with aiohttp.ClientSession() as session, session.ws_connect(url):
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(url)


async def test_without_a_connection_events_are_lost(server: SlackServer) -> None:
    chat = await server.do("chat", kind="im")
    await server.do("delivery", tries=1)
    await server.do("say", chat=chat, text="What?")
    await asyncio.sleep(0.8)
    async with aiohttp.ClientSession() as session, session.ws_connect(await opened(server)) as socket:
        assert (await socket.receive_json())["type"] == "hello"
        with pytest.raises(TimeoutError):
            await socket.receive_json(timeout=0.3)


async def test_events_are_dropped_held_and_shuffled_on_demand(server: SlackServer) -> None:
    chat = await server.do("chat", kind="im")
    await server.do("delivery", dropping=1)
    await server.do("hold")
    for number in range(8):
        await server.do("say", chat=chat, text=str(number))
    async with aiohttp.ClientSession() as session, session.ws_connect(await opened(server)) as socket:
        await socket.receive_json()
        await server.do("release", seed=3)
        seen = []
        for _ in range(7):
            envelope = await socket.receive_json(timeout=5)
            await socket.send_json({"envelope_id": envelope["envelope_id"]})
            seen.append(envelope["payload"]["event"]["text"])
    assert seen != sorted(seen)
    assert sorted(seen) == [str(number) for number in range(1, 8)]


def test_signatures_are_as_slack_describes_them() -> None:
    body = json.dumps({"type": "event_callback"}).encode()
    assert signed(body)["X-Slack-Signature"] != signed(body, secret="other")["X-Slack-Signature"]
    assert signed(body)["X-Slack-Signature"].startswith("v0=")
