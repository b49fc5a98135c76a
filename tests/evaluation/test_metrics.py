import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from core.evaluation.metrics import (
    Observed,
    Rate,
    abstention_precision,
    cited_at,
    first_rank,
    hit_at,
    mean_reciprocal_rank,
    percentile,
    scope_violations,
    silent_rightly,
    silent_wrongly,
)
from core.evaluation.questions import Gold, SetQuestion, read_questions


def question(*gold: tuple[str, int], needs_all: bool = False, answerable: bool = True) -> SetQuestion:
    return SetQuestion(
        id="q",
        corpus="c",
        language="de",
        jurisdiction=None,
        party=None,
        question="Was?",
        answerable=answerable,
        gold=tuple(Gold(file=file, page=page, quote="") for file, page in gold),
        all_needed=needs_all,
        kind="fact",
    )


def observed(asked: SetQuestion, *, hits=(), citations=(), silent=False, places=(), allowed=None) -> Observed:
    return Observed(
        question=asked,
        hits=tuple(hits),
        citations=tuple(citations),
        exact_quotes=len(citations),
        highlights=len(citations),
        silent=silent,
        confidence=0.5,
        places=frozenset(places),
        allowed=allowed,
        seconds=0.1,
    )


def test_rank_is_of_the_first_gold_page():
    ranked = [(("a.pdf", 1),), (("b.pdf", 7), ("b.pdf", 8)), (("a.pdf", 3),)]
    assert first_rank(question(("b.pdf", 8)), ranked) == 2
    assert first_rank(question(("b.pdf", 8), ("a.pdf", 1)), ranked) == 1
    assert first_rank(question(("c.pdf", 8)), ranked) is None


def test_where_all_pages_are_needed_the_last_one_counts():
    ranked = [(("a.pdf", 1),), (("b.pdf", 7),), (("a.pdf", 3),)]
    assert first_rank(question(("a.pdf", 1), ("a.pdf", 3), needs_all=True), ranked) == 3
    assert first_rank(question(("a.pdf", 1), ("z.pdf", 3), needs_all=True), ranked) is None


def test_rates_count_only_their_questions():
    found = observed(
        question(("a.pdf", 1)), hits=[(("x.pdf", 1),), (("a.pdf", 1),)], citations=[(("a.pdf", 1),)]
    )
    lost = observed(question(("a.pdf", 2)), silent=True)
    absent = observed(question(answerable=False), silent=True)
    every = [found, lost, absent]
    assert hit_at(every, 1) == Rate(0, 2)
    assert hit_at(every, 5) == Rate(1, 2)
    assert mean_reciprocal_rank(every) == pytest.approx(0.25)
    assert cited_at(every, 3) == Rate(1, 2)
    assert silent_rightly(every) == Rate(1, 1)
    assert silent_wrongly(every) == Rate(1, 2)
    assert abstention_precision(every) == Rate(1, 2)


def test_a_place_outside_the_scope_is_a_violation():
    asked = question(("a.pdf", 1))
    inside = observed(asked, places=["in", "global"], allowed=frozenset({"in", "global"}))
    outside = observed(asked, places=["in-ka"], allowed=frozenset({"in-gj", "in"}))
    free = observed(asked, places=["in-ka"], allowed=None)
    assert scope_violations([inside, outside, free]) == Rate(1, 3)


@given(st.integers(0, 500), st.integers(1, 500))
def test_interval_holds_the_rate(hits, extra):
    rate = Rate(hits, hits + extra)
    low, high = rate.interval()
    assert 0 <= low <= rate.value <= high <= 1


@given(st.lists(st.floats(0, 100), min_size=1), st.floats(0.01, 1))
def test_percentile_is_a_value_with_enough_below_it(values, share):
    found = percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9


def test_questions_are_read_line_by_line():
    row = {
        "id": "1",
        "language": "de",
        "question": "Was?",
        "answerable": True,
        "extra": 1,
        "gold": [{"file": "a.pdf", "page": 3, "quote": "x"}],
        "gold_mode": "all",
    }
    found = read_questions(json.dumps(row) + "\n\n" + json.dumps({**row, "id": "2", "gold": []}) + "\n")
    assert [item.id for item in found] == ["1", "2"]
    assert found[0].all_needed
    assert found[0].gold == (Gold(file="a.pdf", page=3, quote="x"),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"id": "1"}',
        "[1]",
        '{"id":1,"language":"de","question":"x","answerable":1,"gold":[{"page":"x"}]}',
    ],
)
def test_a_bad_set_is_refused(text):
    with pytest.raises(Refused) as caught:
        read_questions(text)
    assert caught.value.key == "questions.invalid"
