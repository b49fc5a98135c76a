"""Encoder A up to its eighth layer: vectors of the words of a message, as read after the question before it,
and of the stretches of a text, as read among each other. Higher layers tell less of what a single word is
for. Made from the packaged weights; nothing is fetched."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from adapters.embedding.e5 import write_model
from adapters.embedding.text_model import EncoderWorkers
from adapters.embedding.trained import TrainedModel
from adapters.embedding.unigram import UnigramTokenizer
from core.domain.search import Vector
from core.ports.models import ContextEncoder, WordEncoder

LAYERS = 8
MAX_TOKENS = 250
"""Maximum tokens of a message and the question before it: longer ones are read at their beginning."""
MAX_STRETCHES = 448
"""The same of a text that is read in stretches."""

REVISION = 1
"""Raise it with another graph: what was made is then made anew."""

NAME = "fundstelle-context"

_END = "</s>"


class PackagedWords(WordEncoder, ContextEncoder):
    """Vectors (384,) of words and stretches. For `models_dir` and `tokenizer` see TrainedModel."""

    def __init__(self, models_dir: Path, *, tokenizer: Callable[[], UnigramTokenizer] | None = None) -> None:
        self._workers = EncoderWorkers(f"{NAME}-words", 1)
        self._model = TrainedModel(self.name, models_dir, partial(write_model, layers=LAYERS), tokenizer)

    @property
    def name(self) -> str:
        """Name and revision."""
        return f"{NAME}-{REVISION}"

    async def words(self, before: Sequence[str], said: Sequence[str]) -> tuple[Vector, Vector]:
        """See the port. Raises Broken("embedding....") if the model cannot be made or run."""
        texts = ("query:", *before, *((_END,) if before else ()), *said)
        means = await self._workers.question(lambda: self._means(texts, MAX_TOKENS))
        return means[1 : 1 + len(before)], means[len(means) - len(said) :]

    async def stretches(self, texts: Sequence[str]) -> Vector:
        """See the port. Raises like `words`."""
        return (await self._workers.question(lambda: self._means(("query:", *texts), MAX_STRETCHES)))[1:]

    async def warm_up(self) -> None:
        """Load the model."""
        await self.words((), ("warm", "up"))

    def _means(self, texts: Sequence[str], most: int) -> Vector:
        """The means of the tokens of `texts` in the whole that they make."""
        first, last = self._model.tokens("")
        ids, spans = [first], []
        for text in texts:
            pieces = self._model.tokens(text)[1:-1] if text != _END else []
            spans.append((len(ids), len(ids) + max(1, len(pieces))))
            ids += pieces or [last]
        ids = [*ids[: most - 1], last]
        (hidden,) = self._model.run({"input_ids": np.array([ids], np.int64)})
        means: Vector = np.stack(
            [hidden[min(start, len(ids) - 1) : end].mean(axis=0) for start, end in spans]
        )
        return means
