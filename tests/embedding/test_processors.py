"""The networks as other processors would run them: near each other, and the switches do what they say."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.reader import PackagedReader
from core.domain.search import Vector
from tests.support.encoders import models_dir, models_loaded_once
from tests.support.processors import IntegerDot, processor
from tests.support.sample_texts import ENGLISH, GERMAN

pytestmark = pytest.mark.thorough

PROSE = GERMAN + ENGLISH


@pytest.fixture(scope="module", autouse=True)
def loaded_already() -> Iterator[None]:
    """The switches hold where other tests keep loaded networks."""
    with models_loaded_once():
        yield


async def vectors(patched: pytest.MonkeyPatch, dot: IntegerDot | None = None, noise: float = 0.0) -> Vector:
    """Of a few texts, as another processor would compute them."""
    with patched.context() as once:
        processor(once, dot=dot, noise=noise)
        return await E5Embedder(models_dir()).passages(PROSE)


async def test_a_vector_of_one_processor_is_compared_with_one_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A backup moves between machines without a new index: they are .998 and more near each other, while
    different texts of a language are at .9 and less."""
    exact, saturating = [await vectors(monkeypatch, dot) for dot in IntegerDot]
    assert np.sum(exact * saturating, axis=1).min() > 0.99
    others = exact @ saturating.T - 2 * np.eye(len(PROSE))
    assert others.max() < 0.95


async def test_noise_moves_a_vector_by_its_share_and_always_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = await vectors(monkeypatch, IntegerDot.EXACT)
    one, again = [await vectors(monkeypatch, IntegerDot.EXACT, noise=0.1) for _ in range(2)]
    assert np.array_equal(one, again)
    assert np.sum(plain * one, axis=1) == pytest.approx(1 / math.sqrt(1.01), abs=0.003)


async def test_noise_moves_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = await PackagedReader(models_dir()).scores("Was kostet die Fähre?", PROSE)
    processor(monkeypatch, noise=0.1)
    moved = await PackagedReader(models_dir()).scores("Was kostet die Fähre?", PROSE)
    assert all(0 < abs(one - other) < 2 for one, other in zip(plain, moved, strict=True))
