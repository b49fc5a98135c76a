"""What a reranker may change: the order and the end of the list, and nothing else."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.scope import Scope
from core.domain.search import Hit
from core.errors import Unavailable
from core.search.reranking import HitReranker, RerankSettings, candidates, reordered
from tests.support.fake_reranker import FakeReranker
from tests.support.search_world import EDITIONS, TODAY, passage, world

PUBLIC = Scope(collections=("public",))
BY_FILE = {item.document.file: item for item in EDITIONS}
ACT, RULES = BY_FILE["act"], BY_FILE["gj rules"]
ALL = RerankSettings(min_score=0.0, gap=1.0)
QUESTION = "What is the rule about the fee in Gujarat?"


def hits(count: int, of: int = 0, trail: Sequence[int] = ()) -> list[Hit]:
    edition = EDITIONS[of]
    return [
        Hit(
            passage=passage(edition, n, f"{edition.document.file} {n}"),
            edition=edition,
            score=float(count - n),
            found_by=("dense",),
            trail=("Rule 3", "Section 4") if n in trail else (),
        )
        for n in range(count)
    ]


def order(found: Sequence[Hit]) -> list[int]:
    return [hit.passage.ordinal for hit in found]


def judged(found: Sequence[Hit], *scores: float | None) -> dict[object, float]:
    pairs = zip(found, scores, strict=False)
    return {hit.passage.id: score for hit, score in pairs if score is not None}


def test_relevance_decides_and_the_rest_follows_in_the_old_order() -> None:
    found = hits(5)
    after = reordered(found, judged(found, 0.2, None, 0.9, None, 0.5), ALL, 0)  # type: ignore[arg-type]
    assert order(after) == [2, 4, 0, 1, 3]
    assert [hit.score for hit in after] == [5, 4, 3, 2, 1]
    assert all(hit.found_by == ("dense",) for hit in after)


def test_equals_keep_their_order() -> None:
    found = hits(4)
    assert order(reordered(found, judged(found, 0.5, 0.5, 0.5, 0.5), ALL, 0)) == [0, 1, 2, 3]  # type: ignore[arg-type]


def test_what_is_irrelevant_is_dropped_and_what_comes_after_a_gap() -> None:
    found = hits(4)
    settings = RerankSettings(min_score=0.1, gap=0.6)
    assert order(reordered(found, judged(found, 0.9, 0.5, 0.05, None), settings, 0)) == [0, 1]  # type: ignore[arg-type]
    assert order(reordered(found, judged(found, 0.9, 0.25, 0.2, 0.2), settings, 0)) == [0]  # type: ignore[arg-type]


def test_a_quota_stays_however_it_is_judged_and_one_hit_always() -> None:
    found = hits(4)
    settings = RerankSettings(min_score=0.5, gap=0.3)
    nothing = judged(found, 0.0, 0.1, 0.0, 0.0)
    assert order(reordered(found, nothing, settings, 2)) == [1, 0]  # type: ignore[arg-type]
    assert order(reordered(found, nothing, settings, 0)) == [1]  # type: ignore[arg-type]


def test_what_references_led_to_stays_in_its_place() -> None:
    found = hits(4, trail=(0, 2))
    after = reordered(found, judged(found, 0.0, 0.2, 0.0, 0.9), ALL, 0)  # type: ignore[arg-type]
    assert order(after) == [0, 3, 2, 1]
    assert order(candidates([found], 20)) == [1, 3]


def test_every_group_is_looked_at() -> None:
    asked = candidates([hits(15), hits(15, of=3)], 20)
    assert len(asked) == 20
    assert [hit.edition for hit in asked[:2]] == [EDITIONS[0], EDITIONS[3]]
    assert order(asked[:6]) == [0, 0, 1, 1, 2, 2]


@given(
    st.lists(st.none() | st.floats(0, 1), max_size=12),
    st.sets(st.integers(0, 11)),
    st.floats(0, 1),
    st.floats(0.01, 1),
    st.integers(0, 4),
)
def test_nothing_is_invented_and_nothing_comes_twice(
    scores: list[float | None], trail: set[int], least: float, gap: float, quota: int
) -> None:
    found = hits(len(scores), trail=tuple(trail))
    settings = RerankSettings(min_score=least, gap=gap)
    after = reordered(found, judged(found, *scores), settings, quota)  # type: ignore[arg-type]
    assert {hit.passage.id for hit in after} <= {hit.passage.id for hit in found}
    assert len(set(order(after))) == len(after)
    assert {n for n in trail if n < len(scores)} <= set(order(after))
    assert bool(after) == bool(found)
    assert math.isclose(sum(h.score for h in after), sum(h.score for h in found)) or len(after) < len(found)


async def test_a_search_in_the_rerankers_order() -> None:
    searcher, _, _ = await world()
    before = await searcher.search(QUESTION, scope=PUBLIC, today=TODAY)
    last = before.hits[-1].passage.text
    fake = FakeReranker(scores={last: 1.0, "": 0.5})
    searcher.reranker = HitReranker(fake, RerankSettings(candidates=20, gap=0.6))
    after = await searcher.search(QUESTION, scope=PUBLIC, today=TODAY)
    assert after.hits[0].passage.text == last
    assert last in {hit.passage.text for hit in after.context}
    assert {hit.passage.id for hit in after.hits} == {hit.passage.id for hit in before.hits}
    assert after.reranking is not None
    assert (after.reranking.by, after.reranking.failure) == ("fake", None)
    assert after.fused == tuple(hit.score for hit in before.hits)
    assert "rerank" in after.seconds
    assert len(fake.asked[0]) <= 20
    assert fake.collections == [("public",)]


async def test_a_reranker_that_fails_changes_nothing_and_it_is_said_why() -> None:
    searcher, _, _ = await world()
    before = await searcher.search(QUESTION, scope=PUBLIC, today=TODAY)
    searcher.reranker = HitReranker(FakeReranker(error=Unavailable("model.timeout")), RerankSettings())
    after = await searcher.search(QUESTION, scope=PUBLIC, today=TODAY)
    assert after.hits == before.hits
    assert after.context == before.context
    assert after.reranking is not None
    assert after.reranking.failure == "model.timeout"


async def test_pinned_sections_and_quotas_survive_the_worst_judge() -> None:
    searcher, _, _ = await world()
    searcher.reranker = HitReranker(FakeReranker(scores={"": 0.0}), RerankSettings(min_score=0.9))
    result = await searcher.search("CDU oder SPD: rule fee?", scope=PUBLIC, today=TODAY)
    parties = [set(hit.edition.document.fields.parties) for hit in result.context]
    assert sum("CDU" in each for each in parties) >= 2
    assert sum("SPD" in each for each in parties) >= 2


@pytest.mark.parametrize("quota", [0, 2])
def test_an_untouched_list_is_unchanged(quota: int) -> None:
    found = hits(5)
    assert reordered(found, {}, RerankSettings(), quota) == [replace(hit) for hit in found]
