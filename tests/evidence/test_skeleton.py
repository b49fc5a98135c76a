import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.pages import Box, Word
from core.evidence.skeleton import (
    copied_skeleton,
    note_chars,
    skeleton,
    with_marks,
    word_skeleton,
    written_skeleton,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Woh-\nnung", "Wohnung"),
        ("ﬁnanziell oﬃziell", "finanziell offiziell"),
        ("„Straße“ – STRASSE", "strasse strasse"),
        ("Zei\u00adlen\u200bfall", "Zeilenfall"),
        ("e\u0301te\u0301", "été"),
        ("Wort³ und m²", "Wort und m2"),
        ("don’t", "don't"),
        ("A\ufe0fB", "ab"),
    ],
)
def test_typography_makes_no_difference(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("fordern", "fördern"), ("CO₂", "CO"), ("1 000", "100"), ("heiß", "heizs"), ("क", "का")],
)
def test_letters_digits_and_marks_do(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_footnote_marks_are_no_number() -> None:
    word = Word(text="203012", start=0, end=6, box=Box(0, 0, 9, 9), block=0, line=0, note_chars=2)
    assert word_skeleton(word) == "2030"


@pytest.mark.parametrize(
    ("word", "mark"),
    [("quarter.[3]", "[3]"), ("county[3].", "[3]."), ("wells[1][2]", "[1][2]"), ("[30]", ""), ("x[1]", "")],
)
def test_marks_in_brackets_right_behind_a_word_are_no_number(word: str, mark: str) -> None:
    marks = note_chars(word)
    assert marks == len(mark)
    assert written_skeleton(word, marks) == skeleton(word.removesuffix(mark))
    assert copied_skeleton(word, marks) == skeleton(word)
    assert with_marks(word, marks) == word


@given(st.text())
def test_idempotent_and_only_letters_digits_marks(text: str) -> None:
    once = skeleton(text)
    assert skeleton(once) == once
    assert all(unicodedata.category(c)[0] in "LNM" for c in once)


@given(
    st.text(alphabet=st.characters(max_codepoint=0x24F)), st.text(alphabet=st.characters(max_codepoint=0x24F))
)
def test_words_may_be_taken_one_by_one(one: str, other: str) -> None:
    assert skeleton(one + " " + other) == skeleton(one) + skeleton(other)
