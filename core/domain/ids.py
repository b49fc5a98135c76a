"""Identifiers. All ids except the library's are deterministic UUIDs in text form, so a rebuild yields the
same ones."""

import uuid
from typing import NewType

DocumentId = NewType("DocumentId", str)
VersionId = NewType("VersionId", str)
PassageId = NewType("PassageId", str)
TraceId = NewType("TraceId", str)
LibraryId = NewType("LibraryId", str)
"""Id of one database, generated once at random. Indexes carry it, so that each belongs to one library."""

NAMESPACE = uuid.UUID("5d3c7b1e-0d6b-5c39-9a0e-6f756e647374")


def document_id(collection: str, key: str) -> DocumentId:
    """Id of the document with `key` (manifest file, URL or base name) in `collection`."""
    return DocumentId(str(uuid.uuid5(NAMESPACE, f"document\n{collection}\n{key}")))


def version_id(document: DocumentId, sha256: str) -> VersionId:
    """Id of the version of `document` that has these bytes."""
    return VersionId(str(uuid.uuid5(NAMESPACE, f"version\n{document}\n{sha256}")))


def passage_id(version: VersionId, pipeline: str, ordinal: int) -> PassageId:
    """Id of the `ordinal`-th passage (0-based) that `pipeline` cut from `version`."""
    return PassageId(str(uuid.uuid5(NAMESPACE, f"passage\n{version}\n{pipeline}\n{ordinal}")))
