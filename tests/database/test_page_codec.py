import math
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.database.mapping import decode, decode_written, encode
from core.domain.pages import Box, Page, Word, WrittenPage

HUNDREDTHS = st.integers(-(10**6), 10**6).map(lambda n: n / 100)
SINGLE = st.floats(width=32, allow_nan=False)
DOUBLE = st.floats(allow_nan=False)
TOKENS = st.text(st.characters(exclude_categories=["Zs", "Cc"]), min_size=1, max_size=12)
SMALL = st.integers(0, 3)


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, tuple[Word, ...]]:
    number = draw(st.sampled_from([HUNDREDTHS, SINGLE, DOUBLE]))
    text, words = "", []
    for token in draw(st.lists(TOKENS, max_size=30)):
        text += draw(st.sampled_from(["", " ", "\n", "\n\n"]))
        words.append(
            Word(
                text=token,
                start=len(text),
                end=len(text) + len(token),
                box=Box(*draw(st.tuples(number, number, number, number))),
                block=draw(st.integers(0, 10**6)),
                line=draw(SMALL),
                note_chars=draw(SMALL),
                furniture=draw(st.booleans()),
                bullet=draw(st.booleans()),
                struck=draw(st.booleans()),
                set_off=draw(st.booleans()),
                reported=draw(st.booleans()),
            )
        )
        text += token
    return text + draw(st.sampled_from(["", "\n"])), tuple(words)


@given(pages())
def test_round_trip(page: tuple[str, tuple[Word, ...]]) -> None:
    assert decode(encode(*page)) == page


@given(pages())
def test_what_is_written_is_what_the_words_say(page: tuple[str, tuple[Word, ...]]) -> None:
    whole = Page(number=3, label=None, width=1, height=1, rotation=0, text=page[0], words=page[1])
    assert WrittenPage(3, *decode_written(encode(*page))) == WrittenPage.of(whole)


@given(pages())
def test_signs_of_zero_survive(page: tuple[str, tuple[Word, ...]]) -> None:
    for before, after in zip(page[1], decode(encode(*page))[1], strict=True):
        assert math.copysign(1, before.box.x0) == math.copysign(1, after.box.x0)


def word(start: int, end: int, text: str = "Wort") -> Word:
    return Word(text=text, start=start, end=end, box=Box(0, 0, 1, 1), block=0, line=0)


def test_lone_surrogates_and_nul_survive() -> None:
    text = "a\x00b \ud800c"
    assert decode(encode(text, ()))[0] == text


def test_not_a_number_survives() -> None:
    page = "Wort", (Word(text="Wort", start=0, end=4, box=Box(math.nan, 0, 1, 1), block=0, line=0),)
    assert math.isnan(decode(encode(*page))[1][0].box.x0)


def test_word_that_is_not_the_text_is_an_error() -> None:
    with pytest.raises(ValueError, match="is not the page's text"):
        encode("Ein Wort", (word(0, 4),))


def test_numbers_beyond_32_bits_are_an_error() -> None:
    far = Word(text="Wort", start=0, end=4, box=Box(0, 0, 1, 1), block=2**40, line=0)
    with pytest.raises(ValueError, match="32 bits"):
        encode("Wort", (far,))


@pytest.mark.parametrize("blob", [b"", b"nonsense", zlib.compress(b"\x07" * 20), encode("Wort", ())[:-3]])
def test_other_bytes_are_an_error(blob: bytes) -> None:
    with pytest.raises(ValueError):
        decode(blob)
    with pytest.raises(ValueError):
        decode_written(blob)


def test_a_page_of_regular_lines_is_small() -> None:
    tokens = [f"Wort{n:04}" for n in range(400)]
    words = tuple(
        Word(
            text=token,
            start=9 * n,
            end=9 * n + 8,
            box=Box(70 + 45 * (n % 10), 80 + 14 * (n // 10), 110 + 45 * (n % 10), 92 + 14 * (n // 10)),
            block=n // 100,
            line=n // 10 % 10,
        )
        for n, token in enumerate(tokens)
    )
    assert len(encode(" ".join(tokens), words)) < 400 * 5
