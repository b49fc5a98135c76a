"""The protocol between parent and worker process over one Unix socket.

A frame is one kind byte, the payload's length (uint32, big endian) and the payload. Requests come from the
trusted side; answers come from a process that parsed a hostile file, so they are JSON, checked against its
types, and every offset and index is checked before use. Nothing is ever unpickled.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from itertools import chain
from socket import socket
from typing import TYPE_CHECKING, Any, NamedTuple

from adapters.pages import Packed, packed, unpacked
from core.domain.pages import Page, PageReading, Region, RegionKind

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_FRAME = struct.Struct(">cI")
MIB = 1 << 20


class Unsure(NamedTuple):
    """A letter of a cited word (index): which of its letters and digits, what the text says, its glyph (empty
    where its font has no program), the characters whose strokes are nearer, those of them that look the same
    in the words themselves, and whether a character is plainly nearer."""

    word: int
    place: int
    text: str
    glyph: str
    rivals: str
    twins: str
    plain: bool


def rounded(box: Sequence[float]) -> tuple[float, ...]:
    """The place of a word, to a tenth of a point: by it, words that were looked at are known again."""
    return tuple(round(value, 1) for value in box)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLimits:
    """What one file and one worker process may use. Sizes in bytes, times in seconds.

    A request of n pages may use `cpu_base + n * cpu_per_page` of CPU time; the wall limit is
    `wall_factor` times that. A worker is replaced after `max_requests` or when its resident memory
    is over `max_resident` between two requests. All pages of a file together have `max_characters` at most
    and take `most_seconds` at most: a small file can name one page twenty thousand times.
    """

    address_space: int = 1024 * MIB
    cpu_base: float = 20.0
    cpu_per_page: float = 2.0
    wall_factor: float = 2.0
    max_file: int = 256 * MIB
    max_pages: int = 20_000
    max_page_characters: int = 1_000_000
    max_characters: int = 60_000_000
    most_seconds: float = 1800.0
    max_output: int = 64 * MIB
    max_requests: int = 500
    max_resident: int = 200 * MIB
    range_pages: int = 8
    start_timeout: float = 60.0

    def cpu_seconds(self, pages: int) -> float:
        """CPU time allowed for a request of `pages` pages."""
        return self.cpu_base + self.cpu_per_page * pages

    def wall_seconds(self, pages: int) -> float:
        """Wall time allowed for a request of `pages` pages."""
        return self.wall_factor * self.cpu_seconds(pages)


class PdfError(Exception):
    """Why a file or a request is refused: a message key and an English detail."""

    def __init__(self, key: str, detail: str) -> None:
        super().__init__(detail)
        self.key = key
        self.detail = detail


KEYS = frozenset(
    {
        "pdf.not_a_pdf",
        "pdf.encrypted",
        "pdf.empty",
        "pdf.portfolio",
        "pdf.xfa",
        "pdf.broken",
        "pdf.too_slow",
        "pdf.too_large",
        "pdf.no_such_page",
    }
)
"""Message keys of everything that can be wrong with a PDF."""


class FrameKind(Enum):
    """Kinds of frames."""

    REQUEST = b"Q"
    INFO = b"I"
    PAGE = b"P"
    BYTES = b"B"
    DONE = b"D"
    ERROR = b"E"


class ProtocolError(Exception):
    """The other side sent something impossible."""


def send(sock: socket, kind: FrameKind, payload: bytes) -> None:
    """Send one frame."""
    sock.sendall(_FRAME.pack(kind.value, len(payload)) + payload)


def send_json(sock: socket, kind: FrameKind, value: dict[str, Any]) -> None:
    """Send one frame whose payload is a JSON object."""
    send(sock, kind, json.dumps(value).encode())


def receive(sock: socket, limit: int) -> tuple[FrameKind, bytes]:
    """Receive one frame of at most `limit` bytes. Raises EOFError at the end, ProtocolError, TimeoutError."""
    kind, length = _FRAME.unpack(_receive_exactly(sock, _FRAME.size))
    if length > limit:
        raise ProtocolError(f"a frame of {length} bytes is over the limit of {limit}")
    try:
        return FrameKind(kind), _receive_exactly(sock, length)
    except ValueError as error:
        raise ProtocolError(f"unknown frame {kind!r}") from error


def _receive_exactly(sock: socket, length: int) -> bytes:
    """Receive `length` bytes. Raises EOFError if the other side ends before."""
    buffer = bytearray(length)
    view, got = memoryview(buffer), 0
    while got < length:
        count = sock.recv_into(view[got:])
        if not count:
            raise EOFError
        got += count
    return bytes(buffer)


def decode_json(payload: bytes) -> dict[str, Any]:
    """The JSON object of a payload. Raises ProtocolError."""
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("not JSON") from error
    if not isinstance(value, dict):
        raise ProtocolError("not a JSON object")
    return value


def encode_page(reading: PageReading) -> bytes:
    """A page in JSON."""
    return json.dumps(packed(reading), ensure_ascii=False, default=_fields).encode()


def _fields(item: Any) -> dict[str, Any]:
    return {each.name: getattr(item, each.name) for each in fields(item)}


@cache
def _page() -> "TypeAdapter[Packed]":
    """Used only on the checking side: the reading process does without pydantic, which would be half of its
    start-up time."""
    from pydantic import TypeAdapter

    return TypeAdapter(Packed)


def decode_page(payload: bytes) -> PageReading:
    """The reverse of `encode_page`, of what may be anything. Raises ProtocolError."""
    try:
        reading = unpacked(_page().validate_json(payload, strict=True))
    except ValueError as error:
        raise ProtocolError("not a page") from error
    _check_words(reading.page)
    left = set(range(len(reading.page.words)))
    for region in reading.regions:
        _check_region(region, reading.page, left)
    return reading


def _check_words(page: Page) -> None:
    before, last = 0, len(page.text)
    for word in page.words:
        if not before <= word.start < word.end <= last:
            raise ProtocolError("words out of order, or beyond the page's text")
        before = word.end


def _check_region(region: Region, page: Page, left: set[int]) -> None:
    """Refuse an impossible region; the words it holds are taken from those `left`."""
    held = set(chain.from_iterable(region.rows))  # rows of a table may share words
    if any(len(set(row)) < len(row) or not row for row in (*region.rows, region.caption or (0,))):
        raise ProtocolError("a row without words, or a word twice")
    if not held.isdisjoint(region.caption) or not left.issuperset(held.union(region.caption)):
        raise ProtocolError("no such word, or one that is taken")
    left.difference_update(held, region.caption)
    if not 0 <= region.header_rows <= len(region.rows):
        raise ProtocolError("more rows of column names than rows")
    if bool(region.rows) is not (region.kind is RegionKind.TABLE):
        raise ProtocolError("a table without rows, or a figure with some")
    box = region.box
    if not (0 <= box.x0 < box.x1 <= page.width and 0 <= box.y0 < box.y1 <= page.height):
        raise ProtocolError("a box outside the page")
