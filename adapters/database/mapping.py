"""Rows to domain types and back. Pure; every pair is round-trip tested."""

import dataclasses
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Row

from adapters.database import page_codec
from core.domain.documents import (
    Document,
    DocumentFields,
    DocumentStatus,
    DocumentType,
    DocumentVersion,
    VersionStatus,
)
from core.domain.ids import DocumentId, PassageId, VersionId
from core.domain.pages import Box, Page, TextSource, WrittenPage
from core.domain.passages import Passage, PassageKind, Picture, Section, Span
from core.domain.references import Instrument, Reference, ReferenceKind
from core.domain.registry import Derivation, Government, Jurisdiction, Party, RegisteredDocument

AnyRow = Row[Any] | SimpleNamespace
"""A row, or the part of a joined row that belongs to one table."""

Values = dict[str, Any]
"""Column values of one row."""


def fields_values(fields: DocumentFields) -> Values:
    """The columns of `StatedFields`."""
    return {item.name: _plain(getattr(fields, item.name)) for item in dataclasses.fields(fields)}


def to_fields(row: AnyRow) -> DocumentFields:
    """The stated fields of a document row or a registered document's row."""
    values = {item.name: getattr(row, item.name) for item in dataclasses.fields(DocumentFields)}
    for name in ("parties", "tags", "aliases", "mirrors"):
        values[name] = tuple(values[name] or ())  # rows of before have no aliases
    values["doc_type"] = DocumentType(values["doc_type"])
    return DocumentFields(**values)


def document_values(document: Document) -> Values:
    """A row of `documents`."""
    return {
        "id": document.id,
        "collection": document.collection,
        "key": document.key,
        "file": document.file,
        "status": document.status.value,
        **fields_values(document.fields),
    }


def to_document(row: AnyRow) -> Document:
    """A document from its row."""
    return Document(
        id=DocumentId(row.id),
        collection=row.collection,
        key=row.key,
        file=row.file,
        fields=to_fields(row),
        status=DocumentStatus(row.status),
    )


def version_values(version: DocumentVersion) -> Values:
    """A row of `versions`, without its number."""
    values = {item.name: _plain(getattr(version, item.name)) for item in dataclasses.fields(version)}
    values["document_id"] = values.pop("document")
    return values


def to_version(row: AnyRow) -> DocumentVersion:
    """A version from its row."""
    return DocumentVersion(
        id=VersionId(row.id),
        document=DocumentId(row.document_id),
        number=row.number,
        sha256=row.sha256,
        pipeline=row.pipeline,
        pages=row.pages,
        status=VersionStatus(row.status),
        seen_from=row.seen_from,
        original=row.original,
        seen_to=row.seen_to,
        indexed_at=row.indexed_at,
        pages_without_text=row.pages_without_text,
        pages_ocr=row.pages_ocr,
        hidden_characters=row.hidden_characters,
        passages=row.passages,
        warnings=tuple(row.warnings),
    )


def page_values(page: Page) -> Values:
    """A row of `pages`, without its version."""
    return {
        "number": page.number,
        "label": page.label,
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "text_source": page.text_source.value,
        "content": page_codec.encode(page.text, page.words),
    }


def to_page(row: AnyRow) -> Page:
    """A page from its row."""
    text, words = page_codec.decode(row.content)
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


def to_written_page(row: AnyRow) -> WrittenPage:
    """What is written on a page, from its row."""
    return WrittenPage(row.number, *page_codec.decode_written(row.content))


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
    }


def to_passage(row: AnyRow) -> Passage:
    """A passage from its row joined with its version's id (as `version_id`)."""
    return Passage(
        id=PassageId(row.id),
        version=VersionId(row.version_id),
        ordinal=row.ordinal,
        spans=tuple(Span(*span) for span in row.spans),
        text=row.text,
        heading=row.heading,
        kind=PassageKind(row.kind),
        section=_section(row),
        windows=tuple((start, end) for start, end in row.windows),
        picture=_picture(row.picture),
    )


def _picture(numbers: Sequence[float] | None) -> Picture | None:
    return None if numbers is None else Picture(int(numbers[0]), Box(*numbers[1:]))


def _section(row: AnyRow) -> Section | None:
    if row.section_id is None:
        return None
    return Section(
        id=row.section_id,
        title=row.section_title,
        path=tuple(row.section_path),
        hierarchy=tuple(row.section_hierarchy),
    )


def reference_values(reference: Reference) -> Values:
    """A row of `cross_references`, without its version."""
    values = {item.name: _plain(getattr(reference, item.name)) for item in dataclasses.fields(reference)}
    del values["version"]
    return values


def to_reference(row: AnyRow) -> Reference:
    """A reference from its row joined with its version's id (as `version_id`)."""
    return Reference(
        version=VersionId(row.version_id),
        ordinal=row.ordinal,
        section=row.section,
        path=tuple(row.path),
        kind=ReferenceKind(row.kind),
        instrument=Instrument(row.instrument),
        name=row.name,
        target=row.target,
        target_path=tuple(row.target_path),
        start=row.start,
        end=row.end,
    )


def registry_values(items: Sequence[Jurisdiction | Party | Government | Derivation]) -> list[Values]:
    """Rows of one of the registry's tables."""
    return [
        {"position": position}
        | {field.name: _plain(getattr(item, field.name)) for field in dataclasses.fields(item)}
        for position, item in enumerate(items)
    ]


def registered_values(items: Sequence[RegisteredDocument]) -> list[Values]:
    """Rows of `registered_documents`."""
    return [
        {
            "position": position,
            "key": item.key,
            "collection": item.collection,
            "file": item.file,
            "url": item.url,
            **fields_values(item.fields),
        }
        for position, item in enumerate(items)
    ]


def to_jurisdiction(row: AnyRow) -> Jurisdiction:
    """A place from its row."""
    return Jurisdiction(code=row.code, name=row.name, aliases=tuple(row.aliases), parent=row.parent)


def to_party(row: AnyRow) -> Party:
    """A party from its row."""
    return Party(
        name=row.name,
        aliases=tuple(row.aliases),
        members=tuple(row.members),
        jurisdictions=tuple(row.jurisdictions),
    )


def to_government(row: AnyRow) -> Government:
    """Who governs, from its row."""
    return Government(
        jurisdiction=row.jurisdiction, parties=tuple(row.parties), since=row.since, until=row.until
    )


def to_derivation(row: AnyRow) -> Derivation:
    """A derivation from its row."""
    return Derivation(
        document=row.document, section=row.section, source=row.source, source_section=row.source_section
    )


def to_registered(row: AnyRow) -> RegisteredDocument:
    """A manifest's document from its row."""
    return RegisteredDocument(
        key=row.key, collection=row.collection, fields=to_fields(row), file=row.file, url=row.url
    )


def _plain(value: Any) -> Any:
    """Tuples as lists for JSON; enumerations are strings already."""
    return list(value) if isinstance(value, tuple) else value
