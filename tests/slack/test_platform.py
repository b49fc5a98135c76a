"""What the platform does on its own: files that people sent, the self-check, and who reads along."""

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.slack.manifest import COMMANDS, EVENTS, LINK_SCOPES, SCOPES
from adapters.slack.platform import may_see_token
from core.domain.messages import Attachment, Exposure, MessageRef
from core.errors import FundstelleError, Refused, Unavailable
from tests.servers.slack.rules import METHODS
from tests.servers.slack.world import all_scopes
from tests.support.repository import ROOT
from tests.support.slack_harness import SlackHarness, platform
from tests.support.slack_server import SlackServer
from tests.support.stand_in import as_files

PDF = b"%PDF-1.4\n" + b"%" * 200_000
MANIFEST: dict[str, Any] = json.loads((ROOT / "docs" / "platforms" / "slack-manifest.json").read_text())


async def uploaded(chats: SlackHarness) -> Attachment:
    chat = await chats.direct()
    await chats.server.do("say", chat=chat, files=as_files([("../a programme.pdf", PDF)]))
    (attachment,) = (await chats.inbox.next()).attachments
    return attachment


async def test_a_file_comes_whole_and_under_a_safe_name(chats: SlackHarness, tmp_path: Path) -> None:
    path = await chats.platform.fetch(await uploaded(chats), tmp_path, max_bytes=len(PDF))
    assert path.parent == tmp_path
    assert path.read_bytes() == PDF


@pytest.mark.parametrize(
    ("fault", "error"),
    [({"status": 302}, Refused), ({"status": 404}, Refused), ({"status": 503}, Unavailable)],
)
async def test_no_redirect_is_followed(
    chats: SlackHarness, tmp_path: Path, fault: dict[str, int], error: type[Exception]
) -> None:
    attachment = await uploaded(chats)
    await chats.server.do("fault", method="download", kind="refuse", **fault)
    with pytest.raises(error):
        await chats.platform.fetch(attachment, tmp_path, max_bytes=len(PDF))
    assert not any(tmp_path.iterdir())  # noqa: ASYNC240 - a look into an empty folder


async def test_the_page_for_signing_in_is_no_document(chats: SlackHarness, tmp_path: Path) -> None:
    attachment = await uploaded(chats)
    chats.platform._api._token = "xoxb-another"
    with pytest.raises(Refused) as refused:
        await chats.platform.fetch(attachment, tmp_path, max_bytes=len(PDF))
    assert refused.value.key == "upload.gone"


async def test_a_file_that_was_deleted_is_gone(chats: SlackHarness, tmp_path: Path) -> None:
    attachment = await uploaded(chats)
    await chats.server.do("forget_file", file_id=attachment.id)
    with pytest.raises(Refused) as refused:
        await chats.platform.fetch(attachment, tmp_path, max_bytes=len(PDF))
    assert refused.value.key == "upload.gone"


async def test_a_file_that_is_larger_than_announced_is_dropped(chats: SlackHarness, tmp_path: Path) -> None:
    chat = await chats.direct()
    (file,) = as_files([("a.pdf", PDF)])
    await chats.server.do("say", chat=chat, files=[file | {"size": 10}])
    (attachment,) = (await chats.inbox.next()).attachments
    with pytest.raises(Refused) as refused:
        await chats.platform.fetch(attachment, tmp_path, max_bytes=100_000)
    assert refused.value.key == "upload.too_large"
    assert not any(tmp_path.iterdir())  # noqa: ASYNC240 - a look into an empty folder


@pytest.mark.parametrize(
    ("url", "base", "may"),
    [
        ("https://files.slack.com/files-pri/T1-F1/a.pdf", "", True),
        ("https://files.slack.com:443/files-pri/T1-F1/a.pdf", "", True),
        ("http://files.slack.com/files-pri/T1-F1/a.pdf", "", False),
        ("https://files.slack.com:8443/a.pdf", "", False),
        ("https://files.slack.com.evil.example/a.pdf", "", False),
        ("https://files.slack.com@evil.example/a.pdf", "", False),
        ("https://evil.example/files.slack.com/a.pdf", "", False),
        ("", "", False),
        ("http://127.0.0.1:8082/files-pri/a.pdf", "http://127.0.0.1:8082/api/", True),
        ("https://files.slack.com/a.pdf", "http://127.0.0.1:8082/api/", False),
        ("http://127.0.0.1:9999/files-pri/a.pdf", "http://127.0.0.1:8082/api/", False),
    ],
)
def test_who_may_see_the_token(url: str, base: str, may: bool) -> None:
    assert may_see_token(url, base) is may


async def wrong(server: SlackServer, **account: Any) -> dict[str, str]:
    bot = platform(server, **account)
    findings = await bot.check()
    await bot.close()
    return {finding.what: finding.advice for finding in findings if not finding.ok}


async def test_each_missing_scope_is_named_with_what_to_do(server: SlackServer) -> None:
    for scope in ("groups:history", "files:write"):
        await server.do("revoke", scope=scope)
    found = await wrong(server)
    assert set(found) == {"Slack: scope groups:history is missing", "Slack: scope files:write is missing"}
    assert all("install the app again" in advice for advice in found.values())


async def test_a_wrong_bot_token(server: SlackServer) -> None:
    found = await wrong(server, bot_token="xoxb-wrong")
    assert list(found) == ["Slack: bot token"]
    assert "install the app again" in found["Slack: bot token"]
    assert "xoxb" not in str(found)


