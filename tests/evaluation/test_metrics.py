import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from core.evaluation import (
    Gold,
    Observed,
    Rate,
    SetQuestion,
    Usage,
    abstention_precision,
    answered_rightly,
    citation_precision,
    citation_recall,
    cited_at,
    fallbacks,
    first_rank,
    hit_at,
    holds,
    labels_known,
    mean_reciprocal_rank,
    outcomes,
    overlaps,
    percentile,
    quote_rank,
    quote_right,
    quote_share,
    read_questions,
    scope_violations,
    silent_rightly,
    silent_wrongly,
    usage,
)


def question(
    *gold: tuple[str, int], needs_all: bool = False, answerable: bool = True, words: str = ""
) -> SetQuestion:
    return SetQuestion(
        id="q",
        corpus="c",
        language="de",
        jurisdiction=None,
        party=None,
        question="Was?",
        answerable=answerable,
        gold=tuple(Gold(file=file, page=page, quote=words) for file, page in gold),
        all_needed=needs_all,
        kind="fact",
    )


def observed(asked: SetQuestion, **parts) -> Observed:
    citations = parts.pop("citations", ())
    blank = Observed(
        question=asked,
        hits=(),
        citations=tuple(citations),
        quotes=("",) * len(citations),
        exact_quotes=len(citations),
        highlights=len(citations),
        claims=len(citations),
        labelled=len(citations),
        outcome="grounded" if citations else "no_evidence",
        silent=False,
        confidence=0.5,
        places=frozenset(),
        allowed=None,
        seconds=0.1,
    )
    return replace(blank, **parts)


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
    inside = observed(asked, places=frozenset({"in", "global"}), allowed=frozenset({"in", "global"}))
    outside = observed(asked, places=frozenset({"in-ka"}), allowed=frozenset({"in-gj", "in"}))
    free = observed(asked, places=frozenset({"in-ka"}), allowed=None)
    assert scope_violations([inside, outside, free]) == Rate(1, 3)


def test_precision_counts_citations_and_what_answers_nothing_is_wrong():
    right = observed(question(("a.pdf", 1)), citations=[(("a.pdf", 1),), (("x.pdf", 4), ("x.pdf", 5))])
    idle = observed(question(answerable=False), citations=[(("a.pdf", 1),)])
    assert citation_precision([right]) == Rate(1, 2)
    assert citation_precision([right, idle]) == Rate(1, 3)
    assert answered_rightly([right, idle, observed(question(("b.pdf", 1)))]) == Rate(1, 2)


def test_recall_counts_places_where_all_are_needed_and_questions_else():
    pages = (("a.pdf", 1), ("b.pdf", 2), ("c.pdf", 3))
    cited = [(("a.pdf", 1),), (("c.pdf", 3),)]
    assert citation_recall([observed(question(*pages, needs_all=True), citations=cited)]) == Rate(2, 3)
    assert citation_recall([observed(question(*pages), citations=cited)]) == Rate(1, 1)
    assert citation_recall([observed(question(*pages)), observed(question(answerable=False))]) == Rate(0, 1)


def test_words_count_only_on_their_page():
    asked = question(("a.pdf", 1), words="Die Mieten werden für drei Jahre eingefroren.")
    places = [(("a.pdf", 1),), (("a.pdf", 1),), (("a.pdf", 2),)]
    quotes = ("Der Mindestlohn steigt.", "Die Mieten werden für drei Jahre eingefroren.", asked.gold[0].quote)
    item = observed(asked, citations=places, quotes=quotes)
    assert citation_precision([item]) == Rate(2, 3)
    assert citation_precision([item], words=True) == Rate(1, 3)
    assert citation_recall([item], words=True) == Rate(1, 1)
    assert citation_recall([replace(item, quotes=quotes[:1] * 3)], words=True) == Rate(0, 1)


@pytest.mark.parametrize(
    ("shown", "wanted", "same"),
    [
        ("Wir frieren die Mie-ten ein.", "Wir frieren die Mieten ein", True),
        ("Erstens. Wir frieren die Mieten für fünf Jahre ein. Drittens.", "die Mieten für fünf Jahre", True),
        ("Die Gebühr beträgt 12 Taler je Meter.", "je Meter 12 Taler die Gebühr", False),
        ("Die Gebühr", "", False),
        ("Der Fluss fragt nicht.", "Das Kohlekraftwerk schalten wir ab.", False),
    ],
)
def test_quotes_overlap_by_half_of_the_shorter_one(shown, wanted, same):
    assert overlaps(shown, wanted) is same
    assert overlaps(wanted, shown) is same


GOLD_WORDS = "der Mindestlohn steigt im Jahr 2026 auf 15 Euro"


@pytest.mark.parametrize(
    ("shown", "right"),
    [
        (GOLD_WORDS, True),
        (f"Wir sagen: {GOLD_WORDS}, und zwar {'für alle Menschen im Land ' * 20}", True),
        ("steigt im Jahr 2026", True),
        ("im Jahr 2026", False),
        ("der Mindestlohn steigt nicht im nächsten Sommer, sagen die anderen Leute dort", False),
        ("", False),
    ],
)
def test_a_quote_holds_an_answer_with_most_of_its_words_and_four_at_least(shown, right):
    assert holds(shown, GOLD_WORDS) is right


def test_a_short_gold_quote_must_be_there_whole():
    assert holds("Die Frist beträgt zehn Tage.", "zehn Tage")
    assert not holds("zehn", "zehn Tage")
    assert not holds("irgendetwas", "")


def test_the_quote_counts_on_its_page_and_by_its_rank():
    asked = question(("a.pdf", 1), words=GOLD_WORDS)
    elsewhere, here = (("a.pdf", 2),), (("a.pdf", 1),)
    late = observed(asked, citations=[elsewhere, here], quotes=(GOLD_WORDS, GOLD_WORDS))
    wrong = observed(asked, citations=[here], quotes=("etwas ganz anderes als gefragt",))
    silent = observed(asked)
    unanswerable = observed(question(answerable=False), citations=[here], quotes=(GOLD_WORDS,))
    seen = [late, wrong, silent, unanswerable]
    assert [quote_rank(item) for item in seen] == [2, None, None, None]
    assert (quote_right(seen, 1), quote_right(seen, 3)) == (Rate(0, 3), Rate(1, 3))
    assert quote_share(seen) == Rate(1, 3)


def test_models_are_counted_only_where_they_were_asked():
    asked = question(("a.pdf", 1))
    wrote = observed(asked, usage=Usage(prompt_tokens=100, completion_tokens=20, usd=0.5), drafted=True)
    dear = replace(wrote, usage=Usage(prompt_tokens=10, completion_tokens=2, usd=None), fell_back=True)
    reworded = replace(wrote, drafted=False)
    unasked = observed(asked)
    down = observed(asked, fell_back=True)
    assert fallbacks([wrote, dear, reworded, unasked, down]) == Rate(2, 3)
    assert usage([wrote, unasked]) == Usage(prompt_tokens=100, completion_tokens=20, usd=0.5)
    assert usage([wrote, dear]) == Usage(prompt_tokens=110, completion_tokens=22, usd=None)


def test_outcomes_and_labels_are_counted():
    shown = observed(question(("a.pdf", 1)), citations=[(("a.pdf", 1),)], claims=3, labelled=2)
    assert labels_known([shown]) == Rate(2, 3)
    assert outcomes([shown, observed(question())]) == {"grounded": 1, "no_evidence": 1}


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
