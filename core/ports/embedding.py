"""Ports that turn texts into vectors."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.search import SparseVector, Vector
from core.ports.progress import Progress


class Embedder(Protocol):
    """A dense text encoder. Vectors are float32 of unit length."""

    @property
    def name(self) -> str:
        """Name and version; part of the pipeline version."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Maximum tokens per text, prefix and special tokens included; anything beyond is truncated."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, prefix and special tokens included. Pure, may be called from threads."""
        ...

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        """Vectors of passages, shape (len(texts), dimension), in the order given."""
        ...

    async def query(self, text: str) -> Vector:
        """Vector of a question, shape (dimension,)."""
        ...

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""
        ...


class QuestionEncoder(Protocol):
    """An encoder for questions only, for passages encoded by another encoder into the same vector space."""

    async def query(self, text: str) -> Vector:
        """Vector of a question, shape (dimension,), float32 of unit length."""
        ...

    async def warm_up(self) -> None:
        """Load the model, so that the next call is quick."""
        ...


class LexicalEncoder(Protocol):
    """Sparse BM25 terms; the index multiplies by inverse document frequency."""

    @property
    def name(self) -> str:
        """Name and version; part of the pipeline version."""
        ...

    async def passages(self, texts: Sequence[str], language: str) -> list[SparseVector]:
        """Term weights of passages, stemmed for `language` (ISO 639-1)."""
        ...

    async def query(self, text: str, language: str) -> SparseVector:
        """Terms of a question, stemmed for `language`."""
        ...
