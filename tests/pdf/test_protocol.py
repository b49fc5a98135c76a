"""Frames and pages between parent and worker."""

import json
import socket
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.pymupdf.characters import WordDraft, compose
from adapters.pymupdf.protocol import (
    FrameKind,
    ProtocolError,
    decode_json,
    decode_page,
    encode_page,
    receive,
    send,
)
from core.domain.pages import Box, Page, PageReading, PageTrouble, Region, RegionKind, TextSource, Word

letters = st.characters(exclude_categories=["Cs", "Z", "Cc"])
tokens = st.lists(st.text(letters, min_size=1, max_size=12), max_size=20)
numbers = st.floats(-1e4, 1e4, width=32)


@st.composite
def pages(draw: st.DrawFn) -> PageReading:
    words, at = [], 0
    drawn = draw(tokens)
    for token in drawn:
        block, line, notes = draw(st.tuples(st.integers(0, 300), st.integers(0, 300), st.integers(0, 3)))
        words.append(
            Word(
                text=token,
                start=at,
                end=at + len(token),
                box=Box(*draw(st.tuples(numbers, numbers, numbers, numbers))),
                block=block,
                line=line,
                note_chars=notes,
                struck=draw(st.booleans()),
                set_off=draw(st.booleans()),
            )
        )
        at += len(token) + 1
    width, height = draw(st.floats(1, 1e5)), draw(st.floats(1, 1e5))
    page = Page(
        number=draw(st.integers(1, 99999)),
        label=draw(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=10)),
        width=width,
        height=height,
        rotation=draw(st.sampled_from([0, 90, 180, 270])),
        text=" ".join(drawn),
        words=tuple(words),
        text_source=draw(st.sampled_from(TextSource)),
    )
    return PageReading(
        page=page,
        trouble=draw(st.sampled_from([None, *PageTrouble])),
        hidden_characters=draw(st.integers(0, 10**6)),
        regions=draw(regions(len(words), Box(0.0, height / 4, width / 2, height))),
    )


@st.composite
def regions(draw: st.DrawFn, words: int, box: Box) -> tuple[Region, ...]:
    """Regions of a page of `words` words, whose words are dealt out."""
    left: list[int] = draw(st.permutations(range(words)))
    found = []
    for _ in range(draw(st.integers(0, 3))):
        sizes: list[int] = draw(st.lists(st.integers(1, 4), max_size=3))
        caption = left[: draw(st.integers(0, 3))]
        left = left[len(caption) :]
        rows = []
        for size in sizes:
            rows.append(tuple(left[:size]))
            left = left[size:]
        rows = [row for row in rows if row]
        found.append(
            Region(
                kind=RegionKind.TABLE if rows else RegionKind.FIGURE,
                box=box,
                rows=tuple(rows),
                header_rows=draw(st.integers(0, len(rows))),
                caption=tuple(caption),
            )
        )
    return tuple(found)


@given(pages())
def test_a_page_survives_the_way(page: PageReading) -> None:
    assert decode_page(encode_page(page)) == page


@given(pages(), st.data())
def test_damaged_pages_are_refused_or_consistent(page: PageReading, data: st.DataObject) -> None:
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


BOX = {"x0": 0.0, "y0": 0.0, "x1": 10.0, "y1": 10.0}
IMPOSSIBLE: list[Any] = [
    {"rows": [[0], [2]]},  # no such word
    {"rows": [[-1]]},
    {"rows": [[0, 0]]},  # a word twice
    {"rows": [[True]]},  # a boolean is an integer in Python
    {"rows": [[0.0]]},
    {"rows": [[0], []]},
    {"rows": [[0]], "caption": [0]},
    {"caption": [1, 1], "rows": [[0]]},
    {"caption": [0]},  # a table without rows
    {"rows": [[0]], "header_rows": 2},
    {"rows": [[0]], "header_rows": -1},
    {"kind": "figure", "rows": [[0]]},
    {"kind": "figure", "caption": [7]},
    {"kind": "figure", "caption": ["a"]},
    {"kind": "figure", "box": {**BOX, "x0": 10.0}},
    {"kind": "figure", "box": {**BOX, "y1": 101.0}},
    {"kind": "figure", "box": {**BOX, "y1": float("nan")}},
    {"kind": "figure", "box": {**BOX, "y1": float("inf")}},
    {"kind": "figure", "box": {**BOX, "y1": 10**400}},
    {"kind": "figure", "box": [0.0, 0.0, 10.0, 10.0]},
    {"kind": "picture"},
    [],
    7,
]


def two_words() -> PageReading:
    """A page of two words."""
    box = Box(0.0, 0.0, 10.0, 10.0)
    words = tuple(
        Word(text=text, start=at, end=at + 1, box=box, block=0, line=0) for text, at in (("a", 0), ("b", 2))
    )
    page = Page(number=1, label=None, width=100.0, height=100.0, rotation=0, text="a b", words=words)
    return PageReading(page=page)


def with_regions(*regions: Any) -> PageReading:
    """The page of two words as it comes with regions that may be anything."""
    page, *words = json.loads(encode_page(two_words()))
    return decode_page(json.dumps([page | {"regions": regions}, *words]).encode())


TABLE = {"kind": "table", "box": BOX}
POSSIBLE = {**TABLE, "rows": [[1]], "header_rows": 1, "caption": [0]}


@pytest.mark.parametrize("region", IMPOSSIBLE, ids=str)
def test_impossible_regions_are_refused(region: Any) -> None:
    assert with_regions(POSSIBLE).regions[0].rows == ((1,),)
    with pytest.raises(ProtocolError):
        with_regions(TABLE | region if isinstance(region, dict) else region)


def test_a_word_is_in_one_region_only() -> None:
    with pytest.raises(ProtocolError):
        with_regions({"kind": "figure", "box": BOX, "caption": [0]}, POSSIBLE)


STARTS, ENDS, BLOCKS = range(3)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (ENDS, [1, 4]),  # beyond the text
        (ENDS, [1, 2]),  # no letters
        (ENDS, [3, 3]),  # over the next one
        (STARTS, [-1, 2]),
        (STARTS, [True, 2]),
        (STARTS, [0]),
        (BLOCKS, [0, 0, 0]),
        (BLOCKS, [0, "0"]),
        (BLOCKS, [0, 0.0]),
        (BLOCKS, None),
    ],
)
def test_impossible_words_are_refused(column: int, values: Any) -> None:
    page, numbers, *others = json.loads(encode_page(two_words()))
    numbers[column] = values
    with pytest.raises(ProtocolError):
        decode_page(json.dumps([page, numbers, *others]).encode())


@pytest.mark.parametrize("part", [1, 2, 3])
def test_missing_columns_are_refused(part: int) -> None:
    parts = json.loads(encode_page(two_words()))
    del parts[part][-1]
    with pytest.raises(ProtocolError):
        decode_page(json.dumps(parts).encode())


def test_words_without_an_end_on_the_page_survive_the_way() -> None:
    made = two_words()
    far = Box(float("-inf"), 0.0, float("inf"), 1.0)
    word = replace(made.page.words[0], box=far)
    made = replace(made, page=replace(made.page, words=(word,)))
    assert decode_page(encode_page(made)) == made


def test_lone_surrogates_become_question_marks() -> None:
    text, (word,) = compose([WordDraft("a\ud800b", (0.0, 0.0, 1.0, 1.0), (0, 0), 0)])
    assert (text, word.text) == ("a?b", "a?b")


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
