"""Cutting a document into passages: prose by windows, statutes by sections, questions with their answers."""

from core.library.chunking.chunker import ChunkResult, chunk, struck_pages
from core.library.chunking.text import page_spans

__all__ = ["ChunkResult", "chunk", "page_spans", "struck_pages"]
