"""The pipeline version: what must be the same for an index to stay valid."""

from core.domain.documents import STATUTORY_TYPES, DocumentFields

READING = "16"
"""Increase this number when reading, furniture, chunking or the embedded text change."""


def pipeline_version(*encoders: str) -> str:
    """Version of everything between bytes and vectors, given the encoders' names."""
    return "/".join((READING, *encoders))


def generation(pipeline: str, fields: DocumentFields) -> str:
    """Pipeline version plus those fields of a document that decide how its passages are cut."""
    statutory = fields.doc_type in STATUTORY_TYPES
    # whose words count as the document's own
    manner = "statute" if statutory else "+".join(("prose", *fields.parties))
    return f"{pipeline}/{manner}/{fields.language}/{fields.max_pages or 'all'}"


_RECOGNISER = "/ocr="


def recognised_by(generation: str, recogniser: str) -> str:
    """A generation in which `recogniser` was used for some pages; "" if for none."""
    return f"{generation}{_RECOGNISER}{recogniser}" if recogniser else generation


def recogniser_of(generation: str) -> str:
    """The recogniser in the name of a generation, "" if there is none."""
    return generation.partition(_RECOGNISER)[2]


def is_generation(made: str, wanted: str) -> bool:
    """Whether a version was made as `wanted`, whichever recogniser read its scans."""
    return made.partition(_RECOGNISER)[0] == wanted
