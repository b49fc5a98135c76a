"""Who reads along: asked from Slack every time."""

from typing import Any

import pytest

from adapters.slack import platform
from core.domain.messages import Exposure, MessageRef
from core.errors import FundstelleError, Refused, Unavailable
from tests.support.slack_harness import SlackHarness


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
    monkeypatch.setattr(platform, "MAX_MEMBERS", 3)
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
