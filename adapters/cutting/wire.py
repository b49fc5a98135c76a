"""The protocol between the bot and its cutting process: messages of one kind byte and a body in JSON, which
is checked against its types. Nothing is ever unpickled.
"""

from enum import Enum

from pydantic import ConfigDict, TypeAdapter

from adapters.pages import Packed
from core.domain.documents import DocumentFields
from core.domain.passages import Passage, Reference
from core.library.chunking.chunker import ChunkResult

CUT = TypeAdapter(tuple[list[Packed], DocumentFields], config=ConfigDict(ser_json_inf_nan="constants"))
"""A request to cut."""
ASIDES_AND_PASSAGES = TypeAdapter(tuple[list[tuple[list[int], list[int], list[int]]], ChunkResult])
"""Its answer: the furniture, the list signs and others' words of each page, as the characters where words
begin, and the passages."""
FIND_REFERENCES = TypeAdapter(tuple[tuple[Passage, ...], DocumentFields])
"""A request for references."""
REFERENCES = TypeAdapter(tuple[Reference, ...])
TEXTS = TypeAdapter(list[str])
COUNTS = TypeAdapter(list[int])


class WireKind(Enum):
    """Kinds of messages."""

    CUT = b"C"
    REFERENCES = b"R"
    COUNT = b"T"
    DONE = b"D"
    MEMORY = b"M"
    FAILED = b"F"
