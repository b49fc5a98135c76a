"""Small documents, versions, pages and passages to put into a library."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from core.domain.documents import Document, DocumentFields, DocumentType, DocumentVersion, VersionStatus
from core.domain.ids import DocumentId, PassageId, VersionId, document_id, passage_id, version_id
from core.domain.pages import Box, Page, TextSource, Word
from core.domain.passages import Instrument, Passage, PassageKind, Reference, ReferenceKind, Section, Span
from core.domain.registry import (
    Derivation,
    Government,
    Jurisdiction,
    Party,
    RegisteredDocument,
    Registry,
)

START = datetime(2026, 1, 10, 12, tzinfo=UTC)


def day(number: int) -> datetime:
    """Noon of the `number`-th day after START."""
    return START + timedelta(days=number)


def document(
    key: str = "a.pdf", *, collection: str = "public", title: str = "", **fields: object
) -> Document:
    stated = replace(DocumentFields(title=title or key, language="de"), **fields)  # type: ignore[arg-type]
    return Document(id=document_id(collection, key), collection=collection, key=key, file=key, fields=stated)


def full_document() -> Document:
    """A document with every field stated."""
    return document(
        "voll.pdf",
        title="Satzung über Bäume",
        jurisdiction="de-nw",
        parties=("Alpha", "Beta"),
        doc_type=DocumentType.RULES,
        valid_from=date(2020, 2, 29),
        valid_to=date(2025, 12, 31),
        series="baeume",
        reference="GV. NRW. 2020 S. 12",
        tags=("grün", "stadt"),
        max_pages=12,
        derived_from="gesetz.pdf",
        amends="alt.pdf",
        source_uri="https://example.org/a.pdf",
        mirrors=("https://example.net/a.pdf",),
        schedule="every 6h",
    )


def version(
    of: Document, content: str = "first", *, number: int = 1, seen: datetime = START, pipeline: str = "p1"
) -> DocumentVersion:
    return DocumentVersion(
        id=version_id(of.id, f"{content}\n{pipeline}"),
        document=of.id,
        number=number,
        sha256=f"{content:0<64}",
        pipeline=pipeline,
        pages=2,
        status=VersionStatus.PENDING,
        seen_from=seen,
        original=f"originals/{content}.pdf",
        pages_without_text=1,
        pages_ocr=1,
        hidden_characters=7,
        passages=3,
        warnings=("pages.scan:1",),
    )


def page(number: int = 1, text: str = "Bäume sind\nzu schützen.") -> Page:
    words, at = [], 0
    for line, tokens in enumerate(text.split("\n")):
        for token in tokens.split():
            start = text.index(token, at)
            at = start + len(token)
            box = Box(70.25 + start, 80.1 + 14 * line, 71.5 + at, 92.3 + 14 * line)
            words.append(Word(text=token, start=start, end=at, box=box, block=0, line=line))
    return Page(
        number=number,
        label="iv" if number == 1 else None,
        width=595.276,
        height=841.89,
        rotation=90,
        text=text,
        words=tuple(words),
        text_source=TextSource.OCR if number % 2 else TextSource.NATIVE,
    )


def passage(
    of: DocumentVersion,
    ordinal: int = 0,
    *,
    section: str | None = None,
    text: str = "Bäume sind zu schützen.",
) -> Passage:
    unit = Section(id=section, title="Schutz", path=("4", "a"), hierarchy=("Teil 1",)) if section else None
    return Passage(
        id=passage_id(of.id, of.pipeline, ordinal),
        version=of.id,
        ordinal=ordinal,
        spans=(Span(1, 0, 10), Span(2, 3, 9)),
        text=text,
        heading="Satzung",
        kind=PassageKind.SECTION if section else PassageKind.PROSE,
        section=unit,
        windows=((0, 10), (5, len(text))),
    )


def reference(of: DocumentVersion, target: str, *, section: str | None = "rule:3") -> Reference:
    return Reference(
        version=of.id,
        ordinal=1,
        section=section,
        kind=ReferenceKind.DERIVED_FROM,
        instrument=Instrument.PARENT,
        target=target,
        start=3,
        end=12,
    )


def registry() -> Registry:
    """A registry with a row of every kind, some with and some without the optional fields."""
    return Registry(
        jurisdictions=(
            Jurisdiction(code="xa", name="Musterland", aliases=("ML", "Sample Land"), parent="eu"),
            Jurisdiction(code="eu", name="Europäische Union"),
        ),
        parties=(
            Party(name="Beta", aliases=("Die Betas",), members=("B1", "B2"), jurisdictions=("xa",)),
            Party(name="Alpha"),
        ),
        governments=(
            Government(jurisdiction="xa", parties=("Beta", "Alpha"), since=date(2020, 1, 1)),
            Government(
                jurisdiction="xa", parties=("Alpha",), since=date(2015, 1, 1), until=date(2019, 12, 31)
            ),
        ),
        documents=(
            RegisteredDocument(
                key="voll.pdf", collection="public", fields=full_document().fields, file="voll.pdf"
            ),
            RegisteredDocument(
                key="https://example.org/b",
                collection="internal",
                fields=DocumentFields(title="B", language="en"),
                url="https://example.org/b",
            ),
        ),
        derivations=(
            Derivation(document="voll.pdf", section="rule:3", source="gesetz.pdf", source_section="par:5"),
        ),
    )


NOBODY = DocumentId("00000000-0000-0000-0000-000000000000")
NO_VERSION = VersionId("00000000-0000-0000-0000-000000000000")
NO_PASSAGE = PassageId("00000000-0000-0000-0000-000000000000")
