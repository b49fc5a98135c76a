"""Cutting a document into passages: prose by windows, statutes by sections, questions with their answers."""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from core.library.chunking.chunker import ChunkResult, chunk, struck_pages
    from core.library.chunking.text import page_spans
else:
    __getattr__ = late(__name__, __file__)

__all__ = ["ChunkResult", "chunk", "page_spans", "struck_pages"]
