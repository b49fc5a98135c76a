"""Models that fastembed knows by name, from a folder: encoders of texts, and cross encoders for reranking."""

import asyncio
import math
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adapters.embedding.text_model import Prefixes, TextEmbedder
from core.domain.search import Relevance, Vector
from core.errors import Broken, Unavailable
from core.ports.models import Reranker

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from fastembed.rerank.cross_encoder import TextCrossEncoder
    from tokenizers import Encoding, Tokenizer


class FastEmbedModel:
    """What fastembed has loaded."""

    def __init__(self, loaded: "TextEmbedding") -> None:
        self._loaded = loaded
        inner: Any = loaded.model
        self._tokenizer: Tokenizer = inner.tokenizer

    @property
    def dimension(self) -> int:
        """See `TextModel`."""
        return int(self._loaded.embedding_size)

    @property
    def max_tokens(self) -> int:
        """See `TextModel`."""
        truncation = self._tokenizer.truncation
        return int(truncation["max_length"]) if truncation else sys.maxsize

    def counts(self, texts: list[str]) -> list[int]:
        """See `TextModel`."""
        return [_untruncated_length(encoding) for encoding in self._tokenizer.encode_batch(texts)]

    def vectors(self, texts: list[str]) -> Vector:
        """See `TextModel`."""
        return np.stack(list(self._loaded.embed(texts, batch_size=1))).astype(np.float32)


class FastEmbedEmbedder(TextEmbedder[FastEmbedModel]):
    """A model by its fastembed name, from `cache_dir`. It is never downloaded; put it there with fastembed's
    own `TextEmbedding(name, cache_dir=...)` on a machine with a network."""

    def __init__(
        self, model: str, *, cache_dir: Path, prefixes: Prefixes | None = None, threads: int = 2
    ) -> None:
        super().__init__(model, cache_dir=cache_dir, prefixes=prefixes, threads=threads, step=1)

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
    """Tokens of the whole text: what truncation cut off is kept in `overflowing`, with special tokens of
    its own; padding is masked."""
    special = sum(encoding.special_tokens_mask) - encoding.attention_mask.count(0)
    rest = sum(sum(part.attention_mask) - special for part in encoding.overflowing)
    return sum(encoding.attention_mask) + rest


# Local reranking with a cross encoder, through fastembed.

STEP = 4
"""Pairs computed before a thread looks whether anybody still waits."""


class CrossEncoderReranker(Reranker):
    """`model` is a folder (model.onnx, tokenizer.json, tokenizer_config.json, config.json,
    special_tokens_map.json) or a fastembed name. A name is looked for in `cache_dir` and fetched from the
    network only with `download`. It is loaded on first use."""

    def __init__(self, model: str, *, cache_dir: Path, download: bool = False, threads: int = 2) -> None:
        self._model_name = model
        self._cache_dir = cache_dir
        self._download = download
        self._threads = threads
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="cross-encoder")
        self._loaded: TextCrossEncoder | None = None

    @property
    def name(self) -> str:
        """Kind and model; of a folder its last name."""
        return f"cross_encoder:{Path(self._model_name).name}"

    async def warm_up(self) -> None:
        """Load the model. Raises Broken("rerank.model_missing")."""
        await asyncio.get_running_loop().run_in_executor(self._pool, self._model)

    async def rank(
        self,
        question: str,
        texts: Sequence[str],
        *,
        collections: Sequence[str],  # noqa: ARG002 - nothing leaves the machine
        deadline_s: float,
    ) -> list[Relevance]:
        """See the port. Scores are the model's logits through the logistic function. Raises
        Unavailable("rerank.timeout") at the deadline; the thread stops a few pairs later."""
        given_up = threading.Event()

        def computed() -> list[float]:
            return list(self._scores(question, texts, given_up))

        try:
            async with asyncio.timeout(deadline_s):
                logits = await asyncio.get_running_loop().run_in_executor(self._pool, computed)
        except TimeoutError:
            raise Unavailable("rerank.timeout", f"{self.name} took more than {deadline_s:g} s") from None
        finally:
            given_up.set()
        found = [Relevance(index=n, score=_logistic(logit)) for n, logit in enumerate(logits)]
        return sorted(found, key=lambda item: -item.score)

    def _scores(self, question: str, texts: Sequence[str], given_up: threading.Event) -> Iterator[float]:
        model = self._model()
        for start in range(0, len(texts), STEP):
            if given_up.is_set():
                return
            try:
                yield from model.rerank(question, list(texts[start : start + STEP]), batch_size=STEP)
            except Exception as error:  # onnxruntime raises many kinds
                raise Broken("rerank.failed", f"{self.name}: {type(error).__name__}: {error}") from error

    def _model(self) -> "TextCrossEncoder":
        """On the pool's only thread."""
        if self._loaded is None:
            try:
                self._loaded = self._load()
            except Exception as error:  # fastembed and onnxruntime raise many kinds
                detail = f"cannot load the cross encoder {self._model_name!r}: {error}"
                raise Broken("rerank.model_missing", detail) from error
        return self._loaded

    def _load(self) -> "TextCrossEncoder":
        from fastembed.rerank.cross_encoder import TextCrossEncoder

        folder = Path(self._model_name).expanduser()
        local = str(folder) if self._model_name and folder.is_dir() else None
        if local:
            _register(local)
        return TextCrossEncoder(
            local or self._model_name,
            cache_dir=str(self._cache_dir),
            threads=self._threads,
            providers=["CPUExecutionProvider"],
            specific_model_path=local,
            local_files_only=local is not None or not self._download,
        )


def _register(folder: str) -> None:
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    if any(known["model"] == folder for known in TextCrossEncoder.list_supported_models()):
        return
    TextCrossEncoder.add_custom_model(
        folder,
        model_file="model.onnx",
        sources=ModelSource(hf="local/cross-encoder"),  # required, never asked
    )


def _logistic(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, logit))))
