"""Rows to domain types and back, each pair round-trip tested; and the tables and statements that several
modules share."""

import dataclasses
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import IntEnum
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from pydantic import TypeAdapter
from sqlalchemy import Row
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.database import tables
from adapters.database.tables import UNSTORABLE, table_of
from adapters.pages import words_of
from core.domain.documents import Document, DocumentFields, DocumentVersion
from core.domain.journal import AuditEntry, ChatKey, ChatState, Feedback
from core.domain.messages import IncomingMessage, Outgoing
from core.domain.pages import Box, Page, TextSource, Word, WrittenPage
from core.domain.passages import Passage, Picture, Reference, Span
from core.domain.records import AnswerRecord, RecordTexts
from core.domain.registry import Derivation, Government, Jurisdiction, Manifest, Party, RegisteredDocument
from core.domain.scope import ThreadContext

T = TypeVar("T")

Values = dict[str, Any]
"""Column values of one row."""

AnyRow = Row[Any] | Values
"""A row, or the part of a joined row that belongs to one table."""


class Codec(Generic[T]):
    """Converts a domain type to JSON and back. The converter is built on first use, which takes some
    milliseconds."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        return TypeAdapter(self._kind)

    def pack(self, value: T) -> Values:
        """`value` as JSON. Characters no database accepts become U+FFFD, as in `SourceText`."""
        found: Values = _storable(self._adapter.dump_python(value, mode="json"))
        return found

    def unpack(self, value: object) -> T:
        """The value from JSON; fields added since have their defaults."""
        return self._adapter.validate_python(value)

    def read(self, row: AnyRow, **given: object) -> T:
        """The value made from the columns named like its fields, with those `given` overriding some."""
        return self.unpack(columns(row) | given)


def columns(row: AnyRow) -> Values:
    """Column values by their names."""
    return row if isinstance(row, dict) else dict(row._mapping)


def field_values(item: Any) -> Values:
    """The fields of a dataclass as columns: tuples as lists for JSON; enumerations are strings already."""
    found = {each.name: getattr(item, each.name) for each in dataclasses.fields(item)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() and "\0" not in value else value.translate(UNSTORABLE)
    if isinstance(value, dict):
        return {key: _storable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return value


INBOX = table_of(tables.InboxRow)
CURSORS = table_of(tables.CursorRow)
OUTBOX = table_of(tables.OutboxRow)
POSTED = table_of(tables.PostedRow)
CHATS = table_of(tables.ChatStateRow)
CONTEXTS = table_of(tables.ThreadContextRow)
ANSWERS = table_of(tables.AnswerRow)
ANSWER_VERSIONS = table_of(tables.AnswerVersionRow)
CORRECTIONS = table_of(tables.CorrectionRow)
FEEDBACK = table_of(tables.FeedbackRow)
AUDIT = table_of(tables.AuditRow)
NOTICES = table_of(tables.NoticeRow)
UPKEEP = table_of(tables.UpkeepRow)

MESSAGES = Codec(IncomingMessage)
PARTS = Codec(Outgoing)
OPINIONS = Codec(Feedback)
STATES = Codec(ChatState)
ENTRIES = Codec(AuditEntry)
RECORDS = Codec(AnswerRecord)
TEXTS = Codec(RecordTexts)
THREADS = Codec(ThreadContext)


def upsert(connection: AsyncConnection, table: sa.Table) -> Any:
    """An insert that supports ON CONFLICT, for which both databases use the same syntax."""
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)


async def insert_new(
    connection: AsyncConnection, table: sa.Table, values: Mapping[str, object], unique: Sequence[str]
) -> bool:
    """Insert a row unless there is one with the same `unique` columns; whether it was inserted."""
    statement = upsert(connection, table).values(values).on_conflict_do_nothing(index_elements=unique)
    return bool((await connection.execute(statement)).rowcount)


async def put(connection: AsyncConnection, table: sa.Table, values: Mapping[str, object]) -> None:
    """Insert a row, or update the one with the same primary key."""
    keys = [column.name for column in table.primary_key]
    rest = {name: value for name, value in values.items() if name not in keys}
    statement = upsert(connection, table).values(values)
    await connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=rest))


def in_chat(table: sa.Table, chat: ChatKey) -> sa.ColumnElement[bool]:
    """Rows of a chat."""
    columns = table.c
    return sa.and_(
        columns.platform == chat.platform, columns.workspace == chat.workspace, columns.chat == chat.chat
    )


async def changed(connection: AsyncConnection, statement: sa.Update | sa.Delete) -> int:
    """Run a statement; returns the number of rows affected."""
    return int((await connection.execute(statement)).rowcount)


def over(
    stamp: sa.ColumnElement[datetime], *, before: datetime, after: datetime | None
) -> sa.ColumnElement[bool]:
    """A condition that a time is not later than `before`, or is later than `after`: such a future time means
    that the clock was wrong."""
    past: sa.ColumnElement[bool] = stamp <= before
    return past if after is None else sa.or_(past, stamp > after)


FIELDS = Codec(DocumentFields)
DOCUMENTS = Codec(Document)
VERSIONS = Codec(DocumentVersion)
PASSAGES = Codec(Passage)
REFERENCES = Codec(Reference)
JURISDICTIONS = Codec(Jurisdiction)
PARTIES = Codec(Party)
GOVERNMENTS = Codec(Government)
DERIVATIONS = Codec(Derivation)
REGISTERED = Codec(RegisteredDocument)
MANIFESTS = Codec(Manifest)


# Pages as compact blobs: text and word boxes, exact to the last bit.
#
# Layout before compression (zlib, little-endian): a header, the page's text in UTF-8, then one column of
# integers per property of the words. Columns hold differences to the word before where that makes small
# numbers, and each is stored byte plane by byte plane, which is what makes them compress (the "shuffle"
# filter of HDF5 and Blosc). Coordinates become integers in one of three ways, the first that gives every
# value back exactly: hundredths of a point, float32 bits, float64 bits.

FORMAT = 1
_HEADER = struct.Struct("<BBII")  # format, box encoding, words, bytes of text
_WORD_COLUMNS = 6  # gap, length, block, line, note_chars, bits as below
_BOX_COLUMNS = 4
_FURNITURE, _BULLET, _STRUCK, _REPORTED, _SET_OFF = 1, 2, 4, 8, 16
_NO_TEXT = _FURNITURE | _BULLET | _STRUCK

Ints = NDArray[np.signedinteger[Any]]


class BoxEncoding(IntEnum):
    """How a coordinate is turned into an integer."""

    HUNDREDTHS = 0
    FLOAT32 = 1
    FLOAT64 = 2


def encode(text: str, words: Sequence[Word]) -> bytes:
    """Pack a page's text and words. Raises ValueError if a word is not `text[start:end]` or a
    number does not fit 32 bits."""
    for word in words:
        if text[word.start : word.end] != word.text:
            raise ValueError(f"word {word.text!r} is not the page's text at {word.start}:{word.end}")
    raw = text.encode("utf-8", "surrogatepass")
    encoding, coordinates = _to_integers([(w.box.x0, w.box.y0, w.box.x1, w.box.y1) for w in words])
    header = _HEADER.pack(FORMAT, encoding, len(words), len(raw))
    return zlib.compress(header + raw + _pack(_word_columns(words)) + _pack(_box_columns(coordinates)))


def decode(blob: bytes) -> tuple[str, tuple[Word, ...]]:
    """The text and words that `encode` packed. Raises ValueError for anything else."""
    return _from(blob, _decode)


def decode_written(blob: bytes) -> tuple[tuple[str, ...], tuple[int, ...], tuple[bool, ...]]:
    """For each word packed by `encode`: its text, its `note_chars` and whether it `is_text`. Raises
    ValueError for anything else."""
    return _from(blob, _decode_written)


def _from(blob: bytes, read: Callable[[bytes], T]) -> T:
    try:
        return read(zlib.decompress(blob))
    except (zlib.error, struct.error, UnicodeDecodeError) as error:
        raise ValueError(f"not a packed page: {error}") from error


def _decode(data: bytes) -> tuple[str, tuple[Word, ...]]:
    text, columns, encoding, packed = _parts(data)
    kind = np.dtype("<i8" if encoding == BoxEncoding.FLOAT64 else "<i4")
    boxes = _boxes(_unpack(packed, _BOX_COLUMNS, kind), BoxEncoding(encoding))
    return text, _words(text, columns, boxes)


def _decode_written(data: bytes) -> tuple[tuple[str, ...], tuple[int, ...], tuple[bool, ...]]:
    text, columns, *_ = _parts(data)
    notes, asides = columns[-2:]
    return (
        tuple(_texts(text, *_places(columns))),
        tuple(notes.tolist()),
        tuple((asides & _NO_TEXT == 0).tolist()),
    )


def _parts(data: bytes) -> tuple[str, Ints, int, bytes]:
    """The page's text, the columns of its words, how boxes are encoded, and the packed boxes."""
    version, encoding, count, text_bytes = _HEADER.unpack_from(data)
    if version != FORMAT:
        raise ValueError(f"page format {version} is unknown")
    text_end = _HEADER.size + text_bytes
    words_end = text_end + 4 * count * _WORD_COLUMNS
    text = data[_HEADER.size : text_end].decode("utf-8", "surrogatepass")
    columns = _unpack(data[text_end:words_end], _WORD_COLUMNS, np.dtype("<i4"))
    return text, columns, encoding, data[words_end:]


