"""The suite as another processor would run it: switches of pytest, off unless asked for.

`--integer-dot=exact` multiplies eight-bit numbers as processors with integer dot products (VNNI) do. Others
add two products in sixteen bits and saturate: `saturating`, which has no effect where the processor has
integer dot products.

`--weights=int4` makes the networks with four-bit weights, as on processors that compute eight-bit ones
wrongly; they are kept apart from those of other runs, and processes that a test starts use them too.

`--network-noise=0.05` moves every output of a network, the same every time for the same input: a vector by
this share of its length, a score by twice as much. One kind of arithmetic is .065 (encoder A), .014 (encoder
B), .06 (the reader's scores) and .23 (odds of the reader of talk) away from the other. A test that fails
under it depends on a network's arithmetic. The others apply in the process of the tests, not in those that a
test starts."""

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from adapters.embedding import e5, reader
from adapters.embedding.e5 import WeightFormat
from tests.support import encoders

_PRECISE = "session.x64quantprecision"


class IntegerDot(StrEnum):
    """How eight-bit numbers multiply."""

    EXACT = "exact"
    SATURATING = "saturating"


def add_options(parser: pytest.Parser) -> None:
    """Register the switches with pytest."""
    group = parser.getgroup("processors", "the suite as another processor would run it")
    group.addoption("--integer-dot", type=IntegerDot, help="how eight-bit numbers multiply")
    group.addoption("--weights", type=WeightFormat, help="how weights are kept")
    group.addoption("--network-noise", type=float, default=0.0, help="how far networks' outputs are moved")
    group.addoption("--noise-seed", default="", help="moves them otherwise")


def as_asked(config: pytest.Config) -> None:
    """Run networks as the switches say, in this process."""
    dot, noise = config.getoption("--integer-dot"), config.getoption("--network-noise")
    weights = config.getoption("--weights")
    patched = pytest.MonkeyPatch()
    config.add_cleanup(patched.undo)
    if weights:
        for module in (e5, reader):
            patched.setattr(module, "usable_format", lambda *_: weights)
        patched.setattr(encoders, "VARIANT", f"-{weights}")
    if dot or noise:
        processor(patched, dot=dot, noise=noise, seed=config.getoption("--noise-seed"))


def processor(
    patched: pytest.MonkeyPatch, *, dot: IntegerDot | None = None, noise: float = 0.0, seed: str = ""
) -> None:
    """Sessions that begin from now on run as on another processor."""
    import onnxruntime  # type: ignore[import-untyped]

    class Session(onnxruntime.InferenceSession):  # type: ignore[misc]
        def __init__(self, path: Any, sess_options: Any = None, **other: Any) -> None:
            options = sess_options or onnxruntime.SessionOptions()
            if dot:
                options.add_session_config_entry(_PRECISE, "1" if dot is IntegerDot.EXACT else "0")
            super().__init__(path, options, **other)

        def run(self, names: Sequence[str] | None, inputs: dict[str, Any], *other: Any) -> list[Any]:
            found = super().run(names, inputs, *other)
            return [moved(each, noise, _generator(inputs, seed)) for each in found] if noise else found

    patched.setattr(onnxruntime, "InferenceSession", Session)


def moved(output: NDArray[np.float32], noise: float, random: np.random.Generator) -> NDArray[np.float32]:
    """A network's `output` as it might have been; all tokens' vectors (1, n, d) are moved alike, since their
    mean counts."""
    if output.shape[-1] == 1:
        return (output + 2 * noise * random.standard_normal(output.shape)).astype(np.float32)
    mean = output.reshape(-1, output.shape[-1]).mean(axis=0)
    size = noise * np.linalg.norm(mean) / np.sqrt(mean.size)
    return (output + size * random.standard_normal(mean.shape)).astype(np.float32)


def _generator(inputs: dict[str, Any], seed: str) -> np.random.Generator:
    content = b"".join(np.ascontiguousarray(each).tobytes() for each in inputs.values())
    return np.random.default_rng(list(hashlib.sha256(seed.encode() + content).digest()))
