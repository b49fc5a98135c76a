"""Encoders that fastembed loads: ours, and any other by name."""

import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adapters.embedding.workers import EncoderWorkers
from core.domain.search import Vector
from core.errors import Broken, FundstelleError
from core.ports.embedding import Embedder
from core.ports.progress import Progress

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Encoding, Tokenizer


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """What a model wants before questions and passages ("query: ", "passage: ", ...)."""

    question: str = ""
    passage: str = ""


class FastEmbedEmbedder(Embedder):
    """A model by its fastembed name, from `cache_dir`. It is loaded on first use and never downloaded;
    put it there with fastembed's own `TextEmbedding(name, cache_dir=...)` on a machine with a network.

    Texts are encoded one by one: no padding. `step` texts are computed before a thread turns to the next
    document that waits; choose it so that a step takes less than a tenth of a second."""

    def __init__(
        self,
        model: str,
        *,
        cache_dir: Path,
        prefixes: Prefixes | None = None,
        threads: int = 2,
        step: int = 1,
    ) -> None:
        self._model_name = model
        self._cache_dir = cache_dir
        self._prefixes = prefixes or Prefixes()
        self._step = step
        self._workers = EncoderWorkers(model, threads)
        self._lock = threading.Lock()
        self._loaded: TextEmbedding | None = None

    @property
    def name(self) -> str:
        """Name and revision; part of the pipeline version."""
        return self._model_name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._model().embedding_size)

    @property
    def max_tokens(self) -> int:
        """Tokens per text, prefix and special tokens included; the rest is cut off."""
        truncation = self.tokenizer().truncation
        return int(truncation["max_length"]) if truncation else sys.maxsize

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each passage, prefix and special tokens included, however long."""
        prefix = self._prefixes.passage
        encodings = self.tokenizer().encode_batch([prefix + text for text in texts])
        return [_untruncated_length(encoding) for encoding in encodings]

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        """Vectors (n, dimension), computed at low priority on all threads."""
        prefixed = [self._prefixes.passage + text for text in texts]
        steps = [prefixed[start : start + self._step] for start in range(0, len(texts), self._step)]
        vectors = await self._workers.passages(steps, self._encode, size=len, progress=progress)
        return np.concatenate(vectors) if vectors else np.empty((0, self.dimension), np.float32)

    async def query(self, text: str) -> Vector:
        """Vector (dimension,), on a thread of its own."""
        vectors = await self._workers.question(lambda: self._encode([self._prefixes.question + text]))
        vector: Vector = vectors[0]
        return vector

    async def warm_up(self) -> None:
        """Load the model."""
        await self.query("warm up")

    def _encode(self, texts: list[str]) -> Vector:
        model = self._model()
        try:
            vectors = list(model.embed(texts, batch_size=1))
        except Exception as error:
            raise Broken("embedding.failed", f"{self.name}: {error}", model=self.name) from error
        return np.stack(vectors).astype(np.float32)

    def _model(self) -> "TextEmbedding":
        with self._lock:
            if self._loaded is None:
                try:
                    self._loaded = self._load()
                except FundstelleError:
                    raise
                except Exception as error:  # fastembed and onnxruntime raise many kinds
                    raise Broken(
                        "embedding.model_missing", f"cannot load {self.name}: {error}", model=self.name
                    ) from error
            return self._loaded

    def _load(self) -> "TextEmbedding":
        from fastembed import TextEmbedding

        return TextEmbedding(
            self._model_name,
            cache_dir=str(self._cache_dir),
            threads=1,
            providers=["CPUExecutionProvider"],
            local_files_only=True,
        )

    def tokenizer(self) -> "Tokenizer":
        """The model's tokenizer; loads the model."""
        loaded: Any = self._model().model
        tokenizer: Tokenizer = loaded.tokenizer
        return tokenizer


def _untruncated_length(encoding: "Encoding") -> int:
    """Tokens of the whole text: what truncation cut off is kept in `overflowing`, with special tokens of
    its own; padding is masked."""
    special = sum(encoding.special_tokens_mask) - encoding.attention_mask.count(0)
    rest = sum(sum(part.attention_mask) - special for part in encoding.overflowing)
    return sum(encoding.attention_mask) + rest
