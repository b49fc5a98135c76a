"""Models that training made of the packaged encoder, run on their own: made once, loaded on first use."""

import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.model_folder import provide
from core.errors import Broken

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class TrainedModel:
    """The model `name`, whose files (about 90 MB) `make` writes into a folder of `models_dir` on first use;
    they are checked on every load. `tokenizer` gives that of the encoder where it is loaded anyway. May be
    used from several threads."""

    def __init__(
        self,
        name: str,
        models_dir: Path,
        make: Callable[[Path], None],
        tokenizer: "Callable[[], Tokenizer] | None",
    ) -> None:
        self.name = name
        self._cache_dir = models_dir
        self._make = make
        self._shared = tokenizer
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Tokenizer] | None = None

    def tokens(self, text: str) -> list[int]:
        """Tokens of `text`, special ones included."""
        ids: list[int] = self._model()[1].encode(text).ids
        return ids

    def run(self, inputs: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        """The model's one output. Raises Broken("embedding.failed")."""
        session, _ = self._model()
        try:
            (output,) = session.run(None, dict(inputs))
        except Exception as error:  # onnxruntime raises many kinds
            raise Broken("embedding.failed", f"{self.name}: {error}", model=self.name) from error
        return np.asarray(output, np.float32)

    def _model(self) -> "tuple[Any, Tokenizer]":
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> "tuple[Any, Tokenizer]":
        from tokenizers import Tokenizer

        folder = provide(self._cache_dir / self.name, self._make)
        own = partial(Tokenizer.from_file, str(folder / "tokenizer.json"))
        return _session(folder / "model.onnx"), (self._shared or own)()


def _session(file: Path) -> Any:
    from onnxruntime import InferenceSession, SessionOptions  # type: ignore[import-untyped]

    options = SessionOptions()
    options.intra_op_num_threads = 1
    return InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
