"""What the bot and its cutting process say to each other: messages of one kind byte and a body.

Pages go there as plain tuples in marshal's form, which takes a tenth of the time of any other. What comes
back is JSON, checked against the types; nothing is ever unpickled.
"""

import json
import marshal
from collections.abc import Sequence
from enum import Enum

from pydantic import TypeAdapter

from core.domain.documents import DocumentFields
from core.domain.pages import Box, Page, PageReading, PageTrouble, Region, RegionKind, TextSource, Word
from core.domain.passages import Passage
from core.domain.references import Reference
from core.library.chunking import ChunkResult

FIELDS = TypeAdapter(DocumentFields)
PASSAGES = TypeAdapter(tuple[Passage, ...])
REFERENCES = TypeAdapter(tuple[Reference, ...])
CUT = TypeAdapter(tuple[list[tuple[list[int], list[int], list[int]]], ChunkResult])
"""The furniture, the list signs and others' words of each page, as the characters where words begin, and the
passages."""
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


def packed(readings: Sequence[PageReading], fields: DocumentFields) -> bytes:
    """A request to cut."""
    return WireKind.CUT.value + marshal.dumps((FIELDS.dump_json(fields), [_plain(item) for item in readings]))


def unpacked(body: bytes) -> tuple[list[PageReading], DocumentFields]:
    """The reverse of `packed`, without its kind."""
    fields, plain = marshal.loads(body)  # noqa: S302 - from the process that has started this one
    return [_reading(*item) for item in plain], FIELDS.validate_json(fields)


def asked(passages: Sequence[Passage], fields: DocumentFields) -> bytes:
    """A request for references."""
    return WireKind.REFERENCES.value + marshal.dumps(
        (FIELDS.dump_json(fields), PASSAGES.dump_json(tuple(passages)))
    )


def passages_of(body: bytes) -> tuple[tuple[Passage, ...], DocumentFields]:
    """The reverse of `asked`, without its kind."""
    fields, passages = marshal.loads(body)  # noqa: S302 - as above
    return PASSAGES.validate_json(passages), FIELDS.validate_json(fields)


def failure(kind: str, frames: Sequence[str]) -> bytes:
    """An error that nobody foresaw: its class and where it was raised."""
    return WireKind.FAILED.value + json.dumps([kind, *frames]).encode()


def _plain(item: PageReading) -> tuple[object, ...]:
    page = item.page
    facts = (
        page.number,
        page.label,
        page.width,
        page.height,
        page.rotation,
        page.text_source.value,
        page.text,
    )
    words = [
        (
            *(word.start, word.end, word.box.x0, word.box.y0, word.box.x1, word.box.y1),
            *(word.block, word.line, word.note_chars, word.furniture, word.struck, word.set_off),
        )
        for word in page.words
    ]
    regions = [
        (
            region.kind.value,
            (region.box.x0, region.box.y0, region.box.x1, region.box.y1),
            *(region.rows, region.header_rows, region.caption),
        )
        for region in item.regions
    ]
    return facts, words, regions, item.trouble.value if item.trouble else None, item.hidden_characters


def _reading(
    facts: tuple[int, str | None, float, float, int, str, str],
    words: list[tuple[int, int, float, float, float, float, int, int, int, bool, bool, bool]],
    regions: list[
        tuple[str, tuple[float, float, float, float], tuple[tuple[int, ...], ...], int, tuple[int, ...]]
    ],
    trouble: str | None,
    hidden: int,
) -> PageReading:
    number, label, width, height, rotation, source, text = facts
    page = Page(
        number=number,
        label=label,
        width=width,
        height=height,
        rotation=rotation,
        text=text,
        words=tuple(
            Word(
                text=text[start:end],
                start=start,
                end=end,
                box=Box(x0, y0, x1, y1),
                block=block,
                line=line,
                note_chars=notes,
                furniture=furniture,
                struck=struck,
                set_off=set_off,
            )
            for start, end, x0, y0, x1, y1, block, line, notes, furniture, struck, set_off in words
        ),
        text_source=TextSource(source),
    )
    return PageReading(
        page=page,
        trouble=PageTrouble(trouble) if trouble else None,
        hidden_characters=hidden,
        regions=tuple(
            Region(kind=RegionKind(kind), box=Box(*box), rows=rows, header_rows=header, caption=caption)
            for kind, box, rows, header, caption in regions
        ),
    )
