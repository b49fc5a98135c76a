"""Networks trained from the packaged encoder: `data/reader.npz` for the reader of question and text,
`data/talk.npz` for the reader of talk, `data/questions.npz` for the encoder of questions.

Made by `training/` (see its README). For every trained matrix a file contains the difference from the
packaged one as the product of two narrow matrices, its `RANK` largest singular vectors: training changes
little else. For everything else it contains the trained values; all are 16-bit floats. Names are those of the
packaged file (`l7.q.w`), and others for what the encoder does not have (the reader's head).
`training.smoothing` adds what a matrix's inputs are divided by before they become eight bits
(`l7.fi/smooth`).
"""

import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.e5_file import E5Model
from adapters.embedding.offline_model import provide, session
from adapters.embedding.unigram import UnigramTokenizer
from core.errors import Broken

RANK = 128
"""Number of singular vectors kept of a difference, unless fewer suffice."""

_LEFT, _RIGHT, SMOOTH = "/left", "/right", "/smooth"

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedWeights:
    """The encoder with the trained small tensors in it, the trained matrices by name (dense), what the
    encoder does not have, and the smoothing of matrices by name."""

    model: E5Model
    matrices: dict[str, Floats]
    head: dict[str, Floats]
    smoothing: dict[str, Floats] = field(default_factory=dict)


def pack(model: E5Model, trained: Mapping[str, Floats], rank: int = RANK) -> dict[str, NDArray[np.generic]]:
    """The arrays of the file for the `trained` tensors; of differences `rank` singular vectors are kept."""
    packed: dict[str, NDArray[np.generic]] = {}
    for name, values in trained.items():
        if name in model.matrices:
            left, size, right = np.linalg.svd(values - model.matrices[name].dense(), full_matrices=False)
            root = np.sqrt(size[:rank])
            packed[name + _LEFT] = (left[:, :rank] * root).astype(np.float16)
            packed[name + _RIGHT] = (root[:, None] * right[:rank]).astype(np.float16)
        else:
            packed[name] = values.astype(np.float16)
    return packed


def unpack(model: E5Model, packed: Mapping[str, NDArray[np.generic]]) -> TrainedWeights:
    """The trained weights over those of `model`."""
    changed = [name.removesuffix(_LEFT) for name in packed if name.endswith(_LEFT)]
    matrices = {
        name: model.matrices[name].dense()
        + packed[name + _LEFT].astype(np.float32) @ packed[name + _RIGHT].astype(np.float32)
        for name in changed
    }
    others = {name: values.astype(np.float32) for name, values in packed.items() if "/" not in name}
    floats = {name: values for name, values in others.items() if name in model.floats}
    return TrainedWeights(
        model=replace(model, floats=model.floats | floats),
        matrices=matrices,
        head={name: values for name, values in others.items() if name not in floats},
        smoothing={
            name.removesuffix(SMOOTH): values.astype(np.float32)
            for name, values in packed.items()
            if name.endswith(SMOOTH)
        },
    )


def packaged_weights(model: E5Model, name: str) -> TrainedWeights:
    """The packaged weights in the file `name`. Raises Broken("embedding.model_missing")."""
    try:
        with files("adapters.embedding").joinpath("data", name).open("rb") as file, np.load(file) as arrays:
            return unpack(model, dict(arrays))
    except (OSError, KeyError, ValueError) as error:
        raise Broken("embedding.model_missing", f"{name}: {error}; install the bot again") from error


# Models trained from the packaged encoder, run independently: built once, loaded on first use.


class TrainedModel:
    """The model `name`, whose files (about 90 MB) `make` writes into a folder of `models_dir` on first use;
    they are checked on every load. `tokenizer` supplies the encoder's if that is loaded anyway.
    Thread-safe."""

    def __init__(
        self,
        name: str,
        models_dir: Path,
        make: Callable[[Path], None],
        tokenizer: Callable[[], UnigramTokenizer] | None,
    ) -> None:
        self.name = name
        self._cache_dir = models_dir
        self._make = make
        self._shared = tokenizer
        self._lock = threading.Lock()
        self._loaded: tuple[Any, UnigramTokenizer] | None = None

    def tokens(self, text: str, most: int = sys.maxsize) -> list[int]:
        """Tokens of `text`, at most `most` including special ones; the rest is truncated."""
        return self._model()[1].encode(text, most)

    def run(self, inputs: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        """The model's one output. Raises Broken("embedding.failed")."""
        model, _ = self._model()
        try:
            (output,) = model.run(None, dict(inputs))
        except Exception as error:  # onnxruntime raises many kinds
            raise Broken("embedding.failed", f"{self.name}: {error}", model=self.name) from error
        return np.asarray(output, np.float32)

    def _model(self) -> tuple[Any, UnigramTokenizer]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> tuple[Any, UnigramTokenizer]:
        folder = provide(self._cache_dir / self.name, self._make)
        tokenizer = self._shared() if self._shared else UnigramTokenizer(folder)
        return session(folder / "model.onnx"), tokenizer
