"""The networks as other processors would run them: near each other, and the switches do what they say."""

import numpy as np
import pytest

from adapters.embedding.e5 import E5Embedder
from core.domain.search import Vector
from tests.support.encoders import models_dir
from tests.support.processors import IntegerDot, processor
from tests.support.sample_texts import ENGLISH, GERMAN

PROSE = GERMAN + ENGLISH


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
