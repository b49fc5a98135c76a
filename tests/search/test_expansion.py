from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import Edition
from core.domain.passages import Section
from core.domain.search import Hit
from core.search.expansion import (
    document_order,
    interleaved,
    joined_text,
    spread_over_pages,
    within_budget,
    without_copies,
    without_overlap,
)
from tests.support.search_world import edition, passage, programme

ONE, TWO = edition("one", jurisdiction="de"), edition("two", jurisdiction="de")
ELSEWHERE = edition("three", jurisdiction="de-nw")


def hit(of: Edition, ordinal: int, text: str = "", *, pages: tuple[int, ...] = (), score: float = 0.0) -> Hit:
    words = text or f"{of.document.file} {ordinal}"
    return Hit(passage=passage(of, ordinal, words, pages=pages), edition=of, score=score, found_by=("dense",))


def test_copies_within_a_place_are_dropped_but_not_across_places_or_parties() -> None:
    hits = [
        hit(ONE, 0, "The fee is ten."),
        hit(TWO, 5, "the fee  is ten."),
        hit(ELSEWHERE, 0, "The fee is ten."),
    ]
    assert without_copies(hits) == [hits[0], hits[2]]
    joint = [hit(programme(party, 2025), 0, "We agree.") for party in ("SPD", "Volt")]
    assert without_copies(joint) == joint


PROVISION = (
    "Every complaint shall be decided by the authority within {} days of its receipt, and the authority "
    "shall send a copy of its order to both parties without charge, as the rules of it may provide."
)


@pytest.mark.parametrize(
    ("better", "other"),
    [
        ("sixty", "thirty"),
        ("60", "30"),
        ("60", "6.0"),
        ("60", "60 working days or 30"),
        ("10 - 60", "60 - 10"),
        ("zwanzig", "dreißig"),
    ],
)
def test_what_has_another_number_is_no_copy(better: str, other: str) -> None:
    hits = [hit(ONE, 0, PROVISION.format(better)), hit(TWO, 0, PROVISION.format(other))]
    assert without_copies(hits) == hits


def test_another_section_is_no_copy() -> None:
    def provision(of: Edition, number: str) -> Hit:
        made = hit(of, 0, PROVISION.format("sixty"))
        return replace(made, passage=replace(made.passage, section=Section(id=f"section:{number}", title="")))

    hits = [provision(ONE, "66"), provision(TWO, "64"), provision(TWO, "66"), provision(ONE, "66a")]
    assert without_copies(hits) == [hits[0], hits[1], hits[3]]


def test_a_part_of_a_passage_with_its_numbers_is_a_copy() -> None:
    whole = PROVISION.format("60") + " " + PROVISION.format("30")
    hits = [hit(ONE, 0, whole), hit(TWO, 0, PROVISION.format("30"))]
    assert without_copies(hits) == hits[:1]


@given(st.integers(0, 60), st.integers(0, 60))
def test_what_a_better_hit_has_nearly_whole_is_dropped(before: int, behind: int) -> None:
    """`before` and `behind` words of its own keep a passage once they are more than a fifth of it."""
    common = [f"w{number}" for number in range(60)]
    own = [*(f"a{number}" for number in range(before)), *common, *(f"b{number}" for number in range(behind))]
    hits = [hit(ONE, 0, " ".join(common)), hit(TWO, 1, " ".join(own))]
    copied = 0.8 * (before + 60 + behind - 3) <= 57
    assert without_copies(hits) == (hits[:1] if copied else hits)
    assert without_copies(hits[::-1])[0] == hits[1]
    assert len(without_copies(hits[::-1])) == 1


def test_pages_that_were_shown_come_last() -> None:
    hits = [
        hit(ONE, 0, pages=(1,)),
        hit(ONE, 1, pages=(1,)),
        hit(ONE, 2, pages=(1, 2)),
        hit(TWO, 0, pages=(1,)),
    ]
    assert spread_over_pages(hits, 4) == [hits[0], hits[2], hits[3], hits[1]]
    assert spread_over_pages(hits, 2) == [hits[0], hits[2]]


def test_groups_take_turns() -> None:
    first, second = [hit(ONE, n) for n in range(3)], [hit(TWO, 0)]
    assert interleaved([first, second], 3) == [first[0], second[0], first[1]]
    assert interleaved([], 3) == []


def test_the_budget_keeps_the_best_and_at_least_one() -> None:
    hits = [hit(ONE, n) for n in range(3)]
    assert within_budget(hits, [50, 40, 5], 90) == hits[:2]
    assert within_budget(hits, [500, 40, 5], 90) == hits[:1]


def test_document_order_starts_with_the_best_document() -> None:
    hits = [hit(TWO, 4), hit(ONE, 1), hit(TWO, 2)]
    assert document_order(hits) == [hits[2], hits[0], hits[1]]


def test_neighbours_run_on_and_gaps_are_marked() -> None:
    hits = [hit(ONE, 0, "a b c d"), hit(ONE, 1, "c d e"), hit(ONE, 3, "x"), hit(TWO, 4, "y")]
    assert joined_text(hits) == "a b c d\ne\n---\nx\n---\ny"


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_removing_an_overlap_loses_no_word(first: list[str], second: list[str]) -> None:
    rest = without_overlap(" ".join(first), " ".join(second)).split()
    shared = second[: len(second) - len(rest)]
    assert shared + rest == second
    assert not shared or first[-len(shared) :] == shared
