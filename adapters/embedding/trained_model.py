"""Models that training made of the packaged encoder, run on their own: made once, loaded on first use."""

import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.model_folder import provide
from adapters.embedding.offline_model import session
from adapters.embedding.unigram import UnigramTokenizer
from core.errors import Broken


class TrainedModel:
    """The model `name`, whose files (about 90 MB) `make` writes into a folder of `models_dir` on first use;
    they are checked on every load. `tokenizer` gives that of the encoder where it is loaded anyway. May be
    used from several threads."""

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
        """Tokens of `text`, `most` with the special ones; what is over is cut off."""
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
