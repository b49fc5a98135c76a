"""Builds versions: number, passages, fields and warnings."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from core.domain.documents import Document, DocumentFields, DocumentVersion, StoredFile, VersionStatus
from core.domain.ids import VersionId, passage_id, version_id
from core.domain.pages import DocumentReading, PageTrouble, TextSource
from core.domain.passages import Passage, PassageDraft
from core.errors import Refused
from core.library.chunking.chunker import ChunkResult
from core.library.formats import FileRead


def active(versions: Sequence[DocumentVersion]) -> DocumentVersion | None:
    """The active version of a document."""
    return next((version for version in versions if version.status is VersionStatus.ACTIVE), None)


def new_version(
    document: Document,
    stored: StoredFile,
    pipeline: str,
    read: FileRead,
    cut: ChunkResult,
    *,
    others: Sequence[DocumentVersion],
    at: datetime,
) -> DocumentVersion:
    """A pending version in addition to the document's `others`; the same bytes keep their number. Raises
    Refused("pdf.no_text") if nothing can be quoted."""
    pages = read.reading.pages
    same = [version.number for version in others if version.sha256 == stored.sha256]
    empty = sum(1 for item in pages if item.trouble is not None)
    warnings = warnings_of(read.reading, cut)
    if not cut.passages:
        detail = f"no page has readable text; {read.advice or 'a scan needs OCR'}"
        raise Refused("pdf.no_text", detail, pages=empty, warnings=" ".join(warnings))
    return DocumentVersion(
        id=version_id(document.id, f"{stored.sha256}\n{pipeline}"),
        document=document.id,
        number=same[0] if same else max((version.number for version in others), default=0) + 1,
        sha256=stored.sha256,
        pipeline=pipeline,
        pages=len(pages),
        status=VersionStatus.PENDING,
        seen_from=at,
        original=stored.original,
        pages_without_text=empty,
        pages_ocr=sum(1 for item in pages if item.page.text_source is TextSource.OCR),
        hidden_characters=sum(item.hidden_characters for item in pages),
        passages=len(cut.passages),
        warnings=warnings,
    )


def number(drafts: Sequence[PassageDraft], version: VersionId, pipeline: str) -> tuple[Passage, ...]:
    """Drafts as passages of `version`, with deterministic ids."""
    return tuple(
        Passage(
            id=passage_id(version, pipeline, ordinal),
            version=version,
            ordinal=ordinal,
            spans=draft.spans,
            text=draft.text,
            heading=draft.heading,
            kind=draft.kind,
            section=draft.section,
            windows=draft.windows,
            picture=draft.picture,
            others=draft.others,
        )
        for ordinal, draft in enumerate(drafts)
    )


def merged(known: DocumentFields, given: DocumentFields, stated: frozenset[str]) -> DocumentFields:
    """`known` updated with the stated fields of `given`."""
    return replace(known, **{name: getattr(given, name) for name in stated})


def warnings_of(reading: DocumentReading, cut: ChunkResult) -> tuple[str, ...]:
    """Warning keys from reading and cutting; a count follows a colon."""
    found = [f"{key}:{count}" for key, count in reading.warnings]
    for trouble in PageTrouble:
        pages = sum(1 for item in reading.pages if item.trouble is trouble)
        if pages:
            found.append(f"pages.{trouble.value}:{pages}")
    if (cut_off := reading.total_pages - len(reading.pages)) > 0:
        found.append(f"pages.cut_off:{cut_off}")
    return (*found, *cut.warnings)
