"""What training changed in the packaged encoder to make the reader of it: `data/reader.npz`.

Made by `training/` (see its README). Of every matrix that was trained the file holds the difference to the
packaged one as the product of two narrow ones, its `RANK` largest singular vectors: training changes little
else. Of everything else that was trained it holds the values; all are 16-bit floats. Names are those of the
packaged file (`l7.q.w`), and `part`, `inner`, `outer` for what the encoder does not have.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.e5_file import E5Model
from core.errors import Broken

REVISION = 6
"""Raise it with every new file of weights: what was made from the old one is then made anew."""

RANK = 64
"""Singular vectors of a difference that are kept."""

_LEFT, _RIGHT = "/left", "/right"
_HEAD = ("part", "inner.w", "inner.b", "outer.w", "outer.b", "above")

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderWeights:
    """The encoder with the trained small tensors in it, the trained matrices by name (dense), and the head.

    `part` (2, hidden) tells question from text and is added below layer `above`; `inner` and `outer` are the
    two linear maps of the head.
    """

    model: E5Model
    matrices: dict[str, Floats]
    head: dict[str, Floats]
    above: int


def pack(model: E5Model, trained: Mapping[str, Floats]) -> dict[str, NDArray[np.generic]]:
    """The arrays of the file for the `trained` tensors."""
    packed: dict[str, NDArray[np.generic]] = {}
    for name, values in trained.items():
        if name in model.matrices:
            left, size, right = np.linalg.svd(values - model.matrices[name].dense(), full_matrices=False)
            root = np.sqrt(size[:RANK])
            packed[name + _LEFT] = (left[:, :RANK] * root).astype(np.float16)
            packed[name + _RIGHT] = (root[:, None] * right[:RANK]).astype(np.float16)
        else:
            packed[name] = values.astype(np.float16)
    return packed


def unpack(model: E5Model, packed: Mapping[str, NDArray[np.generic]]) -> ReaderWeights:
    """The reader's weights over those of `model`."""
    changed = [name.removesuffix(_LEFT) for name in packed if name.endswith(_LEFT)]
    matrices = {
        name: model.matrices[name].dense()
        + packed[name + _LEFT].astype(np.float32) @ packed[name + _RIGHT].astype(np.float32)
        for name in changed
    }
    floats = {name: packed[name].astype(np.float32) for name in packed if name in model.floats}
    head = {name: packed[name].astype(np.float32) for name in _HEAD}
    return ReaderWeights(
        model=replace(model, floats=model.floats | floats),
        matrices=matrices,
        head=head,
        above=int(head.pop("above")),
    )


def packaged_weights(model: E5Model) -> ReaderWeights:
    """Those of the file that comes with the bot. Raises Broken("embedding.model_missing")."""
    try:
        with (
            files("adapters.embedding").joinpath("data/reader.npz").open("rb") as file,
            np.load(file) as arrays,
        ):
            return unpack(model, dict(arrays))
    except (OSError, KeyError, ValueError) as error:
        raise Broken("embedding.model_missing", f"reader.npz: {error}; install the bot again") from error
