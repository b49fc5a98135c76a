"""Points survive the way through a store's form; names of collections are safe and distinct."""

import re

import numpy as np
import qdrant_edge
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from qdrant_client import models

from adapters.qdrant.codec import index_point, payload_of, store_name, vector_sample, vectors_of
from core.domain.ids import PassageId, VersionId
from core.domain.search import IndexPoint, SparseVector

_NUMBERS = st.floats(-1, 1, width=32)


@st.composite
def sparse_vectors(draw: st.DrawFn) -> SparseVector:
    indices = sorted(draw(st.sets(st.integers(0, 2**32 - 1), max_size=12)))
    values = draw(st.lists(_NUMBERS, min_size=len(indices), max_size=len(indices)))
    return SparseVector(indices=tuple(indices), values=tuple(values))


@st.composite
def index_points(draw: st.DrawFn) -> IndexPoint:
    return IndexPoint(
        passage=PassageId(str(draw(st.uuids()))),
        version=VersionId(str(draw(st.uuids()))),
        primary=draw(hnp.arrays(np.float32, 6, elements=_NUMBERS)),
        secondary=draw(hnp.arrays(np.float32, 5, elements=_NUMBERS)),
        windows=draw(hnp.arrays(np.float32, st.tuples(st.integers(1, 4), st.just(5)), elements=_NUMBERS)),
        lexical=draw(sparse_vectors()),
    )


def assert_same(got: IndexPoint, want: IndexPoint) -> None:
    assert (got.passage, got.version) == (want.passage, want.version)
    for stored, given_ in (
        (got.primary, want.primary),
        (got.secondary, want.secondary),
        (got.windows, want.windows),
    ):
        assert stored.dtype == np.float32
        np.testing.assert_array_equal(stored, given_)
    assert got.lexical.indices == want.lexical.indices
    np.testing.assert_allclose(got.lexical.values, want.lexical.values, rtol=1e-6)


@given(index_points())
def test_round_trip_through_the_engines_point(point: IndexPoint) -> None:
    stored = qdrant_edge.Point(point.passage, vectors_of(point, qdrant_edge.SparseVector), payload_of(point))
    assert_same(index_point(stored), point)


@given(index_points())
def test_round_trip_through_the_clients_json(point: IndexPoint) -> None:
    sent = models.PointStruct(
        id=point.passage, vector=vectors_of(point, models.SparseVector), payload=payload_of(point)
    )
    assert_same(index_point(models.Record.model_validate_json(sent.model_dump_json())), point)


@given(st.text(), st.text())
def test_store_names_are_safe_and_differ(one: str, other: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]{12,60}", store_name(one))
    assert (store_name(one) == store_name(other)) == (one == other)


def test_store_names_stay_readable_and_the_same_for_ever() -> None:
    assert store_name("public") == "public-efa1f375d761"
    assert store_name("Öffentlich / Rat").startswith("ffentlich-rat-")


@given(st.lists(index_points(), max_size=5))
def test_a_sample_keeps_windows_with_their_owners(points: list[IndexPoint]) -> None:
    sample = vector_sample(points)
    if sample is None:
        assert points == []
        return
    for row, point in enumerate(points):
        np.testing.assert_array_equal(sample.primary[row], point.primary)
        np.testing.assert_array_equal(sample.windows[sample.owners == row], point.windows)
