"""Rows to domain types and back. Pure; every pair is round-trip tested."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from adapters.database import page_codec
from adapters.database.codec import AnyRow, Codec, Values, columns, field_values
from core.domain.documents import Document, DocumentFields, DocumentVersion
from core.domain.pages import Box, Page, TextSource, WrittenPage
from core.domain.passages import Passage, Picture, Span
from core.domain.references import Reference
from core.domain.registry import Derivation, Government, Jurisdiction, Manifest, Party, RegisteredDocument

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


def to_fields(row: AnyRow) -> DocumentFields:
    """The stated fields of a document row or a registered document's row."""
    found = columns(row)
    return FIELDS.read(found, aliases=found["aliases"] or ())  # rows of before have none


def document_values(document: Document) -> Values:
    """A row of `documents`."""
    values = field_values(document)
    return values | field_values(values.pop("fields"))


def to_document(row: AnyRow) -> Document:
    """A document from its row."""
    return DOCUMENTS.read(row, fields=to_fields(row))


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
        "content": page_codec.encode(page.text, page.words),
    }


def to_page(row: Row[Any]) -> Page:
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


def to_written_page(row: Row[Any]) -> WrittenPage:
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
    return REGISTERED.read(row, fields=to_fields(row))


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
