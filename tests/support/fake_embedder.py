"""Quick deterministic stand-ins for the encoders: hashed bags of words, without a model."""

import re
import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from core.domain.ingestion import Progress
from core.domain.search import SparseVector, Vector
from core.ports.models import Embedder, LexicalEncoder

_WORD = re.compile(r"\w+")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


class FakeEmbedder(Embedder):
    """Unit vectors of signed word hashes: texts that share words are similar, nothing else is."""

    def __init__(self, dimension: int = 64, *, name: str = "fake-words", max_tokens: int = 512) -> None:
        self._dimension = dimension
        self._name = name
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def max_tokens(self) -> int:
        return self._max_tokens

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words plus two, as if begin and end were marked."""
        return [len(_words(text)) + 2 for text in texts]

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        if progress and texts:
            progress(len(texts), len(texts))
        vectors = [self._vector(text) for text in texts]
        return np.stack(vectors) if vectors else np.empty((0, self._dimension), np.float32)

    async def query(self, text: str) -> Vector:
        return self._vector(text)

    async def warm_up(self) -> None:
        return None

    def _vector(self, text: str) -> Vector:
        vector = np.zeros(self._dimension, np.float32)
        for word in _words(text)[: self._max_tokens - 2]:
            code = zlib.crc32(word.encode())
            vector[code % self._dimension] += 1.0 if code & 0x8000_0000 else -1.0
        norm = np.linalg.norm(vector)
        if norm == 0.0:
            vector[0] = norm = np.float32(1.0)
        return (vector / norm).astype(np.float32)


class FakeLexicalEncoder(LexicalEncoder):
    """Term frequencies of lower-cased words, ids by CRC-32, the same in every language."""

    @property
    def name(self) -> str:
        return "fake-terms"

    async def passages(self, texts: Sequence[str], language: str) -> list[SparseVector]:
        return [self._terms(text) for text in texts]

    async def query(self, text: str, language: str) -> SparseVector:
        return self._terms(text)

    def _terms(self, text: str) -> SparseVector:
        counts = Counter(zlib.crc32(word.encode()) for word in _words(text))
        ids = sorted(counts)
        return SparseVector(indices=tuple(ids), values=tuple(float(counts[i]) for i in ids))
