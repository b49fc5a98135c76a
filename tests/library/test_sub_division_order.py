"""Which passage holds a sub-division: the order of (1), (1a), (2), of (h), (i), (j), of (iv), (v)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.passages import Section
from core.library.references import SectionReference, parse_section_references
from core.search.context import holding, starts_behind
from tests.support.search_world import EDITIONS, passage

ROMAN = [
    "i",
    "ii",
    "iii",
    "iv",
    "v",
    "vi",
    "vii",
    "viii",
    "ix",
    "x",
    "xi",
    "xii",
    "xiii",
    "xiv",
    "xv",
    "xvi",
    "xvii",
    "xviii",
    "xix",
    "xx",
]
LETTERS = [chr(code) for code in range(ord("a"), ord("z") + 1)]
NUMBERS = [
    "1",
    "1a",
    "1b",
    "2",
    "2a",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "10a",
    "10b",
    "11",
    "12",
    "20",
    "100",
]
LATIN = ["1", "1bis", "1ter", "1quater", "2", "2bis", "3"]
LISTS = [ROMAN, LETTERS, NUMBERS, LATIN]


def held(family: list[tuple[str, ...]], wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The sub-division with which the passage begins that holds `wanted`."""
    made = [
        passage(EDITIONS[0], n, "text", section=Section(id="par:4", title="", path=path))
        for n, path in enumerate(family)
    ]
    found = holding(made, SectionReference(id="par:4", path=wanted)).section
    assert found is not None
    return found.path


@pytest.mark.parametrize(
    ("family", "wanted", "expected"),
    [
        ("1 1a 2", "1a", "1a"),
        ("1 2 3", "1a", "1"),
        ("1 1a 1b 2", "1b", "1b"),
        ("1 2 9 10 10a 11", "10a", "10a"),
        ("1 2 9 10 11", "10a", "10"),
        ("1 10 1000", "999", "10"),
        ("1 1bis 1ter 2", "1bis", "1bis"),
        ("i ii iii iv v vi", "iv", "iv"),
        ("i iii v", "iv", "iii"),
        ("i v ix", "vi", "v"),
        ("i v x", "viii", "v"),
        ("a g j", "i", "g"),
        ("a i m", "l", "i"),
        ("a c", "b", "a"),
        ("x aa bb", "bb", "bb"),
        ("1 2 3", "a", "1"),
    ],
)
def test_the_last_that_does_not_start_behind_it(family: str, wanted: str, expected: str) -> None:
    assert held([(each,) for each in family.split()], (wanted,)) == (expected,)


def test_levels_are_told_apart_below_what_is_wanted() -> None:
    family = [("1",), ("1", "a"), ("1", "h"), ("1", "h", "iv"), ("1", "j"), ("2",), ("2", "i"), ("2", "v")]
    assert held(family, ("1", "i")) == ("1", "h", "iv")
    assert held(family, ("1", "h", "v")) == ("1", "h", "iv")
    assert held(family, ("2", "iv")) == ("2", "i")
    assert held(family, ("2",)) == ("2",)
    assert held(family, ("3",)) == ("2", "v")


@pytest.mark.parametrize(
    ("text", "expected"), [("§ 4 Abs. 1a", "1a"), ("§ 4 Abs. 10a", "10"), ("§ 4(2)", "2")]
)
def test_as_people_write_it(text: str, expected: str) -> None:
    (reference,) = parse_section_references(text, "de")
    assert held([("1",), ("1a",), ("2",), ("10",), ("11",)], reference.path) == (expected,)


@given(st.sampled_from(LISTS), st.data())
def test_every_list_has_its_own_order(labels: list[str], data: st.DataObject) -> None:
    """Whichever of its labels begin passages, the first always among them."""
    starts = [labels[0], *data.draw(st.lists(st.sampled_from(labels[1:]), unique=True).map(
        lambda drawn: sorted(drawn, key=labels.index)
    ))]  # fmt: skip
    wanted = data.draw(st.sampled_from(labels))
    before = [each for each in starts if labels.index(each) <= labels.index(wanted)]
    assert held([(each,) for each in starts], (wanted,)) == (before[-1],)


@given(
    st.lists(st.lists(st.text("ivxl1a9²ß", max_size=3), max_size=3)),
    st.lists(st.text("ivxla12²", max_size=3)),
)
def test_nothing_is_too_odd_to_be_compared(known: list[list[str]], wanted: list[str]) -> None:
    for path in known:
        assert starts_behind(path, wanted, known) in (True, False)
    assert not starts_behind(wanted, wanted, known)