def _places(columns: Ints) -> tuple[list[int], list[int]]:
    """Where each word begins and ends in the page's text."""
    gaps, lengths = columns[:2]
    ends = np.cumsum(gaps.astype(np.int64) + lengths)
    return (ends - lengths).tolist(), ends.tolist()


def _texts(text: str, starts: Sequence[int], ends: Sequence[int]) -> list[str]:
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _words(text: str, columns: Ints, boxes: Sequence[Sequence[float]]) -> tuple[Word, ...]:
    _, _, blocks, lines, notes, asides = columns
    starts, ends = _places(columns)
    return words_of(
        text,
        boxes,
        start=starts,
        end=ends,
        block=np.cumsum(blocks).tolist(),
        line=np.cumsum(lines).tolist(),
        note_chars=notes.tolist(),
        furniture=(asides & _FURNITURE).astype(bool).tolist(),
        bullet=(asides & _BULLET).astype(bool).tolist(),
        struck=(asides & _STRUCK).astype(bool).tolist(),
        reported=(asides & _REPORTED).astype(bool).tolist(),
        set_off=(asides & _SET_OFF).astype(bool).tolist(),
    )


def _word_columns(words: Sequence[Word]) -> Ints:
    rows = [(w.start, w.end, w.block, w.line, w.note_chars, _aside(w)) for w in words]
    table = np.array(rows, dtype=np.int64).reshape(len(rows), _WORD_COLUMNS)
    start, end, block, line, note_chars, asides = table.T
    gap = start - np.concatenate(([0], end[:-1])) if len(rows) else start
    columns = np.stack([gap, end - start, _steps(block), _steps(line), note_chars, asides])
    narrow = columns.astype("<i4")
    if not np.array_equal(narrow, columns):
        raise ValueError("a word's numbers do not fit 32 bits")
    return narrow


