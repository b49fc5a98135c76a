"""Text encoders that process texts one by one, on their own threads; and those that fastembed
knows by name."""

import asyncio
import sys
import threading
from abc import abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from adapters.priority import lower_priority
from core.domain.ingestion import Progress
from core.domain.search import Vector
from core.errors import Broken, FundstelleError
from core.ports.models import Embedder

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Encoding, Tokenizer

# Threads for encoding: questions go first, passages run at low priority in small steps.

_T = TypeVar("_T")
_R = TypeVar("_R")


class EncoderWorkers:
    """One thread for questions and `threads` low-priority threads for passages."""

    def __init__(self, name: str, threads: int) -> None:
        self._threads = threads
        self._questions = ThreadPoolExecutor(1, thread_name_prefix=f"{name}-question")
        self._passages = ThreadPoolExecutor(
            threads, thread_name_prefix=f"{name}-passages", initializer=lower_priority
        )

    async def question(self, call: Callable[[], _R]) -> _R:
        """Run `call` on the thread that passages never occupy."""
        return await asyncio.get_running_loop().run_in_executor(self._questions, call)

    async def passages(
        self,
        steps: Sequence[_T],
        call: Callable[[_T], _R],
        *,
        size: Callable[[_T], int] = lambda _: 1,
        progress: Progress | None = None,
    ) -> list[_R]:
        """Run `call` on every step and return the results in order. Several documents at a time share
        the threads fairly, since each has only a few steps waiting."""
        loop = asyncio.get_running_loop()
        results: dict[int, _R] = {}
        pending = iter(enumerate(steps))
        total, done = sum(map(size, steps)), 0

        async def drain() -> None:
            nonlocal done
            for index, step in pending:
                results[index] = await loop.run_in_executor(self._passages, call, step)
                done += size(step)
                if progress:
                    progress(done, total)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._threads + 1):  # one more than threads, so that the next step is ready
                    group.create_task(drain())
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return [results[index] for index in range(len(steps))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """The prefixes that a model requires for questions and passages ("query: ", "passage: ", ...)."""

    question: str = ""
    passage: str = ""


class TextModel(Protocol):
    """A loaded model."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Tokens per text, special tokens included; the rest is cut off."""

    def counts(self, texts: list[str]) -> list[int]:
        """Tokens of each text, special tokens included, however long."""

    def vectors(self, texts: list[str]) -> Vector:
        """Vectors of unit length, float32 (n, dimension), each text by itself, without padding."""


M = TypeVar("M", bound=TextModel)


class TextEmbedder(Embedder, Generic[M]):
    """A model that is loaded from `cache_dir` on first use.

    `step` texts are encoded before a thread turns to the next waiting document; choose it so that a step
    takes less than a tenth of a second."""

    def __init__(
        self, model: str, *, cache_dir: Path, prefixes: Prefixes | None = None, threads: int, step: int
    ) -> None:
        self._model_name = model
        self._cache_dir = cache_dir
        self._prefixes = prefixes or Prefixes()
        self._step = step
        self._workers = EncoderWorkers(model, threads)
        self._lock = threading.Lock()
        self._loaded: M | None = None

    @property
    def name(self) -> str:
        return self._model_name

    @property
    def dimension(self) -> int:
        return self._model().dimension

    @property
    def max_tokens(self) -> int:
        return self._model().max_tokens

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._model().counts([self._prefixes.passage + text for text in texts])

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
        await self.query("warm up")

    def _encode(self, texts: list[str]) -> Vector:
        model = self._model()
        try:
            return model.vectors(texts)
        except Exception as error:
            raise Broken("embedding.failed", f"{self.name}: {error}", model=self.name) from error

    def _model(self) -> M:
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

    @abstractmethod
    def _load(self) -> M: ...


class FastEmbedModel:
    """What fastembed has loaded."""

    def __init__(self, loaded: "TextEmbedding") -> None:
        self._loaded = loaded
        inner: Any = loaded.model
        self._tokenizer: Tokenizer = inner.tokenizer

    @property
    def dimension(self) -> int:
        return int(self._loaded.embedding_size)

    @property
    def max_tokens(self) -> int:
        truncation = self._tokenizer.truncation
        return int(truncation["max_length"]) if truncation else sys.maxsize

    def counts(self, texts: list[str]) -> list[int]:
        return [_untruncated_length(encoding) for encoding in self._tokenizer.encode_batch(texts)]

    def vectors(self, texts: list[str]) -> Vector:
        return np.stack(list(self._loaded.embed(texts, batch_size=1))).astype(np.float32)


class FastEmbedEmbedder(TextEmbedder[FastEmbedModel]):
    """A model by its fastembed name, from `cache_dir`. It is never downloaded; place it there with
    fastembed's own `TextEmbedding(name, cache_dir=...)` on a machine with a network."""

    def __init__(self, model: str, *, cache_dir: Path, threads: int = 2) -> None:
        super().__init__(model, cache_dir=cache_dir, threads=threads, step=1)

    def _load(self) -> FastEmbedModel:
        from fastembed import TextEmbedding

        return FastEmbedModel(
            TextEmbedding(
                self._model_name,
                cache_dir=str(self._cache_dir),
                threads=1,
                providers=["CPUExecutionProvider"],
                local_files_only=True,
            )
        )


def _untruncated_length(encoding: "Encoding") -> int:
    """Tokens of the whole text: truncated parts are in `overflowing`, with their own special tokens; padding
    is masked."""
    special = sum(encoding.special_tokens_mask) - encoding.attention_mask.count(0)
    rest = sum(sum(part.attention_mask) - special for part in encoding.overflowing)
    return sum(encoding.attention_mask) + rest
