"""The process that cuts: answers requests until its socket closes. It opens no files and no connections."""

import gc
import json
import sys
import traceback
from collections.abc import Sequence
from multiprocessing.connection import Connection

from adapters.containment import contain, limit_cpu
from adapters.cutting import wire
from adapters.cutting.wire import WireKind
from adapters.pages import unpacked
from core.language import languages
from core.library.cross_references import cross_references
from core.library.cutting import cut_document


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
        return WireKind.FAILED.value + wire.TEXTS.dump_json([type(error).__name__, *frames])


def _cut(body: bytes, socket: Connection) -> bytes:
    def count_tokens(texts: Sequence[str]) -> list[int]:
        """Ask the bot, which has the encoder."""
        socket.send_bytes(WireKind.COUNT.value + wire.TEXTS.dump_json(list(texts)))
        return wire.COUNTS.validate_json(socket.recv_bytes())

    packed, fields = wire.CUT.validate_json(body)
    pages, cut = cut_document(list(map(unpacked, packed)), fields, count_tokens)
    asides = [
        (
            [word.start for word in page.words if word.furniture],
            [word.start for word in page.words if word.bullet],
            [word.start for word in page.words if word.reported],
        )
        for page in pages
    ]
    return wire.ASIDES_AND_PASSAGES.dump_json((asides, cut))


def _references(body: bytes) -> bytes:
    return wire.REFERENCES.dump_json(cross_references(*wire.FIND_REFERENCES.validate_json(body)))
