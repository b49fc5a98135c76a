"""Texts go out as they are, and nothing in them comes alive."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.outgoing import MAX_ENTITIES, chat_id, drawn, kept, length
from core.domain.messages import MessageRef
from core.errors import Refused
from tests.servers.telegram.texts import parsed

ALIVE = {"mention", "text_mention", "bot_command", "hashtag", "cashtag", "email"}
LIVE_URL = re.compile(r"^(?:(?:https?://)?(?:t|telegram)\.(?:me|dog)/|tg:)", re.IGNORECASE)


def came_alive(text: str) -> list[str]:
    """What of `text` a client would make clickable for people, commands or tags; raises if the entities
    that we give are not allowed."""
    text, drawn_as = drawn(text)
    shown, entities = parsed(text, None, [entity.to_dict() for entity in drawn_as])
    assert shown == text
    units = text.encode("utf-16-le")
    found = []
    for entity in entities:
        start, end = 2 * entity["offset"], 2 * (entity["offset"] + entity["length"])
        word = units[start:end].decode("utf-16-le")
        if entity["type"] in ALIVE or (entity["type"] == "url" and LIVE_URL.match(word)):
            found.append(word)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "@everyone",
        "Ask @some_body, @other! (@third)",
        "🚢🚢 @after_ships",
        "#topic and #Straße",
        "$EUR $1INCH",
        "/ask (/help) /start@other_bot",
        "info@example.org",
        "tg://user?id=12345",
        "https://t.me/somebody t.me/joinchat/x telegram.me/y",
        "@a@b@c #a#b",
        "a\n@b\n/c",
        "@\u202ename @\u2028name @\rname #\u0333topic /\u202ago",
        "#·tag #\u200ctag ²/ask ×/ask",
    ],
)
def test_nothing_comes_alive(text: str) -> None:
    assert came_alive(text) == []


@pytest.mark.parametrize("text", ["Half/half, 1/2, 5 % & 3 < 4 [S1]", "Ärzte und Pflegerinnen.", ""])
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert drawn(text) == (text, [])


@given(
    st.lists(
        st.sampled_from(
            [
                *"@#$/ \nxA1_.:é🚢-·²",
                "\u202e",
                "\u2028",
                "\r",
                "\u030a",
                "\u200c",
                "t.me/",
                "tg://",
                "http://",
                "@ab",
                "/go",
            ]
        )
    ).map("".join)
)
def test_nothing_ever_comes_alive(text: str) -> None:
    assert came_alive(text) == []


def test_many_mentions_are_no_more_than_telegram_takes() -> None:
    text = "@someone " * (MAX_ENTITIES + 1)
    assert len(drawn(text)[1]) == 1
    assert came_alive(text) == []


@given(st.text())
def test_entities_are_in_order_and_apart(text: str) -> None:
    for one, other in itertools.pairwise(drawn(text + "@a #b")[1]):
        assert one.offset + one.length <= other.offset


def test_letters_with_a_ring_keep_it() -> None:
    assert kept("A\u030angstro\u0308m\r\n\tx\u2028y") == "\u00c5ngstro\u0308m\n x\ny"


def test_length_counts_as_telegram_does() -> None:
    assert [length(text) for text in ("", "ä", "🚢", "<b>&")] == [0, 1, 2, 4]


def test_ids_of_other_platforms_are_refused() -> None:
    with pytest.raises(Refused):
        chat_id(MessageRef(platform="telegram", workspace="", chat="!room:x", thread=None, message="1"))
