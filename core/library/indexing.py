"""Passages into the index: their vectors are made, and written in batches."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from core.domain.documents import DocumentFields
from core.domain.passages import Passage
from core.domain.search import IndexPoint
from core.ports.embedding import Embedder, LexicalEncoder
from core.ports.index import PassageIndex

BATCH = 256
"""Passages embedded and upserted at a time: enough to sort by length, small enough to stay quick."""


class PassageWriter:
    """Embeds passages and puts them into the index."""

    def __init__(
        self, *, index: PassageIndex, primary: Embedder, secondary: Embedder, lexical: LexicalEncoder
    ) -> None:
        self._index = index
        self._primary = primary
        self._secondary = secondary
        self._lexical = lexical

    async def write(
        self, collection: str, fields: DocumentFields, passages: Sequence[Passage]
    ) -> AsyncIterator[tuple[Sequence[Passage], list[IndexPoint]]]:
        """Write `passages` of a document; each batch with its points, once it is in the index for good."""
        for batch in batches(passages, BATCH):
            points = await self._points(batch, fields)
            await self._index.upsert(collection, points)
            yield batch, points

    async def _points(self, batch: Sequence[Passage], fields: DocumentFields) -> list[IndexPoint]:
        texts = [passage.embedded_text for passage in batch]
        windows = [passage.text[start:end] for passage in batch for start, end in passage.windows]
        primary, secondary, small, lexical = await asyncio.gather(
            self._primary.passages(texts),
            self._secondary.passages(texts),
            self._secondary.passages(windows),
            self._lexical.passages(texts, fields.language),
        )
        points, at = [], 0
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
                )
            )
            at += size
        return points


def batches(passages: Sequence[Passage], size: int) -> list[Sequence[Passage]]:
    """`passages` in pieces of at most `size`."""
    return [passages[start : start + size] for start in range(0, len(passages), size)]
