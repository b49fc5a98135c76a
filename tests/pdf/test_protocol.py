"""Frames and pages between parent and worker."""

import socket
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.pymupdf.protocol import (
    Kind,
    ProtocolError,
    RawPage,
    RawWord,
    decode_json,
    decode_page,
    encode_page,
    receive,
    send,
)
from core.domain.pages import PageTrouble, TextSource

letters = st.characters(exclude_categories=["Cs", "Z", "Cc"])
tokens = st.lists(st.text(letters, min_size=1, max_size=12), max_size=20)
numbers = st.floats(-1e4, 1e4, width=32)


@st.composite
def pages(draw: st.DrawFn) -> RawPage:
    words, at = [], 0
    drawn = draw(tokens)
    for n, token in enumerate(drawn):
        place = draw(st.tuples(st.integers(0, 300), st.integers(0, 300)))
        box = draw(st.tuples(numbers, numbers, numbers, numbers))
        words.append(RawWord(at, at + len(token), *box, *place, n % 4))
        at += len(token) + 1
    return RawPage(
        number=draw(st.integers(1, 99999)),
        label=draw(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=10)),
        width=draw(st.floats(0, 1e5)),
        height=draw(st.floats(0, 1e5)),
        rotation=draw(st.sampled_from([0, 90, 180, 270])),
        trouble=draw(st.sampled_from([None, *PageTrouble])),
        text_source=draw(st.sampled_from(TextSource)),
        hidden_characters=draw(st.integers(0, 10**6)),
        text=" ".join(drawn),
        words=words,
    )


@given(pages())
def test_a_page_survives_the_way(page: RawPage) -> None:
    got = decode_page(encode_page(page))
    assert (got.page.number, got.page.label, got.page.text) == (page.number, page.label, page.text)
    assert (got.page.width, got.page.height, got.page.rotation) == (page.width, page.height, page.rotation)
    assert (got.trouble, got.page.text_source) == (page.trouble, page.text_source)
    assert got.hidden_characters == page.hidden_characters
    back = [
        RawWord(w.start, w.end, w.box.x0, w.box.y0, w.box.x1, w.box.y1, w.block, w.line, w.note_chars)
        for w in got.page.words
    ]
    assert back == list(page.words)
    assert [word.text for word in got.page.words] == page.text.split(" ")[: len(page.words)]


@given(pages(), st.data())
def test_damaged_pages_are_refused_or_consistent(page: RawPage, data: st.DataObject) -> None:
    whole = bytearray(encode_page(page))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    try:
        got = decode_page(bytes(whole[:cut]))
    except ProtocolError:
        return
    assert all(got.page.text[w.start : w.end] == w.text for w in got.page.words)
    assert all(a.end <= b.start for a, b in pairwise(got.page.words))


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_or_a_page(payload: bytes) -> None:
    try:
        decode_page(payload)
    except ProtocolError:
        return


@pytest.mark.parametrize("payload", [b"", b"[]", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_object_is_refused(payload: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_json(payload)


def test_frames() -> None:
    left, right = socket.socketpair()
    with left, right:
        send(left, Kind.BYTES, b"abc")
        assert receive(right, 3) == (Kind.BYTES, b"abc")
        send(left, Kind.BYTES, b"abcd")
        with pytest.raises(ProtocolError):
            receive(right, 3)
        assert right.recv(4) == b"abcd"
        left.sendall(b"?\0\0\0\0")
        with pytest.raises(ProtocolError):
            receive(right, 3)
        left.close()
        with pytest.raises(EOFError):
            receive(right, 3)
