import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import DocumentType
from core.domain.ids import PassageId, VersionId
from core.domain.search import Candidate, QueryVectors, Space, VectorSample
from core.search.ranking import (
    LEXICAL_SPREAD,
    Sampled,
    Statistics,
    fold_windows,
    fuse,
    is_exact,
    lexical_weight,
    pooled_statistics,
    weights,
)
from core.search.settings import SearchSettings
from tests.support.search_world import edition

EVEN = {space: Statistics(0.5, 0.1) for space in (Space.PRIMARY, Space.SECONDARY, Space.WINDOWS)}
SETTINGS = SearchSettings(primary=1.0, secondary=0.5, windows=0.5)


def candidate(name: str, primary: float, secondary: float, windows: float, lexical: float = 0.0) -> Candidate:
    scores = {
        Space.PRIMARY: primary,
        Space.SECONDARY: secondary,
        Space.WINDOWS: windows,
        Space.LEXICAL: lexical,
    }
    return Candidate(passage=PassageId(name), version=VersionId("v"), scores=scores)


def test_scores_are_weighted_standard_deviations() -> None:
    (scored,) = fuse([candidate("a", 0.7, 0.6, 0.4)], EVEN, weights(SETTINGS, 0.0))
    assert scored.score == pytest.approx(2.0 + 0.5 * 1.0 - 0.5 * 1.0)
    assert scored.spaces == (Space.PRIMARY, Space.SECONDARY)


def test_bm25_counts_relative_to_the_best_match() -> None:
    found = fuse(
        [candidate("a", 0.5, 0.5, 0.5, 4.0), candidate("b", 0.5, 0.5, 0.5, 8.0)], EVEN, weights(SETTINGS, 0.4)
    )
    assert [(item.candidate.passage, pytest.approx(item.score)) for item in found] == [
        ("b", 0.4 * LEXICAL_SPREAD),
        ("a", 0.2 * LEXICAL_SPREAD),
    ]


def test_equal_scores_are_ordered_by_id() -> None:
    found = fuse([candidate("b", 0.6, 0.6, 0.6), candidate("a", 0.6, 0.6, 0.6)], EVEN, weights(SETTINGS, 1.0))
    assert [item.candidate.passage for item in found] == ["a", "b"]


def test_a_passage_counts_with_its_best_window() -> None:
    similarities = np.array([0.1, 0.9, 0.3], dtype=np.float32)
    assert fold_windows(similarities, np.array([0, 0, 1])).tolist() == pytest.approx([0.9, 0.3])


def test_statistics_are_those_of_the_sample() -> None:
    sample = VectorSample(
        primary=np.eye(2, dtype=np.float32),
        secondary=np.eye(2, dtype=np.float32),
        windows=np.eye(2, dtype=np.float32),
        owners=np.array([0, 0]),
    )
    query = QueryVectors(
        primary=np.array([1, 0], np.float32), secondary=np.array([0, 1], np.float32), lexical=None
    )
    found = pooled_statistics(query, [Sampled(2, sample)])
    assert (found[Space.PRIMARY].mean, found[Space.PRIMARY].deviation) == (0.5, 0.5)
    assert found[Space.WINDOWS].mean == 1.0
    assert found[Space.WINDOWS].deviation > 0


vectors = st.lists(st.tuples(st.floats(-1, 1, width=32), st.floats(-1, 1, width=32)), min_size=2, max_size=30)


def whole(rows: list[tuple[float, float]]) -> Sampled:
    """A collection whose sample is all of it, a window for each passage."""
    found = np.array(rows, dtype=np.float32)
    return Sampled(
        len(rows), VectorSample(primary=found, secondary=found, windows=found, owners=np.arange(len(rows)))
    )


@given(vectors, st.data())
def test_scores_do_not_depend_on_how_passages_are_spread_over_collections(
    rows: list[tuple[float, float]], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(rows) - 1))
    query = QueryVectors(
        primary=np.array([1, 0], np.float32), secondary=np.array([0, 1], np.float32), lexical=None
    )
    together = pooled_statistics(query, [whole(rows)])
    apart = pooled_statistics(query, [whole(rows[:cut]), whole(rows[cut:])])
    for space, known in together.items():
        assert (apart[space].mean, apart[space].deviation) == pytest.approx(
            (known.mean, known.deviation), abs=1e-5
        )


def test_a_sampled_passage_stands_for_those_that_are_not() -> None:
    query = QueryVectors(
        primary=np.array([1, 0], np.float32), secondary=np.array([1, 0], np.float32), lexical=None
    )
    few = whole([(1.0, 0.0)])
    many = Sampled(99, whole([(0.0, 1.0)]).sample)
    assert pooled_statistics(query, [few, many])[Space.PRIMARY].mean == pytest.approx(0.01)


def test_words_count_by_how_much_of_the_question_a_collection_has() -> None:
    found = fuse([candidate("a", 0.5, 0.5, 0.5, 4.0)], EVEN, weights(SETTINGS, 0.4), coverage=0.5)
    assert found[0].score == pytest.approx(0.4 * LEXICAL_SPREAD * 0.5)


def test_a_best_score_of_bm25_next_to_nothing_is_no_infinity() -> None:
    found = fuse([candidate("a", 0, 0, 0, 0), candidate("b", 0, 0, 0, 2e-311)], EVEN, weights(SETTINGS, 0.5))
    assert [item.candidate.passage for item in found] == ["b", "a"]
    assert found[0].score - found[1].score == pytest.approx(0.5 * LEXICAL_SPREAD)


similarity = st.floats(-1, 1, allow_nan=False, width=32)


@given(st.lists(st.tuples(similarity, similarity, similarity, st.floats(0, 50)), min_size=1, max_size=20))
def test_the_order_does_not_depend_on_the_order_of_candidates(
    rows: list[tuple[float, float, float, float]],
) -> None:
    candidates = [candidate(str(n), *row) for n, row in enumerate(rows)]
    there = fuse(candidates, EVEN, weights(SETTINGS, 0.5))
    back = fuse(candidates[::-1], EVEN, weights(SETTINGS, 0.5))
    assert [item.candidate.passage for item in there] == [item.candidate.passage for item in back]


@pytest.mark.parametrize(
    ("question", "exact"),
    [
        ("What does section 4(2)(l) require?", True),
        ("Was regelt § 5?", True),
        ("Which promise reads “no one is left behind”?", True),
        ("Wer bekommt 1.000 Euro?", True),
        ("Was sagt das Programm zum BAföG?", True),
        ("Wie alt muss man sein?", False),
        ("Is a lighthouse keeper paid?", False),
    ],
)
def test_exact_words_raise_the_weight_of_bm25(question: str, exact: bool) -> None:
    settings = SearchSettings(lexical=0.1, lexical_exact=0.9)
    assert lexical_weight(is_exact(question), [], settings) == (0.9 if exact else 0.1)


def test_words_count_more_in_statutes() -> None:
    settings = SearchSettings(lexical=0.1, lexical_statutes=0.5)
    act, programme = edition("act", doc_type=DocumentType.ACT), edition("programme")
    assert lexical_weight(False, [act], settings) == 0.5
    assert lexical_weight(False, [act, programme], settings) == 0.1