async def test_a_wrong_app_token(server: SlackServer) -> None:
    found = await wrong(server, app_token="xapp-wrong")
    assert list(found) == ["Slack: Socket Mode cannot be opened"]
    assert "connections:write" in str(found)


async def test_slack_out_of_reach(server: SlackServer) -> None:
    assert list(await wrong(server, api_base="http://127.0.0.1:9/api/")) == ["Slack: cannot be asked"]


@pytest.mark.parametrize(("secret", "right"), [("abc", True), ("", False)])
async def test_without_socket_mode_the_secret_is_needed(
    server: SlackServer, secret: str, right: bool
) -> None:
    assert (await wrong(server, app_token="", signing_secret=secret) == {}) is right


async def test_commands_are_named_with_the_prefix_that_the_workspace_has_chosen(server: SlackServer) -> None:
    bot = platform(server, command_prefix="library-")
    found = await bot.check()
    await bot.close()
    assert bot.capabilities.command_prefix == "/library-fundstelle "
    assert "/library-fundstelle and /library-jurisdiction" in found[-1].what


def test_the_manifest_asks_for_what_is_needed_and_nothing_else() -> None:
    assert MANIFEST["oauth_config"]["scopes"] == {"bot": sorted(SCOPES)}
    assert MANIFEST["settings"]["event_subscriptions"]["bot_events"] == sorted(EVENTS)
    assert [each["command"] for each in MANIFEST["features"]["slash_commands"]] == list(COMMANDS)
    assert MANIFEST["settings"]["socket_mode_enabled"]
    assert MANIFEST["settings"]["interactivity"] == {"is_enabled": True}


def test_the_stand_in_asks_for_the_same_scopes() -> None:
    assert all_scopes() == {*SCOPES, *LINK_SCOPES}
    assert METHODS["apps.connections.open"].app


def ref(chat: str) -> MessageRef:
    return MessageRef(platform="slack", workspace="T0WORKSPACE", chat=chat, thread=None, message="")


async def of(chats: SlackHarness, chat: str) -> Exposure:
    return await chats.platform.exposure(ref(chat))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, None),
        ({"private": False}, "chat.public"),
        ({"is_shared": True}, "chat.shared"),
        ({"is_ext_shared": True}, "chat.shared"),
        ({"is_org_shared": True}, "chat.shared"),
        ({"is_pending_ext_shared": True}, "chat.shared"),
        ({"pending_shared": ["T0OTHER"]}, "chat.shared"),
    ],
)
async def test_a_private_channel_that_changes(
    chats: SlackHarness, change: dict[str, Any], why: str | None
) -> None:
    chat = await chats.group()
    assert (await of(chats, chat)).closed
    await chats.server.do("set", chat=chat, **change)
    assert await of(chats, chat) == Exposure(closed=why is None, direct=False, why_open=why)


@pytest.mark.parametrize(
    "account",
    [
        {"is_restricted": True},
        {"is_ultra_restricted": True},
        {"is_stranger": True},
        {"team_id": "T0OTHER"},
        {"team_id": "T0OTHER", "enterprise_user": {"enterprise_id": "E1"}},
    ],
)
async def test_a_guest_comes_in(chats: SlackHarness, account: dict[str, Any]) -> None:
    chat = await chats.group()
    assert (await of(chats, chat)).closed
    await chats.server.do("member", chat=chat, name="guest", **account)
    assert await of(chats, chat) == Exposure(closed=False, direct=False, why_open="chat.guests")
    private = await chats.server.do("chat", kind="im", people=["guest"])
    assert await of(chats, private) == Exposure(closed=False, direct=True, why_open="chat.guests")


async def test_a_group_chat_counts_as_a_private_channel(chats: SlackHarness) -> None:
    chat = await chats.server.do("chat", kind="mpim")
    assert await of(chats, chat) == Exposure(closed=True, direct=False)


async def test_a_public_channel_is_open(chats: SlackHarness) -> None:
    chat = await chats.server.do("chat", kind="channel")
    assert (await of(chats, chat)).why_open == "chat.public"


async def test_a_channel_that_is_too_large_is_not_confirmed(
    chats: SlackHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.slack.platform.MAX_MEMBERS", 3)
    chat = await chats.server.do("chat", kind="group", people=["ann", "ben", "cem"])
    with pytest.raises(Refused) as refused:
        await of(chats, chat)
    assert refused.value.key == "chat.unknown"


async def test_large_channels_are_read_page_by_page(chats: SlackHarness) -> None:
    people = [f"p{number}" for number in range(120)]
    chat = await chats.server.do("chat", kind="group", people=people)
    assert (await of(chats, chat)).closed
    assert (await of(chats, chat)).closed
    calls = [call for call in await chats.server.do("calls") if call["method"] == "users.info"]
    assert len(calls) == 120  # remembered for a minute


@pytest.mark.parametrize("method", ["conversations.info", "conversations.members", "users.info"])
@pytest.mark.parametrize(
    ("fault", "error"), [("fatal_error", Unavailable), ("missing_scope", FundstelleError)]
)
async def test_what_slack_does_not_say_is_not_confirmed(
    chats: SlackHarness, method: str, fault: str, error: type[Exception]
) -> None:
    chat = await chats.group()
    await chats.server.do("fault", method=method, kind="refuse", error=fault)
    with pytest.raises(error):
        await of(chats, chat)
