"""Builds versions (number, passages, fields and warnings), and restores what one has lost: index points,
passages, the stored file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from core.domain.documents import (
    Document,
    DocumentFields,
    DocumentVersion,
    Edition,
    StoredFile,
    VersionStatus,
)
from core.domain.ids import VersionId, passage_id, version_id
from core.domain.pages import DocumentReading, PageTrouble, TextSource
from core.domain.passages import Passage, PassageDraft
from core.errors import Refused
from core.library.chunking.chunker import ChunkResult
from core.library.cross_references import recognise_missing
from core.library.cutting import Cutter
from core.library.formats import FileRead, FileReader, Report, steps_of
from core.library.indexing import PassageWriter
from core.ports.index import PassageIndex
from core.ports.library import LifecycleLibrary
from core.ports.storage import Originals


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


async def whole_original(originals: Originals, original: str, file: str) -> Path:
    """The path of a document's stored file. Raises Refused if it is lost or damaged: reading it would not
    reproduce what was ingested as `file`."""
    path = await originals.whole(original)
    if path is None:
        detail = (
            f"the kept file of {file} is lost or damaged: put {original} back into the folder `originals`"
            " from a backup, or ingest the same file again"
        )
        raise Refused("file.lost", detail, file=file)
    return path


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRepair:
    """Repairs versions in the library. `is_current` says whether the current pipeline made a version."""

    library: LifecycleLibrary
    index: PassageIndex
    originals: Originals
    files: FileReader
    cutter: Cutter
    writer: PassageWriter
    count_tokens: Callable[[Sequence[str]], list[int]]
    is_current: Callable[[Edition], bool]

    async def repair(self, edition: Edition, report: Report | None = None) -> int:
        """Index the passages of a readable version again; returns how many. Passages missing from the
        database are read and cut again from the stored file. Raises Refused if that file is gone or can no
        longer be read in the same way: then the document has to be ingested or rebuilt."""
        document, version = edition.document, edition.version
        passages = await self.library.passages_at(version.id, range(version.passages))
        if len(passages) != version.passages or not passages:
            passages = await self._read_again(edition, report)
        if await self.index.count(document.collection, version.id) > len(passages):
            await self.index.remove_version(document.collection, version.id)
        done = 0
        async for batch, _ in self.writer.write(document.collection, document.fields, passages):
            done += len(batch)
            if report:
                report(document.file, "embed", done, len(passages))
        now = await self.library.version(version.id)
        if now is None or now.status is VersionStatus.DELETED:  # it went meanwhile
            await self.index.remove_version(document.collection, version.id)
        return len(passages)

    async def _read_again(self, edition: Edition, report: Report | None) -> list[Passage]:
        document, version = edition.document, edition.version
        if not self.is_current(edition):
            detail = (
                f"passages of {document.file} are lost, and another pipeline has made them: ingest it again"
            )
            raise Refused("document.outdated", detail, file=document.file)
        read = await self._read(edition, report)
        pages, cut = await self.cutter.cut(read.reading.pages, document.fields, self.count_tokens)
        passages = number(cut.passages, version.id, version.pipeline)
        await self.library.refill(version.id, pages, passages)
        await recognise_missing(self.library, [edition])
        return list(passages)

    async def _read(self, edition: Edition, report: Report | None = None) -> FileRead:
        """The pages of the stored file; its derived PDF, if any, is made again."""
        document, original = edition.document, edition.version.original
        path = await whole_original(self.originals, original, document.file)
        seen = await self.originals.inspect(path)
        limit, steps = document.fields.max_pages, steps_of(report, document.file)
        return await self.files.read(path, seen, name=document.file, max_pages=limit, steps=steps)

    async def mended(self, edition: Edition, path: Path) -> int:
        """Repair what a known version lacks: its points, its stored file, its derived PDF; returns how many
        passages were indexed."""
        document, version = edition.document, edition.version
        if not await self.originals.is_whole(version.original):
            await self.originals.keep(path)
        if await self.originals.pages(version.original) is None:
            await self._read(edition)
        if await self.index.count(document.collection, version.id) == version.passages:
            return 0
        return await self.repair(edition)
