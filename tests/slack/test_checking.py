"""What `doctor` says, and the manifest that makes it all right."""

import json
from typing import Any

import pytest

from adapters.slack.manifest import COMMANDS, EVENTS, SCOPES
from tests.servers.slack.rules import METHODS
from tests.servers.slack.world import all_scopes
from tests.support.repository import ROOT
from tests.support.slack_harness import platform
from tests.support.slack_server import SlackServer

MANIFEST: dict[str, Any] = json.loads((ROOT / "docs" / "platforms" / "slack-manifest.json").read_text())


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
    assert all_scopes() == set(SCOPES)
    assert METHODS["apps.connections.open"].app
