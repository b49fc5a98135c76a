"""Encoder A up to its eighth layer: vectors of the words of a message, as read after the question before it.
Higher layers tell less of what a single word is for. Made from the packaged weights; nothing is fetched."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from adapters.embedding.e5 import write_model
from adapters.embedding.text_model import EncoderWorkers
from adapters.embedding.trained import TrainedModel
from adapters.embedding.unigram import UnigramTokenizer
from core.domain.search import Vector
from core.ports.models import WordEncoder

LAYERS = 8
MAX_TOKENS = 250
"""Maximum tokens of a message and the question before it: longer ones are read at their beginning."""

REVISION = 1
"""Raise it with another graph: what was made is then made anew."""

NAME = "fundstelle-context"


class PackagedWords(WordEncoder):
    """Vectors (384,) of words. For `models_dir` and `tokenizer` see TrainedModel."""

    def __init__(self, models_dir: Path, *, tokenizer: Callable[[], UnigramTokenizer] | None = None) -> None:
        self._workers = EncoderWorkers(f"{NAME}-words", 1)
        self._model = TrainedModel(self.name, models_dir, partial(write_model, layers=LAYERS), tokenizer)

    @property
    def name(self) -> str:
        """Name and revision."""
        return f"{NAME}-{REVISION}"

    async def words(self, before: Sequence[str], said: Sequence[str]) -> tuple[Vector, Vector]:
        """See the port. Raises Broken("embedding....") if the model cannot be made or run."""
        return await self._workers.question(lambda: self._encode(before, said))

    async def warm_up(self) -> None:
        """Load the model."""
        await self.words((), ("warm", "up"))

    def _encode(self, before: Sequence[str], said: Sequence[str]) -> tuple[Vector, Vector]:
        first, last = self._model.tokens("")
        ids, spans = [first], []
        for word in ("query:", *before, *(("</s>",) if before else ()), *said):
            pieces = self._model.tokens(word)[1:-1] if word != "</s>" else [last]
            spans.append((len(ids), len(ids) + max(1, len(pieces))))
            ids += pieces or [last]
        ids = [*ids[: MAX_TOKENS - 1], last]
        (hidden,) = self._model.run({"input_ids": np.array([ids], np.int64)})
        means = [hidden[min(start, len(ids) - 1) : end].mean(axis=0) for start, end in spans]
        vectors: Vector = np.stack(means)
        return vectors[1 : 1 + len(before)], vectors[len(spans) - len(said) :]
