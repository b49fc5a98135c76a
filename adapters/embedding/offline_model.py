"""Models that are made from packaged weights once and then loaded, without a network."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from adapters.embedding.model_folder import provide
from adapters.embedding.text_model import Prefixes, TextEmbedder
from adapters.embedding.unigram import UnigramTokenizer
from core.domain.search import Vector
from core.errors import Broken

_LEAST_NORM = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineModel:
    """How to make a model and how to read its output.

    `make` writes model.onnx and tokenizer.json into an empty folder. Raise `revision` when what it
    writes changes: the name changes with it, and the index is rebuilt. `pooled`: the model's output is
    the vector already, not one vector per token. `step`: texts that one step of work encodes.
    """

    name: str
    revision: int
    dimension: int
    max_tokens: int
    pooled: bool
    step: int
    make: Callable[[Path], None]


class LoadedOffline:
    """The model in `folder`."""

    def __init__(self, model: OfflineModel, folder: Path) -> None:
        self.tokenizer = UnigramTokenizer(folder)
        self._session = session(folder / "model.onnx")
        self._model = model

    @property
    def dimension(self) -> int:
        """See `TextModel`."""
        return self._model.dimension

    @property
    def max_tokens(self) -> int:
        """See `TextModel`."""
        return self._model.max_tokens

    def counts(self, texts: list[str]) -> list[int]:
        """See `TextModel`."""
        return [len(self.tokenizer.encode(text)) for text in texts]

    def vectors(self, texts: list[str]) -> Vector:
        """See `TextModel`."""
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vector:
        ids = self.tokenizer.encode(text, self.max_tokens)
        (output,) = self._session.run(None, {"input_ids": np.array([ids], np.int64)})
        vector = output[0] if self._model.pooled else output[0].mean(axis=0, dtype=np.float64)
        unit: Vector = (vector / max(np.linalg.norm(vector), _LEAST_NORM)).astype(np.float32)
        return unit


class OfflineEmbedder(TextEmbedder[LoadedOffline]):
    """An encoder whose files are made in `models_dir` on first use and checked on every load."""

    def __init__(
        self, model: OfflineModel, *, models_dir: Path, threads: int, prefixes: Prefixes | None = None
    ) -> None:
        super().__init__(
            model.name, cache_dir=models_dir, prefixes=prefixes, threads=threads, step=model.step
        )
        self._offline = model

    @property
    def name(self) -> str:
        """Name and revision; part of the pipeline version."""
        return f"{self._offline.name}/{self._offline.revision}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._offline.dimension

    @property
    def max_tokens(self) -> int:
        """Tokens per text, prefix and special tokens included; the rest is cut off."""
        return self._offline.max_tokens

    def tokenizer(self) -> UnigramTokenizer:
        """The model's tokenizer; loads the model."""
        return self._model().tokenizer

    def _load(self) -> LoadedOffline:
        folder = self._cache_dir / f"{self._offline.name}-{self._offline.revision}"
        return LoadedOffline(self._offline, provide(folder, self._offline.make))


def session(file: Path) -> Any:
    """The model in `file`, to be run on the thread that asks. onnxruntime raises many kinds of errors."""
    from onnxruntime import InferenceSession, SessionOptions  # type: ignore[import-untyped]

    options = SessionOptions()
    options.intra_op_num_threads = 1
    return InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def packaged_file(package: str, name: str) -> Path:
    """A data file of an installed package, which is not imported. Raises Broken if it is missing."""
    spec = find_spec(package)
    path = Path(spec.origin).parent / name if spec and spec.origin else None
    if path is None or not path.is_file():
        raise Broken("embedding.model_missing", f"{name} of package {package} is missing; install {package}")
    return path
