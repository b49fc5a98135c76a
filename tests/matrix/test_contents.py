"""What the bot writes."""

import json
from pathlib import Path

import pymupdf
from hypothesis import given
from hypothesis import strategies as st

from adapters.matrix import contents
from core.domain.messages import MessageRef, ReplyFile


def at(message: str, thread: str | None = None) -> MessageRef:
    return MessageRef(platform="matrix", workspace="", chat="!r", thread=thread, message=message)


@given(st.text(max_size=50))
def test_a_text_says_itself_and_alerts_nobody(text: str) -> None:
    content = contents.notice(text, at("$1", "$1"))
    assert content["body"] == text
    assert content["msgtype"] == "m.notice"
    assert content["m.mentions"] == {}
    assert content["format"] == "org.matrix.custom.html"
    assert contents.notice("a < b\n- c", at("$1", "$1"))["formatted_body"] == "<p>a &lt; b<br>- c</p>"


@given(st.text(max_size=200))
def test_length_is_what_the_event_carries(text: str) -> None:
    empty = len(json.dumps(contents.notice("", at("$1"))))
    assert contents.length(text) == len(json.dumps(contents.notice(text, at("$1")))) - empty


def test_an_answer_opens_or_joins_the_thread() -> None:
    assert contents.relation(at("$2", "$1")) == {
        "m.relates_to": {
            "rel_type": "m.thread",
            "event_id": "$1",
            "is_falling_back": True,
            "m.in_reply_to": {"event_id": "$2"},
        }
    }
    assert contents.relation(at("$2")) == {"m.relates_to": {"m.in_reply_to": {"event_id": "$2"}}}
    assert contents.relation(at("")) == {}
    assert contents.relation(at("", "$1"))["m.relates_to"]["m.in_reply_to"] == {"event_id": "$1"}


def test_an_edit_has_the_whole_text_once_only() -> None:
    text = "word " * 4_000
    content = contents.replacement(text, "$1")
    assert content["m.new_content"]["body"] == text
    assert content["m.new_content"]["m.mentions"] == {}
    assert len(json.dumps(content)) < 2 * len(text) + 2_000


def test_files_and_pictures(tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 30, 20)).save(picture)
    file = ReplyFile(name="page.png", caption="[S1]", path=picture)
    content = contents.attachment(file, at("$1"), uri="mxc://a/b", size=9, keys=None)
    assert (content["msgtype"], content["url"], content["body"]) == ("m.image", "mxc://a/b", "[S1]")
    assert content["info"] == {"mimetype": "image/png", "size": 9, "w": 30, "h": 20}
    page = ReplyFile(name="page.pdf", caption="", path=picture)
    content = contents.attachment(page, at("$1"), uri="mxc://a/b", size=9, keys={"iv": "x"})
    assert (content["msgtype"], content["body"], content["filename"]) == ("m.file", "page.pdf", "page.pdf")
    assert content["file"] == {"iv": "x", "url": "mxc://a/b"}
    assert "url" not in content


def test_what_is_no_picture_has_no_size(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    for content in (b"no picture", b"", b"\xff\xd8", b"\xff\xd8\xff\xe0\x00\x00" * 9, b"\x89PNG\r\n\x1a\n"):
        path.write_bytes(content)
        assert contents.picture_size(path) == {}


def test_clients_know_the_size_of_a_strip(tmp_path: Path) -> None:
    strip = tmp_path / "page.jpg"
    pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 1000, 410)).save(strip)
    file = ReplyFile(name="page.jpg", caption="", path=strip)
    content = contents.attachment(file, at("$1"), uri="mxc://a/b", size=9, keys=None)
    assert content["info"] == {"mimetype": "image/jpeg", "size": 9, "w": 1000, "h": 410}
