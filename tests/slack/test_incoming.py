"""Slack's events as messages."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.api import SlackAccount
from adapters.slack.incoming import commanded, deleted, happened, plain, pressed, said, taken_back, thread_of
from core.domain.messages import Attachment, MessageKind
from core.search.group_talk import ThreadTalk
from tests.support.fake_reading import AsksByItsMark
from tests.support.growth import MOST, growth

ME = SlackAccount(user="U0BOT", bot="B0BOT", name="fundstelle", team="T1")
NOW = datetime(2026, 3, 1, tzinfo=UTC)
TS = "1700000000.000100"
Json = dict[str, Any]


def message(text: str, **more: Any) -> Json:
    about = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U1", "ts": TS}
    return about | {"text": text, "event_ts": TS} | more


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<@U0BOT> What?", "What?"),
        ("<@U0BOT>, what?", "what?"),
        (" <@U0BOT|fundstelle>: what?", "what?"),
        ("What does <@U0BOT> know?", "What does know?"),
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("<@U77|ben> and <@U78>", "@ben and @user"),
        ("in <#C1|general> or <#C2>", "in #general or #C2"),
        ("<!channel> <!here> <!everyone>", "@channel @here @everyone"),
        ("<!subteam^S1|@staff> <!date^1^{date}|1 May>", "@staff 1 May"),
        ("<https://example.org/a?b=1&amp;c=2>", "https://example.org/a?b=1&c=2"),
        ("<http://example.org|example.org>", "example.org"),
        ("<https://example.org|the page>", "the page (https://example.org)"),
        ("<mailto:a@example.org|a@example.org>", "a@example.org"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("", ""),
    ],
)
def test_markup_reads_as_people_see_it(markup: str, text: str) -> None:
    assert plain(markup, ME) == text


@given(st.text())
def test_what_clients_escape_comes_back_as_typed(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert plain(escaped, ME) == text.strip()


async def test_a_mention_in_a_channel_is_for_the_app_and_opens_a_thread() -> None:
    found = await said(message("<@U0BOT> What?"), ME, ours=False)
    assert found is not None
    assert (found.text, found.addressed, found.direct, found.sender) == ("What?", True, False, "U1")
    assert (found.ref.workspace, found.ref.chat, found.ref.message) == ("T1", "C1", TS)
    assert found.ref.thread == TS
    assert found.received_at == datetime.fromtimestamp(1700000000.0001, tz=UTC)


async def test_both_events_of_a_mention_are_one() -> None:
    mention = message("<@U0BOT> What?") | {"type": "app_mention"}
    del mention["channel_type"]
    assert await said(mention, ME, ours=False) == await said(message("<@U0BOT> What?"), ME, ours=False)


async def test_a_mention_with_files_is_taken_where_the_files_have_names() -> None:
    mention = message("<@U0BOT> take it", files=[{"id": "F1"}]) | {"type": "app_mention"}
    assert await said(mention, ME, ours=False) is None
    files = [{"id": "F1", "name": "a.pdf", "size": 7}]
    found = await said(message("<@U0BOT> take it", files=files, subtype="file_share"), ME, ours=False)
    assert found is not None
    assert found.attachments == (Attachment(id="F1", name="a.pdf", size=7),)


async def test_a_direct_message_has_no_thread() -> None:
    found = await said(message("What?", channel="D1", channel_type="im"), ME, ours=False)
    assert found is not None
    assert (found.addressed, found.direct, found.ref.thread) == (True, True, None)


async def test_a_reply_in_a_direct_chat_stays_in_its_thread() -> None:
    found = await said(message("And?", channel="D1", thread_ts="1.000001"), ME, ours=False)
    assert found is not None
    assert found.ref.thread == "1.000001"


async def test_a_reply_is_for_the_app_in_its_threads() -> None:
    reply = message("And for islanders?", thread_ts="1600000000.000100")
    assert thread_of(reply) == "1600000000.000100"
    assert await said(reply, ME, ours=False) is None
    found = await said(reply, ME, ours=True, talk=ThreadTalk(AsksByItsMark()))
    assert found is not None
    assert found.ref.thread == "1600000000.000100"


def test_what_opened_a_thread_is_no_reply_in_it() -> None:
    assert thread_of(message("Lunch?", thread_ts=TS)) is None
    assert thread_of(message("And?", channel="D1", thread_ts="1.000001")) is None


@pytest.mark.parametrize(
    "more",
    [
        {"subtype": "channel_join"},
        {"subtype": "bot_message", "user": None},
        {"subtype": "message_deleted"},
        {"bot_id": "B77"},
        {"user": "U0BOT"},
        {"user": "USLACKBOT"},
        {"ts": "soon"},
    ],
)
async def test_what_is_not_a_persons_is_ignored(more: Json) -> None:
    assert await said(message("<@U0BOT> What?", **more), ME, ours=True) is None


async def test_files_are_handed_over_even_without_a_mention() -> None:
    files = [
        {"id": "F1", "name": "a.pdf", "size": 7},
        {"id": "F2", "mode": "tombstone"},
        {"id": "F3", "mode": "hidden_by_limit"},
    ]
    found = await said(message("party=SPD", files=files, subtype="file_share"), ME, ours=False)
    assert found is not None
    assert not found.addressed
    assert [attachment.id for attachment in found.attachments] == ["F1"]


def edited(before: str, now: str, **more: Any) -> Json:
    mark = {"edited": {"user": "U1", "ts": "1700000009.000100"}}
    inner = {"type": "message", "user": "U1", "ts": TS, "text": now} | mark | more
    event = message("", subtype="message_changed", ts="1700000009.000200", message=inner)
    return event | {"previous_message": {"user": "U1", "ts": TS, "text": before}}


async def test_an_edit_is_of_the_message_that_was_edited() -> None:
    found = await said(edited("<@U0BOT> What?", "<@U0BOT> Who?"), ME, ours=False)
    assert found is not None
    assert (found.kind, found.text, found.ref.message) == (MessageKind.EDIT, "Who?", TS)
    question = await said(message("<@U0BOT> What?"), ME, ours=False)
    assert question is not None
    assert found.event != question.event
    assert found.ref.thread == question.ref.thread


async def test_unfolded_links_and_the_apps_own_edits_are_no_edits() -> None:
    assert await said(edited("<@U0BOT> What?", "<@U0BOT> What?"), ME, ours=True) is None
    event = edited("a", "b", user="U0BOT", bot_id="B0BOT")
    assert await said(event, ME, ours=True) is None
    unfolded = edited("<@U0BOT> a", "<@U0BOT> b")
    del unfolded["message"]["edited"]
    assert await said(unfolded, ME, ours=True) is None


async def test_a_mention_that_an_edit_brings_is_no_message() -> None:
    mention = message("<@U0BOT> What?", edited={"user": "U1", "ts": "1700000009.000100"})
    assert await said(mention | {"type": "app_mention"}, ME, ours=False) is None


@pytest.mark.parametrize("ours", [False, True])
async def test_an_edit_away_from_the_app_takes_the_message_back(ours: bool) -> None:
    found = await said(edited("<@U0BOT> What?", "<@U77> what?"), ME, ours=ours)
    assert found is not None
    assert (found.taken_back, found.ref.message, found.event) == (True, TS, f"C1:{TS}:1700000009.000100")
    assert await said(edited("Lunch?", "Lunch at two?"), ME, ours=False) is None


def removed(**more: Any) -> Json:
    return message("", subtype="message_deleted", ts="1700000010.000100", deleted_ts=TS) | more


def stone(**more: Any) -> Json:
    inner = {"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "ts": TS, "thread_ts": TS}
    return message("", subtype="message_changed", ts="1700000010.000100", message=inner) | more


@pytest.mark.parametrize("event", [removed(), stone()])
def test_a_deleted_message_is_taken_back(event: Json) -> None:
    before = {"user": "U1", "ts": TS, "text": "<@U0BOT> What?"}
    for known in ({}, {"previous_message": before}, {"previous_message": None}):
        assert deleted(event | known) == TS
        found = taken_back(event | known, ME)
        assert found is not None
        assert (found.taken_back, found.addressed, found.ref.message, found.ref.thread) == (
            True,
            True,
            TS,
            TS,
        )
        assert found.event == f"C1:{TS}:deleted"
    for own in ({"user": "U0BOT"}, {"bot_id": "B77"}):
        assert taken_back(event | {"previous_message": own}, ME) is None


def command(name: str, text: str, channel: str = "C1") -> Json:
    return {"command": name, "text": text, "channel_id": channel, "user_id": "U1", "trigger_id": "1.2.x"}


@pytest.mark.parametrize(
    ("name", "typed", "text"),
    [
        ("/fundstelle", "ask What about A &amp; B?", "/ask What about A & B?"),
        ("/fundstelle", "/sources", "/sources"),
        ("/fundstelle", "  ", "/help"),
        ("/jurisdiction", "de-nw", "/jurisdiction de-nw"),
        ("/jurisdiction", "", "/jurisdiction"),
    ],
)
def test_slash_commands(name: str, typed: str, text: str) -> None:
    found = commanded(command(name, typed), ME, NOW)
    assert (found.text, found.addressed, found.direct, found.ref.thread) == (text, True, False, None)
    assert found.event == "command:1.2.x"
    assert commanded(command(name, typed, "D1"), ME, NOW).direct


@pytest.mark.parametrize("prefix", ["library-", "j", "fundstelle_", ""])
def test_slash_commands_may_have_a_prefix_of_the_workspaces_own(prefix: str) -> None:
    asked = commanded(command(f"/{prefix}fundstelle", "ask Why?"), ME, NOW, prefix)
    placed = commanded(command(f"/{prefix}jurisdiction", "de-nw"), ME, NOW, prefix)
    assert (asked.text, placed.text) == ("/ask Why?", "/jurisdiction de-nw")


def press(**container: Any) -> Json:
    return {
        "type": "block_actions",
        "user": {"id": "U1"},
        "container": {"type": "message", "message_ts": TS, "channel_id": "C1"} | container,
        "message": {"ts": TS},
        "actions": [{"type": "button", "value": "feedback useful", "action_ts": "1700000005.1"}],
    }


def test_a_pressed_button() -> None:
    found = pressed(press(thread_ts="1.000001"), ME, NOW)
    assert found is not None
    assert (found.kind, found.text, found.reply_to) == (MessageKind.BUTTON, "feedback useful", TS)
    assert (found.ref.thread, found.direct) == ("1.000001", False)
    inside = pressed(press(channel_id="D1"), ME, NOW)
    assert inside is not None
    assert (inside.ref.thread, inside.direct) == (None, True)


def test_other_things_than_buttons_are_not_pressed() -> None:
    body = press()
    body["actions"][0]["type"] = "static_select"
    assert pressed(body, ME, NOW) is None


def event(kind: str, **more: Any) -> Json:
    return {"type": kind, "event_ts": TS} | more


def reaction(name: str, **more: Any) -> Json:
    about = {"user": "U1", "reaction": name, "item_user": "U0BOT"}
    return event("reaction_added", item={"type": "message", "channel": "C1", "ts": TS}) | about | more


@pytest.mark.parametrize(
    ("name", "text"), [("+1", "👍"), ("thumbsdown", "👎"), ("-1::skin-tone-5", "👎"), ("ferry", ":ferry:")]
)
def test_reactions_to_the_apps_messages(name: str, text: str) -> None:
    found = happened(reaction(name), "Ev1", ME)
    assert found is not None
    assert (found.kind, found.text, found.reply_to) == (MessageKind.REACTION, text, TS)


@pytest.mark.parametrize(
    "more", [{"item_user": "U1"}, {"user": "U0BOT"}, {"item": {"type": "file", "file": "F1"}}]
)
def test_other_reactions_are_nobodys_business(more: Json) -> None:
    assert happened(reaction("+1", **more), "Ev1", ME) is None


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        (event("member_joined_channel", user="U0BOT", channel="C1", inviter="U1"), MessageKind.JOINED),
        (event("member_left_channel", user="U0BOT", channel="C1"), MessageKind.LEFT),
        (event("channel_left", channel="C1"), MessageKind.LEFT),
        (event("group_left", channel="C1"), MessageKind.LEFT),
        (event("channel_archive", channel="C1", user="U1"), MessageKind.LEFT),
        (event("channel_id_changed", old_channel_id="C1", new_channel_id="C2"), MessageKind.MOVED),
    ],
)
def test_what_becomes_of_the_app(what: Json, kind: MessageKind) -> None:
    found = happened(what, "Ev1", ME)
    assert found is not None
    assert (found.kind, found.ref.chat, found.event) == (kind, "C1", "Ev1")
    assert found.text == ("C2" if kind is MessageKind.MOVED else "")


@pytest.mark.parametrize("kind", ["member_joined_channel", "member_left_channel"])
def test_other_members_come_and_go(kind: str) -> None:
    assert happened(event(kind, user="U1", channel="C1"), "Ev1", ME) is None
    assert happened(event("pin_added", user="U1"), "Ev1", ME) is None


@pytest.mark.parametrize("unit", [" ", " <", "<@", "<@UBOT", "<a:", " <@UBOT|x", "\t "])
def test_a_message_of_any_length_is_read_in_proportion(unit: str) -> None:
    """From each of 40,000 blanks a pattern looked for a mention behind the others: that took seconds."""
    assert growth(lambda length: plain(f"x{unit * (length // len(unit))}y", ME), 5_000) < MOST
