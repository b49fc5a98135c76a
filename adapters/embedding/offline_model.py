"""Models that are made from packaged weights once and then loaded by fastembed, without a network."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.embedding.model_folder import provide
from adapters.embedding.text_model import FastEmbedEmbedder, Prefixes
from core.errors import Broken

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_REGISTRATION = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineModel:
    """How to make a model and how to read its output.

    `make` writes model.onnx and tokenizer files into an empty folder. Raise `revision` when what it
    writes changes: the name changes with it, and the index is rebuilt. `pooled`: the model's output is
    the vector already, not one vector per token. `step`: texts that one step of work encodes.
    """

    name: str
    revision: int
    dimension: int
    max_tokens: int
    licence: str
    pooled: bool
    step: int
    make: Callable[[Path], None]


class OfflineEmbedder(FastEmbedEmbedder):
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

    def _load(self) -> "TextEmbedding":
        folder = self._cache_dir / f"{self._offline.name}-{self._offline.revision}"
        return load(self._offline, provide(folder, self._offline.make))


def load(model: OfflineModel, folder: Path) -> "TextEmbedding":
    """Load `folder` through fastembed; all files are there, so nothing is looked up elsewhere."""
    from fastembed import TextEmbedding

    with _REGISTRATION:
        _register(model)
    return TextEmbedding(
        model.name,
        threads=1,
        providers=["CPUExecutionProvider"],
        specific_model_path=str(folder),
        local_files_only=True,
    )


def packaged_file(package: str, name: str) -> Path:
    """A data file of an installed package, which is not imported. Raises Broken if it is missing."""
    spec = find_spec(package)
    path = Path(spec.origin).parent / name if spec and spec.origin else None
    if path is None or not path.is_file():
        raise Broken("embedding.model_missing", f"{name} of package {package} is missing; install {package}")
    return path


def _register(model: OfflineModel) -> None:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    if any(known["model"] == model.name for known in TextEmbedding.list_supported_models()):
        return
    TextEmbedding.add_custom_model(
        model.name,
        pooling=PoolingType.DISABLED if model.pooled else PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(hf=f"local/{model.name}"),  # required, never asked
        dim=model.dimension,
        model_file="model.onnx",
        license=model.licence,
    )
