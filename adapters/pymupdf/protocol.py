"""What parent and worker process say to each other over one Unix socket.

A frame is one kind byte, the payload's length (uint32, big endian) and the payload. Requests come from the
trusted side; answers come from a process that parsed a hostile file, so they are decoded with JSON, struct
and array only, and every length, offset and index is checked before use. Nothing is ever unpickled.
"""

import json
import math
import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from socket import socket
from typing import Any, NamedTuple

from core.domain.pages import Box, Page, PageReading, PageTrouble, Region, RegionKind, TextSource, Word

_FRAME = struct.Struct(">cI")
_PAGE = struct.Struct("<IddHBBIHIII")
_TROUBLES = (None, *PageTrouble)
_SOURCES = tuple(TextSource)
_COLUMNS = "IIffffIIHBB"  # the fields of `RawWord`
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
    """The other side said something that cannot be."""


class RawWord(NamedTuple):
    """A word as the worker sends it; the fields of `core.domain.pages.Word`."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float
    block: int
    line: int
    note_chars: int
    struck: bool = False
    set_off: bool = False


class RawRegion(NamedTuple):
    """A table or figure as the worker sends it; the fields of `core.domain.pages.Region`. The box lies on the
    page; no word belongs to two regions, or twice to one."""

    kind: RegionKind
    box: tuple[float, float, float, float]
    rows: Sequence[Sequence[int]] = ()
    header_rows: int = 0
    caption: Sequence[int] = ()


class RawPage(NamedTuple):
    """A page as the worker sends it; the fields of `core.domain.pages.PageReading`."""

    number: int
    label: str | None
    width: float
    height: float
    rotation: int
    trouble: PageTrouble | None
    text_source: TextSource
    hidden_characters: int
    text: str
    words: Sequence[RawWord]
    regions: Sequence[RawRegion] = ()


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


def encode_page(page: RawPage) -> bytes:
    """A page as bytes: header, label and text in UTF-8, one array per column of the words, regions in JSON.
    Lone surrogates become "?", one for one, so that offsets stay."""
    label = (page.label or "").encode("utf-8", "replace")
    text = page.text.encode("utf-8", "replace")
    regions = json.dumps(page.regions).encode() if page.regions else b""
    head = _PAGE.pack(
        page.number,
        page.width,
        page.height,
        page.rotation,
        _TROUBLES.index(page.trouble),
        _SOURCES.index(page.text_source) | (2 if page.label is not None else 0),
        page.hidden_characters,
        len(label),
        len(text),
        len(page.words),
        len(regions),
    )
    columns = zip(*page.words, strict=True) if page.words else ()
    arrays = (array(code, column).tobytes() for code, column in zip(_COLUMNS, columns, strict=False))
    return b"".join((head, label, text, *arrays, regions))


def decode_page(payload: bytes) -> PageReading:
    """The reverse of `encode_page`, checking every length and offset. Raises ProtocolError."""
    try:
        return _decode_page(payload)
    except (struct.error, ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
        raise ProtocolError(f"not a page: {error}") from error


def _decode_page(payload: bytes) -> PageReading:
    (
        number, width, height, rotation, trouble, bits, hidden, label_size, text_size, count, regions_size,
    ) = _PAGE.unpack_from(payload)  # fmt: skip
    at = _PAGE.size + label_size
    label = payload[_PAGE.size : at].decode()
    text = payload[at : at + text_size].decode()
    end = len(payload) - regions_size
    if end < at + text_size:
        raise ValueError("regions are cut off")
    page = Page(
        number=number,
        label=label if bits & 2 else None,
        width=width,
        height=height,
        rotation=rotation,
        text=text,
        words=_decode_words(payload[at + text_size : end], text, count),
        text_source=_SOURCES[bits & 1],
    )
    return PageReading(
        page=page,
        trouble=_TROUBLES[trouble],
        hidden_characters=hidden,
        regions=_decode_regions(payload[end:], page) if regions_size else (),
    )


def _decode_words(payload: bytes, text: str, count: int) -> tuple[Word, ...]:
    columns, at = [], 0
    for code in _COLUMNS:
        column = array(code)
        size = count * column.itemsize
        column.frombytes(payload[at : at + size])
        if len(column) != count:
            raise ValueError("words are cut off")
        columns.append(column)
        at += size
    if at != len(payload):
        raise ValueError("bytes are left over")
    _check_offsets(columns[0], columns[1], len(text))
    return tuple(
        Word(
            text=text[start:end],
            start=start,
            end=end,
            box=Box(x0, y0, x1, y1),
            block=block,
            line=line,
            note_chars=notes,
            struck=bool(struck),
            set_off=bool(set_off),
        )
        for start, end, x0, y0, x1, y1, block, line, notes, struck, set_off in zip(*columns, strict=True)
    )


def _check_offsets(starts: "array[int]", ends: "array[int]", length: int) -> None:
    before = 0
    for start, end in zip(starts, ends, strict=True):
        if not before <= start < end <= length:
            raise ValueError("offsets are not in order")
        before = end


def _decode_regions(payload: bytes, page: Page) -> tuple[Region, ...]:
    left = set(range(len(page.words)))
    return tuple(_region(item, page, left) for item in json.loads(payload))


def _region(item: Any, page: Page, left: set[int]) -> Region:
    """One region; the words it holds are taken from those `left`."""
    kind, box, rows, header_rows, caption = item
    held = tuple(_take(row, set(left)) for row in rows)  # rows of one table may share words
    left.difference_update(*held)
    region = Region(
        kind=RegionKind(kind),
        box=_box(box, page),
        rows=held,
        header_rows=header_rows,
        caption=_take(caption, left),
    )
    if type(header_rows) is not int or not 0 <= header_rows <= len(rows):
        raise ValueError("more rows of column names than rows")
    if not all(region.rows) or bool(region.rows) is not (region.kind is RegionKind.TABLE):
        raise ValueError("rows without words, or of a figure")
    return region


def _box(numbers: Any, page: Page) -> Box:
    x0, y0, x1, y1 = map(float, numbers)
    if not all(map(math.isfinite, (x0, y0, x1, y1))):
        raise ValueError("a box without end")
    if not (0 <= x0 < x1 <= page.width and 0 <= y0 < y1 <= page.height):
        raise ValueError("a box outside the page")
    return Box(x0, y0, x1, y1)


def _take(indices: Any, left: set[int]) -> tuple[int, ...]:
    for index in indices:
        if type(index) is not int or index not in left:
            raise ValueError("no such word, or one that is taken")
        left.remove(index)
    return tuple(indices)
