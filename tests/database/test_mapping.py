"""Whatever the domain types can hold comes back from a database (SQLite in memory) as it was."""

import math
import zlib
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from adapters.database import mapping
from adapters.database.mapping import decode, decode_written, encode
from adapters.database.queries import DOCUMENTS, PASSAGES, VERSIONS, passages_with_version
from adapters.database.tables import metadata
from core.domain.documents import Document, DocumentFields, DocumentStatus, DocumentType, DocumentVersion
from core.domain.pages import Box, Page, Word, WrittenPage
from core.domain.passages import Passage, PassageKind, Picture, Section, Span
from tests.support.library_examples import document, passage, version

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
DATES = st.none() | st.dates(date(1, 1, 1))
TIMES = st.datetimes(datetime(1900, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone
COUNT = st.integers(0, 2**31 - 1)

FIELDS = st.builds(
    DocumentFields,
    title=TEXT,
    language=TEXT,
    jurisdiction=st.none() | TEXT,
    parties=TEXTS,
    doc_type=st.sampled_from(DocumentType),
    valid_from=DATES,
    valid_to=DATES,
    series=st.none() | TEXT,
    reference=st.none() | TEXT,
    tags=TEXTS,
    max_pages=st.none() | COUNT,
    derived_from=st.none() | TEXT,
    amends=st.none() | TEXT,
    source_uri=st.none() | TEXT,
    mirrors=TEXTS,
    schedule=st.none() | TEXT,
)
DOCUMENT_ITEMS = st.builds(
    lambda fields, status, file: replace(document(), fields=fields, status=status, file=file),
    FIELDS,
    st.sampled_from(DocumentStatus),
    TEXT,
)
VERSION_ITEMS = st.builds(
    lambda times, counts, warnings: replace(
        version(document()),
        seen_from=times[0],
        seen_to=times[1],
        indexed_at=times[2],
        pages=counts[0],
        pages_ocr=counts[1],
        warnings=warnings,
    ),
    st.tuples(TIMES, st.none() | TIMES, st.none() | TIMES),
    st.tuples(COUNT, COUNT),
    TEXTS,
)
PASSAGE_ITEMS = st.builds(
    lambda text, heading, kind, section, spans, windows, picture: replace(
        passage(version(document())),
        text=text,
        heading=heading,
        kind=kind,
        section=section,
        spans=spans,
        windows=windows,
        picture=picture,
    ),
    TEXT,
    TEXT,
    st.sampled_from(PassageKind),
    st.none() | st.builds(Section, id=TEXT, title=TEXT, path=TEXTS, hierarchy=TEXTS),
    st.lists(st.builds(Span, COUNT, COUNT, COUNT)).map(tuple),
    st.lists(st.tuples(COUNT, COUNT)).map(tuple),
    st.none()
    | st.builds(Picture, COUNT, st.builds(Box, *[st.floats(allow_nan=False, allow_infinity=False)] * 4)),
)
HUNDREDTHS = st.integers(-(10**6), 10**6).map(lambda n: n / 100)
SINGLE = st.floats(width=32, allow_nan=False)
DOUBLE = st.floats(allow_nan=False)
TOKENS = st.text(st.characters(exclude_categories=["Zs", "Cc"]), min_size=1, max_size=12)
SMALL = st.integers(0, 3)


def stored(document: Document, version: DocumentVersion, passage: Passage) -> tuple[object, ...]:
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        metadata.create_all(connection)
        connection.execute(DOCUMENTS.insert().values(mapping.document_values(document)))
        connection.execute(VERSIONS.insert().values(mapping.version_values(version)))
        row = connection.execute(sa.select(VERSIONS.c.row)).scalar_one()
        connection.execute(PASSAGES.insert().values(version_row=row, **mapping.passage_values(passage)))
        found = (
            mapping.to_document(connection.execute(DOCUMENTS.select()).one()),
            mapping.to_version(connection.execute(VERSIONS.select()).one()),
            mapping.to_passage(connection.execute(passages_with_version()).one()),
        )
    engine.dispose()
    return found


@given(DOCUMENT_ITEMS, VERSION_ITEMS, PASSAGE_ITEMS)
def test_rows_come_back_as_saved(document: Document, version: DocumentVersion, passage: Passage) -> None:
    assert stored(document, version, passage) == (document, version, passage)


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, tuple[Word, ...]]:
    number = draw(st.sampled_from([HUNDREDTHS, SINGLE, DOUBLE]))
    text, words = "", []
    for token in draw(st.lists(TOKENS, max_size=30)):
        text += draw(st.sampled_from(["", " ", "\n", "\n\n"]))
        words.append(
            Word(
                text=token,
                start=len(text),
                end=len(text) + len(token),
                box=Box(*draw(st.tuples(number, number, number, number))),
                block=draw(st.integers(0, 10**6)),
                line=draw(SMALL),
                note_chars=draw(SMALL),
                furniture=draw(st.booleans()),
                bullet=draw(st.booleans()),
                struck=draw(st.booleans()),
                set_off=draw(st.booleans()),
                reported=draw(st.booleans()),
            )
        )
        text += token
    return text + draw(st.sampled_from(["", "\n"])), tuple(words)


@given(pages())
def test_round_trip(page: tuple[str, tuple[Word, ...]]) -> None:
    assert decode(encode(*page)) == page


@given(pages())
def test_what_is_written_is_what_the_words_say(page: tuple[str, tuple[Word, ...]]) -> None:
    whole = Page(number=3, label=None, width=1, height=1, rotation=0, text=page[0], words=page[1])
    assert WrittenPage(3, *decode_written(encode(*page))) == WrittenPage.of(whole)


@given(pages())
def test_signs_of_zero_survive(page: tuple[str, tuple[Word, ...]]) -> None:
    for before, after in zip(page[1], decode(encode(*page))[1], strict=True):
        assert math.copysign(1, before.box.x0) == math.copysign(1, after.box.x0)


def word(start: int, end: int, text: str = "Wort") -> Word:
    return Word(text=text, start=start, end=end, box=Box(0, 0, 1, 1), block=0, line=0)


def test_lone_surrogates_and_nul_survive() -> None:
    text = "a\x00b \ud800c"
    assert decode(encode(text, ()))[0] == text


def test_not_a_number_survives() -> None:
    page = "Wort", (Word(text="Wort", start=0, end=4, box=Box(math.nan, 0, 1, 1), block=0, line=0),)
    assert math.isnan(decode(encode(*page))[1][0].box.x0)


def test_word_that_is_not_the_text_is_an_error() -> None:
    with pytest.raises(ValueError, match="is not the page's text"):
        encode("Ein Wort", (word(0, 4),))


def test_numbers_beyond_32_bits_are_an_error() -> None:
    far = Word(text="Wort", start=0, end=4, box=Box(0, 0, 1, 1), block=2**40, line=0)
    with pytest.raises(ValueError, match="32 bits"):
        encode("Wort", (far,))


@pytest.mark.parametrize("blob", [b"", b"nonsense", zlib.compress(b"\x07" * 20), encode("Wort", ())[:-3]])
def test_other_bytes_are_an_error(blob: bytes) -> None:
    with pytest.raises(ValueError):
        decode(blob)
    with pytest.raises(ValueError):
        decode_written(blob)


def test_a_page_of_regular_lines_is_small() -> None:
    tokens = [f"Wort{n:04}" for n in range(400)]
    words = tuple(
        Word(
            text=token,
            start=9 * n,
            end=9 * n + 8,
            box=Box(70 + 45 * (n % 10), 80 + 14 * (n // 10), 110 + 45 * (n % 10), 92 + 14 * (n // 10)),
            block=n // 100,
            line=n // 10 % 10,
        )
        for n, token in enumerate(tokens)
    )
    assert len(encode(" ".join(tokens), words)) < 400 * 5
