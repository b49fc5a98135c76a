"""How networks with one hidden layer are trained, over vectors of texts or of words."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.question.carried import chances_of
from core.question.heads import Floats, Network

ROUNDS, BATCH, STEP = 20, 128, 3e-3
SHRINK, LEFT_OUT = 5e-3, 0.25
RARE = 16.0
"""How much more the rarer answer weighs at most, before the root."""


def joined(networks: Sequence[Network]) -> Network:
    """One network that says the mean of what `networks` say."""
    return Network(
        np.concatenate([each.first for each in networks], axis=1),
        np.concatenate([each.shift for each in networks]),
        np.concatenate([each.second for each in networks]) / len(networks),
        np.mean([each.bias for each in networks], dtype=np.float32),
    )


def fitted(
    read: Floats, known: NDArray[np.bool_], hidden: int, *, seed: int = 0, weights: Floats | None = None
) -> Network:
    """The network of least loss, by Adam in small batches; the inputs are scaled while it is trained. Without
    `weights` of the rows the rarer answer weighs more."""
    chance, (rows, inputs) = np.random.default_rng(seed), read.shape
    mean, size = read.mean(axis=0), read.std(axis=0) + 1e-3
    scaled = ((read - mean) / size).astype(np.float32)
    if weights is None:
        rare = min(RARE, (1 - known.mean()) / known.mean()) ** 0.5
        weights = np.where(known, rare, 1.0).astype(np.float32)
    values = [
        chance.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
        np.zeros(hidden, np.float32),
        chance.normal(0, hidden**-0.5, hidden).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in values]
    turn, last = 0, ROUNDS * -(-rows // BATCH)
    for _ in range(ROUNDS):
        order = chance.permutation(rows)
        for batch in (order[start : start + BATCH] for start in range(0, rows, BATCH)):
            turn += 1
            one = scaled[batch] * (chance.random((len(batch), inputs)) > LEFT_OUT) / (1 - LEFT_OUT)
            inner = one @ values[0] + values[1]
            kept = np.maximum(inner, 0)
            off = (chances_of(kept @ values[2] + values[3]) - known[batch]) * weights[batch] / len(batch)
            back = np.outer(off, values[2]) * (inner > 0)
            slopes = [
                one.T @ back + SHRINK * values[0],
                back.sum(axis=0),
                kept.T @ off + SHRINK * values[2],
                off.sum(keepdims=True),
            ]
            step = STEP * (1.02 - turn / last)
            for value, slope, (first, second) in zip(values, slopes, moments, strict=True):
                first += 0.1 * (slope - first)
                second += 0.005 * (slope**2 - second)
                value -= step * (first / (1 - 0.9**turn)) / (np.sqrt(second / (1 - 0.995**turn)) + 1e-8)
    first = values[0] / size[:, None]
    return Network(first, values[1] - mean @ first, values[2], values[3][0])
