"""What we send: text as it is, nothing live but links."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack import outgoing
from core.domain.messages import Button, MessageRef, Outgoing, ReplyFile
from tests.servers.slack import blocks

NASTY = [
    "<!channel>",
    "<@U1>",
    "@here",
    "*b*",
    "_i_",
    "`c`",
    "~s~",
    "&lt;",
    "&",
    ":smile:",
    "<https://x.example|y>",
]
NASTY += [
    "https://a.example/b.",
    "(https://a.example)",
    "https://",
    "\n",
    "\u2060",
    "#general",
    "> quote",
    "🚢" * 2000,
]
TO = MessageRef(platform="slack", workspace="T1", chat="C1", thread="1.000001", message="1.000002")


def part(text: str, **more: object) -> Outgoing:
    return Outgoing(key="k-0", to=TO, text=text, **more)  # type: ignore[arg-type]


def seen(part: Outgoing) -> str:
    return "".join(blocks.text(block) for block in outgoing.blocks(part))


TEXTS = st.text(min_size=1) | st.lists(st.sampled_from(NASTY), min_size=1).map(" ".join)


@given(TEXTS.filter(lambda text: len(text) <= blocks.MAX_SIGNS))
def test_any_text_is_shown_as_it_is_and_alerts_nobody(text: str) -> None:
    content = outgoing.message(part(text))
    blocks.check(content["blocks"])
    assert seen(part(text)) == text
    assert blocks.alerted(content) == []
    assert len(content["text"]) <= blocks.MAX_TEXT


def test_only_https_links_can_be_clicked() -> None:
    text = "See https://example.org/a|b?c=(d), http://plain.example or slack://open. (https://example.org/e)."
    (rich,) = outgoing.blocks(part(text))
    links = [each for each in blocks.elements(rich) if each["type"] == "link"]
    assert [link["url"] for link in links] == ["https://example.org/a%7Cb?c=(d)", "https://example.org/e"]
    assert seen(part(text)) == text


def test_a_defused_address_stays_dead() -> None:
    text = "https:\u2060//evil\u2060.example/x and https://evil\u2060.example"
    (rich,) = outgoing.blocks(part(text))
    assert not [each for each in blocks.elements(rich) if "evil.example" in each.get("url", "")]
    assert seen(part(text)) == text


def test_length_counts_as_slack_does() -> None:
    assert outgoing.length("a<&🚢") == 5


def test_the_longest_notification_with_escaped_signs_is_not_too_long() -> None:
    assert len(outgoing.notification("&" * 20_000)) <= blocks.MAX_TEXT
    assert outgoing.notification("<!channel> & <@U1>") == "&lt;!channel&gt; &amp; &lt;@U1&gt;"


def test_buttons_stand_in_their_rows() -> None:
    rows = ((Button(label="Useful", command="a"), Button(label="x" * 90, command="b")),)
    content = outgoing.blocks(part("An answer.", buttons=(*rows, (Button(label="More", command="c"),))))
    blocks.check(content)
    assert [[each["value"] for each in row["elements"]] for row in content[1:]] == [["a", "b"], ["c"]]


@pytest.mark.parametrize("text", ["", "Two pages:"])
def test_captions_stand_above_the_files(text: str) -> None:
    files = tuple(
        ReplyFile(name=f"{n}.pdf", caption=c, path=Path("x")) for n, c in enumerate(("[S1] p. 1", ""))
    )
    said = seen(part(text, files=files))
    assert said.endswith("[S1] p. 1\n1.pdf")
    assert said.startswith(text)


def test_a_message_is_recognised_by_its_key() -> None:
    assert outgoing.shows({"metadata": outgoing.metadata(part("x"))}, "k-0")
    assert outgoing.shows({"blocks": outgoing.blocks(part("x"))}, "k-0")
    assert not outgoing.shows({"blocks": outgoing.blocks(part("x")), "metadata": {}}, "k-1")
    assert not outgoing.shows({}, "k-0")
