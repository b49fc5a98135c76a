"""Frames and pages between parent and worker."""

import socket
from dataclasses import astuple
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.pymupdf.protocol import (
    FrameKind,
    ProtocolError,
    RawPage,
    RawRegion,
    RawWord,
    decode_json,
    decode_page,
    encode_page,
    receive,
    send,
)
from core.domain.pages import PageTrouble, RegionKind, TextSource

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
    width, height = draw(st.floats(1, 1e5)), draw(st.floats(1, 1e5))
    return RawPage(
        number=draw(st.integers(1, 99999)),
        label=draw(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=10)),
        width=width,
        height=height,
        rotation=draw(st.sampled_from([0, 90, 180, 270])),
        trouble=draw(st.sampled_from([None, *PageTrouble])),
        text_source=draw(st.sampled_from(TextSource)),
        hidden_characters=draw(st.integers(0, 10**6)),
        text=" ".join(drawn),
        words=words,
        regions=draw(regions(len(words), (0.0, height / 4, width / 2, height))),
    )


@st.composite
def regions(draw: st.DrawFn, words: int, box: tuple[float, float, float, float]) -> list[RawRegion]:
    """Regions of a page of `words` words, whose words are dealt out."""
    left: list[int] = draw(st.permutations(range(words)))
    found = []
    for _ in range(draw(st.integers(0, 3))):
        sizes: list[int] = draw(st.lists(st.integers(1, 4), max_size=3))
        caption = left[: draw(st.integers(0, 3))]
        left = left[len(caption) :]
        rows = []
        for size in sizes:
            rows.append(left[:size])
            left = left[size:]
        rows = [row for row in rows if row]
        kind = RegionKind.TABLE if rows else RegionKind.FIGURE
        found.append(RawRegion(kind, box, rows, draw(st.integers(0, len(rows))), caption))
    return found


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
    assert [(r.kind, astuple(r.box), r.header_rows) for r in got.regions] == [
        (r.kind, r.box, r.header_rows) for r in page.regions
    ]
    assert [(r.rows, r.caption) for r in got.regions] == [
        (tuple(map(tuple, r.rows)), tuple(r.caption)) for r in page.regions
    ]


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
    held = [index for r in got.regions for part in (*r.rows, r.caption) for index in part]
    assert len(set(held)) == len(held)
    assert all(0 <= index < len(got.page.words) for index in held)


BOX = (0.0, 0.0, 10.0, 10.0)
IMPOSSIBLE = [
    RawRegion(RegionKind.TABLE, BOX, [[0], [2]]),  # no such word
    RawRegion(RegionKind.TABLE, BOX, [[-1]]),
    RawRegion(RegionKind.TABLE, BOX, [[0, 0]]),  # a word twice
    RawRegion(RegionKind.TABLE, BOX, [[True]]),  # a boolean is an integer in Python
    RawRegion(RegionKind.TABLE, BOX, [[0.0]]),  # type: ignore[list-item]
    RawRegion(RegionKind.TABLE, BOX, [[0], []]),
    RawRegion(RegionKind.TABLE, BOX, [], 0, [0]),
    RawRegion(RegionKind.TABLE, BOX, [[0]], 2),
    RawRegion(RegionKind.TABLE, BOX, [[0]], -1),
    RawRegion(RegionKind.FIGURE, BOX, [[0]]),
    RawRegion(RegionKind.FIGURE, BOX, [], 0, [7]),
    RawRegion(RegionKind.FIGURE, BOX, caption=["a"]),  # type: ignore[list-item]
    RawRegion(RegionKind.FIGURE, (5.0, 0.0, 5.0, 1.0)),
    RawRegion(RegionKind.FIGURE, (0.0, 0.0, 1.0, 101.0)),
    RawRegion(RegionKind.FIGURE, (0.0, 0.0, float("nan"), 1.0)),
    RawRegion(RegionKind.FIGURE, (0.0, 0.0, float("inf"), 1.0)),
    RawRegion(RegionKind.FIGURE, (0.0, 0.0, 10**400, 1.0)),
    RawRegion("picture", BOX),  # type: ignore[arg-type]
    [],
    7,
]


@pytest.mark.parametrize("region", IMPOSSIBLE, ids=str)
def test_impossible_regions_are_refused(region: Any) -> None:
    words = [RawWord(0, 1, *BOX, 0, 0, 0), RawWord(2, 3, *BOX, 0, 0, 0)]
    page = RawPage(1, None, 100.0, 100.0, 0, None, TextSource.NATIVE, 0, "a b", words)
    possible = RawRegion(RegionKind.TABLE, BOX, [[1]], 1, [0])
    assert decode_page(encode_page(page._replace(regions=[possible]))).regions[0].rows == ((1,),)
    with pytest.raises(ProtocolError):
        decode_page(encode_page(page._replace(regions=[region])))


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
        send(left, FrameKind.BYTES, b"abc")
        assert receive(right, 3) == (FrameKind.BYTES, b"abc")
        send(left, FrameKind.BYTES, b"abcd")
        with pytest.raises(ProtocolError):
            receive(right, 3)
        assert right.recv(4) == b"abcd"
        left.sendall(b"?\0\0\0\0")
        with pytest.raises(ProtocolError):
            receive(right, 3)
        left.close()
        with pytest.raises(EOFError):
            receive(right, 3)
