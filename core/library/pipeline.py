"""The pipeline version: what must be the same for an index to stay valid."""

from core.domain.documents import STATUTORY_TYPES, DocumentFields

READING = "1"
"""Raise when reading, furniture, chunking or the embedded text change."""


def pipeline_version(*encoders: str) -> str:
    """Version of everything between bytes and vectors, given the encoders' names."""
    return "/".join((READING, *encoders))


def generation(pipeline: str, fields: DocumentFields) -> str:
    """Pipeline version plus those fields of a document that decide how its passages are cut."""
    manner = "statute" if fields.doc_type in STATUTORY_TYPES else "prose"
    return f"{pipeline}/{manner}/{fields.language}/{fields.max_pages or 'all'}"