def _aside(word: Word) -> int:
    return (
        _FURNITURE * word.furniture
        | _BULLET * word.bullet
        | _STRUCK * word.struck
        | _REPORTED * word.reported
        | _SET_OFF * word.set_off
    )


def _steps(column: Ints) -> Ints:
    return np.diff(column, prepend=column.dtype.type(0))


def _to_integers(coordinates: list[tuple[float, float, float, float]]) -> tuple[BoxEncoding, Ints]:
    values = np.array(coordinates, dtype="<f8").reshape(len(coordinates), _BOX_COLUMNS)
    bits = values.view("<i8")
    with np.errstate(all="ignore"):
        hundredths = np.rint(values * 100).astype("<i4")
        single = values.astype("<f4")
        if np.array_equal((hundredths / 100).view("<i8"), bits):
            return BoxEncoding.HUNDREDTHS, hundredths
        if np.array_equal(single.astype("<f8").view("<i8"), bits):
            return BoxEncoding.FLOAT32, single.view("<i4")
    return BoxEncoding.FLOAT64, bits


def _box_columns(coordinates: Ints) -> Ints:
    """Distance to the word before, width, step down, height; integer overflow wraps and unwraps."""
    x0, y0, x1, y1 = coordinates.T
    gap = x0.copy()
    gap[1:] -= x1[:-1]
    return np.stack([gap, x1 - x0, _steps(y0), y1 - y0])


def _boxes(columns: Ints, encoding: BoxEncoding) -> list[list[float]]:
    """The coordinates, x0 of all words first."""
    gap, width, down, height = columns
    x1 = np.cumsum(gap + width, dtype=columns.dtype)
    y0 = np.cumsum(down, dtype=columns.dtype)
    integers = np.stack([x1 - width, y0, x1, y0 + height])
    if encoding is BoxEncoding.HUNDREDTHS:
        floats: list[list[float]] = (integers / 100).tolist()
    else:
        kind = "<f4" if encoding is BoxEncoding.FLOAT32 else "<f8"
        floats = integers.view(kind).astype("<f8").tolist()
    return floats


def _pack(columns: Ints) -> bytes:
    """Byte planes of each column (shape (columns, words)), one column after another."""
    count, length = columns.shape
    planes = np.ascontiguousarray(columns).view(np.uint8).reshape(count, length, columns.dtype.itemsize)
    return planes.transpose(0, 2, 1).tobytes()


