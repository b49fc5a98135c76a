"""The process that cuts: answers requests until its socket closes. It opens no files and no connections.

Messages are one kind byte and a body in JSON, which is checked against its types. Nothing is ever unpickled.
"""

import gc
import json
import sys
import traceback
from collections.abc import Sequence
from enum import Enum
from multiprocessing.connection import Connection

from pydantic import ConfigDict, TypeAdapter

from adapters.containment import contain, limit_cpu
from adapters.pages import Packed, unpacked
from core.domain.documents import DocumentFields
from core.domain.passages import Passage, Reference
from core.language import languages
from core.library.chunking.chunker import ChunkResult
from core.library.cross_references import cross_references
from core.library.cutting import cut_document

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


def main() -> None:
    """Entry point: the socket's descriptor, address space and CPU seconds of a request as JSON."""
    wanted = json.loads(sys.argv[1])
    socket = Connection(wanted["socket"])
    languages.every()  # load it while files can still be opened
    contain(wanted["address_space"])
    gc.freeze()
    socket.send_bytes(WireKind.DONE.value)
    while True:
        try:
            message = socket.recv_bytes()
        except EOFError:
            return
        seconds, message = int.from_bytes(message[:4], "big"), message[4:]
        limit_cpu(seconds)
        socket.send_bytes(_answered(WireKind(message[:1]), message[1:], socket))


def _answered(kind: WireKind, body: bytes, socket: Connection) -> bytes:
    try:
        return WireKind.DONE.value + (_cut(body, socket) if kind is WireKind.CUT else _references(body))
    except MemoryError:
        return WireKind.MEMORY.value
    except Exception as error:  # the boundary: the text is untrusted
        frames = traceback.format_tb(error.__traceback__)
        return WireKind.FAILED.value + TEXTS.dump_json([type(error).__name__, *frames])


def _cut(body: bytes, socket: Connection) -> bytes:
    def count_tokens(texts: Sequence[str]) -> list[int]:
        """Ask the bot, which has the encoder."""
        socket.send_bytes(WireKind.COUNT.value + TEXTS.dump_json(list(texts)))
        return COUNTS.validate_json(socket.recv_bytes())

    packed, fields = CUT.validate_json(body)
    pages, cut = cut_document(list(map(unpacked, packed)), fields, count_tokens)
    asides = [
        (
            [word.start for word in page.words if word.furniture],
            [word.start for word in page.words if word.bullet],
            [word.start for word in page.words if word.reported],
        )
        for page in pages
    ]
    return ASIDES_AND_PASSAGES.dump_json((asides, cut))


def _references(body: bytes) -> bytes:
    return REFERENCES.dump_json(cross_references(*FIND_REFERENCES.validate_json(body)))
