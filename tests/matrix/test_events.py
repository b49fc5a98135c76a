"""What people say, read from events."""

import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.matrix.events import (
    Bot,
    is_command,
    membership,
    normalised_emoji,
    related,
    said,
    time_of,
    without_name,
)
from tests.support.growth import MOST, growth

BOT = Bot(user_id="@quote.bot:example.org", name="Fundstelle")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
contents = st.fixed_dictionaries(
    {"msgtype": st.sampled_from(["m.text", "m.file", "m.image"]) | json_values},
    optional={
        "body": json_values,
        "filename": json_values,
        "url": st.just("mxc://a/b") | json_values,
        "file": st.fixed_dictionaries({"url": st.just("mxc://a/b")}, optional={"key": json_values}),
        "info": json_values,
        "m.mentions": json_values,
        "m.relates_to": json_values,
    },
)


@pytest.mark.parametrize(
    ("body", "text", "named"),
    [
        ("Fundstelle: the toll?", "the toll?", True),
        ("fundstelle, the toll?", "the toll?", True),
        ("@quote.bot:example.org: the toll?", "the toll?", True),
        ("@quote.bot: the toll?", "the toll?", True),
        ("quote.bot: !help", "!help", True),
        ("Fundstelle gesucht", "Fundstelle gesucht", False),
        ("Fundstellen: drei", "Fundstellen: drei", False),
        ("the toll, Fundstelle?", "the toll, Fundstelle?", False),
        ("Fundstelle:", "", True),
    ],
)
def test_the_name_of_the_bot_at_the_start_addresses_it(body: str, text: str, named: bool) -> None:
    assert without_name(body, BOT) == (text, named)


def test_a_mention_needs_no_colon() -> None:
    content = {
        "msgtype": "m.text",
        "body": "Fundstelle the toll?",
        "m.mentions": {"user_ids": ["@ann:example.org", BOT.user_id]},
    }
    spoken = said(content, BOT)
    assert spoken is not None
    assert (spoken.text, spoken.mentions) == ("the toll?", True)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("{link} the toll?", "the toll?"),
        ("{link}: the toll?", "the toll?"),
        ("{link} !verify The toll is free.", "!verify The toll is free."),
        ("the toll, {link}?", "the toll, Fundstelle?"),
        ("{link} what does [Ann](https://matrix.to/#/@ann:example.org) say?", "what does Ann say?"),
        ("{link} see [the page](https://example.org/#/@a)", "see [the page](https://example.org/#/@a)"),
    ],
)
@pytest.mark.parametrize(
    "link",
    [
        f"[Fundstelle](https://matrix.to/#/{BOT.user_id})",
        f"[{BOT.user_id}](https://matrix.to/#/{BOT.user_id}?via=example.org)",
        f"[our bot](https://matrix.to/#/{quote(BOT.user_id)})",
    ],
)
def test_a_link_that_mentions_somebody_is_read_as_the_name(body: str, text: str, link: str) -> None:
    content = {
        "msgtype": "m.text",
        "body": body.replace("{link}", link),
        "m.mentions": {"user_ids": [BOT.user_id]},
    }
    spoken = said(content, BOT)
    assert spoken is not None
    assert (spoken.text, spoken.mentions) == (text, True)


@pytest.mark.parametrize(
    "part", ["[", "[a](https://matrix.to/#/@", '<a href="https://matrix.to/#/@', "<a href "]
)
def test_no_text_of_a_stranger_takes_long(part: str) -> None:
    content: dict[str, object] = {"msgtype": "m.text"}
    assert growth(lambda length: said(content | {"body": part * (length // len(part))}, BOT), 7_500) < MOST


def test_a_mention_of_somebody_else_is_none_of_ours() -> None:
    content = {"msgtype": "m.text", "body": "hello", "m.mentions": {"user_ids": ["@ann:example.org"]}}
    spoken = said(content, BOT)
    assert spoken is not None
    assert not spoken.mentions


def test_the_quote_of_a_reply_is_not_said_again() -> None:
    relation = {"m.in_reply_to": {"event_id": "$1"}}
    body = "> <@ann:example.org> the toll?\n> and the bridge?\n\nAnd for islanders?"
    spoken = said({"msgtype": "m.text", "body": body, "m.relates_to": relation}, BOT)
    assert spoken is not None
    assert spoken.text == "And for islanders?"
    quoted = said({"msgtype": "m.text", "body": "> a quote\nWho said that?"}, BOT)
    assert quoted is not None
    assert quoted.text == "> a quote\nWho said that?"


def test_bots_are_not_heard() -> None:
    assert said({"msgtype": "m.notice", "body": "Fundstelle: the toll?"}, BOT) is None
    assert said({"msgtype": "m.emote", "body": "waves"}, BOT) is None


def test_an_attachment_carries_what_it_takes_to_fetch_it() -> None:
    content = {
        "msgtype": "m.file",
        "body": "party=SPD",
        "filename": "programme.pdf",
        "info": {"size": 17},
        "file": {
            "url": "mxc://example.org/abc",
            "key": {"k": "key"},
            "iv": "iv",
            "hashes": {"sha256": "hash"},
        },
    }
    spoken = said(content, BOT)
    assert spoken is not None
    (attachment,) = spoken.attachments
    assert (spoken.text, attachment.name, attachment.size) == ("party=SPD", "programme.pdf", 17)
    assert json.loads(attachment.id) == {
        "url": "mxc://example.org/abc",
        "key": "key",
        "iv": "iv",
        "sha256": "hash",
    }


def test_a_file_without_caption_says_nothing() -> None:
    spoken = said({"msgtype": "m.file", "body": "programme.pdf", "url": "mxc://example.org/abc"}, BOT)
    assert spoken is not None
    assert (spoken.text, spoken.attachments[0].name) == ("", "programme.pdf")


@pytest.mark.parametrize("address", ["https://example.org/x.pdf", "file:///etc/passwd", "", None, 7])
def test_a_file_elsewhere_is_no_attachment(address: object) -> None:
    assert said({"msgtype": "m.file", "body": "x.pdf", "url": address}, BOT) is None


def test_relations() -> None:
    thread = {"rel_type": "m.thread", "event_id": "$root", "m.in_reply_to": {"event_id": "$last"}}
    found = related({"content": {"m.relates_to": {**thread, "is_falling_back": True}}})
    assert (found.thread, found.reply_to) == ("$root", None)
    found = related({"content": {"m.relates_to": thread}})
    assert (found.thread, found.reply_to) == ("$root", "$last")
    found = related({"content": {"m.relates_to": {"rel_type": "m.replace", "event_id": "$1"}}})
    assert found.replaces == "$1"
    found = related(
        {"content": {"m.relates_to": {"rel_type": "m.annotation", "event_id": "$1", "key": "👍"}}}
    )
    assert (found.reacts_to, found.key) == ("$1", "👍")


@given(contents)
def test_no_content_breaks_the_reader(content: dict[str, object]) -> None:
    spoken = said(content, BOT)
    assert spoken is None or isinstance(spoken.text, str)
    related({"content": content})


@given(json_values)
def test_no_event_breaks_the_reader(value: object) -> None:
    event = {"content": value, "origin_server_ts": value, "unsigned": value}
    assert time_of(event).tzinfo is not None
    assert related(event).replaces is None
    assert membership(event)[0]


def test_commands_and_emoji() -> None:
    assert is_command("!help")
    assert not is_command("! how strange")
    assert not is_command("!!!")
    assert normalised_emoji("👍\ufe0f") == "👍"
