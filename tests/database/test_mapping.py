"""Whatever the domain types can hold comes back from a database (SQLite in memory) as it was."""

from dataclasses import replace
from datetime import UTC, date, datetime

import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from adapters.database import mapping
from adapters.database.queries import DOCUMENTS, PASSAGES, VERSIONS, passages_with_version
from adapters.database.tables import metadata
from core.domain.documents import Document, DocumentFields, DocumentStatus, DocumentType, DocumentVersion
from core.domain.pages import Box
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