def _unpack(data: bytes, count: int, kind: np.dtype[np.signedinteger[Any]]) -> Ints:
    planes = np.frombuffer(data, dtype=np.uint8).reshape(count, kind.itemsize, -1)
    return np.ascontiguousarray(planes.transpose(0, 2, 1)).view(kind).reshape(count, -1)


def _to_fields(row: AnyRow) -> DocumentFields:
    """The stated fields of a document row or a registered document's row."""
    found = columns(row)
    return FIELDS.read(found, aliases=found["aliases"] or ())  # older rows lack it


def document_values(document: Document) -> Values:
    """A row of `documents`."""
    values = field_values(document)
    return values | field_values(values.pop("fields"))


def to_document(row: AnyRow) -> Document:
    """A document from its row."""
    return DOCUMENTS.read(row, fields=_to_fields(row))


def version_values(version: DocumentVersion) -> Values:
    """A row of `versions`, without its number."""
    values = field_values(version)
    values["document_id"] = values.pop("document")
    return values


def to_version(row: AnyRow) -> DocumentVersion:
    """A version from its row."""
    return VERSIONS.read(row, document=columns(row)["document_id"])


def page_values(page: Page) -> Values:
    """A row of `pages`, without its version."""
    return {
        "number": page.number,
        "label": page.label,
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "text_source": page.text_source.value,
        "content": encode(page.text, page.words),
    }


def to_page(row: Row[Any]) -> Page:
    """A page from its row."""
    text, words = decode(row.content)
    return Page(
        number=row.number,
        label=row.label,
        width=row.width,
        height=row.height,
        rotation=row.rotation,
        text=text,
        words=words,
        text_source=TextSource(row.text_source),
    )


def to_written_page(row: Row[Any]) -> WrittenPage:
    """The words on a page, from its row."""
    return WrittenPage(row.number, *decode_written(row.content))


def passage_values(passage: Passage) -> Values:
    """A row of `passages`, without its version."""
    section, picture = passage.section, passage.picture
    return {
        "ordinal": passage.ordinal,
        "id": passage.id,
        "kind": passage.kind.value,
        "heading": passage.heading,
        "text": passage.text,
        "spans": [(span.page, span.start, span.end) for span in passage.spans],
        "windows": passage.windows,
        "section_id": section.id if section else None,
        "section_title": section.title if section else None,
        "section_path": section.path if section else None,
        "section_hierarchy": section.hierarchy if section else None,
        "picture": (picture.page, *dataclasses.astuple(picture.box)) if picture else None,
        "others": passage.others or None,
    }


def to_passage(row: Row[Any]) -> Passage:
    """A passage from its row joined with its version's id (as `version_id`)."""
    section = {name: getattr(row, f"section_{name}") for name in ("id", "title", "path", "hierarchy")}
    return PASSAGES.read(
        row,
        version=row.version_id,
        spans=tuple(Span(*span) for span in row.spans),
        section=section if row.section_id is not None else None,
        picture=_picture(row.picture),
        others=tuple((start, end) for start, end in row.others or ()),
    )


def _picture(numbers: Sequence[float] | None) -> Picture | None:
    return None if numbers is None else Picture(int(numbers[0]), Box(*numbers[1:]))


def reference_values(reference: Reference) -> Values:
    """A row of `cross_references`, without its version."""
    values = field_values(reference)
    del values["version"]
    return values


def to_reference(row: Row[Any]) -> Reference:
    """A reference from its row joined with its version's id (as `version_id`)."""
    return REFERENCES.read(row, version=row.version_id)


def registry_values(
    items: Sequence[Jurisdiction | Party | Government | Derivation | RegisteredDocument],
) -> list[Values]:
    """Rows of one of the registry's tables."""
    return [{"position": position, **field_values(item)} for position, item in enumerate(items)]


def registered_values(items: Sequence[RegisteredDocument]) -> list[Values]:
    """Rows of `registered_documents`."""
    rows = registry_values(items)
    return [row | field_values(row.pop("fields")) for row in rows]


def to_registered(row: AnyRow) -> RegisteredDocument:
    """A manifest's document from its row."""
    return REGISTERED.read(row, fields=_to_fields(row))


def manifest_values(items: Sequence[Manifest]) -> list[Values]:
    """Rows of `manifests`."""
    packed = (MANIFESTS.pack(item) for item in items)
    return [
        {"position": position, "name": row.pop("name"), "collections": row.pop("collections"), "stated": row}
        for position, row in enumerate(packed)
    ]


def to_manifest(row: AnyRow) -> Manifest:
    """A manifest from its row."""
    found = columns(row)
    return MANIFESTS.unpack({"name": found["name"], "collections": found["collections"]} | found["stated"])
