"""Writes passages to the index: computes their vectors and stores them in batches."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.domain.documents import DocumentFields
from core.domain.passages import Passage
from core.domain.search import IndexPoint
from core.library.scope_keys import keys_of
from core.ports.embedding import Embedder, LexicalEncoder
from core.ports.index import PassageIndex

T = TypeVar("T")

BATCH = 256
"""Passages embedded and upserted at a time: enough to sort by length, few enough to stay quick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageWriter:
    """Embeds passages and puts them into the index."""

    index: PassageIndex
    primary: Embedder
    secondary: Embedder
    lexical: LexicalEncoder

    async def write(
        self, collection: str, fields: DocumentFields, passages: Sequence[Passage]
    ) -> AsyncIterator[tuple[Sequence[Passage], list[IndexPoint]]]:
        """Write `passages` of a document; yields each batch with its points once it is durably in the
        index."""
        for batch in batches(passages, BATCH):
            points = await self._points(batch, fields)
            await self.index.upsert(collection, points)
            yield batch, points

    async def _points(self, batch: Sequence[Passage], fields: DocumentFields) -> list[IndexPoint]:
        texts = [passage.embedded_text for passage in batch]
        windows = [passage.text[start:end] for passage in batch for start, end in passage.windows]
        primary, secondary, small, lexical = await asyncio.gather(
            self.primary.passages(texts),
            self.secondary.passages(texts),
            self.secondary.passages(windows),
            self.lexical.passages(texts, fields.language),
        )
        points, at, keys = [], 0, keys_of(fields)
        for row, passage in enumerate(batch):
            size = len(passage.windows)
            points.append(
                IndexPoint(
                    passage=passage.id,
                    version=passage.version,
                    primary=primary[row],
                    secondary=secondary[row],
                    windows=small[at : at + size],
                    lexical=lexical[row],
                    keys=keys,
                )
            )
            at += size
        return points


def batches(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """`items` in pieces of at most `size`."""
    return [items[start : start + size] for start in range(0, len(items), size)]
