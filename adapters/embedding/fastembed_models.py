"""Encoders known to fastembed by name, loaded from a folder."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adapters.embedding.text_model import Prefixes, TextEmbedder
from core.domain.search import Vector

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Encoding, Tokenizer


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
    """Tokens of the whole text: truncated parts are in `overflowing`, with their own special tokens; padding
    is masked."""
    special = sum(encoding.special_tokens_mask) - encoding.attention_mask.count(0)
    rest = sum(sum(part.attention_mask) - special for part in encoding.overflowing)
    return sum(encoding.attention_mask) + rest
